import FileParts
import HDRCore

/// The header of a frame of ProRes (SMPTE RDD 36, clause 5.1).
struct ProResFrameHeader: Sendable, Hashable {
  var width = 0
  var height = 0
  var chroma = ChromaSubsampling.s422
  /// True if the frame is two fields.
  var isInterlaced = false
  var aspect = 0
  var color = BitstreamColor(inferredFullRange: false)
  var hasAlpha = false

  private static let place = "ProRes frame header"

  init(_ packet: ArraySlice<UInt8>) throws(DecodeError) {
    var reader = ByteReader(packet, place: Self.place)
    let size = try reader.u32()
    guard try reader.code() == "icpf" else { throw .malformed(where: Self.place, what: "the frame begins otherwise") }
    guard size <= packet.count else { throw .truncated(where: "ProRes frame") }
    let header = try reader.u16()
    // Behind the size and name of the frame.
    guard header >= 20, header <= size - 8 else {
      throw .malformed(where: Self.place, what: "its size is \(header)")
    }
    // Version and encoder.
    try reader.skip(6)
    width = try reader.u16()
    height = try reader.u16()
    guard width > 0, height > 0 else { throw .malformed(where: Self.place, what: "the size is \(width)x\(height)") }
    let flags = try reader.u8()
    switch flags >> 6 {
    case 2: chroma = .s422
    case 3: chroma = .s444
    default: throw .malformed(where: Self.place, what: "chroma format \(flags >> 6) is reserved")
    }
    isInterlaced = flags >> 2 & 3 != 0
    aspect = Int(try reader.u8() >> 4)
    // 0 is not known, as 2 is.
    func code() throws(DecodeError) -> Int? {
      let value = Int(try reader.u8())
      return value == 0 ? nil : value
    }
    (color.primaries, color.transfer, color.matrix) = (try code(), try code(), try code())
    hasAlpha = try reader.u8() & 15 != 0
  }

  /// The shape of samples: of a picture that is shown as 4:3 or 16:9, or square.
  var sampleAspect: SampleAspect? {
    let sides: (Int, Int)
    switch aspect {
    case 1: return .square
    case 2: sides = (4 * height, 3 * width)
    case 3: sides = (16 * height, 9 * width)
    default: return nil
    }
    let divisor = TimeBase.gcd(sides.0, sides.1)
    return SampleAspect(sides.0 / divisor, sides.1 / divisor)
  }
}

extension CodedVideo {
  /// Takes a header; ProRes does not state a depth: 4:2:2 has 10 bits, 4:4:4 12.
  init(_ header: ProResFrameHeader) {
    self.init()
    (width, height, codedWidth, codedHeight) = (header.width, header.height, header.width, header.height)
    (chroma, color, sampleAspect) = (header.chroma, header.color, header.sampleAspect)
    bitDepth = header.chroma == .s422 ? 10 : 12
    (hasAlpha, isInterlaced) = (header.hasAlpha, header.isInterlaced)
    dropUnspecified()
  }
}
