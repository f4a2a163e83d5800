import HDRCore

/// Differences of stored samples, before any conversion.
package struct WordDifference: Sendable, Hashable {
  /// Samples that differ, alpha included.
  package private(set) var count = 0
  /// The largest difference of codes; `nil` for floats.
  package private(set) var largest: Int?

  /// - Returns: `nil` where samples have different shapes: model, depth, chroma, planes or sizes.
  package init?(_ a: SampleImage, _ b: SampleImage) {
    guard a.format == b.format, a.bitDepth == b.bitDepth, a.lowZeroBits == b.lowZeroBits, a.model == b.model,
      a.chroma == b.chroma, a.width == b.width, a.height == b.height, a.channels.count == b.channels.count,
      (a.alpha == nil) == (b.alpha == nil), a.alphaFormat == b.alphaFormat
    else { return nil }
    largest = a.format.isInteger ? 0 : nil
    for (p, q) in zip(a.channels, b.channels) { add(p, q, a.format) }
    if let p = a.alpha, let q = b.alpha { add(p, q, a.alphaFormat) }
    if a.lowZeroBits > 0, let most = largest { largest = most >> a.lowZeroBits }
  }

  private mutating func add(_ a: SamplePlane, _ b: SamplePlane, _ format: SampleFormat) {
    for y in 0..<min(a.height, b.height) {
      switch format {
      case .uint8: add(a, b, row: y, UInt8.self)
      case .uint16, .float16: add(a, b, row: y, UInt16.self)
      case .float32: add(a, b, row: y, UInt32.self)
      }
    }
  }

  private mutating func add<Word: FixedWidthInteger & BitwiseCopyable>(
    _ a: SamplePlane, _ b: SamplePlane, row: Int, _: Word.Type
  ) {
    let p = a.row(row), q = b.row(row)
    var count = 0, most = 0
    for x in 0..<min(a.width, b.width) {
      let u = Int((p + x * a.stepBytes).loadUnaligned(as: Word.self))
      let v = Int((q + x * b.stepBytes).loadUnaligned(as: Word.self))
      let d = u > v ? u - v : v - u
      count += d == 0 ? 0 : 1
      most = d > most ? d : most
    }
    self.count += count
    if let largest { self.largest = max(largest, most) }
  }
}
