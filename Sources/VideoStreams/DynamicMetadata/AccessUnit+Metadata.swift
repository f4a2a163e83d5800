import FileParts
import HDRCore

/// The metadata among the units of an HEVC picture.
extension AccessUnit {
  /// Types of units: RPUs and enhancement layers of Dolby Vision are unspecified types of H.265.
  private enum Kind {
    static let prefixSEI = 39, suffixSEI = 40, endOfSequence = 36, endOfStream = 37, rpu = 62, enhancement = 63
  }

  private static let registeredT35 = 4

  /// The unit that holds the RPU, with its header and emulation prevention bytes: the last one of its type.
  package var rpuUnit: ArraySlice<UInt8>? { units.last { $0.type == Kind.rpu }?.bytes }

  /// The payload of the RPU, as `DolbyRPU` reads it.
  package var rpu: [UInt8]? { rpuUnit.map { EmulationPrevention.removed($0.dropFirst(2)) } }

  /// True if the picture has an enhancement layer of Dolby Vision.
  package var hasEnhancement: Bool { units.contains { $0.type == Kind.enhancement } }

  /// The SEI messages of the base layer, in their order.
  package var messages: [SEIMessage] {
    units.filter { ($0.type == Kind.prefixSEI || $0.type == Kind.suffixSEI) && $0.layer == 0 }
      .flatMap { SEIMessage.all(in: EmulationPrevention.removed($0.bytes.dropFirst(2))[...]) }
  }

  /// The registered messages of ITU-T T.35, in their order.
  package var t35: [T35Message] {
    messages.filter { $0.type == Self.registeredT35 }.map { T35Message(Array($0.payload)) }
  }

  /// Inserts a message in a unit of its own before the first slice.
  ///
  /// - Throws: `.malformed` if there is no slice.
  package mutating func insert(_ message: T35Message) throws(DecodeError) {
    try insert(SEIMessage(type: Self.registeredT35, payload: message.bytes[...]))
  }

  /// Inserts a message in a unit of its own before the first slice.
  ///
  /// - Throws: `.malformed` if there is no slice.
  mutating func insert(_ message: SEIMessage) throws(DecodeError) {
    guard let slice = units.firstIndex(where: { ($0.type ?? 64) < 32 }) else {
      throw .malformed(where: "packet", what: "it has no slice of a picture")
    }
    try insert([UInt8(Kind.prefixSEI << 1), 1] + EmulationPrevention.added(message.bytes + [0x80]), at: slice)
  }

  /// Appends the unit of an RPU; only the ends of sequence and stream stay behind it.
  package mutating func append(rpuUnit: [UInt8]) throws(DecodeError) {
    let isEnd = { (unit: Unit) in unit.type == Kind.endOfSequence || unit.type == Kind.endOfStream }
    try insert(rpuUnit, at: (units.lastIndex { !isEnd($0) } ?? -1) + 1)
  }

  /// Removes RPUs and enhancement layers.
  package mutating func removeDolby() { remove { $0.type == Kind.rpu || $0.type == Kind.enhancement } }
}

extension DolbyRPU {
  /// The NAL unit of HEVC that holds the RPU.
  package var unit: [UInt8] { Self.unit(bytes) }

  /// Returns the NAL unit of HEVC with a payload.
  static func unit(_ payload: [UInt8]) -> [UInt8] { [62 << 1, 1] + EmulationPrevention.added(payload) }
}
