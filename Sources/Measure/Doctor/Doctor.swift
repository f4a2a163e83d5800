import BatchEngine
import CPURender
import CodecService
import GPURender
import Glibc
import HDRCore
import HDRPlan
import HDRRender
import ImageFiles
import PlainData

/// `hdrbatch doctor`: the abilities of this machine, and the reasons why something is refused.
package struct Doctor: Sendable {
  let probe: GraphicsProbe
  let facts: GraphicsFacts
  let devices: [GPUDeviceInfo]
  /// The devices that `--backend auto` takes, or the reason why it takes none.
  let automatic: Result<[GPUDeviceInfo], GPUError>
  /// The reasons why this process cannot use a GPU.
  let advice: [GraphicsAdvice]
  /// The isolation of codec processes here, or the reason why there is none.
  let isolation: Result<(name: String, reduction: String?), UnavailableError>
  /// The locks of a codec process of each kind, and of this process, as the Linux kernel reports them.
  let processes: [(kind: String, locks: ProcessLocks)]
  /// Faults of the GPU kernels against the bit-exact contract, and the SHA-256 of the kernels' words.
  let kernelFindings: [String]
  let kernelDigest: Digest
  /// The seconds of the whole inspection.
  let seconds: Double

  /// The timeout for drivers in seconds: far longer than working ones take.
  package static let timeout = 10.0

  package init() { self.init(probe: GraphicsProbe.run(timeout: Self.timeout)) }

  package init(probe: GraphicsProbe) {
    let begin = monotonicSeconds()
    self.probe = probe
    devices = probe.discovery?.devices ?? []
    var loaderFault: String?
    if case .failure(let error)? = probe.loader { loaderFault = Self.reason(error) }
    facts = GraphicsFacts.current(loaderFault: loaderFault)
    let failed = probe.tests.filter { $0.value.fault != nil }
    do throws(GPUError) {
      let chosen = try Allotment.current.chooseGPUs(from: devices)
      // A device that fails its self-test is not used.
      let good = chosen.filter { failed[$0.index] == nil && $0.refusal == nil }
      if good.isEmpty, let fault = chosen.lazy.compactMap({ failed[$0.index]?.fault }).first { throw fault }
      automatic = .success(good)
    } catch {
      automatic = .failure(error)
    }
    var grant: String?
    if case .failure(let error) = automatic, let gpus = Allotment.current.gpus { grant = gpus.hides(error) }
    advice = facts.advice(
      devices.map { ExaminedDevice($0, fault: failed[$0.index]?.fault) }, isAnswered: probe.isAnswered, grant: grant)
    var processes: [(kind: String, locks: ProcessLocks)] = []
    do throws(UnavailableError) {
      let codecs = try IsolatedCodecs(IsolationOptions(), limits: DecodeLimits(), libraries: .all)
      defer { _ = codecs.close() }
      processes = try codecs.inspect()
      isolation = .success((codecs.isolation, codecs.reduction))
    } catch {
      isolation = .failure(error)
    }
    self.processes = processes + [("hdrbatch", ProcessLocks(of: getpid()))]
    let words = Precautions.kernelWords
    kernelFindings = Precautions.findings()
    kernelDigest = Digest(of: words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } })
    seconds = monotonicSeconds() - begin + probe.seconds
  }

  private static func reason(_ error: GPUError) -> String {
    if case .noLoader(let reason) = error { reason } else { "\(error)" }
  }

  var isolationJSON: JSON {
    let processes = JSON.array(
      processes.map { kind, locks in
        [
          "kind": .string(kind), "seccomp": .bool(locks.hasSeccomp),
          "noNewPrivileges": .bool(locks.hasNoNewPrivileges),
          "capabilities": .string(String(locks.capabilities, radix: 16)), "landlock": .int(locks.landlock),
        ]
      })
    switch isolation {
    case .success(let found):
      return ["available": .string(found.name), "reason": .maybe(found.reduction), "processes": processes]
    case .failure(let error):
      return ["available": "none", "reason": .string(error.message.text(dashes: true)), "processes": processes]
    }
  }

  var automaticReason: String? {
    switch automatic {
    case .success: nil
    case .failure(let error): probe.discovery?.reason ?? "\(error)"
    }
  }

  var automaticIndices: [Int] {
    if case .success(let devices) = automatic { devices.map(\.index) } else { [] }
  }

  /// Returns a text that says if a device is used, and why.
  func verdict(_ device: GPUDeviceInfo) -> String {
    if let refusal = device.refusal { return "refused: " + refusal }
    if let fault = probe.tests[device.index]?.fault { return "refused: \(fault)" }
    if automaticIndices.contains(device.index) { return "used by --backend auto" }
    if device.type == .cpu { return "software device: used only when named with --device" }
    return "usable with --device \(device.index)"
  }

  static let limits: [(name: String, value: Int, flag: String, unit: String)] = {
    let limits = DecodeLimits(), codecs = CodecLimits()
    return [
      ("maxPixels", limits.maxPixels, "--max-pixels", "pixels of one picture"),
      ("maxSide", limits.maxSide, "--max-side", "pixels of one side"),
      ("maxFileBytes", limits.maxFileBytes, "--max-file-bytes", "bytes of an input file"),
      ("maxICCBytes", limits.maxICCBytes, "", "bytes of an ICC profile"),
      ("maxMetadataBytes", limits.maxMetadataBytes, "", "bytes of metadata"),
      (
        "maxSeconds", codecs.seconds, "--max-seconds",
        "seconds until an item is encoded, and for that, beside one for 4 megapixels"
      ),
      ("maxWorkerMemory", codecs.maxMemoryBytes, "--max-worker-memory", "bytes of address space of a codec process"),
      ("maxWorkerItems", codecs.items, "", "items before a codec process is replaced"),
      ("maxCrashes", codecs.crashes, "--max-crashes", "crashed or hanging codec processes in a row stop a run"),
    ]
  }()

  package var json: JSON {
    [
      "version": .string(hdrbatchVersion), "seconds": .number(rounded(seconds)),
      "isa": [
        "inUse": .string(CPUBackend.best.instructionSet),
        "available": .array(CPUBackend.available.map { .string($0.instructionSet) }),
      ],
      "threads": .int(Allotment.threads), "allotment": Allotment.current.json(devices: devices),
      "environment": .object(Allotment.environmentRead.map { JSON.Field($0.name, .string($0.value)) }),
      "vulkan": vulkanJSON,
      "precautions": [
        "kernelDigest": .string(kernelDigest.hex), "kernelFindings": .array(kernelFindings.map { .string($0) }),
        "halfCoding": "integer", "fallback": .string("CPU (\(CPUBackend.best.instructionSet))"),
      ],
      "codecs": .array(
        codecLibraries().map {
          [
            "name": .string($0.name), "version": .maybe($0.version),
            "package": .maybe(PackageVersions.current[$0.name, $0.version]), "role": .string($0.role),
          ]
        }),
      "outputs": .array(OutputKind.allCases.filter(\.isAvailable).map { .string($0.rawValue) }),
      "isolation": isolationJSON,
      "limits": .object(Self.limits.map { JSON.Field($0.name, .int($0.value)) }),
    ]
  }

  private var vulkanJSON: JSON {
    var loader = JSON.null
    switch probe.loader {
    case .success(let found)?:
      loader = ["path": .string(found.path), "version": .string(found.version), "reason": .null]
    case .failure(let error)?: loader = ["path": .null, "version": .null, "reason": .string(Self.reason(error))]
    case nil: break
    }
    return [
      "answered": .bool(probe.isAnswered), "loader": loader,
      "drivers": .array(
        facts.drivers.map {
          ["manifest": .string($0.manifest), "library": .maybe($0.library), "reason": .maybe($0.fault)]
        }),
      "variables": .object(
        GraphicsFacts.variableNames.compactMap { name in
          facts.variables[name].map { JSON.Field(name, .string($0)) }
        }),
      "container": .bool(facts.isContainer), "nvidiaModule": .maybe(facts.nvidiaModule),
      "nvidiaLibrary": .bool(facts.hasNVIDIALibrary),
      "deviceFiles": .array(
        (facts.nvidiaNodes + facts.renderNodes).map { ["path": .string($0.path), "opens": .bool($0.opens)] }),
      "reason": .maybe(probe.discovery?.reason), "automaticDevice": .maybe(automaticIndices.first),
      "automaticDevices": .array(automaticIndices.map { .int($0) }),
      "automaticReason": .maybe(automaticReason),
      "advice": .array(advice.map { ["code": .string($0.code), "text": .string($0.text)] }),
      "devices": .array(devices.map { json($0) }),
    ]
  }

  private func json(_ device: GPUDeviceInfo) -> JSON {
    let test = probe.tests[device.index]
    return [
      "index": .int(device.index), "name": .string(device.name), "type": .string(device.type.rawValue),
      "usable": .bool(device.refusal == nil && test?.fault == nil), "refusal": .maybe(device.refusal),
      "verdict": .string(verdict(device)),
      "selfTest": test.map {
        [
          "passed": .bool($0.fault == nil), "seconds": .number(rounded($0.seconds)),
          "reason": .maybe($0.fault.map { "\($0)" }),
          "codecs": .array(
            $0.codecs.map {
              [
                "codec": .string($0.codec), "passed": .bool($0.fault == nil),
                "reason": .maybe($0.fault.map { "\($0)" }),
              ]
            }),
        ]
      } ?? .null,
      "driver": .string(device.driverName), "driverInfo": .string(device.driverInfo),
      "apiVersion": .string(device.apiVersion), "uuid": .string(device.uuid), "pci": .maybe(device.pciAddress),
      "heaps": .array(device.heaps.map { ["bytes": .int($0.bytes), "deviceLocal": .bool($0.deviceLocal)] }),
      "queueFamilies": .array(
        device.queueFamilies.map {
          [
            "queues": .int($0.count), "graphics": .bool($0.graphics), "compute": .bool($0.compute),
            "transfer": .bool($0.transfer), "uses": .array($0.uses.map { .string($0) }),
          ]
        }),
      "storageBufferBytes": .int(device.storageRange),
      "floatControls": [
        "roundToNearestEven": .bool(device.floatControls.roundToNearestEven),
        "rounding": .string(device.floatControls.rounding),
        "signedZeroInfNanPreserve": .bool(device.floatControls.signedZeroInfNanPreserve),
        "denormPreserve": .bool(device.floatControls.denormPreserve),
        "denormFlushToZero": .bool(device.floatControls.denormFlushToZero),
      ],
    ]
  }
}
