import SPIRV

/// The kind of a Vulkan device.
package enum GPUDeviceType: String, Sendable, Hashable, Codable {
  case discrete, integrated, virtual, cpu, other

  /// The order of preference: smaller first.
  var rank: Int {
    switch self {
    case .discrete: 0
    case .integrated: 1
    case .virtual: 2
    case .other: 3
    case .cpu: 4
    }
  }
}

/// A memory heap of a device.
package struct GPUHeap: Sendable, Hashable, Codable {
  package var bytes: Int
  package var deviceLocal: Bool
}

/// The queues of one kind.
package struct GPUQueueFamily: Sendable, Hashable, Codable {
  package var count: Int
  package var graphics: Bool
  package var compute: Bool
  /// True if it reports copying; queues that compute can always copy.
  package var transfer: Bool
  /// The uses of the family: "compute", "upload", "readback".
  package var uses: [String]
}

/// A device's report about binary32 (VkPhysicalDeviceFloatControlsProperties).
package struct GPUFloatControls: Sendable, Hashable, Codable {
  /// The promise to round to nearest even; a device without it is used when its self-test passes.
  package var roundToNearestEven: Bool
  package var signedZeroInfNanPreserve: Bool
  package var denormPreserve: Bool
  package var denormFlushToZero: Bool

  package init(
    roundToNearestEven: Bool, signedZeroInfNanPreserve: Bool, denormPreserve: Bool, denormFlushToZero: Bool
  ) {
    self.roundToNearestEven = roundToNearestEven
    self.signedZeroInfNanPreserve = signedZeroInfNanPreserve
    self.denormPreserve = denormPreserve
    self.denormFlushToZero = denormFlushToZero
  }

  /// The text about rounding in a record.
  package var rounding: String { roundToNearestEven ? "promised" : "not promised, tested" }

  /// Promises that kernels for this device must do without.
  var missing: [FloatPromise] {
    (roundToNearestEven ? [] : [.roundToNearestEven]) + (signedZeroInfNanPreserve ? [] : [.signedZeroInfNanPreserve])
  }
}

/// A Vulkan device of this machine.
package struct GPUDeviceInfo: Sendable, Hashable, Codable {
  /// The place in the loader's list: `--device 0` means the first.
  package var index: Int
  package var name: String
  package var type: GPUDeviceType
  package var vendorID: Int
  package var deviceID: Int
  package var driverName: String
  package var driverInfo: String
  /// The driver's own number; its layout differs between vendors.
  package var driverVersion: UInt32
  /// The Vulkan version, as in "1.3.230".
  package var apiVersion: String
  /// The device UUID, 32 hexadecimal digits in groups of 8-4-4-4-12.
  package var uuid: String
  /// The PCI address, as in "0000:65:00.0", if the driver reports it.
  package var pciAddress: String?
  package var heaps: [GPUHeap]
  package var floatControls: GPUFloatControls
  package var queueFamilies: [GPUQueueFamily] = []
  /// The 16 bytes that the driver marks its pipeline caches with.
  package var pipelineCacheUUID: [UInt8] = []
  /// Bytes that a kernel can see of one buffer.
  package var storageRange = 0
  /// The reason why the device cannot be used; `nil` for one that can.
  package var refusal: String?

  package init(
    index: Int, name: String, type: GPUDeviceType, vendorID: Int, deviceID: Int, driverName: String,
    driverInfo: String, driverVersion: UInt32, apiVersion: String, uuid: String, pciAddress: String?,
    heaps: [GPUHeap], floatControls: GPUFloatControls, refusal: String?
  ) {
    self.index = index
    self.name = name
    self.type = type
    self.vendorID = vendorID
    self.deviceID = deviceID
    self.driverName = driverName
    self.driverInfo = driverInfo
    self.driverVersion = driverVersion
    self.apiVersion = apiVersion
    self.uuid = uuid
    self.pciAddress = pciAddress
    self.heaps = heaps
    self.floatControls = floatControls
    self.refusal = refusal
  }
}

