import BatchEngine
import CPURender
import GPURender
import HDRRender
import ImageFiles
import PlainData

/// The text of `doctor`.
extension Doctor {
  package var lines: [String] {
    var lines = [
      "hdrbatch \(hdrbatchVersion), looked at in \(hundredths(seconds)) s",
      "CPU      \(CPUBackend.best.instructionSet) in use, of "
        + "\(CPUBackend.available.map(\.instructionSet).joined(separator: ", "))",
    ]
    lines += Allotment.current.lines(devices: devices)
    let set = Allotment.environmentRead
    if !set.isEmpty {
      lines.append("         " + set.map { printable("\($0.name)=\($0.value)") }.joined(separator: " "))
    }
    lines += vulkanLines
    for device in devices { lines += self.lines(of: device) }
    if automaticIndices.isEmpty {
      lines.append("         --backend auto renders on the CPU: \(printable(automaticReason ?? "no device"))")
    }
    for (index, item) in advice.enumerated() {
      lines.append((index == 0 ? "advice   " : "         ") + "\(item.text) [\(item.code)]")
    }
    lines.append(
      "exact    kernels \(kernelDigest.hex.prefix(16)), "
        + (kernelFindings.isEmpty
          ? "every operation pinned (NoContraction) and rounded to nearest even"
          : "NOT SOUND: " + kernelFindings.prefix(3).joined(separator: "; ")))
    lines.append("         halves are coded with integers; a device that fails its self-test gives way to the CPU")
    for (index, codec) in codecLibraries().enumerated() {
      lines.append(
        (index == 0 ? "codecs   " : "         ") + codec.name + (codec.version.map { " " + $0 } ?? "")
          + (PackageVersions.current[codec.name, codec.version].map { " (package \($0))" } ?? "") + " for " + codec.role
      )
    }
    switch isolation {
    case .success(let found):
      lines.append(
        "isolated " + found.name + (found.reduction.map { ": " + $0 } ?? ", one process for each item in flight"))
    case .failure(let error): lines.append("isolated no process of their own: \(error.message.text(dashes: true))")
    }
    lines += processes.map { "         \($0.kind): " + ($0.kind == "hdrbatch" ? "not isolated" : $0.locks.text) }
    for (index, limit) in Self.limits.enumerated() {
      lines.append(
        (index == 0 ? "limits   " : "         ") + "\(limit.value) \(limit.unit)"
          + (limit.flag.isEmpty ? "" : " (\(limit.flag))"))
    }
    return lines
  }

  private var vulkanLines: [String] {
    var lines: [String] = []
    switch probe.loader {
    case .success(let loader)?:
      lines.append("Vulkan   loader \(loader.version), \(printable(loader.path))")
    case .failure(let error)?: lines.append("Vulkan   none: \(printable("\(error)"))")
    case nil: lines.append("Vulkan   the loader has not answered for \(Int(Self.timeout)) s")
    }
    let variables = GraphicsFacts.variableNames.compactMap { name in
      facts.variables[name].map { printable("\(name)=\($0)") }
    }
    if !variables.isEmpty { lines.append("         " + variables.joined(separator: " ")) }
    let names = facts.drivers.map { driver in
      let name = driver.manifest.split(separator: "/").last.map(String.init) ?? driver.manifest
      return printable(name) + (driver.fault == nil ? "" : " (broken)")
    }
    lines.append("         drivers: " + (names.isEmpty ? "none" : names.joined(separator: ", ")))
    if let module = facts.nvidiaModule {
      lines.append(
        "         NVIDIA kernel module \(module), graphics library \(facts.hasNVIDIALibrary ? "found" : "MISSING")")
    }
    if let reason = probe.discovery?.reason, facts.loaderFault == nil {
      lines.append("         none: \(printable(reason))")
    }
    if !probe.isAnswered { lines.append("         a driver has not answered for \(Int(Self.timeout)) s") }
    return lines
  }

  private func lines(of device: GPUDeviceInfo) -> [String] {
    let controls = device.floatControls
    let isTested = probe.tests[device.index].map { $0.fault == nil } == true
    var words = [
      controls.roundToNearestEven
        ? "rounds to nearest even" : isTested ? "rounding not promised, tested" : "rounding not promised"
    ]
    words.append(controls.signedZeroInfNanPreserve ? "keeps -0, infinities, NaN" : "-0, infinities, NaN not promised")
    words.append(
      controls.denormPreserve
        ? "can keep subnormals" : controls.denormFlushToZero ? "flushes subnormals" : "subnormals open")
    var lines = [
      "device \(device.index) \(device.name) (\(device.type.rawValue), \(device.driverName) \(device.driverInfo), "
        + "Vulkan \(device.apiVersion)" + (device.pciAddress.map { ", PCI \($0)" } ?? "") + ")",
      "         memory: "
        + device.heaps.map { "\($0.bytes >> 20) MiB \($0.deviceLocal ? "on the device" : "of the host")" }
        .joined(separator: ", "),
      "         queues: "
        + device.queueFamilies.map { family in
          let kinds = [(family.graphics, "graphics"), (family.compute, "compute"), (family.transfer, "copy")]
          return "\(family.count) " + kinds.filter(\.0).map(\.1).joined(separator: "+")
            + (family.uses.isEmpty ? "" : " (for \(family.uses.joined(separator: ", ")))")
        }.joined(separator: "; "),
      "         binary32: " + words.joined(separator: ", "),
    ]
    if let test = probe.tests[device.index], test.fault == nil {
      lines.append("         self-test passed, in \(hundredths(test.seconds)) s with opening the device")
      lines.append(
        "         codecs: "
          + test.codecs.map { "\($0.codec) " + ($0.fault.map { "not, \($0)" } ?? "passed its self-test") }
          .joined(separator: "; "))
    }
    lines.append("         " + verdict(device))
    return lines
  }
}

private func hundredths(_ seconds: Double) -> String {
  let count = Int(min(max(seconds, 0), 1e9) * 100 + 0.5), rest = count % 100
  return "\(count / 100)." + (rest < 10 ? "0" : "") + "\(rest)"
}
