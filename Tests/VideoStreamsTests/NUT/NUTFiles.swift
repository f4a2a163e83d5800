import FileParts
import Foundation
import HDRCore
import VideoStreams

/// Files that FFmpeg 5.1.9 has written; 9.0.2 writes the first one with the same bytes.
enum NUTFiles {
  /// Three frames of raw video, 4x2, 10 bits 4:2:0, at 0, 9000 and 12000 of 1/90000 s.
  static let raw = bytes(
    """
    bnV0L211bHRpbWVkaWEgY29udGFpbmVyAE5NelYfXwStSgMBgf9/AQGFvxDAAAYAAAAAAAGgAAIBASgBACkAIQGubyACrm+BecAABgAAAAAAAQ
    YDAAABBAAAAbYC//oC//sC//wC//3vQ6u/TlMRQFvy+dsYAAAEWTMLCgAOhb8QAAAABAIBAQCJ6c1cTkmraLWWungJAAAAAAAAAAAATkmraLWW
    ungzAQAAAAIHZW5jb2RlcgINTGF2YyByYXd2aWRlbwxyX2ZyYW1lX3JhdGUCBDMwLzGoj3AmTkvkre7KRWkGAAAAAAAAAwAYQABGAUICSANGAc
    UCpgInAfoABgOUAmwBA4HGKBhAAEYBQgJIA3gBqwJ0AkEB8wANA2wClQEEGEAARgFCAkgDiwGiAmICSgHxAA8DXQKjAU5Y3WcvI+ZOEd1gAQ0D
    AAAAAAAAABrKbeHR
    """)

  /// MPEG-4 video with B frames of 16x16 and MPEG audio, with an index.
  static let two = bytes(
    """
    bnV0L211bHRpbWVkaWEgY29udGFpbmVyAE5NelYfXwSteAMCgf9/AgGDkAAB/QDAAAYAAAAAAAGgAAIBASgBACkAIQGffyACwAAYIAKgABkgAp
    9/GCAC338ZIAH/fygDAAEBKQABBABKAUgBBJF/SgFIIQKRf3jAAAYAAAAAAAEGAwAAAQQAAAG2Av/6Av/7Av/8Av/9M0k9aE5TEUBb8vnbNwAA
    BEZNUDQADoOQAAEAHwAAAbDxAAABtakTAAABAAAAASAI1I0IAM0AhAIUGD8QEAEBAC+fJq9OUxFAW/L52xYBAQRQAAAAAQ79AAAAAP0AAQF3ix
    GHTkmraLWWungJAAAAAAAAAAAATkmraLWWungwAQAAAAIHZW5jb2RlcgIKTGF2YyBtcGVnNAxyX2ZyYW1lX3JhdGUCBDI1LzGEWMRfTkmraLWW
    ungbAgAAAAEHZW5jb2RlcgIITGF2YyBtcDJDMGDdTkvkre7KRWkGAAAAAAAABE8AAAGzABAHAAABthBj7aPZ9vVlpeLki1F7jHsEHLLV0FtQrg
    OGis7jelVXtox7QnTYs9JVMCjGxaWoVBYhDkEYgxEuxEVA4ChasjAj0Zk7Tkvkre7KRWkHgj8AYpKKk4P/9RjEQhEEAAAAAAAABYJ25mJKr37u
    ZarY+a1revmtbGDnK4LZ8c1qggkr0iNXTbojjC1qIgatyAHSL2gCsCpoAmasyUXqI4gBKMAACAAAAbZR8fN/ASigAAgAAAG2kOPkv4X/9RjEUh
    EEAAAAAAAAFVZGK65gYDgN0YgyyrRGXsqYiJCE2sIlQ1NwmWMhGiYgUqsJDv0rSAcoLMgYgKk0BH1iHRCKwDWgAAABKLAACAAAAbaRY+S/hf/1
    GMRCEQQAAAAAAAANBkmYpvqvpm4KRmxYlZ7c5pWCEjaKLfJNAl8Kq4pAkt0KNXQ9C3jCxy2AWNatnSLWrYsC1ocshzIAAAEo0AAIAAABtlJh83
    9OWN1nLyPmThaBoAACFgYFkAEJAAAAAAAAAB867GpK
    """)

