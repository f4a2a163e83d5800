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
    let coefficients = try room(33 * blocks, "coefficients of a band")
    try planner.fits(scan.byteCount, "scan of a band")
    guard scan.mostBits <= UInt32.max else {
      throw .tooLarge(what: "bits of a band's scan", value: scan.mostBits, limit: Int(UInt32.max))
    }
    let tables = add(coding.words)
    for (index, component) in layout.components.enumerated() {
      let size = layout.samples(component)
      let columns = layout.mcuColumns * component.blocksX, rows = layout.mcuRows * component.blocksY
      // As in jpeg_blocks.glsl: luma, Cb, Cr, grey.
      let kind = layout.chroma == .none ? 3 : index
      try follow(
        .blocks,
        [
          columns, rows, (size.width + 7) / 8, (size.height + 7) / 8, layout.width, layout.height, size.height,
          4 * layout.width, kind, component.blocksX, component.blocksY,
          component.shiftX, component.shiftY, component.firstInMCU, layout.blocksOfMCU, layout.mcuColumns, blocks,
        ].map { UInt32($0) }, columns: columns, rows: rows, [pixels, tables], coefficients)
    }
    func output(from start: Int = kept, to end: Int = scan.byteCount) -> Region {
      .output(offset: start, bytes: end - start)
    }
    let blockWords = [blocks, layout.blocksOfMCU, layout.lumaOfMCU]
    try follow(
      .head, count: 32 * layout.blocksOfMCU + layout.components.count, blockWords, [coefficients],
      output(to: scan.sumsOffset))
    if coding.counts {
      let words = JPEGSymbolCounts.count, groups = scan.countGroups
      let counts = try room(words * scan.parts, "counts of a band"), sums = try room(words * groups, "sums of a band")
      try follow(.counts, count: 2 * scan.parts, blockWords + [scan.parts], [coefficients], counts)
      try follow(.sums, count: words * groups, [scan.parts, groups], [counts], sums)
      try follow(.sums, count: words, [groups, 1], [sums], output(from: scan.sumsOffset, to: scan.headEnd))
    } else {
      let runBits = try room(scan.runs, "runs of a band"), groupBits = try room(scan.groups, "groups of a band")
      let words =
        blockWords + [scan.runs, scan.groups, (scan.streamOffset - kept) / 4, (scan.seamsOffset - kept) / 4]
      let sources = [coefficients, tables, runBits, groupBits]
      try follow(.runBits, count: scan.runs, words, sources.dropLast(2) + [tables, tables], runBits)
      try follow(.groupBits, count: scan.groups, words, sources.dropLast() + [tables], groupBits)
      try follow(.codes, count: scan.runs, words, sources, output())
      try follow(
        .seams, count: scan.runs + 1, words, [output(to: scan.streamOffset)] + sources.dropFirst(),
        output(from: scan.streamOffset))
    }
    if let light = scan.light { try measure(pixels, light, planes: [], chroma: .none) }
    bytesWritten += 4 * 33 * blocks
    bytesRead += 4 * 33 * blocks
    return scan
  }
}
