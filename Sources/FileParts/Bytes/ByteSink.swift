import HDRCore

/// A writer of bytes, most significant byte first, as PNG, JPEG, ICC and ISO base media require.
package struct ByteSink {
  package internal(set) var bytes: [UInt8] = []

  package var count: Int { bytes.count }

  package init() {}

  /// Reserves room for a known size, so that a picture is not copied while it grows.
  package init(reserving count: Int) {
    bytes.reserveCapacity(count)
    bytes.withUnsafeMutableBytes { memory in
      if let base = memory.baseAddress { PictureMemory.advise(base, byteCount: count) }
    }
  }

  @inlinable package mutating func u8(_ value: Int) { bytes.append(UInt8(truncatingIfNeeded: value)) }

  @inlinable package mutating func u16(_ value: Int) { integer(value, bytes: 2) }

  @inlinable package mutating func u32(_ value: Int) { integer(value, bytes: 4) }

  /// Writes the low `count` bytes of `value`; negative numbers become two's complement.
  @inlinable package mutating func integer(_ value: Int, bytes count: Int) {
    for shift in stride(from: 8 * (count - 1), through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  /// Writes an s15Fixed16 of ICC.1: two's complement, 16 fraction bits, rounded to nearest.
  mutating func fixed16(_ value: Double) { u32(Int((value * 65_536).rounded())) }

  package mutating func ascii(_ text: String) { bytes.append(contentsOf: text.utf8) }

  @inlinable package mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

  @inlinable package mutating func append(_ more: UnsafeRawBufferPointer) { bytes.append(contentsOf: more) }

  package mutating func zeros(_ count: Int) { bytes.append(contentsOf: repeatElement(0, count: count)) }

  /// Writes zeros up to a multiple of four bytes.
  mutating func align4() { zeros(-bytes.count & 3) }

  /// Overwrites four bytes that were written before their value was known.
  package mutating func patchU32(_ value: Int, at offset: Int) {
    for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (24 - 8 * index)) }
  }
}
