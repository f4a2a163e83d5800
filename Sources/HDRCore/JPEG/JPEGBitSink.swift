/// The bytes of a scan that is made of bits, the first the highest. Every byte 0xFF is followed by 0 (ITU-T T.81,
/// F.1.2.3).
package struct JPEGBitSink {
  @usableFromInline var written: [UInt8] = []
  /// The bits that fill no byte yet, from the highest.
  @usableFromInline var held: UInt64 = 0
  @usableFromInline var heldBits = 0

  package init() {}

  package var bytes: [UInt8] { written }

  package mutating func reserve(_ count: Int) { written.reserveCapacity(written.count + count) }

  /// Appends at most 32 bits.
  @inlinable @inline(__always) package mutating func append(_ bits: UInt32, _ count: Int) {
    held |= UInt64(bits) &<< UInt64(64 &- heldBits &- count)
    heldBits &+= count
    while heldBits >= 8 {
      let byte = UInt8(truncatingIfNeeded: held >> 56)
      written.append(byte)
      if byte == 0xFF { written.append(0) }
      held <<= 8
      heldBits &-= 8
    }
  }

  /// Fills the last byte with ones.
  package mutating func finish() {
    if heldBits > 0 { append((1 << UInt32(8 - heldBits)) - 1, 8 - heldBits) }
  }
}
