import CVulkan

/// A command pool with the one buffer that is recorded anew for each band.
final class CommandPool: @unchecked Sendable {
  private let context: GPUContext
  private let pool: VkCommandPool
  let buffer: VkCommandBuffer

  init(_ context: GPUContext, _ family: UInt32) throws(GPUError) {
    self.context = context
    let f = context.functions
    var info = VkCommandPoolCreateInfo()
    info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO
    info.flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT.rawValue
    info.queueFamilyIndex = family
    var pool: VkCommandPool?
    try context.check(f.createCommandPool(context.device, &info, nil, &pool), "vkCreateCommandPool")
    var allocate = VkCommandBufferAllocateInfo()
    allocate.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO
    allocate.commandPool = pool
    allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY
    allocate.commandBufferCount = 1
    var buffer: VkCommandBuffer?
    let result = f.allocateCommandBuffers(context.device, &allocate, &buffer)
    guard result == VK_SUCCESS, let pool, let buffer else {
      f.destroyCommandPool(context.device, pool, nil)
      throw .vulkan(call: "vkAllocateCommandBuffers", result: result.rawValue)
    }
    self.pool = pool
    self.buffer = buffer
  }

  deinit { context.functions.destroyCommandPool(context.device, pool, nil) }

  /// Discards the recorded commands and begins anew. The device must be done with them.
  func begin() throws(GPUError) -> VkCommandBuffer {
    try context.check(context.functions.resetCommandPool(context.device, pool, 0), "vkResetCommandPool")
    var info = VkCommandBufferBeginInfo()
    info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO
    info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT.rawValue
    try context.check(context.functions.beginCommands(buffer, &info), "vkBeginCommandBuffer")
    return buffer
  }

  func end() throws(GPUError) {
    try context.check(context.functions.endCommands(buffer), "vkEndCommandBuffer")
  }
}

/// A semaphore that counts: each submission waits for the one before and adds one.
final class Timeline: @unchecked Sendable {
  private let context: GPUContext
  private let semaphore: VkSemaphore
  private var value: UInt64 = 0

  init(_ context: GPUContext) throws(GPUError) {
    self.context = context
    var arena = Arena()
    var type = VkSemaphoreTypeCreateInfo()
    type.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO
    type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE
    var info = VkSemaphoreCreateInfo()
    info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO
    info.pNext = UnsafeRawPointer(arena.place(type))
    var made: VkSemaphore?
    let result = context.functions.createSemaphore(context.device, &info, nil, &made)
    guard result == VK_SUCCESS, let made else { throw .vulkan(call: "vkCreateSemaphore", result: result.rawValue) }
    semaphore = made
  }

  deinit { context.functions.destroySemaphore(context.device, semaphore, nil) }

  /// Submits commands that begin, in `stage`, once everything submitted on this timeline is done; 0 waits for nothing.
  func submit(_ queue: DeviceQueue, _ commands: CommandPool, after stage: UInt32) throws(GPUError) {
    var arena = Arena()
    let wait = value, signal = value + 1
    var timeline = VkTimelineSemaphoreSubmitInfo()
    timeline.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO
    var info = VkSubmitInfo()
    info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO
    let handle = UnsafePointer(arena.place(Optional(semaphore)))
    if stage != 0 {
      timeline.waitSemaphoreValueCount = 1
      timeline.pWaitSemaphoreValues = UnsafePointer(arena.place(wait))
      info.waitSemaphoreCount = 1
      info.pWaitSemaphores = handle
      info.pWaitDstStageMask = UnsafePointer(arena.place(stage))
    }
    timeline.signalSemaphoreValueCount = 1
    timeline.pSignalSemaphoreValues = UnsafePointer(arena.place(signal))
    info.signalSemaphoreCount = 1
    info.pSignalSemaphores = handle
    info.commandBufferCount = 1
    info.pCommandBuffers = UnsafePointer(arena.place(Optional(commands.buffer)))
    info.pNext = UnsafeRawPointer(arena.place(timeline))
    try context.check(queue.submit(context.functions, info), "vkQueueSubmit")
    value = signal
  }

