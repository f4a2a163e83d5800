import HDRCore

/// A reason why the GPU cannot do something. The caller goes on with the CPU, or stops when the GPU was demanded.
package enum GPUError: Error, Sendable, Hashable {
  /// The machine has no Vulkan loader, or none that starts.
  case noLoader(reason: String)
  /// The loader has no device that may be used without being named.
  case noDevice(reason: String)
  /// The name, index, UUID or PCI address asked for matches no device.
  case noMatch(asked: String, present: [String])
  /// A device that cannot keep the bit-exact contract or lacks a needed feature.
  case unsuitable(device: String, reason: String)
  /// The device computed `differing` words of the start-up probe otherwise than the CPU.
  case selfTest(device: String, differing: Int)
  /// A picture of the device has other words than the CPU's; `first` names the first sample that differs.
  case mismatch(device: String, words: Int, first: String)
  case outOfMemory(what: String, bytes: Int)
  /// The device stopped answering; the renderer refuses all further work.
  case deviceLost(device: String)
  /// The smallest band of the plan needs more than the device's limit.
  case tooLarge(what: String, value: Int, limit: Int)
  /// A plan that contradicts itself: a programmer's fault, reported instead of trapped.
  case badPlan(String)
  /// A kernel that could not be composed or compiled.
  case kernel(name: String, reason: String)
  /// Samples that a device held (`DevicePlanes`) cannot be brought to the host.
  case samplesLost(reason: String)
  /// Rendering has taken too long (`Deadline`); the device is not at fault.
  case late
  /// Any other Vulkan call that failed, with its VkResult.
  case vulkan(call: String, result: Int32)

  /// The stable short code for records.
  package var code: String {
    switch self {
    case .noLoader: "gpu.no-loader"
    case .noDevice: "gpu.no-device"
    case .noMatch: "gpu.no-match"
    case .unsuitable: "gpu.unsuitable"
    case .selfTest: "gpu.self-test"
    case .mismatch: "gpu.mismatch"
    case .outOfMemory: "gpu.memory"
    case .deviceLost: "gpu.lost"
    case .tooLarge: "gpu.too-large"
    case .badPlan: "gpu.plan"
    case .kernel: "gpu.kernel"
    case .samplesLost: "gpu.lost"
    case .late: Deadline.code
    case .vulkan: "gpu.vulkan"
    }
  }
}

extension GPUError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noLoader(let reason): "no Vulkan loader: \(reason)"
    case .noDevice(let reason): "no Vulkan device: \(reason)"
    case .noMatch(let asked, let present):
      present.isEmpty
        ? "no Vulkan device matches \"\(asked)\": there is none"
        : "no Vulkan device matches \"\(asked)\"; present: \(present.joined(separator: ", "))"
    case .unsuitable(let device, let reason): "\(device) cannot be used: \(reason)"
    case .selfTest(let device, let differing):
      "\(device) failed the arithmetic self-test: \(differing) words differ from the CPU's"
    case .mismatch(let device, let words, let first):
      "\(device) computed \(words) words otherwise than the CPU, the first at \(first)"
    case .outOfMemory(let what, let bytes): "out of GPU memory: \(what), \(bytes) bytes"
    case .deviceLost(let device): "\(device) stopped answering"
    case .tooLarge(let what, let value, let limit): "\(what) is \(value), the device's limit is \(limit)"
    case .badPlan(let what): "the plan is not consistent: \(what)"
    case .kernel(let name, let reason): "kernel \(name): \(reason)"
    case .samplesLost(let reason): "decoded samples are lost: \(reason)"
    case .late: "rendering takes too long"
    case .vulkan(let call, let result): "\(call) failed with \(resultName(result))"
    }
  }
}

/// Returns the name of a VkResult as in the specification; the number for rare ones.
func resultName(_ result: Int32) -> String {
  switch result {
  case -1: "VK_ERROR_OUT_OF_HOST_MEMORY"
  case -2: "VK_ERROR_OUT_OF_DEVICE_MEMORY"
  case -3: "VK_ERROR_INITIALIZATION_FAILED"
  case -4: "VK_ERROR_DEVICE_LOST"
  case -5: "VK_ERROR_MEMORY_MAP_FAILED"
  case -6: "VK_ERROR_LAYER_NOT_PRESENT"
  case -7: "VK_ERROR_EXTENSION_NOT_PRESENT"
  case -8: "VK_ERROR_FEATURE_NOT_PRESENT"
  case -9: "VK_ERROR_INCOMPATIBLE_DRIVER"
  case -10: "VK_ERROR_TOO_MANY_OBJECTS"
  case -11: "VK_ERROR_FORMAT_NOT_SUPPORTED"
  case 2: "VK_TIMEOUT"
  default: "VkResult \(result)"
  }
}
