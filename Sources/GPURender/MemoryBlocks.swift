import CVulkan
import Synchronization

/// A place in device memory for one buffer or image.
struct MemoryPlace: @unchecked Sendable {
  let memory: VkDeviceMemory
  let offset: Int
  /// The host address of the place; `nil` for device memory.
  let mapped: UnsafeMutableRawPointer?
  /// The block that holds it; `nil` for an allocation of its own.
  fileprivate var block: MemoryBlock?
}

/// Memory that several small resources share.
private final class MemoryBlock: @unchecked Sendable {
  let memory: VkDeviceMemory
  let mapped: UnsafeMutableRawPointer?
  let key: MemoryBlocks.Key
  /// Ranges in use, by offset.
  var used: [Range<Int>] = []

  init(memory: VkDeviceMemory, mapped: UnsafeMutableRawPointer?, key: MemoryBlocks.Key) {
    self.memory = memory
    self.mapped = mapped
    self.key = key
  }

  /// Takes the first gap that holds so many bytes; `nil` if there is none.
  func place(_ bytes: Int, alignment: Int) -> Int? {
    var at = 0
    for range in used {
      if range.lowerBound - at >= bytes { break }
      at = (range.upperBound + alignment - 1) / alignment * alignment
    }
    guard at + bytes <= MemoryBlocks.blockBytes else { return nil }
    used.insert(at..<at + bytes, at: used.firstIndex { $0.lowerBound >= at } ?? used.count)
    return at
  }
}

/// The device memory of a context. Drivers allow few allocations (often 4096) and round each up, so resources below
/// 1 MiB share blocks; larger ones have an allocation of their own.
final class MemoryBlocks: Sendable {
  struct Key: Hashable {
    var type: Int
    var isMapped: Bool
    /// True for images: they do not lie beside buffers (bufferImageGranularity).
    var isImage: Bool
  }

  static let blockBytes = 4 << 20, largestShared = 1 << 20
  private let blocks = Mutex<[MemoryBlock]>([])

  /// - Throws: `.unsuitable` where the device has no such memory, `.outOfMemory`.
  func take(
    _ needs: VkMemoryRequirements, _ kind: MemoryKind, isImage: Bool, what: String, _ context: GPUContext
  ) throws(GPUError) -> MemoryPlace {
    let key = Key(
      type: try context.memoryType(needs, kind, what: what), isMapped: kind != .device, isImage: isImage)
    let bytes = Int(needs.size), alignment = max(1, Int(needs.alignment))
    guard bytes < Self.largestShared else {
      let (memory, mapped) = try context.allocate(bytes, key, what: what)
      return MemoryPlace(memory: memory, offset: 0, mapped: mapped, block: nil)
    }
    let result: Result<MemoryPlace, GPUError> = blocks.withLock { blocks in
      func place(_ block: MemoryBlock) -> MemoryPlace? {
        block.place(bytes, alignment: alignment).map { at in
          MemoryPlace(
            memory: block.memory, offset: at, mapped: block.mapped.map { base in base + at }, block: block)
        }
      }
      for block in blocks where block.key == key { if let found = place(block) { return .success(found) } }
      do throws(GPUError) {
        let (memory, mapped) = try context.allocate(Self.blockBytes, key, what: what)
        let block = MemoryBlock(memory: memory, mapped: mapped, key: key)
        blocks.append(block)
        guard let found = place(block) else { throw .outOfMemory(what: what, bytes: bytes) }
        return .success(found)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Gives a place back; a block without users is freed.
  func giveBack(_ place: MemoryPlace, _ context: GPUContext) {
    guard let block = place.block else { return context.functions.freeMemory(context.device, place.memory, nil) }
    let isEmpty = blocks.withLock { blocks in
      block.used.removeAll { $0.lowerBound == place.offset }
      if block.used.isEmpty { blocks.removeAll { $0 === block } }
      return block.used.isEmpty
    }
    if isEmpty { context.functions.freeMemory(context.device, block.memory, nil) }
  }
}

extension GPUContext {
  fileprivate func memoryType(
    _ needs: VkMemoryRequirements, _ kind: MemoryKind, what: String
  ) throws(GPUError) -> Int {
    func type(_ flags: UInt32) -> Int? {
      memory.indices.first { needs.memoryTypeBits & (1 << UInt32($0)) != 0 && memory[$0].flags & flags == flags }
    }
    guard let index = type(kind.flags) ?? type(kind.fallback) else {
      throw .unsuitable(device: info.name, reason: "it has no memory for \(what)")
    }
    return index
  }

  /// Allocates memory, mapped for life where the host sees it.
  fileprivate func allocate(
    _ bytes: Int, _ key: MemoryBlocks.Key, what: String
  ) throws(GPUError) -> (VkDeviceMemory, UnsafeMutableRawPointer?) {
    var allocate = VkMemoryAllocateInfo()
    allocate.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO
    allocate.allocationSize = VkDeviceSize(bytes)
    allocate.memoryTypeIndex = UInt32(key.type)
    var made: VkDeviceMemory?
    try check(functions.allocateMemory(device, &allocate, nil, &made), what, bytes: bytes)
    guard let made else { throw .outOfMemory(what: what, bytes: bytes) }
    var address: UnsafeMutableRawPointer?
    guard key.isMapped else { return (made, nil) }
    let result = functions.mapMemory(device, made, 0, VkDeviceSize.max, 0, &address)
    if result != VK_SUCCESS { functions.freeMemory(device, made, nil) }
    try check(result, "vkMapMemory", bytes: bytes)
    return (made, address)
  }
}
