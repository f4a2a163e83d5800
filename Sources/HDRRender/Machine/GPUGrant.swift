import GPURender
import PlainData

/// The GPUs that a scheduler gave to this process, by its environment variables.
///
/// A UUID or a PCI address names one device. A number counts devices in the order of their PCI addresses, like Slurm,
/// and CUDA with `CUDA_DEVICE_ORDER=PCI_BUS_ID`; Vulkan's order differs.
package struct GPUGrant: Sendable, Hashable {
  /// The variables in order of precedence. A Slurm step may have less than its job.
  static let variables = ["SLURM_STEP_GPUS", "SLURM_JOB_GPUS", "CUE_GPU_CORES", "CUDA_VISIBLE_DEVICES"]

  /// The name of the variable; `value` is its value.
  package let variable: String
  package let value: String
  /// The numbers, UUIDs or PCI addresses; empty if no GPU was given.
  package let words: [String]

  /// Returns `nil` if no variable is set.
  init?(_ view: MachineView) {
    for variable in Self.variables {
      guard let value = view.environment(variable) else { continue }
      let words = Self.words(value)
      // An empty value means "none" only for CUDA's variable.
      if words.isEmpty && variable != "CUDA_VISIBLE_DEVICES" { continue }
      (self.variable, self.value, self.words) = (variable, value, words)
      return
    }
    return nil
  }

  /// Splits "0,2-3" into 0, 2 and 3. Parts after a -1 do not count (CUDA C++ Programming Guide, CUDA_VISIBLE_DEVICES).
  private static func words(_ value: String) -> [String] {
    var words: [String] = []
    for part in value.split(separator: ",") {
      let word = part.drop { $0 == " " }
      if word == "-1" || word.lowercased() == "nodevfiles" { break }
      let ends = word.split(separator: "-").compactMap { Int($0) }
      if ends.count == 2, word.allSatisfy({ $0.isNumber || $0 == "-" }), ends[0] <= ends[1], ends[1] - ends[0] < 64 {
        words += (ends[0]...ends[1]).map(String.init)
      } else {
        words.append(String(word))
      }
    }
    return words
  }

  /// The device of a word, or the reason why there is none.
  package enum Meaning: Sendable, Hashable {
    case device(GPUDeviceInfo)
    case nothing(reason: String)
  }

  /// Returns the meaning of each word; `devices` are all of this machine, software devices included.
  package func meanings(among devices: [GPUDeviceInfo]) -> [(word: String, meaning: Meaning)] {
    let counted = Self.inPCIOrder(devices)
    // If other device files are hidden, only the given devices are visible, and numbers of the whole machine give only
    // their count.
    let numbers = words.compactMap { Int($0) }
    let isConfined =
      numbers.count == words.count && words.count == counted.count
      && numbers.contains { !counted.indices.contains($0) }
    return words.enumerated().map { ($1, isConfined ? .device(counted[$0]) : meaning($1, counted)) }
  }

  /// Returns the devices that numbers count: no software devices, and only NVIDIA's if there are any, as the other
  /// schedulers' words also come from CUDA.
  static func inPCIOrder(_ devices: [GPUDeviceInfo]) -> [GPUDeviceInfo] {
    let hardware = devices.filter { $0.type != .cpu }
    let nvidia = hardware.filter { $0.vendorID == 0x10DE }
    return (nvidia.isEmpty ? hardware : nvidia).sorted {
      ($0.pciAddress ?? "~", $0.index) < ($1.pciAddress ?? "~", $1.index)
    }
  }

  private func meaning(_ word: String, _ counted: [GPUDeviceInfo]) -> Meaning {
    if let number = Int(word) {
      if counted.indices.contains(number) { return .device(counted[number]) }
      return .nothing(reason: "there are \(counted.count) GPUs here, counted from 0")
    }
    let lower = word.lowercased()
    if lower.hasPrefix("mig-") { return .nothing(reason: "a part of a GPU (MIG) is no Vulkan device") }
    let found: [GPUDeviceInfo]
    if lower.contains(":") {
      // NVIDIA's tools write the domain in eight digits: "00000000:65:00.0".
      let parts = lower.split(separator: ":")
      let short = parts.count == 3 ? parts[0].suffix(4) + ":" + parts[1] + ":" + parts[2] : "0000:" + lower
      found = counted.filter { $0.pciAddress == short }
    } else {
      // CUDA accepts the beginning of a UUID if it is unique.
      let digits = lower.dropFirst(lower.hasPrefix("gpu-") ? 4 : 0).filter { $0 != "-" }
      found = digits.isEmpty ? [] : counted.filter { $0.uuid.filter { $0 != "-" }.hasPrefix(digits) }
    }
    if found.count == 1 { return .device(found[0]) }
    return .nothing(reason: found.isEmpty ? "no Vulkan device is called so" : "\(found.count) devices are called so")
  }

  /// Returns the given devices, each once; some of several may be refused.
  ///
  /// - Throws: `.noDevice` if none was given, or none of them exists; `.unsuitable` if none can be used.
  func choose(from devices: [GPUDeviceInfo]) throws(GPUError) -> [GPUDeviceInfo] {
    guard !words.isEmpty else { throw .noDevice(reason: "\(text) gives this process no GPU") }
    let meanings = meanings(among: devices)
    var given: [GPUDeviceInfo] = []
    for case (_, .device(let device)) in meanings where !given.contains(device) { given.append(device) }
    if given.contains(where: { $0.refusal == nil }) { return given }
    if let first = given.first { throw .unsuitable(device: first.name, reason: first.refusal ?? "unknown") }
    if case .nothing(let reason)? = meanings.first?.meaning {
      throw .noDevice(reason: "\(text) gives a GPU that is not here: \(reason)")
    }
    throw .noDevice(reason: "\(text) gives a GPU that is not here")
  }

  /// Returns the message of an error of `choose`: no GPU was given, or none of the given ones exists.
  package func hides(_ error: GPUError) -> String? {
    if case .noDevice(let reason) = error, reason.hasPrefix(text) { reason } else { nil }
  }

  /// The variable and its value as in the environment, for messages.
  package var text: String { printable("\(variable)=\(value)") }
}

extension Allotment {
  /// Returns the devices for `--backend auto` and `gpu` without `--device`: all that a scheduler gave, some of which
  /// may be refused, else the best one.
  ///
  /// - Throws: `GPUError` with the reason why none is chosen.
  package func chooseGPUs(from devices: [GPUDeviceInfo]) throws(GPUError) -> [GPUDeviceInfo] {
    if let gpus { try gpus.choose(from: devices) } else { [try GPUDevice.choose(.automatic, from: devices)] }
  }
}
