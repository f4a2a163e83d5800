@testable import FileParts
@testable import ImageFiles

/// TIFF: entries whose values are changed where they lie, so that the directory stays one.
enum TIFFGrammar {
  private static let tags = [
    254, 256, 257, 258, 259, 262, 266, 273, 274, 277, 278, 279, 284, 317, 318, 320, 322, 323, 324, 325, 330, 332, 338,
    339, 347, 513, 514, 515, 519, 520, 521, 530, 532, 700, 34377, 34665, 34675, 34853, 37439, 50706,
  ]
  private static let values = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 14, 16, 24, 32, 64, 255, 256, 32773, 32803, 32844, 32845, 32946, 34676, 34677,
    34887, 34925, 50000, 50001, 52553, 65535,
    1 << 20, 1 << 31, (1 << 32) - 1,
  ]

  @Sendable static func mutate(_ bytes: [UInt8], maxSize: Int, random: inout Random) -> [UInt8] {
    guard !random.one(in: 6), let structure = try? TIFFStructure(bytes),
      let directory = try? structure.directory(at: structure.first)
    else { return blindly(bytes, maxSize: maxSize) }
    return change(bytes, structure, directory, tags: tags, random: &random)
  }

  /// Changes up to three entries of one directory.
  static func change(
    _ bytes: [UInt8], _ structure: TIFFStructure, _ directory: TIFFStructure.Directory, tags: [Int],
    random: inout Random
  ) -> [UInt8] {
    var changed = bytes
    func set(_ at: Int, _ value: Int, _ count: Int) {
      guard at >= 0, at <= changed.count - count else { return }
      changed.replaceSubrange(at..<at + count, with: TIFFValue.bytes(value, count, structure.isLittleEndian))
    }
    for _ in 0...random.below(3) {
      let entries = directory.entries.values.sorted { $0.tag < $1.tag }
      guard !entries.isEmpty else { break }
      let entry = random.pick(entries)
      let size = TIFFStructure.bytes(ofType: entry.type) ?? 1
      switch random.below(6) {
      case 0:
        // Another tag in its place; in classic files the entry begins eight bytes before a short value.
        if !structure.isBig, entry.count * size <= 4 { set(entry.position - 8, random.pick(tags), 2) }
      case 1:
        set(entry.position + size * random.below(max(1, entry.count)), random.below(bytes.count + 1), min(size, 4))
      case 2: if !structure.isBig, entry.count * size <= 4 { set(entry.position - 4, random.pick(values), 4) }
      case 3:
        let sample = random.below(max(1, changed.count))
        set(sample, random.below(256), 1)
      default: set(entry.position + size * random.below(max(1, entry.count)), random.pick(values), min(size, 8))
      }
    }
    return changed
  }
}
