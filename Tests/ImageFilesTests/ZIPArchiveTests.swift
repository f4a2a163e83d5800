import FileParts
import HDRCore
import TestSupport
import Testing

/// Deflate streams and the ZIP archives of configs.
@Suite struct ZIPArchiveTests {
  /// A text with copies near and far, and noise.
  private static let text: [UInt8] = {
    var random = SplitMix(state: 5)
    let words = (0..<40).map { _ in
      (0..<Int(random.next() % 9 + 1)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }
    return (0..<6000).flatMap { _ in words[Int(random.next() % 40)] } + [UInt8](repeating: 7, count: 900)
  }()

  /// Returns the raw stream of a zlib stream.
  private static func deflated(_ bytes: [UInt8], level: Int) throws -> [UInt8] {
    let stream = try zlibStream(bytes, level: level)
    return withExtendedLifetime(stream) { Array(stream.bytes.dropFirst(2).dropLast(4)) }
  }

  @Test(arguments: [0, 1, 6, 12]) func streamsOfEveryLevelAreExpanded(level: Int) throws {
    for bytes in [Self.text, Array(Self.text.prefix(70)), [1], []] {
      let stream = try Self.deflated(bytes, level: level)
      #expect(try Inflater.inflated(stream[...], count: bytes.count, place: "x") == bytes)
      for count in [bytes.count - 1, bytes.count + 1] where count >= 0 {
        #expect(throws: DecodeError.self) { try Inflater.inflated(stream[...], count: count, place: "x") }
      }
    }
  }

  @Test func damagedStreamsEndWithAnErrorOrOtherBytes() throws {
    let stream = try Self.deflated(Array(Self.text.prefix(900)), level: 9)
    var refused = 0
    for bit in 0..<8 * stream.count {
      var damaged = stream
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      if (try? Inflater.inflated(damaged[...], count: 900, place: "x")) == nil { refused += 1 }
    }
    #expect(refused > stream.count)
    for count in 0..<stream.count {
      #expect(throws: DecodeError.self) { try Inflater.inflated(stream[..<count], count: 900, place: "x") }
    }
    // A short stream cannot become much.
    #expect(throws: DecodeError.self) { try Inflater.inflated([3, 0], count: 1 << 26, place: "x") }
  }

  /// Files by name, with what the tests change in an archive of them.
  private struct Builder {
    var files: [(name: String, bytes: [UInt8])] = [("config.ocio", Array("a: 1\n".utf8)), ("luts/b.clf", text)]
    var flags = 0, otherName: String?, checksum: UInt32?, comment: [UInt8] = [], isZIP64 = false

    func archive() throws -> [UInt8] {
      var out: [UInt8] = [], directory: [UInt8] = []
      func le(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      }
      for (name, bytes) in files {
        let isDeflated = bytes.count > 100, data = isDeflated ? try deflated(bytes, level: 6) : bytes
        let sum = Int(checksum ?? Self.crc(bytes)), named = Array(name.utf8)
        func sizes(_ name: [UInt8]) -> [UInt8] {
          le(flags, 2) + le(isDeflated ? 8 : 0, 2) + le(0, 4) + le(sum, 4) + le(data.count, 4) + le(bytes.count, 4)
            + le(name.count, 2)
        }
        let first = Array((otherName ?? name).utf8)
        directory += [0x50, 0x4B, 1, 2] + le(20, 2) + le(20, 2) + sizes(named) + le(0, 2) + le(0, 2) + le(0, 8)
        directory += le(out.count, 4) + named
        out += [0x50, 0x4B, 3, 4] + le(20, 2) + sizes(first) + le(4, 2) + first + [9, 9, 0, 0] + data
      }
      let count = isZIP64 ? 0xffff : files.count
      let end = [0x50, 0x4B, 5, 6] + le(0, 4) + le(count, 2) + le(count, 2) + le(directory.count, 4) + le(out.count, 4)
      return out + directory + end + le(comment.count, 2) + comment
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
      ~bytes.reduce(UInt32.max) { sum, byte in
        (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 1 ? 0xedb8_8320 : 0) }
      }
    }
  }

  @Test func filesOfAnArchiveAreThoseThatWentIn() throws {
    var builder = Builder()
    builder.comment = Array("PK\u{5}\u{6} a comment that begins as the record of the directory".utf8)
    builder.files.append(("folder/", []))
    let archive = try ZIPArchive(try builder.archive())
    #expect(archive.names == ["config.ocio", "luts/b.clf"] && archive.has("luts/b.clf") && !archive.has("folder/"))
    #expect(try archive.file("config.ocio") == Array("a: 1\n".utf8))
    #expect(try archive.file("luts/b.clf") == Self.text)
    #expect(try archive.file("b.clf") == nil)
  }

  @Test(arguments: ["../a", "/a", "a//b", "a/./b", "a\\b", "", "a/.."])
  func namesThatAreNoPathBelowAreRefused(name: String) throws {
    var builder = Builder()
    builder.files.append((name, [1]))
    let bytes = try builder.archive()
    #expect(throws: DecodeError.self) { try ZIPArchive(bytes) }
  }

  @Test func archivesThatAreNotReadAreRefused() throws {
    func refused(_ change: (inout Builder) -> Void) throws -> Bool {
      var builder = Builder()
      change(&builder)
      let bytes = try builder.archive()
      return (try? ZIPArchive(bytes)) == nil
    }
    #expect(try !refused { _ in })
    #expect(try refused { $0.flags = 1 })
    #expect(try refused { $0.isZIP64 = true })
    #expect(try refused { $0.otherName = "other" })
    #expect(try refused { $0.files.append(("config.ocio", [])) })
    var builder = Builder()
    builder.checksum = 1
    let archive = try ZIPArchive(try builder.archive())
    #expect(throws: DecodeError.self) { try archive.file("config.ocio") }
  }

  @Test func truncatedArchivesAreRefused() throws {
    let bytes = try Builder().archive()
    for count in stride(from: 0, to: bytes.count, by: 7) {
      #expect(throws: DecodeError.self) { try ZIPArchive(Array(bytes[..<count])) }
    }
  }

  /// Bytes at random places are others: what is read is still within its limits.
  @Test func damagedArchivesAreReadOrRefused() throws {
    let bytes = try Builder().archive()
    var random = SplitMix(state: 3)
    for _ in 0..<400 {
      var damaged = bytes
      for _ in 0..<4 {
        damaged[damaged.count - 1 - Int(random.next() % 160)] = UInt8(truncatingIfNeeded: random.next())
      }
      guard let archive = try? ZIPArchive(damaged) else { continue }
      for name in archive.names { _ = try? archive.file(name) }
    }
  }
}
