import FileParts
import Foundation
import HDRCore
import TestSupport
import Testing
import VideoStreams

/// The packets of a clip's pictures, in the order of decoding.
struct ClipPackets {
  private struct MemoryStream: ByteStream {
    var rest: ArraySlice<UInt8>
    mutating func read(into memory: UnsafeMutableRawBufferPointer) throws(DecodeError) -> Int {
      let part = rest.prefix(memory.count)
      memory.copyBytes(from: part)
      rest = rest.dropFirst(part.count)
      return part.count
    }
  }

  var stream: NUTStream
  var packets: [(pts: Int, isKey: Bool, bytes: [UInt8])] = []

  /// Reads a clip as ffmpeg copies it.
  init(_ path: String) throws {
    let nut = try ClipTools.run(["-i", path, "-map", "0:V:0", "-c", "copy", "-f", "nut", "-"])
    var reader = try NUTReader(MemoryStream(rest: [UInt8](nut)[...]))
    stream = reader.streams[0]
    while let packet = try reader.next() {
      packets.append((packet.pts, packet.isKey, try reader.payload(atMost: 1 << 24)))
    }
  }

  /// Returns the numbers of packets in the order in which their frames are shown.
  private var shown: [Int] { packets.indices.sorted { packets[$0].pts < packets[$1].pts } }

  /// Returns the metadata of frames in the order in which they are shown.
  func metadata() throws -> [FrameMetadata] {
    let coding = try #require(try PacketCoding(stream))
    return try shown.map { try FrameMetadata(packets[$0].bytes[...], coding) }
  }

  /// Adds metadata to frames, in the order in which they are shown.
  mutating func add(_ metadata: [FrameMetadata]) throws {
    let coding = try #require(try PacketCoding(stream)), shown = shown
    try #require(metadata.count == shown.count)
    for (number, metadata) in zip(shown, metadata) {
      packets[number].bytes = try metadata.inserted(into: packets[number].bytes[...], coding)
    }
  }

  /// Writes a clip with boxes, whose sample entry has a name.
  func write(_ path: String, boxes: [[UInt8]] = [], entry: FourCC? = nil, words: [String] = []) throws {
    var writer = NUTWriter(stream), nut = writer.head()
    for packet in packets {
      nut += writer.frameHead(pts: packet.pts, isKey: packet.isKey, byteCount: packet.bytes.count) + packet.bytes
    }
    _ = try ClipTools.run(["-copyts", "-f", "nut", "-i", "-", "-c", "copy"] + words + [path], input: Data(nut))
    let url = URL(fileURLWithPath: path)
    func change(_ made: ([UInt8]) throws -> MovieBoxes.Change) throws {
      var bytes = [UInt8](try Data(contentsOf: url))
      let change = try made(bytes)
      bytes.replaceSubrange(change.offset..<min(bytes.count, change.offset + change.bytes.count), with: change.bytes)
      try Data(bytes).write(to: url)
    }
    if !boxes.isEmpty { try change { try MovieBoxes.change(MemoryAccess($0), adding: boxes) } }
    if let entry { try change { try MovieBoxes.change(MemoryAccess($0), entry: entry) } }
  }
}
