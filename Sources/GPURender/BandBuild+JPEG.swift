import HDRCore
import HDRPlan
import Kernels

extension BandBuild {
  /// Adds the dispatches that encode a band's pixels.
  ///
  /// - Parameters:
  ///   - pixels: R G B x of 8 bits, rows without padding; in the output if they are kept.
  mutating func encode(_ pixels: Region, _ coding: JPEGCoding, rows: Range<Int>) throws(GPUError) -> JPEGBand {
    let layout = coding.layout.rows(rows)
    let kept = if case .output(_, let bytes) = pixels { bytes } else { 0 }
    let scan = JPEGBand(coding, rows: rows, alignment: planner.limits.alignment, behind: kept)
    let blocks = layout.blockCount
    func room(_ words: Int, _ what: String) throws(GPUError) -> Region {
      let bytes = planner.align(4 * words)
      try planner.fits(bytes, what)
      return .scratch(offset: scratch.take(bytes), bytes: bytes)
    }
    let coefficients = try room(33 * blocks, "coefficients of a band")
    try planner.fits(scan.byteCount, "scan of a band")
    guard scan.mostBits <= UInt32.max else {
      throw .tooLarge(what: "bits of a band's scan", value: scan.mostBits, limit: Int(UInt32.max))
    }
    let tables = add(coding.words)
    func dispatch(
      _ kernel: BandKernel, _ words: [Int], columns: Int, rows: Int, _ sources: [Region], _ output: Region
    ) throws(GPUError) {
      try follow(kernel, words.map { UInt32($0) }, columns: columns, rows: rows, sources, output)
    }
    for (index, component) in layout.components.enumerated() {
      let size = layout.samples(component)
      let columns = layout.mcuColumns * component.blocksX, rows = layout.mcuRows * component.blocksY
      // As in jpeg_blocks.glsl: luma, Cb, Cr, grey.
      let kind = layout.chroma == .none ? 3 : index
      try dispatch(
        .blocks,
        [
          columns, rows, (size.width + 7) / 8, (size.height + 7) / 8, layout.width, layout.height, size.height,
          4 * layout.width, kind, component.blocksX, component.blocksY,
          component.shiftX, component.shiftY, component.firstInMCU, layout.blocksOfMCU, layout.mcuColumns, blocks,
        ], columns: columns, rows: rows, [pixels, tables], coefficients)
    }
    /// Adds a dispatch of a number of invocations, in rows.
    func dispatch(
      _ kernel: BandKernel, _ count: Int, _ words: [Int], _ sources: [Region], _ output: Region
    ) throws(GPUError) {
      let grid = 1024
      try dispatch(
        kernel, [grid] + words, columns: min(count, grid), rows: (count + grid - 1) / grid, sources, output)
    }
    func output(from start: Int = kept, to end: Int = scan.byteCount) -> Region {
      .output(offset: start, bytes: end - start)
    }
    let blockWords = [blocks, layout.blocksOfMCU, layout.lumaOfMCU]
    try dispatch(
      .head, 32 * layout.blocksOfMCU + layout.components.count, blockWords, [coefficients],
      output(to: scan.sumsOffset))
    if coding.counts {
      let words = JPEGSymbolCounts.count, groups = scan.countGroups
      let counts = try room(words * scan.parts, "counts of a band"), sums = try room(words * groups, "sums of a band")
      try dispatch(.counts, 2 * scan.parts, blockWords + [scan.parts], [coefficients], counts)
      try dispatch(.sums, words * groups, [scan.parts, groups], [counts], sums)
      try dispatch(.sums, words, [groups, 1], [sums], output(from: scan.sumsOffset, to: scan.headEnd))
    } else {
      let runBits = try room(scan.runs, "runs of a band"), groupBits = try room(scan.groups, "groups of a band")
      let words =
        blockWords + [scan.runs, scan.groups, (scan.streamOffset - kept) / 4, (scan.seamsOffset - kept) / 4]
      let sources = [coefficients, tables, runBits, groupBits]
      try dispatch(.runBits, scan.runs, words, sources.dropLast(2) + [tables, tables], runBits)
      try dispatch(.groupBits, scan.groups, words, sources.dropLast() + [tables], groupBits)
      try dispatch(.codes, scan.runs, words, sources, output())
      try dispatch(
        .seams, scan.runs + 1, words, [output(to: scan.streamOffset)] + sources.dropFirst(),
        output(from: scan.streamOffset))
    }
    if let light = scan.light { try measure(pixels, light, planes: [], chroma: .none) }
    bytesWritten += 4 * 33 * blocks
    bytesRead += 4 * 33 * blocks
    return scan
  }

  /// Adds the dispatch of a kernel that follows the passes.
  ///
  /// - Parameter words: the first words of its frame.
  mutating func follow(
    _ kernel: BandKernel, _ words: [UInt32], columns: Int, rows: Int, _ sources: [Region], _ output: Region
  ) throws(GPUError) {
    guard let place = planner.followers.firstIndex(of: kernel) else { throw .badPlan("\(kernel) does not follow it") }
    let frame = words + [UInt32](repeating: 0, count: FrameLayout.words - words.count)
    dispatches.append(
      BandDispatch(
        kernel: planner.plan.passes.count + place, frame: frame, frameOffset: take(SharedLayout.frameBytes),
        // Constants are not read.
        constantsOffset: dispatches.last?.constantsOffset ?? 0, sources: sources, output: output, columns: columns,
        rows: rows))
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
