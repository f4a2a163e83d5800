import HDRCore

/// The fractions of a `clap` box: size of the kept rectangle and the offset of its centre from the picture's.
package struct CleanAperture: Sendable, Hashable {
  package struct Fraction: Sendable, Hashable {
    package var numerator: Int
    /// The denominator, never 0.
    package var denominator: Int

    package init(_ numerator: Int, _ denominator: Int = 1) {
      self.numerator = numerator
      self.denominator = denominator
    }
  }

  package var width: Fraction
  package var height: Fraction
  package var horizontalOffset: Fraction
  package var verticalOffset: Fraction

  package init(width: Fraction, height: Fraction, horizontalOffset: Fraction, verticalOffset: Fraction) {
    self.width = width
    self.height = height
    self.horizontalOffset = horizontalOffset
    self.verticalOffset = verticalOffset
  }

  /// Reads the fields of the box.
  package init(_ reader: inout ByteReader) throws(DecodeError) {
    width = try Self.fraction(&reader)
    height = try Self.fraction(&reader)
    horizontalOffset = try Self.fraction(&reader)
    verticalOffset = try Self.fraction(&reader)
  }

  private static func fraction(_ reader: inout ByteReader) throws(DecodeError) -> Fraction {
    let numerator = try reader.i32(), denominator = try reader.u32()
    guard denominator != 0 else { throw .malformed(where: "clap box", what: "a denominator is 0") }
    return Fraction(numerator, denominator)
  }

  /// Returns the first kept pixel and the number of kept pixels along one axis of `extent` pixels. Edges between pixels
  /// are rounded to the nearest pixel, halves up.
  ///
  /// The left edge is `offset + (extent - size) / 2` (ISO/IEC 14496-12 clause 12.1.4). A product has four 32-bit
  /// factors, hence 128 bits.
  private static func span(
    _ size: Fraction, _ offset: Fraction, extent: Int
  ) throws(DecodeError) -> (start: Int, count: Int) {
    let sizeN = Int128(size.numerator), sizeD = Int128(size.denominator)
    let offsetN = Int128(offset.numerator), offsetD = Int128(offset.denominator)
    func rounded(_ numerator: Int128, _ denominator: Int128) -> Int128 {
      let doubled = 2 * numerator + denominator
      let quotient = doubled / (2 * denominator)
      return doubled % (2 * denominator) < 0 ? quotient - 1 : quotient
    }
    let startN = 2 * offsetN * sizeD + offsetD * (Int128(extent) * sizeD - sizeN)
    let start = rounded(startN, 2 * offsetD * sizeD), count = rounded(sizeN, sizeD)
    guard start >= 0, count > 0, start + count <= Int128(extent) else {
      throw .malformed(where: "clap box", what: "the rectangle is not inside the picture")
    }
    return (Int(start), Int(count))
  }

  /// Returns the kept rectangle of a picture of this size.
  package func rectangle(width: Int, height: Int) throws(DecodeError) -> PixelRect {
    let across = try Self.span(self.width, horizontalOffset, extent: width)
    let down = try Self.span(self.height, verticalOffset, extent: height)
    return PixelRect(x: across.start, y: down.start, width: across.count, height: down.count)
  }
}
