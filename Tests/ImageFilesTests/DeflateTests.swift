import FileParts
import CISAL
import Glibc
import ImageFiles
import TestSupport
import Testing

@Suite struct DeflateTests {
  /// Every value of the 13 bits of an address that ISA-L's first match depends on: places of 64 KiB, many of them, on a
  /// signal whose first bytes come again soon after.
  @Test(arguments: [1, 2, 3], [1, 40, 289, 290, 600]) func streamsDoNotDependOnAddresses(level: Int, size: Int) throws {
    let places = 1 << 14, place = 1 << 16, layout = ISALStream.stateLayout
    let reserved = places * place + layout.size
    let memory = try #require(
      mmap(nil, reserved, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))
    try #require(memory != MAP_FAILED)
    defer { munmap(memory, reserved) }
    let bytes: [UInt8] = [2] + (0..<size - 1).map { [0x7c, 0xa8, 0x89, 0x22, 0xa8, 0x6f][$0 % 6] }
    var out = [UInt8](repeating: 0, count: 2 * size + 64), first: [UInt8] = []
    var others = 0
    for index in 0..<places {
      let state = memory + index * place, end = (Int(bitPattern: state) & 4095) + layout.size
      let stream = ISALStream(stateAt: state)
      stream.start(level: level)
      let count = out.withUnsafeMutableBytes { room in
        stream.output(to: room.baseAddress!, capacity: room.count)
        return bytes.withUnsafeBytes { stream.write($0, isLast: true) } ? room.count - stream.room : 0
      }
      madvise(state, end, MADV_DONTNEED)
      if index == 0 {
        first = Array(out[..<count])
        #expect(count > 0)
      } else if out[..<count] != first[...] {
        others += 1
      }
    }
    #expect(others == 0)
  }

  /// The stream is right, however the output and the input are cut.
  @Test(arguments: [1, 2, 3]) func piecesMakeTheSamePicture(level: Int) throws {
    var generator = SplitMix(state: UInt64(level))
    let bytes = (0..<200_000).map { _ in UInt8(generator.next() & 0x13) }
    for step in [300, 4096, 200_000] {
      let stream = ISALStream()
      stream.start(level: level)
      var made: [UInt8] = [], out = [UInt8](repeating: 0, count: 1000)
      out.withUnsafeMutableBytes { room in
        stream.output(to: room.baseAddress!, capacity: room.count)
        for start in stride(from: 0, to: bytes.count, by: step) {
          let end = min(start + step, bytes.count)
          let done = bytes[start..<end].withUnsafeBytes {
            stream.write($0, isLast: end == bytes.count) {
              made += room[..<(room.count - stream.room)]
              stream.output(to: room.baseAddress!, capacity: room.count)
            }
          }
          #expect(done)
        }
        made += room[..<(room.count - stream.room)]
      }
      #expect(try Self.inflate(made, count: bytes.count) == bytes, "pieces of \(step)")
    }
  }

  static func inflate(_ stream: [UInt8], count: Int) throws -> [UInt8] {
    let state = UnsafeMutablePointer<inflate_state>.allocate(capacity: 1)
    defer { state.deallocate() }
    isal_inflate_init(state)
    state.pointee.crc_flag = UInt32(ISAL_ZLIB)
    var result = [UInt8](repeating: 0, count: count + 1), stream = stream
    let written = result.withUnsafeMutableBufferPointer { room in
      stream.withUnsafeMutableBufferPointer { input in
        state.pointee.next_in = input.baseAddress
        state.pointee.avail_in = UInt32(input.count)
        state.pointee.next_out = room.baseAddress
        state.pointee.avail_out = UInt32(room.count)
        return isal_inflate(state) == ISAL_DECOMP_OK ? room.count - Int(state.pointee.avail_out) : -1
      }
    }
    return Array(result.prefix(max(written, 0)))
  }
}
