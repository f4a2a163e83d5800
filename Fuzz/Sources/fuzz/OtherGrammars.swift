@testable import BatchEngine
@testable import HDRRender
import CISAL
import CodecService
import Glibc
import HDRRecipe

/// ICC profiles: size and signature right, tags inside.
enum ICCGrammar {
  @Sendable static func mutate(_ bytes: [UInt8], maxSize: Int, random: inout Random) -> [UInt8] {
    var result = blindly(bytes, maxSize: maxSize)
    guard result.count >= 132, !random.one(in: 8) else { return result }
    result.replaceSubrange(0..<4, with: u32(result.count))
    result.replaceSubrange(36..<40, with: "acsp".utf8)
    if random.one(in: 2) { result.replaceSubrange(12..<20, with: "mntrRGB ".utf8) }
    let count = min(result.number(128, 4), 32)
    if random.one(in: 2) { result.replaceSubrange(128..<132, with: u32(count)) }
    for entry in (0..<count).map({ 132 + 12 * $0 }) where entry + 12 <= result.count {
      let offset = result.number(entry + 4, 4), length = result.number(entry + 8, 4)
      guard offset + length > result.count || length < 8 else { continue }
      let from = min(offset, max(0, result.count - 32))
      result.replaceSubrange((entry + 4)..<(entry + 12), with: u32(from) + u32(result.count - from))
    }
    return result
  }
}

/// Journals: rows whose checksums fit.
enum JournalGrammar {
  /// The batch that the journals are of: their items' ids can be in it.
  static let manifest: Manifest = {
    let rows = (0..<3).map {
      Manifest.Row(index: $0, root: 0, input: FilePath("\($0).png"), size: 1, output: FilePath("\($0).jpg"))
    }
    return Manifest(
      folder: FilePath("/"), roots: [FilePath("in")], out: FilePath("out"), recipe: Recipe(),
      recipeDigest: Digest(of: []), rows: rows)
  }()

  /// A folder in memory with these bytes as its only journal.
  static func folder(_ bytes: [UInt8]) -> FilePath {
    let path = "/dev/shm/hdrbatch-fuzz-\(getpid())"
    mkdir(path, 0o700)
    guard let file = fopen(path + "/a.jsonl", "w") else { fatalError("no file in \(path)") }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
    return FilePath(path)
  }

  @Sendable static func mutate(_ bytes: [UInt8], maxSize: Int, random: inout Random) -> [UInt8] {
    let changed = blindly(bytes, maxSize: maxSize)
    if random.one(in: 8) { return changed }
    var result: [UInt8] = []
    for line in changed.split(separator: UInt8(ascii: "\n")) {
      let mark = Array(",\"crc\":\"".utf8)
      let end = line.indices.last { line[$0...].starts(with: mark) } ?? line.endIndex
      let text = Array(line[..<end])
      let crc = text.withUnsafeBufferPointer { crc32_gzip_refl(0, $0.baseAddress, UInt64($0.count)) }
      let digits = String(crc, radix: 16)
      result += text + mark + String(repeating: "0", count: 8 - digits.count).utf8 + digits.utf8 + "\"}\n".utf8
    }
    return result
  }
}
