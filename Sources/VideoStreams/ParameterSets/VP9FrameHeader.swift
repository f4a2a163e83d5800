import FileParts
import HDRCore

/// The uncompressed header of a key frame of VP9, up to its size (VP9 Bitstream & Decoding Process Specification, clause
/// 6.2).
struct VP9FrameHeader: Sendable, Hashable {
  var profile = 0
  var bitDepth = 8
  var chroma = ChromaSubsampling.s420
  /// color_space: 0 not known, 1 BT.601, 2 BT.709, 3 SMPTE 170, 4 SMPTE 240, 5 BT.2020, 7 sRGB.
  var colorSpace = 0
  var isFullRange = false
  var width = 0
  var height = 0

  private static let place = "VP9 frame header"

  /// Reads the header; `nil` for a frame that is no key frame.
  init?(_ packet: ArraySlice<UInt8>) throws(DecodeError) {
    var reader = BitReader(Array(packet.prefix(32)), place: Self.place)
    guard try reader.bits(2) == 2 else { throw .malformed(where: Self.place, what: "the frame marker is wrong") }
    profile = try reader.bits(1) + 2 * (try reader.bits(1))
    if profile == 3 { try reader.skip(1) }
    // An earlier frame that is shown again.
    if try reader.bit() { return nil }
    let isKey = try !reader.bit()
    try reader.skip(2)
    guard isKey else { return nil }
    guard try reader.bits(24) == 0x49_8342 else {
      throw .malformed(where: Self.place, what: "the synchronisation code is wrong")
    }
    if profile >= 2 { bitDepth = try reader.bit() ? 12 : 10 }
    colorSpace = try reader.bits(3)
    if colorSpace == 7 {
      (isFullRange, chroma) = (true, .s444)
      if profile & 1 == 1 { try reader.skip(1) }
    } else {
      isFullRange = try reader.bit()
      if profile & 1 == 1 {
        let across = try reader.bit(), down = try reader.bit()
        chroma = across ? (down ? .s420 : .s422) : down ? .s440 : .s444
        try reader.skip(1)
      }
    }
    width = 1 + (try reader.bits(16))
    height = 1 + (try reader.bits(16))
  }

  /// The matrix that a color_space means; primaries and transfer are not stated.
  var matrix: Int? {
    [1: 5, 2: CICP.Matrix.bt709, 3: CICP.Matrix.bt601, 4: 7, 5: CICP.Matrix.bt2020, 7: CICP.Matrix.identity][colorSpace]
  }
}

extension CodedVideo {
  init(_ header: VP9FrameHeader) {
    self.init()
    (width, height, codedWidth, codedHeight) = (header.width, header.height, header.width, header.height)
    (chroma, bitDepth, profile) = (header.chroma, header.bitDepth, header.profile)
    color = BitstreamColor(matrix: header.matrix, fullRange: header.isFullRange)
    isInterlaced = false
  }

  /// Reads a `vpcC` box ("VP Codec ISO Media File Format Binding", version 1), or the codec features of WebM: pairs of
  /// number and length of one byte ("VP9 Codec Feature Metadata"). The colour of `vpcC` is its container's, not the
  /// stream's.
  init(vp9Configuration reader: inout ByteReader) throws(DecodeError) {
    self.init()
    isInterlaced = false
    guard reader.bytes.first == 1, reader.bytes.count >= 12, reader.bytes[reader.bytes.startIndex + 1] != 1 else {
      while !reader.isAtEnd {
        let id = try reader.u8(), value = Int(try reader.take(Int(try reader.u8())).first ?? 0)
        switch id {
        case 1: profile = value
        case 2: level = value
        case 3: setDepth(value)
        case 4: setChroma(value)
        default: break
        }
      }
      return
    }
    try reader.skip(4)
    profile = Int(try reader.u8())
    level = Int(try reader.u8())
    let bits = Int(try reader.u8())
    setDepth(bits >> 4)
    setChroma(bits >> 1 & 7)
  }

  private mutating func setDepth(_ bits: Int) { bitDepth = [8, 10, 12].contains(bits) ? bits : nil }

  /// Takes the subsampling of VP9's records: 0 4:2:0 left, 1 4:2:0 top-left, 2 4:2:2, 3 4:4:4.
  private mutating func setChroma(_ number: Int) {
    guard number <= 3 else { return }
    chroma = [.s420, .s420, .s422, .s444][number]
    chromaLocation = [0: 0, 1: 2][number]
  }
}
