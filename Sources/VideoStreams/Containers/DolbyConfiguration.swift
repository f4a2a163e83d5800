import FileParts
import HDRCore

/// The configuration record of Dolby Vision (`dvcC`, `dvvC` and `dvwC` of "Dolby Vision Streams Within the ISO Base Media
/// File Format", clause 3.2; Matroska maps block additions of these types).
package struct DolbyConfiguration: Sendable, Hashable {
  package var profile: Int
  package var level: Int
  /// True if pictures carry RPUs, there is an enhancement layer, and a base layer.
  package var hasRPU: Bool
  package var hasEnhancement: Bool
  package var hasBase: Bool
  /// The signal that the base layer is by itself: 0 nothing, 1 HDR10, 2 SDR, 4 HLG, 6 HDR10 of Blu-ray.
  package var compatibility: Int

  static let boxes: [FourCC] = ["dvcC", "dvvC", "dvwC"]

  /// Reads the record.
  package init(_ bytes: [UInt8]) throws(DecodeError) {
    var reader = BitReader(bytes, place: "dvcC box")
    try reader.skip(16)
    profile = try reader.bits(7)
    level = try reader.bits(6)
    hasRPU = try reader.bit()
    hasEnhancement = try reader.bit()
    hasBase = try reader.bit()
    compatibility = try reader.bits(4)
  }
}
