import HDRCore
import ImageFiles

/// A picture of the signed difference of two renditions in PQ, eight times as large, around grey: brighter where B is.
///
/// Each pixel has the difference of largest magnitude of a square of pixels, of each component by itself.
package struct DifferencePicture: Sendable {
  /// The longest side in pixels, and how much differences are enlarged.
  package static let longest = 1600, gain = 8

  private let squares: PixelSquares
  /// The differences of 16-bit codes, B less A, three a pixel.
  private var differences: [Int32]

  init(width: Int, height: Int) {
    squares = PixelSquares(width: width, height: height, longest: Self.longest)
    differences = [Int32](repeating: 0, count: 3 * squares.count)
  }

  package var width: Int { squares.width }
  package var height: Int { squares.height }

  /// Adds rows of PQ codes of 16 bits, four a pixel.
  ///
  /// - Parameter top: the row of the picture at the codes' row 0.
  mutating func add(_ a: SampleImage, _ b: SampleImage, rows: Range<Int>, top: Int) {
    for y in rows {
      let p = a.channels[0].codes(row: y), q = b.channels[0].codes(row: y), first = squares.first(row: y + top)
      for x in 0..<a.width {
        let at = 3 * (first + x / squares.side)
        for channel in 0..<3 {
          let difference = Int32(q[4 * x + channel]) - Int32(p[4 * x + channel])
          if abs(difference) > abs(differences[at + channel]) { differences[at + channel] = difference }
        }
      }
    }
  }

  /// Returns the byte of a difference of 16-bit codes.
  static func byte(_ difference: Int32) -> UInt8 {
    let steps = Double(difference) * Double(gain) / 257
    return UInt8(min(max(128 + steps.rounded(), 0), 255))
  }

  /// Returns the picture as a JPEG.
  package func jpeg() throws(EncodeError) -> [UInt8] {
    let picture = Drawing(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width {
        let at = 3 * (y * width + x)
        picture[x, y] = Drawing.word(differences[at..<at + 3].map(Self.byte))
      }
    }
    return try picture.jpeg(quality: 90)
  }
}
