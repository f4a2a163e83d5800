/// The bits of a Deflate block in memory that is large enough, the first the lowest of a byte (RFC 1951, 3.1.1).
struct DeflateBits {
  private let start: UnsafeMutableRawPointer
  private var out: UnsafeMutableRawPointer
  private var held: UInt64 = 0
  /// The number of bits held, less than 32 between calls.
  private var heldBits = 0

  init(_ start: UnsafeMutableRawPointer) { (self.start, out) = (start, start) }

  /// Appends at most 32 bits.
  @inline(__always)
  mutating func put(_ bits: UInt64, _ count: Int) {
    held |= bits &<< UInt64(heldBits)
    heldBits &+= count
    guard heldBits >= 32 else { return }
    out.storeBytes(of: UInt32(truncatingIfNeeded: held).littleEndian, as: UInt32.self)
    out += 4
    held &>>= 32
    heldBits &-= 32
  }

  /// Appends the head of a block that is not the last one (RFC 1951, 3.2.7): the lengths of all codes, 4 bits each. So it
  /// has always the same length.
  mutating func putHead(_ codes: [UInt32]) {
    put(2 << 1, 3)
    put(UInt64(DeflateCodes.literals - 257), 5)
    put(UInt64(DeflateCodes.distances - 1), 5)
    put(19 - 4, 4)
    // The symbols that stand for repeats do not occur; 0 to 15 have codes of 4 bits.
    for symbol in 0..<19 { put(symbol < 3 ? 0 : 4, 3) }
    for word in codes { put(UInt64(Self.reversed(word >> 16, 4)), 4) }
  }

  /// Ends the block at a byte, by an empty stored block, and returns the number of bytes.
  mutating func finish() -> Int {
    put(0, 3)
    put(0, -heldBits & 7)
    for byte in ChunkedStream.chunkEnd { put(UInt64(byte), 8) }
    while heldBits > 0 {
      out.storeBytes(of: UInt8(truncatingIfNeeded: held), as: UInt8.self)
      out += 1
      held &>>= 8
      heldBits &-= 8
    }
    return out - start
  }

  /// Returns the lowest bits in the other order.
  static func reversed(_ bits: UInt32, _ count: Int) -> UInt32 {
    var left = bits, result: UInt32 = 0
    for _ in 0..<count {
      result = result << 1 | left & 1
      left >>= 1
    }
    return result
  }
}
