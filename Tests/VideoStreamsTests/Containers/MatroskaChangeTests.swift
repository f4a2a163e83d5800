import FileParts
import HDRCore
import Testing
import VideoStreams

/// Turns and crops that are added to Matroska before its clusters.
@Suite struct MatroskaChangeTests {
  /// An element with the shortest size, as FFmpeg writes it.
  private static func element(_ id: Int, _ content: [UInt8]) -> [UInt8] {
    let idBytes = (0..<4).reversed().map { UInt8(truncatingIfNeeded: id >> (8 * $0)) }.drop { $0 == 0 }
    let count = content.count
    return idBytes + (count < 127 ? [UInt8(0x80 | count)] : [UInt8(0x40 | count >> 8), UInt8(count & 255)]) + content
  }

  private static func number(_ id: Int, _ value: Int) -> [UInt8] {
    element(id, (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
  }

  private static func text(_ id: Int, _ value: String) -> [UInt8] { element(id, Array(value.utf8)) }

  private static let header = element(0x1A45_DFA3, text(0x4282, "matroska"))
  private static let cluster = element(0x1F43_B675, [7, 7, 7])

  /// The checksum of EBML (RFC 8794 clause 11.3.1), bit by bit.
  private static func checked(_ content: [UInt8]) -> [UInt8] {
    var sum = UInt32.max
    for byte in content {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    sum = ~sum
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: sum >> (8 * UInt32($0))) }
    return element(0xBF, bytes) + content
  }

  /// A file as FFmpeg writes it: an index of parts, room, what is said of the file, the tracks, clusters.
  private static func file(room: Int, _ more: [UInt8] = []) -> [UInt8] {
    let info = element(0x1549_A966, number(0x2AD7B1, 1_000_000))
    let video = number(0xB0, 1920) + number(0xBA, 1080) + more
    let sound = number(0xD7, 2) + number(0x83, 2) + text(0x86, "A_FLAC")
    let pictures =
      number(0xD7, 1) + number(0x83, 1) + text(0x86, "V_FFV1")
      + element(0xE0, video)
    let tracks = element(
      0x1654_AE6B, checked(element(0xAE, sound) + element(0xAE, pictures)))
    func index(_ places: [Int]) -> [UInt8] {
      let entries = zip([0x1549_A966, 0x1654_AE6B, 0x1F43_B675], places).flatMap { id, place in
        element(0x4DBB, number(0x53AB, id) + number(0x53AC, place))
      }
      return element(0x114D_9B74, checked(entries))
    }
    let start = index([0, 0, 0]).count + room
    let places = [start, start + info.count, start + info.count + tracks.count]
    let empty = element(0xEC, [UInt8](repeating: 0, count: room - 2))
    // The segment's size is not known, as while it is written.
    return header + [0x18, 0x53, 0x80, 0x67, 0xFF] + index(places) + empty + info + tracks + cluster
  }

  /// The elements of a part of a file, with the places of their heads in it.
  private static func elements(_ bytes: ArraySlice<UInt8>) -> [(id: Int, at: Int, content: ArraySlice<UInt8>)] {
    var rest = bytes, found: [(id: Int, at: Int, content: ArraySlice<UInt8>)] = []
    while let first = rest.first {
      let at = rest.startIndex - bytes.startIndex
      let idBytes = first.leadingZeroBitCount + 1, id = rest.prefix(idBytes).reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(idBytes)
      let sizeBytes = (rest.first ?? 1).leadingZeroBitCount + 1
      let size = rest.prefix(sizeBytes).reduce(0) { $0 << 8 | Int($1) } & (1 << (7 * sizeBytes) - 1)
      rest = rest.dropFirst(sizeBytes)
      found.append((id, at, rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    return found
  }

  private static func changed(_ file: [UInt8], _ turn: Orientation, _ crop: PixelRect?) throws -> [UInt8] {
    let change = try MatroskaChange.change(MemoryAccess(file), orientation: turn, crop: crop)
    var bytes = file
    bytes.replaceSubrange(change.offset..<change.offset + change.bytes.count, with: change.bytes)
    return bytes
  }

  @Test("turns and crops are read as they were written, and clusters stay in place", arguments: Orientation.allCases)
  func writesTurns(turn: Orientation) throws {
    let before = Self.file(room: 70), crop = PixelRect(x: 2, y: 140, width: 1900, height: 800)
    for part in [nil, crop] {
      let after = try Self.changed(before, turn, part)
      #expect(after.count == before.count && after.suffix(Self.cluster.count) == Self.cluster[...])
      let file = try #require(try ContainerFile.read(MemoryAccess(after)))
      #expect(file.videoTrack?.video?.orientation == turn && file.videoTrack?.video?.crop == part)
      #expect(file.tracks.count == 2 && file.warnings.isEmpty)
      // Once more, and back.
      let back = try #require(try ContainerFile.read(MemoryAccess(try Self.changed(after, .up, nil))))
      #expect(back.videoTrack?.video?.orientation == .up && back.videoTrack?.video?.crop == part)
    }
  }

  @Test("the index of parts says where they lie, and checksums are right")
  func movesPlaces() throws {
    let before = Self.file(room: 70)
    let after = try Self.changed(before, .right, PixelRect(x: 2, y: 140, width: 1900, height: 800))
    let segment = Self.elements(after[(Self.header.count + 5)...])
    var places: [Int] = [], starts: [Int: Int] = [:]
    for (id, at, content) in segment {
      starts[id] = at
      guard id == 0x114D_9B74 || id == 0x1654_AE6B else { continue }
      // The checksum is of all that is behind it.
      let parts = Self.elements(content)
      try #require(parts.count > 1 && parts[0].id == 0xBF)
      #expect(Self.checked(Array(content[parts[0].content.endIndex...]))[2..<6] == parts[0].content)
      guard id == 0x114D_9B74 else { continue }
      places = parts.dropFirst().compactMap { seek in
        Self.elements(seek.content).first { $0.id == 0x53AC }?.content.reduce(0) { $0 << 8 | Int($1) }
      }
    }
    #expect(places == [starts[0x1549_A966], starts[0x1654_AE6B], starts[0x1F43_B675]])
  }

  @Test("the size at which a crop is shown keeps the shape of samples")
  func keepsShapes() throws {
    let before = Self.file(room: 90, Self.number(0x54B0, 2560) + Self.number(0x54BA, 1080))
    let after = try Self.changed(before, .up, PixelRect(x: 0, y: 0, width: 1917, height: 803))
    let video = try #require(try ContainerFile.read(MemoryAccess(after))?.videoTrack?.video)
    #expect(video.sampleAspect == SampleAspect(4, 3) && video.crop?.width == 1917)
  }

  @Test func refusesFilesWithoutRoomAndFilesThatAreCut() throws {
    let whole = Self.file(room: 70)
    for room in [2, 12, 30] {
      #expect(throws: DecodeError.self) {
        try Self.changed(Self.file(room: room), .rightMirrored, PixelRect(x: 2, y: 140, width: 1900, height: 800))
      }
    }
    #expect(throws: DecodeError.self) { try Self.changed(whole, .up, PixelRect(x: 0, y: 0, width: 2000, height: 1)) }
    for count in stride(from: 0, to: whole.count - Self.cluster.count, by: 3) {
      #expect(throws: DecodeError.self) { try Self.changed(Array(whole[..<count]), .right, nil) }
    }
  }
}
