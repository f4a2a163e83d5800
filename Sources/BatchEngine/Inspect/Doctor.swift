import GPURender
import HDRCore
import ImageFiles

/// What this machine offers and why something is refused: `hdrbatch doctor`.
public struct Doctor: Sendable {
  public let discovery: GPUDiscovery
  /// The device that `--backend auto` takes, or why it takes none.
  public let automatic: Result<GPUDeviceInfo, GPUError>

  public init() {
    discovery = GPUDevice.discover()
    do throws(GPUError) {
      automatic = .success(try Allotment.current.chooseGPU(from: discovery.devices))
    } catch {
      automatic = .failure(error)
    }
  }

  /// What a codec process is kept in here, or why there is none.
  private let isolation: Result<(name: String, reduction: String?), UnavailableError> = {
    do throws(UnavailableError) {
      let codecs = try IsolatedCodecs(IsolationOptions(), limits: DecodeLimits())
      defer { _ = codecs.close() }
      return .success((codecs.isolation, codecs.reduction))
    } catch {
      return .failure(error)
    }
  }()

  private var isolationJSON: JSON {
    switch isolation {
    case .success(let found): ["available": .string(found.name), "reason": .maybe(found.reduction)]
    case .failure(let error): ["available": "none", "reason": .string(error.description)]
    }
  }

  private var automaticReason: String? {
    switch automatic {
    case .success: nil
    case .failure(let error): discovery.reason ?? "\(error)"
    }
  }

  private var automaticIndex: Int? {
    if case .success(let device) = automatic { device.index } else { nil }
  }

  /// What speaks against a device, or for it.
  private func verdict(_ device: GPUDeviceInfo) -> String {
    if let refusal = device.refusal { return "refused: " + refusal }
    if device.index == automaticIndex { return "used by --backend auto" }
    if device.type == .cpu { return "software device: used only when named with --device" }
    return "usable with --device \(device.index)"
  }

  private static let limits: [(name: String, value: Int, flag: String, unit: String)] = {
    let limits = DecodeLimits(), worker = WorkerLimits()
    return [
      ("maxPixels", limits.maxPixels, "--max-pixels", "pixels of one picture"),
      ("maxSide", limits.maxSide, "--max-side", "pixels of one side"),
      ("maxFileBytes", limits.maxFileBytes, "--max-file-bytes", "bytes of an input file"),
      ("maxICCBytes", limits.maxICCBytes, "", "bytes of an ICC profile"),
      ("maxMetadataBytes", limits.maxMetadataBytes, "", "bytes of metadata"),
      ("maxSeconds", worker.seconds, "--max-seconds", "seconds for decoding or encoding, beside one for 4 megapixels"),
      ("maxWorkerMemory", worker.memoryBytes, "--max-worker-memory", "bytes of address space of a codec process"),
      ("maxWorkerItems", worker.items, "", "items before a codec process is replaced"),
      ("maxCrashes", worker.crashes, "--max-crashes", "crashed or hanging codec processes in a row stop a run"),
    ]
  }()

  public var json: JSON {
    [
      "version": .string(hdrbatchVersion),
      "isa": [
        "inUse": .string(CPUBackend.best.instructionSet),
        "available": .array(CPUBackend.available.map { .string($0.instructionSet) }),
      ],
      "threads": .int(Allotment.threads), "allotment": Allotment.current.json(devices: discovery.devices),
      "environment": .object(Allotment.environmentRead.map { JSON.Field($0.name, .string($0.value)) }),
      "vulkan": [
        "reason": .maybe(discovery.reason), "automaticDevice": .maybe(automaticIndex),
        "automaticReason": .maybe(automaticReason),
        "devices": .array(discovery.devices.map { json($0) }),
      ],
      "codecs": .array(
        codecLibraries().map {
          ["name": .string($0.name), "version": .maybe($0.version), "role": .string($0.role)]
        }),
      "outputs": .array(OutputKind.allCases.map { .string($0.rawValue) }),
      "isolation": isolationJSON,
      "limits": .object(Self.limits.map { JSON.Field($0.name, .int($0.value)) }),
    ]
  }

  private func json(_ device: GPUDeviceInfo) -> JSON {
    [
      "index": .int(device.index), "name": .string(device.name), "type": .string(device.type.rawValue),
      "usable": .bool(device.refusal == nil), "refusal": .maybe(device.refusal),
      "verdict": .string(verdict(device)),
      "driver": .string(device.driverName), "driverInfo": .string(device.driverInfo),
      "apiVersion": .string(device.apiVersion), "uuid": .string(device.uuid), "pci": .maybe(device.pciAddress),
      "heaps": .array(device.heaps.map { ["bytes": .int($0.bytes), "deviceLocal": .bool($0.deviceLocal)] }),
      "floatControls": [
        "roundToNearestEven": .bool(device.floatControls.roundToNearestEven),
        "signedZeroInfNanPreserve": .bool(device.floatControls.signedZeroInfNanPreserve),
        "denormPreserve": .bool(device.floatControls.denormPreserve),
        "denormFlushToZero": .bool(device.floatControls.denormFlushToZero),
      ],
    ]
  }

  public var lines: [String] {
    var lines = [
      "hdrbatch \(hdrbatchVersion)",
      "CPU      \(CPUBackend.best.instructionSet) in use, of "
        + "\(CPUBackend.available.map(\.instructionSet).joined(separator: ", "))",
    ]
    lines += Allotment.current.lines(devices: discovery.devices)
    if let reason = discovery.reason { lines.append("Vulkan   none: \(reason)") }
    for device in discovery.devices {
      let memory = (device.heaps.filter(\.deviceLocal).map(\.bytes).max() ?? 0) >> 20
      lines.append(
        "Vulkan   \(device.index): \(device.name) (\(device.type.rawValue), \(device.driverName) \(device.driverInfo), "
          + "Vulkan \(device.apiVersion), \(memory) MiB" + (device.pciAddress.map { ", PCI \($0)" } ?? "") + ")")
      lines.append("         \(verdict(device))")
    }
    if automaticIndex == nil {
      lines.append("         --backend auto renders on the CPU: \(automaticReason ?? "no device")")
    }
    for (index, codec) in codecLibraries().enumerated() {
      lines.append(
        (index == 0 ? "codecs   " : "         ") + codec.name + (codec.version.map { " " + $0 } ?? "") + " for "
          + codec.role)
    }
    switch isolation {
    case .success(let found):
      lines.append(
        "isolated " + found.name + (found.reduction.map { ": " + $0 } ?? ", one process for each item in flight"))
    case .failure(let error): lines.append("isolated no process of their own: \(error)")
    }
    for (index, limit) in Self.limits.enumerated() {
      lines.append(
        (index == 0 ? "limits   " : "         ") + "\(limit.value) \(limit.unit)"
          + (limit.flag.isEmpty ? "" : " (\(limit.flag))"))
    }
    return lines
  }
}
