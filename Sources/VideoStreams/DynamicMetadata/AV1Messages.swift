import FileParts
import HDRCore

/// The messages of ITU-T T.35 in the metadata OBUs of an AV1 temporal unit (AV1 specification 5.3 and 5.8.2).
package enum AV1Messages {
  private static let metadata = 5, t35 = 4

  /// Reads the messages in their order.
  ///
  /// - Parameter unit: OBUs, each with its size but perhaps the last.
  package static func t35(in unit: ArraySlice<UInt8>) throws(DecodeError) -> [T35Message] {
    var rest = unit, messages: [T35Message] = []
    while let head = rest.popFirst() {
      let isLast = head & 0x02 == 0, hasExtension = head & 0x04 != 0
      guard head & 0x80 == 0 else { throw .malformed(where: "OBU", what: "its first bit is set") }
      if hasExtension, rest.popFirst() == nil { throw .truncated(where: "OBU") }
      var size = rest.count
      if !isLast {
        guard let stated = LEB128.take(&rest) else { throw .malformed(where: "OBU", what: "its size is no number") }
        guard stated <= rest.count else { throw .truncated(where: "OBU") }
        size = stated
      }
      var body = rest.prefix(size)
      rest = rest.dropFirst(size)
      guard Int(head >> 3 & 15) == metadata, LEB128.take(&body) == t35 else { continue }
      messages.append(message(body))
    }
    return messages
  }

  /// Returns a message without the trailing bits, a 1 and zeros, that follow it; some writers leave them out.
  private static func message(_ body: ArraySlice<UInt8>) -> T35Message {
    guard let last = body.lastIndex(where: { $0 != 0 }), body[last] == 0x80 else { return T35Message(Array(body)) }
    let short = T35Message(Array(body[..<last]))
    return short.isReadable ? short : T35Message(Array(body))
  }
}
