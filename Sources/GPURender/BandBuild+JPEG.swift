import HDRCore
import HDRPlan
import Kernels

extension BandBuild {
  /// Adds the dispatches that encode a band's pixels.
  ///
  /// - Parameters:
  ///   - pixels: R G B x of 8 bits, rows without padding; in the output if they are kept.
  ///   - firstKernel: the number of kernels before those of JPEG.
  mutating func encode(
    _ pixels: Region, _ coding: JPEGCoding, rows: Range<Int>, firstKernel: Int
  ) throws(GPUError) -> JPEGBand {
    let layout = coding.layout.rows(rows)
    let kept = if case .output(_, let bytes) = pixels { bytes } else { 0 }
    let scan = JPEGBand(layout, alignment: planner.limits.alignment, behind: kept)
    let blocks = layout.blockCount
    func room(_ words: Int, _ what: String) throws(GPUError) -> Region {
      let bytes = planner.align(4 * words)
      try planner.fits(bytes, what)
      return .scratch(offset: scratch.take(bytes), bytes: bytes)
    }
    let coefficients = try room(33 * blocks, "coefficients of a band")
    let runBits = try room(scan.runs, "runs of a band"), groupBits = try room(scan.groups, "groups of a band")
    try planner.fits(scan.byteCount, "scan of a band")
    guard scan.mostBits <= UInt32.max else {
      throw .tooLarge(what: "bits of a band's scan", value: scan.mostBits, limit: Int(UInt32.max))
    }
    let tables = add(coding.words)
    // Constants are not read.
    let constants = dispatches.last?.constantsOffset ?? 0

    func dispatch(
      _ kernel: JPEGKernel, _ words: [Int], columns: Int, rows: Int, _ sources: [Region], _ output: Region
    ) throws(GPUError) {
      var frame = [UInt32](repeating: 0, count: FrameLayout.words)
      for (place, word) in words.enumerated() { frame[place] = UInt32(word) }
      dispatches.append(
        BandDispatch(
          kernel: firstKernel + kernel.index, frame: frame, frameOffset: take(SharedLayout.frameBytes),
          constantsOffset: constants, sources: sources, output: output, columns: columns, rows: rows))
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
    let grid = 1024, stream = Region.output(offset: scan.streamOffset, bytes: scan.byteCount - scan.streamOffset)
    let words = [
      grid, blocks, layout.blocksOfMCU, layout.lumaOfMCU, scan.runs, scan.groups, (scan.streamOffset - kept) / 4,
      (scan.seamsOffset - kept) / 4,
    ]
    let sources = [coefficients, tables, runBits, groupBits]
    let steps: [(kernel: JPEGKernel, count: Int, sources: [Region], output: Region)] = [
      (.runBits, scan.runs, sources.dropLast(2) + [tables, tables], runBits),
      (.groupBits, scan.groups, sources.dropLast() + [tables], groupBits),
      (.codes, scan.runs, sources, .output(offset: kept, bytes: scan.byteCount - kept)),
      (.seams, scan.runs + 1, [.output(offset: kept, bytes: scan.streamOffset - kept)] + sources.dropFirst(), stream),
    ]
    for step in steps {
      try dispatch(
        step.kernel, words, columns: min(step.count, grid), rows: (step.count + grid - 1) / grid, step.sources,
        step.output)
    }
    try dispatch(
      .light, [grid, scan.parts, scan.pixels], columns: min(scan.parts, grid),
      rows: (scan.parts + grid - 1) / grid, [pixels], .output(offset: scan.lightOffset, bytes: 8 * scan.parts))
    bytesWritten += 4 * 33 * blocks
    bytesRead += 4 * 33 * blocks
    return scan
  }

  /// Adds bytes that go up as they are.
  private mutating func add(_ words: PixelBuffer) -> Region {
    let start = take(words.byteCount)
    copies.append(
      SlabCopy(
        buffer: words, offset: 0, rowBytes: words.byteCount, target: start, targetRowBytes: words.byteCount, rows: 1,
        bytes: words.byteCount))
    return .input(offset: start, bytes: words.byteCount)
  }
}
