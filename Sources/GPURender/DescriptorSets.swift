import CVulkan

/// The resource at a binding number of the shared layout.
enum Bound {
  /// A uniform buffer at bindings 0 and 1, a storage buffer elsewhere.
  case buffer(VkBuffer, offset: Int, bytes: Int)
  case image(VkImageView)
}

/// Descriptor sets of the shared layout, written anew for each band.
final class DescriptorSets: @unchecked Sendable {
  private let context: GPUContext
  private let pool: VkDescriptorPool

  init(_ context: GPUContext, capacity: Int) throws(GPUError) {
    self.context = context
    var arena = Arena()
    let sizes = [
      (VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, SharedLayout.uniformBuffers),
      (VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, SharedLayout.storageBuffers),
      (VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, SharedLayout.storageImages),
    ].map { VkDescriptorPoolSize(type: $0, descriptorCount: UInt32($1 * capacity)) }
    var info = VkDescriptorPoolCreateInfo()
    info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO
    info.maxSets = UInt32(capacity)
    info.poolSizeCount = UInt32(sizes.count)
    info.pPoolSizes = UnsafePointer(arena.place(sizes))
    var made: VkDescriptorPool?
    let result = context.functions.createDescriptorPool(context.device, &info, nil, &made)
    guard result == VK_SUCCESS, let made else {
      throw .vulkan(call: "vkCreateDescriptorPool", result: result.rawValue)
    }
    pool = made
  }

  deinit { context.functions.destroyDescriptorPool(context.device, pool, nil) }

  /// Forgets all sets. The device must be done with them.
  func reset() throws(GPUError) {
    try context.check(context.functions.resetDescriptorPool(context.device, pool, 0), "vkResetDescriptorPool")
  }

  /// Makes a set with these bindings; bindings that a kernel does not touch may be absent.
  func make(_ bindings: [Int: Bound]) throws(GPUError) -> VkDescriptorSet {
    let f = context.functions
    var arena = Arena()
    var allocate = VkDescriptorSetAllocateInfo()
    allocate.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO
    allocate.descriptorPool = pool
    allocate.descriptorSetCount = 1
    allocate.pSetLayouts = UnsafePointer(arena.place(Optional(context.setLayout)))
    var set: VkDescriptorSet?
    try context.check(f.allocateDescriptorSets(context.device, &allocate, &set), "vkAllocateDescriptorSets")
    guard let set else { throw .vulkan(call: "vkAllocateDescriptorSets", result: 0) }
    var writes: [VkWriteDescriptorSet] = []
    for (number, bound) in bindings {
      var write = VkWriteDescriptorSet()
      write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET
      write.dstSet = set
      write.dstBinding = UInt32(number)
      write.descriptorCount = 1
      switch bound {
      case .buffer(let buffer, let offset, let bytes):
        write.descriptorType = SharedLayout.type(number)
        let info = VkDescriptorBufferInfo(buffer: buffer, offset: VkDeviceSize(offset), range: VkDeviceSize(bytes))
        write.pBufferInfo = UnsafePointer(arena.place(info))
      case .image(let view):
        write.descriptorType = SharedLayout.type(number)
        let info = VkDescriptorImageInfo(sampler: nil, imageView: view, imageLayout: VK_IMAGE_LAYOUT_GENERAL)
        write.pImageInfo = UnsafePointer(arena.place(info))
      }
      writes.append(write)
    }
    f.updateDescriptorSets(context.device, UInt32(writes.count), writes, 0, nil)
    return set
  }
}
