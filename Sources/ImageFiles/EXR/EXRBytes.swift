import FileParts
import HDRCore

extension ByteReader {
  /// Reads bytes up to a zero, which is consumed too; bytes that are no UTF-8 become replacement characters.
  mutating func cString(most: Int) throws(DecodeError) -> String {
    let start = position
    while true {
      if try u8() == 0 { break }
      guard position - start <= most else {
        throw .malformed(where: place, what: "a name of more than \(most) bytes")
      }
    }
    return String(decoding: bytes[start..<position - 1], as: UTF8.self)
  }
}

extension ByteSink {
  mutating func littleEndian(_ value: Int, bytes count: Int) {
    for index in 0..<count { u8(value >> (8 * index)) }
  }

  mutating func floatLE(_ value: Double) { littleEndian(Int(Float(value).bitPattern), bytes: 4) }
}
