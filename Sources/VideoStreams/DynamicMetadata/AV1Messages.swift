import FileParts
import HDRCore

/// The messages of ITU-T T.35 in the metadata OBUs of an AV1 temporal unit (AV1 specification 5.8.2).
package enum AV1Messages {
  private static let t35 = 4

  /// Reads the messages in their order.
  package static func t35(in unit: ArraySlice<UInt8>) throws(DecodeError) -> [T35Message] {
    var units = AV1Units(unit), messages: [T35Message] = []
    while var next = try units.next() {
      guard next.type == AV1Units.Kind.metadata, LEB128.take(&next.body) == t35 else { continue }
      messages.append(message(next.body))
    }
    return messages
  }

  /// Returns a message without the trailing bits, a 1 and zeros, that follow it; some writers leave them out.
  private static func message(_ body: ArraySlice<UInt8>) -> T35Message {
    guard let last = body.lastIndex(where: { $0 != 0 }), body[last] == 0x80 else { return T35Message(Array(body)) }
    let short = T35Message(Array(body[..<last]))
    return short.isReadable ? short : T35Message(Array(body))
  }

  /// Returns a temporal unit with further messages. They precede the header of its last frame, the one that is shown: those
  /// before it are not.
  ///
  /// - Throws: `.malformed` if there is no frame.
  package static func inserting(
    _ messages: [T35Message], into unit: ArraySlice<UInt8>
  ) throws(DecodeError) -> [UInt8] {
    try inserting(messages.map { bytes(type: t35, $0.bytes) }, into: unit)
  }

  /// Returns a temporal unit with further OBUs, at the same place.
  static func inserting(_ added: [[UInt8]], into unit: ArraySlice<UInt8>) throws(DecodeError) -> [UInt8] {
    var units = AV1Units(unit), place: Int?
    while let next = try units.next() {
      if next.type == AV1Units.Kind.frame || next.type == AV1Units.Kind.frameHeader { place = next.start }
    }
    guard let place else { throw .malformed(where: "temporal unit", what: "it has no header of a frame") }
    return unit[..<place] + added.flatMap { $0 } + unit[place...]
  }

  /// Returns the OBU of metadata: it has a size, and ends with trailing bits.
  static func bytes(type: Int, _ payload: [UInt8]) -> [UInt8] {
    let body = LEB128.bytes(type) + payload + [0x80]
    return [UInt8(AV1Units.Kind.metadata << 3 | 2)] + LEB128.bytes(body.count) + body
  }
}
