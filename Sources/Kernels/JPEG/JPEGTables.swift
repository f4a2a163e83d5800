import HDRCore

/// The tables of a baseline JPEG stream: quantisers of a quality and Huffman codes (ITU-T T.81, annex K), as
/// libjpeg-turbo makes them (jcparam.c).
package struct JPEGTables: Sendable, Hashable {
  /// The quantisers of luma and of chroma, 1...255, in zigzag order.
  package let quantisers: [[UInt8]]
  /// The codes of each `JPEGCodeTable`.
  package var codes: [JPEGCodes]

  /// - Parameter quality: 1...100, as of `jpeg_set_quality`.
  package init(quality: Int) {
    let scale = quality < 50 ? 5000 / quality : 200 - 2 * quality
    quantisers = [Self.luma, Self.chroma].map { table in
      Self.zigzag.map { UInt8(min(max((table[Int($0)] * scale + 50) / 100, 1), 255)) }
    }
    codes = JPEGCodes.standard
  }

  /// The number of words for kernels (glsl/shared/jpeg.glsl).
  package static let wordCount = 688

  /// The words for kernels: quantisers of luma and chroma; places in natural order, four in a word; then for each table
  /// a word a value, its code below its length.
  package var words: [UInt32] {
    var result = quantisers.flatMap { $0.map { UInt32($0) } }
    result += stride(from: 0, to: 64, by: 4).map { first in
      (0..<4).reduce(0) { $0 | UInt32(Self.zigzag[first + $1]) << (8 * UInt32($1)) }
    }
    for table in JPEGCodeTable.allCases { result += codes[table.rawValue].words(count: table.isDC ? 16 : 256) }
    return result
  }

  /// The place in natural order of each coefficient in zigzag order (ITU-T T.81, figure A.6).
  package static let zigzag: [UInt8] = [
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21,
    28,
    35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47,
    55, 62, 63,
  ]

  /// Tables K.1 and K.2, natural order.
  private static let luma = [
    16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51,
    87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101,
    72, 92, 95, 98, 112, 100, 103, 99,
  ]
  private static let chroma =
    [17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, 24, 26, 56, 99, 99, 99, 99, 99, 47, 66]
    + [Int](repeating: 99, count: 38)
}
