import HDRCore

/// The `av1C` box of an AV1 picture or track (AV1 Codec ISO Media File Format Binding, clause 2.3).
package struct AV1Configuration: Sendable {
  package var bitDepth: Int
  package var chroma: ChromaSubsampling
  /// The siting of chroma: 0 unknown, 1 vertical, 2 colocated.
  package var chromaSamplePosition: Int
  /// A sequence header, if the writer put one here.
  package var configOBUs: ArraySlice<UInt8>

  package init(_ reader: inout ByteReader) throws(DecodeError) {
    guard try reader.u8() == 0x81 else { throw .unsupported(feature: "av1C version", found: "not 1") }
    try reader.skip(1)
    let bits = try reader.u8()
    let hasTwelveBits = bits & 0x20 != 0, isHighDepth = bits & 0x40 != 0
    bitDepth = isHighDepth ? (hasTwelveBits ? 12 : 10) : 8
    let isMono = bits & 0x10 != 0, halfWidth = bits & 0x08 != 0, halfHeight = bits & 0x04 != 0
    chroma = isMono ? .none : halfWidth ? (halfHeight ? .s420 : .s422) : .s444
    chromaSamplePosition = Int(bits & 3)
    try reader.skip(1)
    configOBUs = try reader.take(reader.remaining)
  }
}
