/// The Adler-32 checksum of bytes (RFC 1950, 2.2), of which those of parts are joined.
package struct AdlerSum: Sendable, Hashable {
  private static let modulus = 65_521
  /// The sum of the bytes, and the sum of these sums after each byte, which begin with 0; less than 65 521.
  private var sum = 0, sums = 0
  /// The number of bytes.
  private var count = 0

  package init() {}

  /// Makes the checksum of bytes whose sums a device has made; `nil` for sums that it cannot have.
  package init?(sum: UInt32, sums: UInt32, count: Int) {
    guard sum < Self.modulus, sums < Self.modulus else { return nil }
    (self.sum, self.sums, self.count) = (Int(sum), Int(sums), count)
  }

  package init(_ bytes: UnsafeRawBufferPointer) {
    // Sums of a segment have 32 bits.
    for first in stride(from: 0, to: bytes.count, by: DeflateLayout.segmentBytes) {
      let part = bytes[first..<min(first + DeflateLayout.segmentBytes, bytes.count)]
      var sum: UInt32 = 0, weighted: UInt32 = 0, left = UInt32(part.count)
      for byte in part {
        sum &+= UInt32(byte)
        weighted &+= left &* UInt32(byte)
        left &-= 1
      }
      var next = AdlerSum()
      (next.sum, next.sums, next.count) = (Int(sum) % Self.modulus, Int(weighted) % Self.modulus, part.count)
      append(next)
    }
  }

  /// Goes on behind these bytes with others.
  package mutating func append(_ next: AdlerSum) {
    sums = (sums + next.sums + next.count % Self.modulus * sum) % Self.modulus
    sum = (sum + next.sum) % Self.modulus
    count += next.count
  }

  /// The checksum as a stream has it.
  package var value: UInt32 {
    UInt32((sums + count % Self.modulus) % Self.modulus) << 16 | UInt32((sum + 1) % Self.modulus)
  }
}
