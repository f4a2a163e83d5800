import HDRCore

/// The shape of a sample: its width over its height.
package struct SampleAspect: Sendable, Hashable {
  package var horizontal: Int
  package var vertical: Int

  package init(_ horizontal: Int, _ vertical: Int) { (self.horizontal, self.vertical) = (horizontal, vertical) }

  package static let square = SampleAspect(1, 1)

  /// False if a side is 0, which means that the shape is not known.
  package var isPossible: Bool { horizontal > 0 && vertical > 0 }

  /// The shapes that have a number (ITU-T H.273 table 5).
  private static let named = [
    (1, 1), (12, 11), (10, 11), (16, 11), (40, 33), (24, 11), (20, 11), (32, 11), (80, 33), (18, 11), (15, 11),
    (64, 33), (160, 99), (4, 3), (3, 2), (2, 1),
  ].map { SampleAspect($0.0, $0.1) }

  /// Reads aspect_ratio_idc of a VUI, and the sides where it is 255; `nil` for what is not known (H.264 and H.265 clause
  /// E.2.1).
  package init?(_ reader: inout BitReader) throws(DecodeError) {
    let number = try reader.bits(8)
    guard number == 255 || (1...Self.named.count).contains(number) else { return nil }
    self = number == 255 ? SampleAspect(try reader.bits(16), try reader.bits(16)) : Self.named[number - 1]
    guard isPossible else { return nil }
  }
}

extension SampleAspect: CustomStringConvertible {
  package var description: String { "\(horizontal):\(vertical)" }
}
