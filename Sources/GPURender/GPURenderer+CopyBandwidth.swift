/// The reference speed of `bench kernel`: copies within the device's memory.
extension GPURenderer {
  /// Returns the bytes a second that a device-to-device copy reads plus writes, for each of `repeats` copies on the
  /// compute queue, on the device's clock; on the host's clock where the device has none.
  ///
  /// - Parameter bytes: size of the copied buffer; halved until it fits.
  /// - Throws: `.outOfMemory` when not even 1 MiB fits, `.deviceLost`.
  package func measureCopyBandwidth(bytes: Int = 256 << 20, repeats: Int = 9) throws(GPUError) -> [Double] {
    var size = max(1 << 20, bytes)
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
    let commands = try CommandPool(context, context.compute.family)
    let timeline = try Timeline(context), clock = TimestampPool(context, intervals: 1)
    var seconds: [Double] = []
    for _ in 0...max(1, repeats) {
      let buffer = try commands.begin()
      clock?.reset(buffer)
      clock?.begin(buffer, 0)
      context.functions.copy(buffer, pair.from.handle, to: pair.to.handle, bytes: size)
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
