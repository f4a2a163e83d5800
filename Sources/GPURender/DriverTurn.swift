import CVulkan
import Synchronization

/// Lets one thread at a time give a device work.
///
/// Vulkan allows submissions to two queues at once, but NVIDIA's driver for Linux then hangs now and then: with
/// 580.159.04 one batch of ten on an H100 ended on the CPU (bench/results), always in a kernel's first dispatch. Others
/// found the same (github.com/HansKristian-Work/vkd3d-proton/pull/1484). A submission takes microseconds.
final class DriverTurn: Sendable {
  private let lock = Mutex<Void>(())
  /// True if pipelines are made in the same turns, which other drivers would make slower.
  private let includesPipelines: Bool

  private static let nvidia = 0x10de

  init(_ device: GPUDeviceInfo) { includesPipelines = device.vendorID == Self.nvidia }

  func submit(_ call: () -> VkResult) -> VkResult { lock.withLock { _ in call() } }

  func makePipeline(_ call: () -> VkResult) -> VkResult { includesPipelines ? submit(call) : call() }
}
