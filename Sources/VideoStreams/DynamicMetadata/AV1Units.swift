import FileParts
import HDRCore

/// The OBUs of an AV1 temporal unit, one after the other, each with its size but perhaps the last (AV1 specification 5.3).
struct AV1Units {
  enum Kind {
    static let sequenceHeader = 1, frameHeader = 3, metadata = 5, frame = 6
  }

  struct Unit {
    var type: Int
    /// The index of the first byte of its header.
    var start: Int
    var body: ArraySlice<UInt8>
  }

  private var rest: ArraySlice<UInt8>

  init(_ unit: ArraySlice<UInt8>) { rest = unit }

  mutating func next() throws(DecodeError) -> Unit? {
    let start = rest.startIndex
    guard let head = rest.popFirst() else { return nil }
    guard head & 0x80 == 0 else { throw .malformed(where: "OBU", what: "its first bit is set") }
    if head & 0x04 != 0, rest.popFirst() == nil { throw .truncated(where: "OBU") }
    var size = rest.count
    if head & 0x02 != 0 {
      guard let stated = LEB128.take(&rest) else { throw .malformed(where: "OBU", what: "its size is no number") }
      guard stated <= rest.count else { throw .truncated(where: "OBU") }
      size = stated
    }
    defer { rest = rest.dropFirst(size) }
    return Unit(type: Int(head >> 3 & 15), start: start, body: rest.prefix(size))
  }
}
