import HDRCore

/// A checked cursor over untrusted bytes, for numbers of either byte order. Reading past the end throws
/// `DecodeError.truncated` with `place`. What formats call in loops is inlinable, as they are other modules.
package struct ByteReader {
  package let bytes: ArraySlice<UInt8>
  /// The absolute index of the next byte.
  package internal(set) var position: Int
  package let place: String
  package let isLittleEndian: Bool

  package init(_ bytes: ArraySlice<UInt8>, place: String, isLittleEndian: Bool = false) {
    self.bytes = bytes
    position = bytes.startIndex
    self.place = place
    self.isLittleEndian = isLittleEndian
  }

  package init(_ bytes: [UInt8], place: String, isLittleEndian: Bool = false) {
    self.init(bytes[...], place: place, isLittleEndian: isLittleEndian)
  }

  @inlinable package var remaining: Int { bytes.endIndex - position }
  @inlinable package var isAtEnd: Bool { remaining == 0 }

  @inlinable package mutating func skip(_ count: Int) throws(DecodeError) {
    guard count >= 0, count <= remaining else { throw .truncated(where: place) }
    position += count
  }

  @inlinable package mutating func take(_ count: Int) throws(DecodeError) -> ArraySlice<UInt8> {
    let start = position
    try skip(count)
    return bytes[start..<position]
  }

  @inlinable package mutating func u8() throws(DecodeError) -> UInt8 {
    guard remaining >= 1 else { throw .truncated(where: place) }
    position += 1
    return bytes[position - 1]
  }

  /// Reads an unsigned integer of `count` bytes (0...8) in the reader's byte order.
  @inlinable package mutating func unsigned(_ count: Int) throws(DecodeError) -> UInt64 {
    var value: UInt64 = 0
    for byte in try take(count) { value = value << 8 | UInt64(byte) }
    return isLittleEndian ? value.byteSwapped >> UInt64(64 - 8 * count) : value
  }

  @inlinable package mutating func u16() throws(DecodeError) -> Int { Int(try unsigned(2)) }
  @inlinable package mutating func u32() throws(DecodeError) -> Int { Int(try unsigned(4)) }
  @inlinable package mutating func i32() throws(DecodeError) -> Int { Int(Int32(truncatingIfNeeded: try unsigned(4))) }

  @inlinable package mutating func half() throws(DecodeError) -> Float {
    Float(Float16(bitPattern: UInt16(try unsigned(2))))
  }
  @inlinable package mutating func float() throws(DecodeError) -> Float { Float(bitPattern: UInt32(try unsigned(4))) }

  /// Reads a finite number; any other throws.
  package mutating func double() throws(DecodeError) -> Double {
    let value = Double(bitPattern: try unsigned(8))
    guard value.isFinite else { throw .malformed(where: place, what: "a number is not finite") }
    return value
  }

  /// Reads `count` finite floats.
  package mutating func floats(_ count: Int) throws(DecodeError) -> [Float] {
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

  package mutating func fourCC() throws(DecodeError) -> String { latin1(try take(4)) }
}

/// Returns bytes as text, one character a byte, for four-character codes and messages.
@inlinable package func latin1(_ bytes: some Sequence<UInt8>) -> String {
  String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
}

/// Returns width times height; a size beyond the limits throws an error that names the setting.
package func checkedPixels(_ width: Int, _ height: Int, _ limits: DecodeLimits, place: String) throws(DecodeError)
  -> Int
{
  guard width > 0, height > 0 else { throw .malformed(where: place, what: "picture size is \(width)x\(height)") }
  guard width <= limits.maxSide, height <= limits.maxSide else {
    throw .limit(what: "picture side", found: max(width, height), allowed: limits.maxSide, raise: .setting("max-side"))
  }
  let pixels = width * height
  guard pixels <= limits.maxPixels else {
    throw .limit(what: "pixel count", found: pixels, allowed: limits.maxPixels, raise: .setting("max-pixels"))
  }
  return pixels
}

/// Checks the size of the whole file; a size beyond the limit throws an error that names the setting.
package func checkFileSize(_ bytes: [UInt8], _ limits: DecodeLimits) throws(DecodeError) {
  guard bytes.count <= limits.maxFileBytes else {
    throw .limit(what: "file size", found: bytes.count, allowed: limits.maxFileBytes, raise: .setting("max-file-bytes"))
  }
}
