@testable import BatchEngine
@testable import HDRRender
import CISAL
import CodecService
import Glibc
import HDRRecipe
import PlainData

/// ICC profiles: size and signature right, tags inside.
enum ICCGrammar {
  @Sendable static func mutate(_ bytes: [UInt8], maxSize: Int, random: inout Random) -> [UInt8] {
    if random.one(in: 3) { return profile(&random) }
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

  // MARK: Whole profiles

  /// Curves, matrices, names and tables of all types, most of them small and right.
  private static func profile(_ random: inout Random) -> [UInt8] {
    var tags: [(name: String, data: [UInt8])] = []
    let space = random.pick(["RGB ", "RGB ", "RGB ", "GRAY", "CMYK"]), isTable = random.one(in: 2)
    if space == "GRAY" { tags.append(("kTRC", curve(&random))) }
    if !isTable || random.one(in: 4) {
      for name in ["rTRC", "gTRC", "bTRC"] where !random.one(in: 16) { tags.append((name, curve(&random))) }
      for (name, xyz) in [
        ("rXYZ", [28_578, 14_581, 912]), ("gXYZ", [25_252, 46_982, 6363]), ("bXYZ", [9371, 3973, 46_791]),
      ]
      where !random.one(in: 16) {
        let values = random.one(in: 8) ? (0..<3).map { _ in random.number() } : xyz
        tags.append((name, Array("XYZ \0\0\0\0".utf8) + values.flatMap(u32)))
      }
    }
    if isTable { tags.append((random.pick(["A2B0", "A2B1", "D2B0"]), table(&random))) }
    // To the device: of an output.
    if isTable, random.one(in: 2) { tags.append((random.pick(["B2A0", "B2A1", "B2D0"]), table(&random))) }
    tags.append(("wtpt", Array("XYZ \0\0\0\0".utf8) + u32(63_190) + u32(65_536) + u32(54_061)))
    if random.one(in: 3) {
      tags.append(("chad", Array("sf32\0\0\0\0".utf8) + (0..<9).flatMap { u32($0 % 4 == 0 ? 65_536 : 0) }))
    }
    if random.one(in: 3) {
      tags.append(
        (
          "cicp",
          Array("cicp\0\0\0\0".utf8) + [UInt8(random.pick([1, 9, 12])), UInt8(random.pick([13, 16, 18])), 0, 1]
        ))
    }
    let text = Array("name".utf8)
    tags.append(
      (
        "desc",
        random.one(in: 2)
          ? Array("desc\0\0\0\0".utf8) + u32(5) + text + [UInt8](repeating: 0, count: 79)
          : Array("mluc\0\0\0\0".utf8) + u32(1) + u32(12) + Array("enUS".utf8) + u32(8) + u32(28)
            + text.flatMap { [0, $0] }
      ))
    var directory = u32(tags.count), data: [UInt8] = []
    let start = 128 + 4 + 12 * tags.count
    for (name, bytes) in tags {
      directory += Array(name.utf8) + u32(start + data.count) + u32(bytes.count)
      data += bytes + [UInt8](repeating: 0, count: -bytes.count & 3)
    }
    var header = [UInt8](repeating: 0, count: 128)
    header.replaceSubrange(0..<4, with: u32(start + data.count))
    header.replaceSubrange(8..<12, with: u32(random.one(in: 2) ? 0x0210_0000 : 0x0440_0000))
    header.replaceSubrange(12..<24, with: ("mntr" + space + random.pick(["XYZ ", "XYZ ", "Lab "])).utf8)
    header.replaceSubrange(36..<40, with: "acsp".utf8)
    header.replaceSubrange(68..<80, with: u32(63_190) + u32(65_536) + u32(54_061))
    return header + directory + data
  }

  private static func curve(_ random: inout Random) -> [UInt8] {
    func fixed() -> [UInt8] { u32(random.one(in: 6) ? random.number() : random.below(1 << 18)) }
    switch random.below(4) {
    case 0: return Array("curv\0\0\0\0".utf8) + u32(0)
    case 1: return Array("curv\0\0\0\0".utf8) + u32(1) + u16(random.pick([0, 256, 563, 65_535]))
    case 2:
      let count = random.pick([2, 3, 17, 1024])
      let samples = (0..<count).flatMap { u16($0 * 65_535 / (count - 1)) }
      return Array("curv\0\0\0\0".utf8) + u32(random.one(in: 12) ? count + 1 : count) + samples
    default:
      let kind = random.below(6), count = [1, 3, 4, 5, 7, 7][kind]
      return Array("para\0\0\0\0".utf8) + u16(kind) + [0, 0] + (0..<count).flatMap { _ in fixed() }
    }
  }

  private static func table(_ random: inout Random) -> [UInt8] {
    let inputs = random.one(in: 16) ? random.below(20) : 3, grid = 2 + random.below(3), outputs = 3
    func noise(_ count: Int) -> [UInt8] { (0..<min(count, 4096)).map { _ in UInt8(random.below(256)) } }
    var nodes = outputs
    for _ in 0..<min(inputs, 4) { nodes *= grid }
    switch random.below(4) {
    case 0, 1:
      let isWide = random.one(in: 2), bytes = isWide ? 2 : 1, entries = isWide ? 4 : 256
      let matrix = (0..<9).flatMap { u32($0 % 4 == 0 ? 65_536 : 0) }
      return Array((isWide ? "mft2" : "mft1").utf8) + [0, 0, 0, 0, UInt8(inputs), UInt8(outputs), UInt8(grid), 0]
        + matrix
        + (isWide ? u16(entries) + u16(entries) : []) + noise(entries * inputs * bytes) + noise(nodes * bytes)
        + noise(entries * outputs * bytes)
    case 2:
      // B curves, matrix, M curves, CLUT, A curves, one after the other.
      let identity = Array("curv\0\0\0\0".utf8) + u32(0), curves = identity + identity + identity
      let matrix = (0..<12).flatMap { u32($0 % 4 == 0 && $0 < 9 ? 65_536 : 0) }
      let clut = [UInt8](repeating: UInt8(grid), count: 16) + [UInt8(random.pick([1, 2])), 0, 0, 0] + noise(2 * nodes)
      let b = 32, m = b + curves.count, mCurves = m + matrix.count, c = mCurves + curves.count
      let a = c + clut.count + (-clut.count & 3)
      return Array("mAB \0\0\0\0".utf8) + [UInt8(inputs), UInt8(outputs), 0, 0] + u32(b) + u32(m) + u32(mCurves)
        + u32(random.one(in: 8) ? random.number() : c) + u32(a) + curves + matrix + curves + clut
        + [UInt8](repeating: 0, count: -clut.count & 3) + curves
    default:
      let segments =
        Array("curf\0\0\0\0".utf8) + u16(1 + random.below(2)) + [0, 0] + Array("parf\0\0\0\0".utf8)
        + u16(0) + [0, 0] + [1, 1.0, 0, 0].flatMap { u32(Int(Float($0).bitPattern)) }
      let set =
        Array("cvst\0\0\0\0".utf8) + u16(3) + u16(3)
        + (0..<3).flatMap { _ in u32(12 + 24) + u32(segments.count) } + segments
      let matrix =
        Array("matf\0\0\0\0".utf8) + u16(3) + u16(3)
        + (0..<12).flatMap { u32(Int(Float($0 % 4 == 0 && $0 < 9 ? 1 : 0).bitPattern)) }
      let clut =
        Array("clut\0\0\0\0".utf8) + u16(3) + u16(3) + [UInt8](repeating: UInt8(grid), count: 16)
        + (0..<min(nodes, 400)).flatMap { _ in u32(Int((Float(random.below(100)) / 100).bitPattern)) }
      let elements = [random.pick([set, matrix, clut]), random.pick([set, matrix, clut])]
      var at = 16 + 8 * elements.count, places: [UInt8] = []
      for element in elements {
        places += u32(at) + u32(element.count)
        at += element.count
      }
      return Array("mpet\0\0\0\0".utf8) + u16(3) + u16(3) + u32(elements.count) + places + elements.flatMap(\.self)
    }
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

  /// Manifests whose ids fit their rows: paths of all bytes and lengths, variants, files that were given.
  @Sendable static func mutateManifest(_ bytes: [UInt8], maxSize: Int, random: inout Random) -> [UInt8] {
    if random.one(in: 2) { return blindly(bytes, maxSize: maxSize) }
    func path() -> FilePath {
      let names = [
        "a", "b.png", "..", ".", "", "A", "\u{E9}", "e\u{301}", String(repeating: "n", count: 256), "/x", "\u{0}",
      ]
      if random.one(in: 8) { return FilePath(bytes: (0...random.below(12)).map { _ in UInt8(random.below(256)) }) }
      let name = random.one(in: 6) ? random.pick(names) : "\(random.below(1000)).png"
      return FilePath(
        random.one(in: 3) ? "sub/" + name : random.one(in: 32) ? String(repeating: "d/", count: 2050) : name)
    }
    var rows: [Manifest.Row] = []
    for index in 0..<random.below(5) {
      let isNext = random.one(in: 3) && index > 0
      rows.append(
        Manifest.Row(
          index: random.one(in: 16) ? index + 1 : index, root: isNext ? rows[index - 1].root : random.below(3),
          input: isNext ? rows[index - 1].input : path(), isGiven: random.one(in: 3), size: random.number(),
          variant: isNext ? rows[index - 1].variant + 1 : random.one(in: 16) ? 1 : 0, output: path()))
    }
    let made = Manifest(
      folder: FilePath("/"), roots: [FilePath("in"), path()], out: path(), recipe: Recipe(),
      recipeDigest: Digest(of: []), rows: rows)
    return random.one(in: 3) ? blindly(made.bytes, maxSize: maxSize) : made.bytes
  }

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
      result += text + mark + hex(crc, digits: 8).utf8 + "\"}\n".utf8
    }
    return result
  }
}
