import FileParts
import HDRCore

extension CleanAperture {
  /// Makes the aperture of a part of a picture.
  package init(_ part: PixelRect, width: Int, height: Int) {
    // The offset is that of the centres.
    self.init(
      width: Fraction(part.width), height: Fraction(part.height),
      horizontalOffset: Fraction(2 * part.x + part.width - width, 2),
      verticalOffset: Fraction(2 * part.y + part.height - height, 2))
  }

  /// The whole box.
  package var box: [UInt8] {
    var sink = ByteSink()
    sink.u32(40)
    sink.ascii("clap")
    for fraction in [width, height, horizontalOffset, verticalOffset] {
      sink.u32(fraction.numerator)
      sink.u32(fraction.denominator)
    }
    return sink.bytes
  }
}
