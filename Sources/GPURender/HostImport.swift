import CVulkan
import HDRCore

/// The first bytes of a host block as a buffer: the device's copies read and write the host's own pages
/// (VK_EXT_external_memory_host). The pages must stay mapped as long as this object lives.
final class HostImport: @unchecked Sendable {
  static let name = VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME
  static let handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT
  static let usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT.rawValue | VK_BUFFER_USAGE_TRANSFER_DST_BIT.rawValue

  let handle: VkBuffer
  private let context: GPUContext
  private let memory: VkDeviceMemory

  /// Returns `nil` where the device does not take the pages: it may have no memory of such a kind, the system may allow
  /// no more pages to be locked (RLIMIT_MEMLOCK), and some drivers take no pages that processes share.
  ///
  /// - Parameter bytes: whole pages.
  init?(_ context: GPUContext, _ base: UnsafeMutableRawPointer, bytes: Int) {
    guard bytes <= context.limits.allocation, let hostPointerProperties = context.functions.hostPointerProperties else {
      return nil
    }
    let f = context.functions, device = context.device
    var pages = VkMemoryHostPointerPropertiesEXT()
    pages.sType = VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT
    guard hostPointerProperties(device, Self.handleType, base, &pages) == VK_SUCCESS else { return nil }

    var arena = Arena()
    var external = VkExternalMemoryBufferCreateInfo()
    external.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO
    external.handleTypes = UInt32(Self.handleType.rawValue)
    var info = VkBufferCreateInfo()
    info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO
    info.pNext = UnsafeRawPointer(arena.place(external))
    info.size = VkDeviceSize(bytes)
    info.usage = Self.usage
    if context.families.count > 1 {
      info.sharingMode = VK_SHARING_MODE_CONCURRENT
      info.queueFamilyIndexCount = UInt32(context.families.count)
      info.pQueueFamilyIndices = UnsafePointer(arena.place(context.families))
    }
    var made: VkBuffer?
    guard f.createBuffer(device, &info, nil, &made) == VK_SUCCESS, let buffer = made else { return nil }
    var needs = VkMemoryRequirements()
    f.bufferRequirements(device, buffer, &needs)

    var pointer = VkImportMemoryHostPointerInfoEXT()
    pointer.sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT
    pointer.handleType = Self.handleType
    pointer.pHostPointer = base
    var allocate = VkMemoryAllocateInfo()
    allocate.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO
    allocate.pNext = UnsafeRawPointer(arena.place(pointer))
    allocate.allocationSize = VkDeviceSize(bytes)
    // Only coherent types are taken: nothing is flushed.
    let types = needs.memoryTypeBits & pages.memoryTypeBits
    let fitting = [MemoryKind.readback.flags, MemoryKind.staging.flags].lazy.compactMap { flags in
      context.memory.indices.first { types & (1 << UInt32($0)) != 0 && context.memory[$0].flags & flags == flags }
    }.first
    var memory: VkDeviceMemory?
    if let type = fitting, needs.size <= bytes {
      allocate.memoryTypeIndex = UInt32(type)
      if f.allocateMemory(device, &allocate, nil, &memory) != VK_SUCCESS { memory = nil }
    }
    guard let memory, f.bindBuffer(device, buffer, memory, 0) == VK_SUCCESS else {
      f.destroyBuffer(device, buffer, nil)
      if let memory { f.freeMemory(device, memory, nil) }
      return nil
    }
    (handle, self.context, self.memory) = (buffer, context, memory)
  }

  deinit {
    // A device that hangs may still touch them.
    if context.hangs { return }
    context.functions.destroyBuffer(context.device, handle, nil)
    context.functions.freeMemory(context.device, memory, nil)
  }
}

extension GPUInstance {
  /// True if a device that has the extension takes buffers of host pages, for copies.
  func importsPages(_ device: VkPhysicalDevice) -> Bool {
    var arena = Arena()
    var limits = VkPhysicalDeviceExternalMemoryHostPropertiesEXT()
    limits.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_HOST_PROPERTIES_EXT
    let answer = arena.place(limits)
    var properties = VkPhysicalDeviceProperties2()
    properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2
    properties.pNext = UnsafeMutableRawPointer(answer)
    functions.getProperties(device, &properties)
    var info = VkPhysicalDeviceExternalBufferInfo()
    info.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO
    info.usage = HostImport.usage
    info.handleType = HostImport.handleType
    var buffers = VkExternalBufferProperties()
    buffers.sType = VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES
    functions.getExternalBuffers(device, &info, &buffers)
    let features = buffers.externalMemoryProperties.externalMemoryFeatures
    return HostBlock.pageBytes % max(1, Int(answer.pointee.minImportedHostPointerAlignment)) == 0
      && features & VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT.rawValue != 0
      && features & VK_EXTERNAL_MEMORY_FEATURE_DEDICATED_ONLY_BIT.rawValue == 0
  }
}