/// The devices of this machine, or the reason why there are none.
package struct GPUDiscovery: Sendable, Hashable {
  package var devices: [GPUDeviceInfo]
  /// Set when `devices` is empty.
  package var reason: String?

  package init(devices: [GPUDeviceInfo], reason: String?) {
    self.devices = devices
    self.reason = reason
  }
}

/// The device that was asked for.
package enum GPUSelection: Sendable, Hashable {
  /// The best device: discrete before integrated before virtual, never a software device.
  case automatic
  /// A device by its index, device UUID, PCI address or any part of its name.
  case named(String)
}

/// Finds and chooses devices.
package enum GPUDevice {
  /// Returns the devices of this machine; empty where there is no loader, no driver or no device.
  package static func available() -> [GPUDeviceInfo] { discover().devices }

  /// Returns the devices, or the reason for an empty list. Never traps.
  package static func discover() -> GPUDiscovery {
    do throws(GPUError) {
      let instance = try GPUInstance(validation: false)
      let devices = try instance.devices().map(\.info)
      return GPUDiscovery(devices: devices, reason: devices.isEmpty ? "the Vulkan loader found no device" : nil)
    } catch {
      return GPUDiscovery(devices: [], reason: "\(error)")
    }
  }

  /// Opens a device and has it compare its arithmetic with the CPU's, as before a batch.
  ///
  /// - Throws: `.selfTest`, or the error of opening it.
  ///
  /// - Returns: the codecs that it runs, each with the fault of its test.
  package static func test(_ device: GPUDeviceInfo) throws(GPUError) -> [(codec: String, fault: GPUError?)] {
    let renderer = try GPURenderer(selection: .named(device.uuid))
    func fault(_ test: () throws(GPUError) -> Void) -> GPUError? {
      do throws(GPUError) { try test() } catch { return error }
      return nil
    }
    return [
      ("JPEG encoder", fault(renderer.testCodecs)),
      ("Deflate", fault { () throws(GPUError) in try renderer.testDeflate() }),
      ("JPEG decoder", fault(renderer.testDecoding)),
    ]
  }

  /// Returns the device that a selection means.
  ///
  /// - Throws: `.noDevice`, `.noMatch`, or `.unsuitable` for a named device that cannot be used.
  package static func choose(_ selection: GPUSelection, from devices: [GPUDeviceInfo]) throws(GPUError) -> GPUDeviceInfo
  {
    switch selection {
    case .automatic:
      let usable = devices.filter { $0.refusal == nil && $0.type != .cpu }
      if let best = usable.min(by: { ($0.type.rank, $0.index) < ($1.type.rank, $1.index) }) { return best }
      if let refused = devices.first(where: { $0.type != .cpu }) {
        throw .unsuitable(device: refused.name, reason: refused.refusal ?? "unknown")
      }
      throw .noDevice(
        reason: devices.isEmpty
          ? "the Vulkan loader found no device"
          : "only software devices (\(devices.map(\.name).joined(separator: ", "))); name one as the device to use it")
    case .named(let asked):
      guard let device = devices.first(where: { $0.answers(to: asked) }) else {
        throw .noMatch(asked: asked, present: devices.map { "\($0.index): \($0.name)" })
      }
      if let refusal = device.refusal { throw .unsuitable(device: device.name, reason: refusal) }
      return device
    }
  }
}

extension GPUDeviceInfo {
  /// Returns true if a name, index, UUID or PCI address given by the user means this device. A bare number is an index.
  package func answers(to asked: String) -> Bool {
    if asked.isEmpty { return false }
    if let number = Int(asked) { return number == index }
    let wanted = asked.lowercased()
    if wanted.filter({ $0 != "-" }) == uuid.filter({ $0 != "-" }) { return true }
    if let pciAddress, wanted == pciAddress || "0000:" + wanted == pciAddress { return true }
    return name.lowercased().contains(wanted)
  }
}
