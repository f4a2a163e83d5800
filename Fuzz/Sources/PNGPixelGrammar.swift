import CDeflate
@testable import ImageFiles

/// PNG files with pixels: rows of all filters, streams of all kinds of blocks in several chunks; whole, and damaged under
/// right checksums.
enum PNGPixelGrammar {
  @Sendable static func mutate(_ bytes: [UInt8], maxSize: Int, random: inout Random) -> [UInt8] {
    switch random.below(8) {
    case 0, 1, 2: return file(&random)
    case 3, 4, 5:
      var changed = bytes
      for _ in 0...random.below(3) where changed.count > 8 {
        changed[8 + random.below(changed.count - 8)] = UInt8(random.below(256))
      }
      if random.one(in: 6) { changed.removeLast(random.below(changed.count)) }
      return withChecksums(changed)
    case 6: return PNGGrammar.mutate(bytes, maxSize: maxSize, random: &random)
    default: return withChecksums(blindly(bytes, maxSize: maxSize))
    }
  }

  static func file(_ random: inout Random) -> [UInt8] {
    let type = random.pick([0, 2, 2, 3, 4, 6, 6])
    let depth = random.pick(type == 0 ? [1, 2, 4, 8, 16] : type == 3 ? [1, 2, 4, 8] : [8, 16])
    let width = 1 + random.below(random.pick([4, 40, 300])), height = 1 + random.below(random.pick([3, 30]))
    let channels = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][type] ?? 1
    let isInterlaced = random.one(in: 8), isNoise = random.one(in: 2)
    var raw: [UInt8] = []
    func rows(_ width: Int, _ height: Int) {
      if width == 0 { return }
      for _ in 0..<height {
        raw.append(UInt8(random.one(in: 64) ? random.below(256) : random.below(5)))
        for _ in 0..<(width * channels * depth + 7) / 8 {
          raw.append(UInt8(random.below(isNoise ? 256 : 3)))
        }
      }
    }
    if isInterlaced {
      let starts = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
      for (x, y, dx, dy) in starts {
        rows(max(0, width - x + dx - 1) / dx, max(0, height - y + dy - 1) / dy)
      }
    } else {
      rows(width, height)
    }
    if random.one(in: 12) { raw.append(7) }
    if random.one(in: 12), raw.count > 1 { raw.removeLast() }
    let stream = deflated(raw, level: random.pick([0, 1, 6, 12]))
    var chunks: [(String, [UInt8])] = [
      ("IHDR", u32(width) + u32(height) + [UInt8(depth), UInt8(type), 0, 0, isInterlaced ? 1 : 0])
    ]
    if type == 3 { chunks.append(("PLTE", (0..<3 * (1 << depth)).map { _ in UInt8(random.below(256)) })) }
    if type < 4, random.one(in: 6) {
      chunks.append(("tRNS", type == 3 ? [0, 128] : [UInt8](repeating: 0, count: type == 0 ? 2 : 6)))
    }
    var at = 0
    while at < stream.count {
      let count = random.one(in: 3) ? random.below(5) : 1 + random.below(stream.count)
      chunks.append(("IDAT", Array(stream[at..<min(at + count, stream.count)])))
      at += count
      if random.one(in: 64) { chunks.append(("tEXt", [65, 0, 66])) }
      if random.one(in: 64) { break }
    }
    if random.one(in: 4) { chunks.append(("tEXt", [65, 0, 66])) }
    chunks.append(("IEND", []))
    return PNGChunks.signature + chunks.flatMap { chunk($0.0, $0.1) }
  }

  private static func chunk(_ name: String, _ payload: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + payload
    return u32(payload.count) + body + u32(Int(pngCRC32(body[...])))
  }

  private static func deflated(_ raw: [UInt8], level: Int32) -> [UInt8] {
    let compressor = libdeflate_alloc_compressor(level)
    defer { libdeflate_free_compressor(compressor) }
    var out = [UInt8](repeating: 0, count: libdeflate_zlib_compress_bound(compressor, raw.count))
    let count = libdeflate_zlib_compress(compressor, raw, raw.count, &out, out.count)
    // What libdeflate states of its window differs between levels; 32 KiB is the common case.
    return Array(out.prefix(count))
  }

  /// Puts the right checksum after every chunk.
  private static func withChecksums(_ bytes: [UInt8]) -> [UInt8] {
    var result = bytes, at = 8
    while at + 12 <= result.count {
      let length = result[at...].number(0, 4)
      guard length <= result.count - at - 12 else { break }
      let end = at + 8 + length
      result.replaceSubrange(end..<end + 4, with: u32(Int(pngCRC32(result[(at + 4)..<end]))))
      at = end + 4
    }
    return result
  }
}
