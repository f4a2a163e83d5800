/// The cyclic redundancy check with the polynomial 04C11DB7, high bits first: of RPUs (CRC-32/MPEG-2) and of NUT.
package enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index) << 24) { value, _ in value << 1 ^ (value >> 31 == 1 ? 0x04C1_1DB7 : 0) }
  }

  /// Returns the sum of bytes that follow those whose sum is `start`.
  package static func sum(_ bytes: some Sequence<UInt8>, start: UInt32) -> UInt32 {
    bytes.reduce(start) { $0 << 8 ^ table[Int($0 >> 24) ^ Int($1)] }
  }
}
