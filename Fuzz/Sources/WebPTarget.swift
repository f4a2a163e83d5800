import HDRCore
@testable import ImageFiles

extension Target {
  /// Chunks of WebP, heads of bit streams, frames of animations. The library is not under test here.
  static let webP = Target("webp", maxLength: 1 << 12, mutate: WebPGrammar.mutate) { bytes in
    let limits = DecodeLimits(maxPixels: 1 << 16, maxSide: 16_384, maxMetadataBytes: 1 << 16)
    guard WebPDecoder.recognizes(bytes.prefix(formatBytes)),
      let source = try? WebPDecoder.decode(bytes, request: .metadata, limits: limits)
    else { return }
    var warnings: [Warning] = []
    guard let file = try? WebPContainer(bytes, limits: limits, warnings: &warnings),
      let plain = try? WebPContainer(file.plain, limits: limits, warnings: &warnings)
    else { fatalError("the file for the library is refused") }
    demand(
      plain.width == file.frame.stream.width && plain.height == file.frame.stream.height && plain.frames == 0
        && plain.frame.chunk == file.frame.chunk && plain.frame.alpha == file.frame.alpha,
      "the library gets another picture")
    demand(
      file.frame.x + plain.width <= source.image.width && file.frame.y + plain.height <= source.image.height,
      "the frame leaves its canvas")
  }
}

/// WebP: bits of any chunk, and sizes that fit again.
enum WebPGrammar {
  private static let names = ["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP", "EXIF", "XMP ", "C2PA"]

  @Sendable static func mutate(_ bytes: [UInt8], maxSize: Int, random: inout Random) -> [UInt8] {
    var changed = random.one(in: 2) ? blindly(bytes, maxSize: maxSize) : bytes
    guard changed.count >= 20, !random.one(in: 8) else { return changed }
    var starts: [Int] = [], at = 12
    while at + 8 <= changed.count, starts.count < 64 {
      starts.append(at)
      let size = changed[at + 4..<at + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
      guard size <= changed.count - at - 8 else { break }
      at += 8 + size + (size & 1)
    }
    let start = random.pick(starts)
    if random.one(in: 3) {
      changed.replaceSubrange(start..<start + 4, with: random.pick(names).utf8)
    } else if start + 8 < changed.count {
      let place = start + 8 + random.below(min(32, changed.count - start - 8))
      changed[place] ^= 1 << UInt8(random.below(8))
    }
    // The last chunk and the file end where the bytes do.
    func little(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    if let last = starts.last { changed.replaceSubrange(last + 4..<last + 8, with: little(changed.count - last - 8)) }
    changed.replaceSubrange(0..<12, with: Array("RIFF".utf8) + little(changed.count - 8) + Array("WEBP".utf8))
    return changed
  }
}
