import CVulkan
import Synchronization

/// Makes a Vulkan call fail as a driver's would, for tests of what happens then: `HDRBATCH_FAULT=lost:vkWaitSemaphores:5`
/// loses the device at the fifth such call, `memory:vkCreateBuffer:9` has no memory for the ninth and all later ones.
final class FaultInjection: Sendable {
  private let call: String
  private let result: VkResult
  private let first: Int
  private let isLasting: Bool
  private let count = Atomic<Int>(0)

  /// `nil` for text that is no fault.
  init?(_ text: String?) {
    let parts = text?.split(separator: ":").map(String.init) ?? []
    guard parts.count == 3, let first = Int(parts[2]) else { return nil }
    switch parts[0] {
    case "lost": (result, isLasting) = (VK_ERROR_DEVICE_LOST, false)
    case "memory": (result, isLasting) = (VK_ERROR_OUT_OF_DEVICE_MEMORY, true)
    default: return nil
    }
    call = parts[1]
    self.first = first
  }

  /// What the call is to have said; `nil` to believe the driver.
  func result(of call: String) -> VkResult? {
    guard call == self.call else { return nil }
    let number = count.wrappingAdd(1, ordering: .relaxed).newValue
    return number == first || (isLasting && number > first) ? result : nil
  }
}
