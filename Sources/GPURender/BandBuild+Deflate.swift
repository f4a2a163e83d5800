import HDRCore
import HDRPlan
import Kernels

extension BandBuild {
  /// Adds the dispatches that deflate a band's pixels.
  ///
  /// - Parameter pixels: R G B A of 8 or 16 bits, rows without padding.
  mutating func deflate(
    _ pixels: Region, _ coding: DeflateCoding, _ measurement: Measurement?, rows: Range<Int>
  ) throws(GPUError) -> DeflateBand {
    let layout = coding.layout.rows(rows), line = layout.line
    let band = DeflateBand(layout, measurement, alignment: planner.limits.alignment)
    try planner.fits(band.byteCount, "deflated rows of a band")
    let chunks = layout.chunkCount, segments = chunks * layout.segmentsOfChunk, symbols = chunks * DeflateCodes.count
    let bytes = try room(chunks * band.chunkWords, "lines of a band")
    let tokens = try room(segments * (DeflateBand.tokenWords + DeflateBand.infoWords), "matches of a band")
    let counts = try room(symbols, "symbols of a band"), order = try room(symbols, "symbols of a band")
    let codes = try room(symbols, "codes of a band"), bits = try room(segments, "bits of a band")
    let words = [
      layout.height, line.byteCount, chunks, layout.chunkRows, band.chunkWords, layout.segmentsOfChunk,
      (band.streamOffset - band.seamsOffset) / 4, 0, band.seamsOffset / 4, 4 * line.sampleBytes * line.width,
      line.sampleBytes, line.pixelBytes,
    ]
    func output(_ start: Int, _ end: Int) -> Region { .output(offset: start, bytes: end - start) }
    let head = output(0, planner.align(4 * DeflateBand.chunkHead * chunks))
    try follow(.deflateRows, count: chunks * band.chunkWords, words, [pixels], bytes)
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
    if let light = band.light { try measure(pixels, light, planes: [], chroma: .none) }
    let lines = 4 * chunks * band.chunkWords
    bytesWritten += 3 * lines
    bytesRead += 4 * lines
    return band
  }
}
