import FileParts
import HDRCore

/// A cursor whose bytes come one at a time.
package protocol ByteCursor {
  /// The part of the file that errors name.
  var place: String { get }
  mutating func u8() throws(DecodeError) -> UInt8
}

extension ByteReader: ByteCursor {}

/// A cursor over a stream. Small reads come from 64 KiB of its own; large ones go straight into the caller's memory.
struct StreamCursor<Input: ByteStream>: ByteCursor {
  /// The part of the file that errors name.
  var place = "stream"
  /// The number of bytes that were taken.
  private(set) var position = 0
  /// The checksum of the bytes that `u8` has taken since it was set to a new one.
  var checksum = NUTChecksum()
  private var input: Input
  private let memory = PixelBuffer(uninitializedByteCount: 1 << 16)
  private var ready = 0..<0

  init(_ input: Input) { self.input = input }

  /// True behind the last byte; waits for the next one.
  var isAtEnd: Bool {
    mutating get throws(DecodeError) {
      if ready.isEmpty {
        ready = 0..<(try input.read(into: UnsafeMutableRawBufferPointer(start: memory.base, count: memory.byteCount)))
      }
      return ready.isEmpty
    }
  }

  mutating func u8() throws(DecodeError) -> UInt8 {
    guard try !isAtEnd else { throw .truncated(where: place) }
    let byte = memory.base.load(fromByteOffset: ready.lowerBound, as: UInt8.self)
    ready = ready.lowerBound + 1..<ready.upperBound
    position += 1
    checksum.add(byte)
    return byte
  }

  /// Fills memory, without the checksum.
  mutating func fill(_ target: UnsafeMutableRawBufferPointer) throws(DecodeError) {
    var filled = min(ready.count, target.count)
    if filled > 0 {
      target.copyMemory(from: UnsafeRawBufferPointer(start: memory.base + ready.lowerBound, count: filled))
      ready = ready.lowerBound + filled..<ready.upperBound
    }
    while filled < target.count {
      let count = try input.read(into: UnsafeMutableRawBufferPointer(rebasing: target[filled...]))
      guard count > 0 else { throw .truncated(where: place) }
      filled += count
    }
    position += target.count
  }

  /// Takes bytes into an array that grows as they come: a count that no bytes follow costs no memory.
  mutating func take(_ count: Int) throws(DecodeError) -> [UInt8] {
    var bytes: [UInt8] = []
    try pieces(count) { bytes.append(contentsOf: $0) }
    return bytes
  }

  /// Takes bytes and hands them over in pieces of at most 64 KiB.
  mutating func pieces(_ count: Int, _ use: (UnsafeRawBufferPointer) -> Void) throws(DecodeError) {
    var left = count
    while left > 0 {
      guard try !isAtEnd else { throw .truncated(where: place) }
      let piece = min(left, ready.count)
      use(UnsafeRawBufferPointer(start: memory.base + ready.lowerBound, count: piece))
      ready = ready.lowerBound + piece..<ready.upperBound
      position += piece
      left -= piece
    }
  }
}
