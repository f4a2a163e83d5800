import CVulkan

/// The reference speed of `bench kernel`: copies within the device's memory.
extension GPURenderer {
  /// Returns the bytes a second that a copy within the device's memory reads plus writes, for each of `repeats` copies on
  /// the compute queue, on the device's clock; on the host's clock where the device has none.
  ///
  /// A kernel copies, a word an invocation, and so does `vkCmdCopyBuffer`: the faster way counts. On an H100 the command
  /// moves 0.85 TB/s, and its memory is good for 3.
  ///
  /// - Parameter bytes: size of the copied buffer; halved until it fits.
  /// - Throws: `.outOfMemory` when not even 1 MiB fits, `.deviceLost`.
  package func measureCopyBandwidth(bytes: Int = 256 << 20, repeats: Int = 9) throws(GPUError) -> [Double] {
    // Rows of 1024 words.
    var size = min(max(1 << 20, bytes), context.limits.storageRange) & ~4095
    var pair: (from: GPUBuffer, to: GPUBuffer)?
    while pair == nil {
      do throws(GPUError) {
        let from = try GPUBuffer(context, .device, bytes: size, what: "copy source")
        pair = (from, try GPUBuffer(context, .device, bytes: size, what: "copy target"))
      } catch {
        guard case .outOfMemory = error, size > 1 << 20 else { throw error }
        size /= 2
      }
    }
    guard let pair else { return [] }
    let columns = 1024, rows = size / 4096
    let dispatch = try BufferDispatch(
      context, try kernels.kernel(named: "copy_words"), localSize: kernels.localSize, columns: columns, rows: rows,
      height: rows, from: pair.from, to: pair.to)
    let command = try bytesPerSecond(size, repeats) { commands in
      context.functions.copy(commands, pair.from.handle, to: pair.to.handle, bytes: size)
    }
    let kernel = try bytesPerSecond(size, repeats) { commands in dispatch.record(commands) }
    return [command, kernel].max { ($0.max() ?? 0) < ($1.max() ?? 0) } ?? []
  }

  private func bytesPerSecond(
    _ size: Int, _ repeats: Int, _ record: (VkCommandBuffer) -> Void
  ) throws(GPUError) -> [Double] {
    let commands = try CommandPool(context, context.compute.family)
    let timeline = try Timeline(context), clock = TimestampPool(context, intervals: 1)
    var seconds: [Double] = []
    for _ in 0...max(1, repeats) {
      let buffer = try commands.begin()
      clock?.reset(buffer)
      clock?.begin(buffer, 0)
      record(buffer)
      clock?.end(buffer, 0)
      try commands.end()
      let start = ContinuousClock.now
      try timeline.submit(context.compute, commands, after: 0)
      try timeline.wait()
      let host = (ContinuousClock.now - start).seconds
      seconds.append(clock?.nanoseconds(1).first.map { $0 * 1e-9 } ?? host)
    }
    // The first one pays for first touches.
    return seconds.dropFirst().map { 2 * Double(size) / $0 }
  }
}
