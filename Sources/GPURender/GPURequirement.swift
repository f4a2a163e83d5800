/// A condition that every device must meet.
package struct GPURequirement: Sendable {
  /// The facts of a device that conditions read.
  package struct Facts {
    package var apiVersion: UInt32
    package var hasTimelineSemaphores: Bool
    /// The largest numbers of storage buffers and of storage images that a shader may bind.
    package var storageBuffers: Int, storageImages: Int
    package var workGroupInvocations: Int
    /// Returns true if both formats of the working image may be storage images.
    package var storesHalves: () -> Bool

    package init(
      apiVersion: UInt32, hasTimelineSemaphores: Bool, storageBuffers: Int, storageImages: Int,
      workGroupInvocations: Int, storesHalves: @escaping () -> Bool
    ) {
      self.apiVersion = apiVersion
      self.hasTimelineSemaphores = hasTimelineSemaphores
      self.storageBuffers = storageBuffers
      self.storageImages = storageImages
      self.workGroupInvocations = workGroupInvocations
      self.storesHalves = storesHalves
    }
  }

  var holds: @Sendable (Facts) -> Bool
  /// Says of a device, as "it", why it cannot be used.
  var reason: @Sendable (Facts) -> String

  /// The list of conditions, in the order in which they are checked.
  static let all = [
    GPURequirement(
      holds: { $0.apiVersion >= apiVersion12 },
      reason: { "it knows Vulkan \(versionText($0.apiVersion)), 1.2 is needed" }),
    GPURequirement(
      holds: { $0.hasTimelineSemaphores }, reason: { _ in "it has no timeline semaphores" }),
    GPURequirement(
      holds: { $0.storageBuffers >= SharedLayout.storageBuffers && $0.storageImages >= SharedLayout.storageImages },
      reason: { _ in
        "it binds fewer than \(SharedLayout.storageBuffers) storage buffers or "
          + "\(SharedLayout.storageImages) storage images"
      }),
    GPURequirement(
      holds: { $0.workGroupInvocations >= 128 },
      reason: { _ in "its work-groups are smaller than 128 invocations" }),
    // Mandatory in Vulkan, but checked.
    GPURequirement(
      holds: { $0.storesHalves() },
      reason: { _ in "it has no RGBA16F storage images that can be seen as 16-bit integers" }),
  ]

  /// Returns the reason why a device cannot be used; `nil`: it can.
  package static func refusal(_ facts: Facts) -> String? { all.first { !$0.holds(facts) }?.reason(facts) }
}
