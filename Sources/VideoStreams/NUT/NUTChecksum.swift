/// The checksum of NUT: the remainder by 0x104C11DB7, highest bit first, from 0 (NUT specification, "checksum").
package struct NUTChecksum: Sendable {
  package private(set) var value: UInt32 = 0

  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte) << 24) { rest, _ in rest << 1 ^ (rest >> 31 == 1 ? 0x04C1_1DB7 : 0) }
  }

  package init() {}
  package init(_ bytes: some Sequence<UInt8>) { add(bytes) }

  package mutating func add(_ byte: UInt8) { value = value << 8 ^ Self.table[Int(value >> 24 ^ UInt32(byte))] }
  package mutating func add(_ bytes: some Sequence<UInt8>) { for byte in bytes { add(byte) } }
}
