import CVulkan
import Synchronization

/// Makes a device fail as real ones do, for tests: `HDRBATCH_FAULT=lost:vkWaitSemaphores:5` loses
/// it at the fifth such call, `memory:vkCreateBuffer:9` has no memory for the ninth and all later ones, `flip:band:3`
/// flips a bit in every row of the third band that it renders and of all later ones. A fourth part selects one of the
/// devices that the process opens, from 0; without it, all.
final class FaultInjection: Sendable {
  private let call: String
  /// `nil` for flipped bits.
  private let result: VkResult?
  private let first: Int
  private let isLasting: Bool
  private let count = Atomic<Int>(0)

  /// Devices opened so far.
  private static let opened = Atomic<Int>(0)

  /// `nil` for text that is no fault, or none of the device that is opened now.
  init?(_ text: String?) {
    let number = Self.opened.wrappingAdd(1, ordering: .relaxed).oldValue
    let parts = text?.split(separator: ":").map(String.init) ?? []
    guard (3...4).contains(parts.count), let first = Int(parts[2]) else { return nil }
    if parts.count == 4 && Int(parts[3]) != number { return nil }
    switch parts[0] {
    case "lost": (result, isLasting) = (VK_ERROR_DEVICE_LOST, false)
    case "memory": (result, isLasting) = (VK_ERROR_OUT_OF_DEVICE_MEMORY, true)
    case "flip": (result, isLasting) = (nil, true)
    default: return nil
    }
    call = parts[1]
    self.first = first
  }

  /// Result to report instead of the call's own; `nil`: the call's own.
  func result(of call: String) -> VkResult? { result != nil && isDue(call) ? result : nil }

  /// Whether the band that is finished now has wrong bits.
  func flipsBand() -> Bool { result == nil && isDue("band") }

  private func isDue(_ call: String) -> Bool {
    guard call == self.call else { return false }
    let number = count.wrappingAdd(1, ordering: .relaxed).newValue
    return number == first || (isLasting && number > first)
  }
}
