import HDRCore
import HDRPlan
import Kernels

extension BandBuild {
  /// Adds the dispatches that deflate a band's pixels.
  ///
  /// - Parameters:
  ///   - pixels: what the last pass has made: an image of halves, or words.
  ///   - planes: the planes of these words.
  mutating func deflate(
    _ pixels: Region, _ planes: [BandPlane], _ coding: DeflateCoding, _ measurement: Measurement?, rows: Range<Int>
  ) throws(GPUError) -> DeflateBand {
    let layout = coding.layout.rows(rows), line = layout.line
    let band = DeflateBand(layout, measurement, alignment: planner.limits.alignment)
    try planner.fits(band.byteCount, "deflated rows of a band")
    guard band.mostChunkBits <= UInt32.max else {
      throw .tooLarge(what: "bits of deflated rows", value: band.mostChunkBits, limit: Int(UInt32.max))
    }
    let chunks = layout.chunkCount, segments = chunks * layout.segmentsOfChunk, symbols = chunks * DeflateCodes.count
    let bytes = try room(chunks * band.chunkWords, "lines of a band")
    let tokens = try room(segments * (DeflateBand.tokenWords + DeflateBand.infoWords), "matches of a band")
    let counts = try room(symbols, "symbols of a band"), order = try room(symbols, "symbols of a band")
    let codes = try room(symbols, "codes of a band"), bits = try room(segments, "bits of a band")
    let words = [
      layout.height, line.byteCount, chunks, layout.chunkRows, band.chunkWords, layout.segmentsOfChunk,
      (band.streamOffset - band.seamsOffset) / 4, 0, band.seamsOffset / 4, planes[0].rowBytes,
      planes.count > 1 ? planes[1].offset / 4 : 0, line.width, line.channels, line.sampleBytes,
    ]
    func output(_ start: Int, _ end: Int) -> Region { .output(offset: start, bytes: end - start) }
    let head = output(0, planner.align(4 * DeflateBand.chunkHead * chunks))
    try follow(coding.rowsKernel, count: chunks * band.chunkWords, words, [pixels], bytes)
    try follow(.deflateTokens, count: segments, words, [bytes], tokens)
    try follow(.deflateCounts, count: symbols, words, [tokens], counts)
    try follow(.deflateOrder, count: symbols, words, [counts], order)
    try follow(.deflateTrees, count: 2 * chunks, words, [counts, order], codes)
    try follow(.deflateSegmentBits, count: segments, words, [tokens, codes], bits)
    try follow(.deflateChunkBits, count: chunks, words, [tokens, codes, bits], head)
    try follow(
      .deflateCodes, count: segments, words, [tokens, codes, bits, head], output(band.seamsOffset, band.byteCount))
    try follow(
      .deflateSeams, count: chunks * (DeflateBand.headWords + layout.segmentsOfChunk + 1), words,
      [output(0, band.streamOffset), codes, bits], output(band.streamOffset, band.byteCount))
    if let light = band.light { try measure(pixels, light, planes: planes, chroma: .none) }
    let lines = 4 * chunks * band.chunkWords
    bytesWritten += 3 * lines
    bytesRead += 4 * lines
    return band
  }
}