  /// Seconds of one wait in the driver: between waits the thread sees that others found the device lost.
  private static let slice = 0.25

  /// Blocks until everything submitted is done.
  ///
  /// - Throws: `.deviceLost` also at the timeout (`Workload.timeout`), or at once if another thread found the device
  ///   lost.
  func wait() throws(GPUError) {
    var arena = Arena()
    var info = VkSemaphoreWaitInfo()
    info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO
    info.semaphoreCount = 1
    info.pSemaphores = UnsafePointer(arena.place(Optional(semaphore)))
    info.pValues = UnsafePointer(arena.place(value))
    var left = context.workload.timeout
    while true {
      try context.checkAlive()
      let result = context.functions.waitSemaphores(context.device, &info, UInt64(Self.slice * 1e9))
      left -= Self.slice
      if result != VK_TIMEOUT || left <= 0 { return try context.check(result, "vkWaitSemaphores") }
    }
  }
}

/// The start and end times of dispatches on the device's clock.
final class TimestampPool: @unchecked Sendable {
  private let context: GPUContext
  private let pool: VkQueryPool
  private let capacity: Int

  /// Returns `nil` where the compute queue has no clock.
  init?(_ context: GPUContext, intervals: Int) {
    guard context.hasTimestamps else { return nil }
    var info = VkQueryPoolCreateInfo()
    info.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO
    info.queryType = VK_QUERY_TYPE_TIMESTAMP
    info.queryCount = UInt32(2 * intervals)
    var made: VkQueryPool?
    guard context.functions.createQueryPool(context.device, &info, nil, &made) == VK_SUCCESS, let made else {
      return nil
    }
    self.context = context
    pool = made
    capacity = intervals
  }

  deinit { context.functions.destroyQueryPool(context.device, pool, nil) }

  func reset(_ commands: VkCommandBuffer) { context.functions.cmdResetQueries(commands, pool, 0, UInt32(2 * capacity)) }

  func begin(_ commands: VkCommandBuffer, _ interval: Int) {
    context.functions.cmdWriteTimestamp(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, pool, UInt32(2 * interval))
  }

  func end(_ commands: VkCommandBuffer, _ interval: Int) {
    context.functions.cmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool, UInt32(2 * interval + 1))
  }

  /// Returns the first `count` intervals in nanoseconds; empty if the device does not report them.
  func nanoseconds(_ count: Int) -> [Double] {
    var ticks = [UInt64](repeating: 0, count: 2 * count)
    let result = ticks.withUnsafeMutableBytes { bytes in
      context.functions.getQueryResults(
        context.device, pool, 0, UInt32(2 * count), bytes.count, bytes.baseAddress, 8, VK_QUERY_RESULT_64_BIT.rawValue)
    }
    guard count > 0, result == VK_SUCCESS else { return [] }
    return (0..<count).map { interval in
      let elapsed = elapsedTicks(
        from: ticks[2 * interval], to: ticks[2 * interval + 1], bits: context.limits.timestampBits)
      return Double(elapsed) * context.limits.timestampNanoseconds
    }
  }
}

/// Returns the ticks between two timestamps of a clock that counts in so many bits and may have passed its end once.
package func elapsedTicks(from start: UInt64, to end: UInt64, bits: Int) -> UInt64 {
  (end &- start) & (bits >= 64 ? .max : (1 << UInt64(bits)) - 1)
}

/// Stages and accesses of one side of a barrier.
struct SyncScope {
  var stage: UInt32
  var access: UInt32
  private init(_ stage: VkPipelineStageFlagBits, _ access: UInt32) {
    self.stage = stage.rawValue
    self.access = access
  }

