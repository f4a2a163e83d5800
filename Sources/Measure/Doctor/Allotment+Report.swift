import BatchEngine
import GPURender
import HDRCore
import HDRRender
import PlainData

/// The resources that a process may use and the source of each value, for `doctor`.
extension Allotment {
  func json(devices: [GPUDeviceInfo]) -> JSON {
    func share(_ share: Share) -> JSON { ["value": .int(share.value), "source": .string(share.source)] }
    return [
      "threads": share(threads), "memoryBytes": memory.map(share) ?? .null,
      "addressSpaceBytes": .maybe(addressSpace), "openFiles": .maybe(openFiles),
      "gpus": gpus.map { gpus -> JSON in
        [
          "variable": .string(gpus.variable), "value": .string(gpus.value),
          "given": .array(
            gpus.meanings(among: devices).map { word, meaning in
              switch meaning {
              case .device(let device): ["word": .string(word), "device": .int(device.index), "reason": .null]
              case .nothing(let reason): ["word": .string(word), "device": .null, "reason": .string(reason)]
              }
            }),
        ]
      } ?? .null,
    ]
  }

  func lines(devices: [GPUDeviceInfo]) -> [String] {
    var lines = [
      "allotted \(threads.value) threads (\(threads.source)), "
        + (memory.map { "\($0.value >> 20) MiB of memory (\($0.source))" } ?? "memory unknown")
        + (gpus == nil ? ", any GPU (no scheduler names one)" : "")
    ]
    if let addressSpace, let jobs = jobsByAddressSpace {
      lines.append(
        "         \(addressSpace >> 20) MiB of address space (ulimit -v): at most \(jobs) pictures at a time")
    }
    if let openFiles, let jobs = jobsByOpenFiles, jobs < BatchRunner.mostUsualJobs(threads: threads.value) {
      lines.append("         \(openFiles) open files (ulimit -n): at most \(jobs) pictures at a time")
    }
    if let linker = OwnProgram.current.linker {
      lines.append("         started by \(linker.display), with the C library beside it: the system's is older")
    }
    guard let gpus else { return lines }
    if gpus.words.isEmpty { lines.append("         no GPU (\(gpus.text))") }
    var isCounted = false
    for (word, meaning) in gpus.meanings(among: devices) {
      if Int(word) != nil { isCounted = true }
      let what =
        switch meaning {
        case .device(let device): "device \(device.index), \(device.name)"
        case .nothing(let reason): "no device: \(reason)"
        }
      lines.append("         GPU \(printable(word)) (\(gpus.variable)): \(what)")
    }
    if isCounted {
      lines.append("         GPU numbers count in the order of PCI addresses, as with CUDA_DEVICE_ORDER=PCI_BUS_ID")
    }
    return lines
  }
}
