import HDRCore
import HDRPlan
import Kernels

/// Kernels that follow those of a plan's passes, or run without a plan.
extension BandBuild {
  /// Adds the dispatch of a kernel, which reads no constants.
  ///
  /// - Parameter words: the first words of its frame.
  mutating func follow(
    _ kernel: BandKernel, _ words: [UInt32], columns: Int, rows: Int, _ sources: [Region], _ output: Region
  ) throws(GPUError) {
    guard let place = planner.followers.firstIndex(of: kernel) else { throw .badPlan("\(kernel) does not follow it") }
    let frame = words + [UInt32](repeating: 0, count: FrameLayout.words - words.count)
    let frameOffset = take(SharedLayout.frameBytes)
    dispatches.append(
      BandDispatch(
        kernel: planner.plan.passes.count + place, frame: frame, frameOffset: frameOffset,
        constantsOffset: dispatches.last?.constantsOffset ?? take(SharedLayout.constantBytes), sources: sources,
        output: output, columns: columns, rows: rows))
  }

  /// Adds a dispatch of so many invocations in rows, whose length is the frame's first word (`jpeg_number`).
  mutating func follow(
    _ kernel: BandKernel, count: Int, _ words: [Int], _ sources: [Region], _ output: Region
  ) throws(GPUError) {
    let grid = 1024
    try follow(
      kernel, ([grid] + words).map { UInt32($0) }, columns: min(count, grid), rows: (count + grid - 1) / grid, sources,
      output)
  }

  /// Takes room for words in scratch memory.
  mutating func room(_ words: Int, _ what: String) throws(GPUError) -> Region {
    let bytes = planner.align(4 * words)
    try planner.fits(bytes, what)
    return .scratch(offset: scratch.take(bytes), bytes: bytes)
  }

  /// Adds bytes that go up as they are.
  mutating func add(_ words: PixelBuffer) -> Region {
    let start = take(words.byteCount)
    copies.append(
      SlabCopy(
        buffer: words, offset: 0, rowBytes: words.byteCount, target: start, targetRowBytes: words.byteCount, rows: 1,
        bytes: words.byteCount))
    return .input(offset: start, bytes: words.byteCount)
  }
}