  static let nothing = SyncScope(VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0)
  static let semaphore = SyncScope(VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0)
  static let shaderWrite = SyncScope(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT.rawValue)
  static let shaderRead = SyncScope(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT.rawValue)
  /// The scope for planes that take the place of others: they are written where those were read and written.
  static let shaderReadWrite = SyncScope(
    VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT.rawValue | VK_ACCESS_SHADER_WRITE_BIT.rawValue)
  static let copyRead = SyncScope(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT.rawValue)
  static let copyWrite = SyncScope(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT.rawValue)
  static let hostRead = SyncScope(VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT.rawValue)
}

extension DeviceFunctions {
  /// Makes everything before in `from` visible to everything after in `to`.
  func barrier(_ commands: VkCommandBuffer, from: SyncScope, to: SyncScope) {
    var barrier = VkMemoryBarrier()
    barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER
    barrier.srcAccessMask = from.access
    barrier.dstAccessMask = to.access
    cmdBarrier(commands, from.stage, to.stage, 0, 1, &barrier, 0, nil, 0, nil)
  }

  /// Makes a working image ready for stores; its contents become undefined.
  func discard(_ commands: VkCommandBuffer, _ image: VkImage) {
    transition(
      commands, image, VK_IMAGE_LAYOUT_UNDEFINED, to: VK_IMAGE_LAYOUT_GENERAL, from: .nothing, to: .shaderWrite)
  }

  /// Makes a working image ready to be copied, once the stores are done; `.semaphore` by another queue.
  func finish(_ commands: VkCommandBuffer, _ image: VkImage, to: SyncScope) {
    transition(
      commands, image, VK_IMAGE_LAYOUT_GENERAL, to: VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, from: .shaderWrite, to: to)
  }

  private func transition(
    _ commands: VkCommandBuffer, _ image: VkImage, _ old: VkImageLayout, to new: VkImageLayout, from: SyncScope,
    to: SyncScope
  ) {
    var barrier = VkImageMemoryBarrier()
    barrier.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER
    barrier.srcAccessMask = from.access
    barrier.dstAccessMask = to.access
    barrier.oldLayout = old
    barrier.newLayout = new
    // VK_QUEUE_FAMILY_IGNORED: images are shared by all families in use.
    barrier.srcQueueFamilyIndex = UInt32.max
    barrier.dstQueueFamilyIndex = UInt32.max
    barrier.image = image
    barrier.subresourceRange = colorRange
    cmdBarrier(commands, from.stage, to.stage, 0, 0, nil, 0, nil, 1, &barrier)
  }

  /// Copies the top left part of a working image after `finish`, rows tightly packed.
  ///
  /// - Parameter offset: of the first pixel in `buffer`; a multiple of 8.
  func copy(
    _ commands: VkCommandBuffer, _ image: VkImage, width: Int, height: Int, to buffer: VkBuffer, at offset: Int = 0
  ) {
    var region = VkBufferImageCopy()
    region.bufferOffset = VkDeviceSize(offset)
    region.imageSubresource.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT.rawValue
    region.imageSubresource.layerCount = 1
    region.imageExtent = VkExtent3D(width: UInt32(width), height: UInt32(height), depth: 1)
    cmdCopyImageToBuffer(commands, image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, buffer, 1, &region)
  }

  func copy(_ commands: VkCommandBuffer, _ from: VkBuffer, to: VkBuffer, bytes: Int) {
    copy(commands, from, to: to, [CopiedBytes(from: 0, to: 0, count: bytes)])
  }

  func copy(_ commands: VkCommandBuffer, _ from: VkBuffer, to: VkBuffer, _ parts: [CopiedBytes]) {
    if parts.isEmpty { return }
    let regions = parts.map {
      VkBufferCopy(srcOffset: VkDeviceSize($0.from), dstOffset: VkDeviceSize($0.to), size: VkDeviceSize($0.count))
    }
    cmdCopyBuffer(commands, from, to, UInt32(regions.count), regions)
  }
}

/// Bytes that go from an offset of one buffer to an offset of another.
struct CopiedBytes {
  var from: Int
  var to: Int
  var count: Int
}
