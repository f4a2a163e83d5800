import HDRCore

/// Differences of stored samples, before any conversion.
package struct WordDifference: Sendable, Hashable {
  /// Those of a plane.
  package struct Plane: Sendable, Hashable {
    /// Samples that differ.
    package fileprivate(set) var count = 0
    /// The largest difference of codes; `nil` for floats.
    package fileprivate(set) var largest: Int?
  }

  /// The planes in the order of the picture, alpha last.
  package private(set) var planes: [Plane] = []

  /// Samples that differ, alpha included.
  package var count: Int { planes.reduce(0) { $0 + $1.count } }
  /// The largest difference of codes; `nil` for floats.
  package var largest: Int? { planes.compactMap(\.largest).max() }

  /// - Returns: `nil` where samples have different shapes: model, depth, chroma, planes or sizes.
  package init?(_ a: SampleImage, _ b: SampleImage) {
    guard a.format == b.format, a.bitDepth == b.bitDepth, a.lowZeroBits == b.lowZeroBits, a.model == b.model,
      a.chroma == b.chroma, a.width == b.width, a.height == b.height, a.channels.count == b.channels.count,
      (a.alpha == nil) == (b.alpha == nil), a.alphaFormat == b.alphaFormat
    else { return nil }
    planes = zip(a.channels, b.channels).map { Plane($0, $1, a.format, lowZeroBits: a.lowZeroBits) }
    if let p = a.alpha, let q = b.alpha { planes.append(Plane(p, q, a.alphaFormat, lowZeroBits: a.lowZeroBits)) }
  }
}

extension WordDifference.Plane {
  fileprivate init(_ a: SamplePlane, _ b: SamplePlane, _ format: SampleFormat, lowZeroBits: Int) {
    var most = 0
    for y in 0..<min(a.height, b.height) {
      switch format {
      case .uint8: add(a, b, row: y, &most, UInt8.self)
      case .uint16, .float16: add(a, b, row: y, &most, UInt16.self)
      case .float32: add(a, b, row: y, &most, UInt32.self)
      }
    }
    if format.isInteger { largest = most >> lowZeroBits }
  }

  private mutating func add<Word: FixedWidthInteger & BitwiseCopyable>(
    _ a: SamplePlane, _ b: SamplePlane, row: Int, _ most: inout Int, _: Word.Type
  ) {
    let p = a.row(row), q = b.row(row)
    var count = 0, largest = 0
    for x in 0..<min(a.width, b.width) {
      let u = Int((p + x * a.stepBytes).loadUnaligned(as: Word.self))
      let v = Int((q + x * b.stepBytes).loadUnaligned(as: Word.self))
      let d = u > v ? u - v : v - u
      count += d == 0 ? 0 : 1
      largest = d > largest ? d : largest
    }
    self.count += count
    most = max(most, largest)
  }
}
