import CVulkan

/// The use of memory, which decides where it lies.
enum MemoryKind: Sendable {
  /// Memory that the host writes once and a copy reads.
  case staging
  /// Memory that only the device touches.
  case device
  /// Memory that a copy writes and the host reads: cached, because uncached reads are very slow.
  case readback
  /// Host and device memory at once, on devices that share it.
  case unified

  /// The property flags of the first choice.
  var flags: UInt32 {
    let host = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT.rawValue | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT.rawValue
    return switch self {
    case .staging: host
    case .device: VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT.rawValue
    case .readback: host | VK_MEMORY_PROPERTY_HOST_CACHED_BIT.rawValue
    case .unified: host | VK_MEMORY_PROPERTY_HOST_CACHED_BIT.rawValue | VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT.rawValue
    }
  }

  /// The property flags of the second choice.
  var fallback: UInt32 {
    self == .device
      ? 0 : VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT.rawValue | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT.rawValue
  }
}

/// A buffer, mapped for life where the host can see it.
final class GPUBuffer: @unchecked Sendable {
  let context: GPUContext
  let handle: VkBuffer
  let bytes: Int
  /// The host address; `nil` for device memory.
  let mapped: UnsafeMutableRawPointer?
  private let place: MemoryPlace

  /// - Throws: `.outOfMemory` with the size asked for.
  init(_ context: GPUContext, _ kind: MemoryKind, bytes: Int, what: String) throws(GPUError) {
    self.context = context
    self.bytes = bytes
    let f = context.functions
    var arena = Arena()
    var info = VkBufferCreateInfo()
    info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO
    info.size = VkDeviceSize(bytes)
    info.usage =
      VK_BUFFER_USAGE_STORAGE_BUFFER_BIT.rawValue | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT.rawValue
      | VK_BUFFER_USAGE_TRANSFER_SRC_BIT.rawValue | VK_BUFFER_USAGE_TRANSFER_DST_BIT.rawValue
    if context.families.count > 1 {
      info.sharingMode = VK_SHARING_MODE_CONCURRENT
      info.queueFamilyIndexCount = UInt32(context.families.count)
      info.pQueueFamilyIndices = UnsafePointer(arena.place(context.families))
    }
    var buffer: VkBuffer?
    try context.check(f.createBuffer(context.device, &info, nil, &buffer), "vkCreateBuffer", bytes: bytes)
    guard let buffer else { throw .vulkan(call: "vkCreateBuffer", result: 0) }
    var needs = VkMemoryRequirements()
    f.bufferRequirements(context.device, buffer, &needs)
    do {
      place = try context.blocks.take(needs, kind, isImage: false, what: what, context)
    } catch {
      f.destroyBuffer(context.device, buffer, nil)
      throw error
    }
    handle = buffer
    mapped = place.mapped
    // From here on deinit cleans up.
    try context.check(
      f.bindBuffer(context.device, buffer, place.memory, VkDeviceSize(place.offset)), "vkBindBufferMemory", bytes: bytes
    )
  }

  deinit {
    context.functions.destroyBuffer(context.device, handle, nil)
    context.blocks.giveBack(place, context)
  }
}

/// A working image: RGBA16F, written and read through its R16G16B16A16_UINT view, so that no driver rounds
/// (docs/exact-arithmetic.md#halves).
final class GPUImage: @unchecked Sendable {
  let context: GPUContext
  let handle: VkImage
  let view: VkImageView
  let width: Int
  let height: Int
  private let place: MemoryPlace

  init(_ context: GPUContext, width: Int, height: Int) throws(GPUError) {
    self.context = context
    self.width = width
    self.height = height
    let f = context.functions
    var arena = Arena()
    var formats = VkImageFormatListCreateInfo()
    formats.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO
    formats.viewFormatCount = 2
    formats.pViewFormats = UnsafePointer(
      arena.place([VK_FORMAT_R16G16B16A16_SFLOAT, VK_FORMAT_R16G16B16A16_UINT]))
    var info = VkImageCreateInfo()
    info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO
    info.pNext = UnsafeRawPointer(arena.place(formats))
    info.flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT.rawValue
    info.imageType = VK_IMAGE_TYPE_2D
    info.format = VK_FORMAT_R16G16B16A16_SFLOAT
    info.extent = VkExtent3D(width: UInt32(width), height: UInt32(height), depth: 1)
    info.mipLevels = 1
    info.arrayLayers = 1
    info.samples = VK_SAMPLE_COUNT_1_BIT
    info.tiling = VK_IMAGE_TILING_OPTIMAL
    info.usage = VK_IMAGE_USAGE_STORAGE_BIT.rawValue | VK_IMAGE_USAGE_TRANSFER_SRC_BIT.rawValue
    if context.families.count > 1 {
      info.sharingMode = VK_SHARING_MODE_CONCURRENT
      info.queueFamilyIndexCount = UInt32(context.families.count)
      info.pQueueFamilyIndices = UnsafePointer(arena.place(context.families))
    }
    let bytes = width * height * 8
    var image: VkImage?
    try context.check(f.createImage(context.device, &info, nil, &image), "vkCreateImage", bytes: bytes)
    guard let image else { throw .vulkan(call: "vkCreateImage", result: 0) }
    var needs = VkMemoryRequirements()
    f.imageRequirements(context.device, image, &needs)
    let allocated: MemoryPlace
    do {
      allocated = try context.blocks.take(needs, .device, isImage: true, what: "working image", context)
    } catch {
      f.destroyImage(context.device, image, nil)
      throw error
    }
    var viewInfo = VkImageViewCreateInfo()
    viewInfo.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO
    viewInfo.image = image
    viewInfo.viewType = VK_IMAGE_VIEW_TYPE_2D
    viewInfo.format = VK_FORMAT_R16G16B16A16_UINT
    viewInfo.subresourceRange = colorRange
    var view: VkImageView?
    var result = f.bindImage(context.device, image, allocated.memory, VkDeviceSize(allocated.offset))
    if result == VK_SUCCESS { result = f.createImageView(context.device, &viewInfo, nil, &view) }
    guard result == VK_SUCCESS, let view else {
      f.destroyImage(context.device, image, nil)
      context.blocks.giveBack(allocated, context)
      try context.check(result, "vkCreateImageView", bytes: bytes)
      throw .vulkan(call: "vkCreateImageView", result: result.rawValue)
    }
    handle = image
    place = allocated
    self.view = view
  }

  deinit {
    context.functions.destroyImageView(context.device, view, nil)
    context.functions.destroyImage(context.device, handle, nil)
    context.blocks.giveBack(place, context)
  }
}

/// The only mip level and layer of a working image.
let colorRange = VkImageSubresourceRange(
  aspectMask: VK_IMAGE_ASPECT_COLOR_BIT.rawValue, baseMipLevel: 0, levelCount: 1, baseArrayLayer: 0, layerCount: 1)
