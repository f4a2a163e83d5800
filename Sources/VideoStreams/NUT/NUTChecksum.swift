import FileParts

/// The checksum of NUT: the remainder by 0x104C11DB7, highest bit first, from 0 (NUT specification, "checksum").
package struct NUTChecksum: Sendable {
  package private(set) var value: UInt32 = 0

  package init() {}
  package init(_ bytes: some Sequence<UInt8>) { add(bytes) }

  package mutating func add(_ byte: UInt8) { add(CollectionOfOne(byte)) }
  package mutating func add(_ bytes: some Sequence<UInt8>) { value = CRC32.sum(bytes, start: value) }
}
