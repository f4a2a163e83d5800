import HDRCore

/// A reader of numbers in either byte order.
struct OrderedReader {
  private var reader: ByteReader
  let isLittleEndian: Bool

  init(_ bytes: ArraySlice<UInt8>, isLittleEndian: Bool, place: String) {
    reader = ByteReader(bytes, place: place)
    self.isLittleEndian = isLittleEndian
  }

  var remaining: Int { reader.remaining }
  var place: String { reader.place }

  private mutating func number(_ count: Int) throws(DecodeError) -> UInt64 {
    let value = try reader.bigEndian(count)
    return isLittleEndian ? value.byteSwapped >> UInt64(64 - 8 * count) : value
  }

  mutating func u8() throws(DecodeError) -> Int { Int(try reader.u8()) }
  mutating func u16() throws(DecodeError) -> Int { Int(try number(2)) }
  mutating func u32() throws(DecodeError) -> Int { Int(try number(4)) }
  mutating func half() throws(DecodeError) -> Float { Float(Float16(bitPattern: UInt16(try number(2)))) }
  mutating func float() throws(DecodeError) -> Float { Float(bitPattern: UInt32(try number(4))) }

  /// Reads a finite number; any other throws.
  mutating func double() throws(DecodeError) -> Double {
    let value = Double(bitPattern: try number(8))
    guard value.isFinite else { throw .malformed(where: place, what: "a number is not finite") }
    return value
  }

  /// Reads `count` finite floats.
  mutating func floats(_ count: Int) throws(DecodeError) -> [Float] {
    guard count >= 0, count <= remaining / 4 else { throw .truncated(where: place) }
    var values: [Float] = []
    values.reserveCapacity(count)
    for _ in 0..<count {
      let value = try float()
      guard value.isFinite else { throw .malformed(where: place, what: "a number is not finite") }
      values.append(value)
    }
    return values
  }
}
