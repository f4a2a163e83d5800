import FileParts
import HDRCore

/// An element of an EBML file where it lies (RFC 8794): its number, and the place of its content; `nil` for an end that
/// is not stated.
struct EBMLElement: Sendable, Hashable {
  var id: Int
  var content: Range<Int>
  /// True if the element does not say where it ends.
  var isOpen = false
}

/// A reader of EBML elements in memory, and of heads of elements in files.
enum EBML {
  /// Takes the number of an element: 1 to 4 bytes, marker included (RFC 8794 clause 5).
  static func id(_ reader: inout ByteReader) throws(DecodeError) -> Int {
    let first = try reader.u8(), length = first.leadingZeroBitCount + 1
    guard length <= 4 else { throw .malformed(where: reader.place, what: "0x\(hex(first)) begins no element") }
    return Int(first) << (8 * (length - 1)) | Int(try reader.unsigned(length - 1))
  }

  /// Takes a size: 1 to 8 bytes without the marker; `nil` if all bits are 1, which means that it is not known (RFC 8794
  /// clause 6).
  static func size(_ reader: inout ByteReader) throws(DecodeError) -> Int? {
    let first = try reader.u8(), length = first.leadingZeroBitCount + 1
    guard length <= 8 else { throw .malformed(where: reader.place, what: "0x00 begins no size") }
    let bits = 7 * length
    let value = (Int(first) << (8 * (length - 1)) | Int(try reader.unsigned(length - 1))) & (1 << bits - 1)
    return value == 1 << bits - 1 ? nil : value
  }

  private static func hex(_ byte: UInt8) -> String { String(byte, radix: 16) }

  /// The longest head of an element.
  static let headBytes = 12

  /// Reads the head of the element at a place of a file.
  ///
  /// - Parameter end: the end of what the element lies in.
  static func element(_ file: some RandomAccess, at offset: Int, end: Int, place: String) throws(DecodeError)
    -> EBMLElement
  {
    var reader = ByteReader(try file.read(at: offset, count: min(headBytes, end - offset)), place: place)
    let id = try id(&reader), size = try size(&reader), start = offset + reader.position
    guard let size else { return EBMLElement(id: id, content: start..<end, isOpen: true) }
    guard size <= end - start else { throw .truncated(where: place) }
    return EBMLElement(id: id, content: start..<start + size)
  }
}

extension ByteReader {
  /// Takes the next element in memory and returns a reader of its content.
  mutating func ebmlElement() throws(DecodeError) -> (id: Int, content: ByteReader) {
    let id = try EBML.id(&self)
    guard let size = try EBML.size(&self) else {
      throw .malformed(where: place, what: "an element inside has no size")
    }
    return (id, ByteReader(try take(size), place: place))
  }

  /// The content as an unsigned number (RFC 8794 clause 7.2): up to 8 bytes, none for 0.
  var ebmlUnsigned: Int {
    get throws(DecodeError) {
      var copy = self
      guard remaining <= 8 else { throw .malformed(where: place, what: "a number of \(remaining) bytes") }
      let value = try copy.unsigned(remaining)
      guard value <= UInt64(Int.max) else { throw .malformed(where: place, what: "a number beyond 63 bits") }
      return Int(value)
    }
  }

  /// The content as a binary32 or binary64 number (RFC 8794 clause 7.3), none for 0.
  var ebmlFloat: Double {
    get throws(DecodeError) {
      var copy = self
      switch remaining {
      case 0: return 0
      case 4:
        let value = try copy.float()
        guard value.isFinite else { throw .malformed(where: place, what: "a number is not finite") }
        return Double(value)
      case 8: return try copy.double()
      default: throw .malformed(where: place, what: "a number of \(remaining) bytes")
      }
    }
  }

  /// The content as text up to the first zero.
  var ebmlText: String { latin1(bytes[position...].prefix { $0 != 0 }) }
}
