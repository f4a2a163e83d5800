/// The codes of 64 bits that begin packets of NUT; frames have none (NUT specification, "startcodes").
package enum NUTPacketCode: UInt64 {
  case main = 0x4E4D_7A56_1F5F_04AD
  case stream = 0x4E53_1140_5BF2_F9DB
  case syncpoint = 0x4E4B_E4AD_EECA_4569
  case index = 0x4E58_DD67_2F23_E64E
  case info = 0x4E49_AB68_B596_BA78

  /// The first byte of all codes, which therefore begins no frame.
  package static let firstByte = UInt8(ascii: "N")
  /// The text at the start of a file (NUT specification, "file_id_string").
  package static let fileID = Array("nut/multimedia container\0".utf8)

  package var bytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: rawValue >> (56 - 8 * UInt64($0))) } }

  /// The name in errors.
  var name: String {
    switch self {
    case .main: "NUT main header"
    case .stream: "NUT stream header"
    case .syncpoint: "NUT syncpoint"
    case .index: "NUT index"
    case .info: "NUT info packet"
    }
  }
}

/// Bounds on what a NUT stream may ask for. Nothing else in it takes memory.
package enum NUTLimits {
  package static let streams = 64
  /// The bytes of one header, extradata of a codec included.
  package static let headerBytes = 1 << 20
  /// The bytes of an index or an info packet, which is passed over.
  package static let skippedBytes = 1 << 40
  /// The elision headers, their sizes and their sum, as the specification bounds them.
  static let elisionHeaders = 128, elisionBytes = 256, elisionSum = 1024
  /// The reserved numbers of one frame.
  static let reservedFields = 256
}
