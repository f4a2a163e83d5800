/// The header of an HEVC NAL unit, two bytes (H.265 clause 7.3.1.2).
package struct HEVCUnitHeader {
  package static let sequenceParameterSet = 33, prefixSEI = 39, suffixSEI = 40

  package var type: Int
  package var layer: Int
  /// The bit after the header; in slices it is first_slice_segment_in_pic_flag.
  package var startsPicture: Bool

  /// Reads a header; `nil` for a unit without a byte after it.
  package init?(_ unit: ArraySlice<UInt8>) {
    guard unit.count > 2 else { return nil }
    let first = Int(unit[unit.startIndex]), second = Int(unit[unit.startIndex + 1])
    type = first >> 1 & 63
    layer = (first & 1) << 5 | second >> 3
    startsPicture = unit[unit.startIndex + 2] & 0x80 != 0
  }

  /// True for types 0...31, which contain pictures.
  package var isSlice: Bool { type < 32 }
  /// True for parameter sets of video, sequence or picture.
  package var isParameterSet: Bool { (32...34).contains(type) }
}
