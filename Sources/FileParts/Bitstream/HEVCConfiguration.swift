import HDRCore

/// The `hvcC` box of an HEVC picture or track: its parameter sets (ISO/IEC 14496-15 clause 8.3.3.1.2).
package struct HEVCConfiguration: Sendable {
  package var chroma: ChromaSubsampling
  package var bitDepth: Int
  package var chromaBitDepth: Int
  /// The bytes of the length before each NAL unit of the item: 1, 2 or 4.
  package var lengthSize: Int
  /// The parameter sets in file order.
  package var nalUnits: [ArraySlice<UInt8>]

  private static let nalUnitLimit = 256

  package init(_ reader: inout ByteReader) throws(DecodeError) {
    try reader.skip(16)
    chroma = Self.subsampling(Int(try reader.u8() & 3))
    bitDepth = 8 + Int(try reader.u8() & 7)
    chromaBitDepth = 8 + Int(try reader.u8() & 7)
    try reader.skip(2)
    lengthSize = Int(try reader.u8() & 3) + 1
    nalUnits = []
    for _ in 0..<(try reader.u8()) {
      try reader.skip(1)
      for _ in 0..<(try reader.u16()) {
        guard nalUnits.count < Self.nalUnitLimit else {
          throw .malformed(where: "hvcC box", what: "more than \(Self.nalUnitLimit) NAL units")
        }
        nalUnits.append(try reader.take(try reader.u16()))
      }
    }
  }

  package static func subsampling(_ chromaFormat: Int) -> ChromaSubsampling {
    [.none, .s420, .s422, .s444][chromaFormat]
  }

  /// Returns the sequence parameter set of the base layer.
  package func sequenceParameterSet() throws(DecodeError) -> HEVCSequenceParameterSet {
    for unit in nalUnits {
      if let header = HEVCUnitHeader(unit), header.type == HEVCUnitHeader.sequenceParameterSet, header.layer == 0 {
        return try HEVCSequenceParameterSet(unit)
      }
    }
    throw .malformed(where: "hvcC box", what: "no sequence parameter set")
  }

  /// Splits an item into its NAL units, each of which follows its length (ISO/IEC 14496-15 clause 4.3.2).
  package func split(_ data: ArraySlice<UInt8>, place: String) throws(DecodeError) -> [ArraySlice<UInt8>] {
    var reader = ByteReader(data, place: place)
    var units: [ArraySlice<UInt8>] = []
    while !reader.isAtEnd {
      let length = try reader.unsigned(lengthSize)
      guard length <= UInt64(reader.remaining) else { throw .truncated(where: place) }
      units.append(try reader.take(Int(length)))
    }
    return units
  }
}