  private static func bytes(_ base64: String) -> [UInt8] {
    [UInt8](Data(base64Encoded: base64, options: .ignoreUnknownCharacters)!)
  }
}

/// Bytes that come in pieces of given sizes, over and over.
struct PieceStream: ByteStream {
  var bytes: [UInt8]
  var sizes = [65_536]
  /// The number of bytes that were read.
  var position = 0
  private var turn = 0

  init(_ bytes: [UInt8], sizes: [Int] = [65_536]) { (self.bytes, self.sizes) = (bytes, sizes) }

  mutating func read(into memory: UnsafeMutableRawBufferPointer) throws(DecodeError) -> Int {
    let count = min(sizes[turn % sizes.count], memory.count, bytes.count - position)
    memory.copyBytes(from: bytes[position..<position + count])
    position += count
    turn += 1
    return count
  }
}

/// A packet with its payload.
struct WholePacket: Equatable {
  var stream: Int
  var pts: Int
  var isKey: Bool
  var payload: [UInt8]

  /// Reads all packets of a file.
  static func all(_ bytes: [UInt8], sizes: [Int] = [65_536]) throws(DecodeError) -> [WholePacket] {
    var reader = try NUTReader(PieceStream(bytes, sizes: sizes)), packets: [WholePacket] = []
    while let packet = try reader.next() {
      let payload = try reader.payload(atMost: 1 << 20)
      packets.append(WholePacket(stream: packet.stream, pts: packet.pts, isKey: packet.isKey, payload: payload))
    }
    return packets
  }
}

/// A writer of NUT files with any table of frame codes, right or wrong.
struct NUTBuilder {
  var bytes = NUTPacketCode.fileID

  static func numbers(_ values: [Int]) -> [UInt8] {
    var sink = ByteSink()
    for value in values { sink.nutNumber(value) }
    return sink.bytes
  }

  mutating func packet(_ code: NUTPacketCode, _ body: [UInt8], sum: UInt32? = nil) {
    var sink = ByteSink()
    sink.append(code.bytes)
    sink.nutNumber(body.count + 4)
    if body.count + 4 > 4096 { sink.u32(Int(NUTChecksum(sink.bytes).value)) }
    sink.append(body)
    sink.u32(Int(sum ?? NUTChecksum(body).value))
    bytes += sink.bytes
  }

  /// Adds the main header.
  ///
  /// - Parameter codes: runs of the table: flags, pts_delta as a v, data_size_mul, stream, size, reserved, count, and if
  ///   there are two more, match_time_delta and elision header.
  mutating func main(
    version: Int = 3, streams: Int = 1, bases: [(Int, Int)] = [(1, 1000)], codes: [[Int]], elided: [[UInt8]] = []
  ) {
    var body = Self.numbers([version, streams, 1000, bases.count] + bases.flatMap { [$0.0, $0.1] })
    for row in codes { body += Self.numbers([row[0], row.count - 1] + row.dropFirst()) }
    body += Self.numbers([elided.count])
    for header in elided { body += Self.numbers([header.count]) + header }
    packet(.main, body)
  }

  /// Adds the header of a stream of codec "abcd" and 8x4 samples.
  mutating func stream(_ id: Int = 0, base: Int = 0, ptsBits: Int = 3, extradata: [UInt8] = []) {
    packet(
      .stream,
      Self.numbers([id, 0, 4]) + Array("abcd".utf8) + Self.numbers([base, ptsBits, 100, 0, 0, extradata.count])
        + extradata + Self.numbers([8, 4, 0, 0, 0]))
  }

  mutating func syncpoint(_ stamp: Int) { packet(.syncpoint, Self.numbers([stamp, 0])) }
}
