import GPURender

/// The devices of `--device`: one, several, or all.
package enum DeviceChoice {
  /// Returns the devices to open, in order; one that is named twice is opened twice. Some may be refused.
  ///
  /// - Parameter text: a device's name, index, UUID or PCI address, several separated by commas, or "all"; `nil` takes
  ///   those that a scheduler gave, else the best.
  /// - Throws: `GPUError` if a name matches nothing, or there is no device.
  package static func devices(
    _ text: String?, among devices: [GPUDeviceInfo], _ allotment: Allotment
  ) throws(GPUError) -> [GPUDeviceInfo] {
    guard let text else { return try allotment.chooseGPUs(from: devices) }
    if text.lowercased() == "all" {
      if allotment.gpus != nil { return try allotment.chooseGPUs(from: devices) }
      let hardware = devices.filter { $0.type != .cpu }
      if hardware.allSatisfy({ $0.refusal != nil }) { _ = try GPUDevice.choose(.automatic, from: devices) }
      return hardware
    }
    // The name of a device may contain commas.
    if devices.contains(where: { $0.answers(to: text) }) { return [try GPUDevice.choose(.named(text), from: devices)] }
    var chosen: [GPUDeviceInfo] = []
    for word in text.split(separator: ",") {
      chosen.append(try GPUDevice.choose(.named(String(word.drop { $0 == " " })), from: devices))
    }
    if chosen.isEmpty { throw .noMatch(asked: text, present: devices.map { "\($0.index): \($0.name)" }) }
    return chosen
  }

  /// Returns the names of rings: the device's name, with its index if there are several.
  package static func labels(_ devices: [GPUDeviceInfo]) -> [String] {
    if devices.count == 1 { return devices.map(\.name) }
    return devices.enumerated().map { position, device in
      let same = devices[..<position].count { $0.index == device.index }
      return "\(device.index): \(device.name)" + (same > 0 ? " (ring \(same + 1))" : "")
    }
  }
}
