import Foundation
import HDRCore
import HDRPlan
import ImageFiles
import TestFiles
import TestSupport
import Testing

/// Plain pictures are inflated and unfiltered without libpng (Sources/CPNGShim/plain.c): the same samples, the same errors,
/// the same warnings.
@Suite struct PNGPlainTests {
  /// Everything that reading a file comes to.
  private static func outcome(_ bytes: [UInt8], allByLibpng: Bool) -> String {
    do throws(DecodeError) {
      let source = try PNGDecoder.decode(bytes, request: .pixels, limits: DecodeLimits(), allByLibpng: allByLibpng)
      var alpha: UInt64 = 0
      source.image.alpha?.hash(into: &alpha)
      return "\(source.image.width)x\(source.image.height) \(source.image.bitDepth) \(source.image.hash) \(alpha) "
        + "\(source.warnings)"
    } catch {
      return "\(error)"
    }
  }

  /// - Returns: whether the file was read.
  @discardableResult
  private static func expectSame(_ bytes: [UInt8], _ name: String) -> Bool {
    let one = outcome(bytes, allByLibpng: false), other = outcome(bytes, allByLibpng: true)
    #expect(one == other, "\(name)")
    return one.first?.isNumber == true
  }

  static let files: [String] = ["data/images/png", "data/malformed", "data/images/malformed"].flatMap { folder in
    HEIF.list(folder).filter { $0.hasSuffix(".png") }.map { folder + "/" + $0 }
  }

  @Test(.enabled(if: SharedData.hasImages, "skipped: no data"))
  func bothDecodersTreatSharedFilesAlike() throws {
    var read = 0
    for path in Self.files {
      if Self.expectSame(try #require(SharedData.bytes(path)), path) { read += 1 }
    }
    #expect(read >= 10 && Self.files.count - read >= 5)
  }

  /// Rows of all filters, in several chunks: their bytes are noise, so every sample depends on the filters before it.
  private static func made(type: Int, depth: Int, width: Int, height: Int, seed: Int) -> [UInt8] {
    var noise = Writer.Noise(seed)
    let channels = [0: 1, 2: 3, 4: 2, 6: 4][type] ?? 1
    var raw: [UInt8] = []
    for _ in 0..<height {
      raw.append(UInt8(noise.next() % 5))
      for _ in 0..<width * channels * depth / 8 { raw.append(UInt8(truncatingIfNeeded: noise.next() >> 20)) }
    }
    let stream = TinyPNG.stored(raw)
    let cuts = [0, 2 + Int(noise.next() % 40), stream.count / 2, stream.count].map { min($0, stream.count) }.sorted()
    let header = TinyICC.word(width) + TinyICC.word(height) + [UInt8(depth), UInt8(type), 0, 0, 0]
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + TinyPNG.chunk("IHDR", header)
    for (start, end) in zip(cuts, cuts.dropFirst()) { file += TinyPNG.chunk("IDAT", Array(stream[start..<end])) }
    return file + TinyPNG.chunk("tEXt", [65, 0, 66]) + TinyPNG.chunk("IEND", [])
  }

  @Test(arguments: [0, 2, 4, 6], [8, 16])
  func bothDecodersReadEveryFilterOfEveryLayoutAlike(type: Int, depth: Int) {
    for (index, size) in [(1, 1), (2, 3), (17, 33), (500, 61), (9001, 3)].enumerated() {
      let file = Self.made(type: type, depth: depth, width: size.0, height: size.1, seed: type * 9 + index + 1)
      #expect(Self.expectSame(file, "\(size)"))
    }
  }

  @Test(arguments: [OutputKind.pqPNG, .sdrPNG], [1, 4, 9])
  func bothDecodersReadOwnFilesAlike(kind: OutputKind, effort: Int) throws {
    var request = Writer.request(kind, Writer.picture(for: kind, 257, 131))
    request.coding.pngEffort = effort
    #expect(Self.expectSame(try encodeImage(request).main, "\(kind) \(effort)"))
  }

  /// ISA-L may have taken such bytes into its register already.
  @Test("bytes behind the stream's checksum are told by a warning", arguments: 1...12)
  func bytesBehindTheChecksum(count: Int) throws {
    for size in [(3, 2), (61, 43)] {
      var request = Writer.request(.sdrPNG, Writer.picture(for: .sdrPNG, size.0, size.1))
      request.coding.pngEffort = 4
      let file = TinyPNG.appending([UInt8](repeating: 0x55, count: count), toDataOf: try encodeImage(request).main)
      #expect(Self.expectSame(file, "\(size)"))
      #expect(Self.outcome(file, allByLibpng: false).contains("Extra compressed data"))
    }
  }

  /// Bytes changed, with the checksums of the chunks right and wrong.
  @Test("a damaged PNG is refused by both decoders alike")
  func damageIsTheSame() throws {
    var request = Writer.request(.sdrPNG, Writer.picture(for: .sdrPNG, 61, 43))
    request.coding.pngEffort = 4
    let files = [try encodeImage(request).main, Self.made(type: 6, depth: 16, width: 9, height: 7, seed: 5)]
    var noise = Writer.Noise(3)
    var refused = 0
    for round in 0..<600 {
      var bytes = files[round % 2]
      for _ in 0...(round % 3) {
        let place = 8 + Int(noise.next() >> 8) % (bytes.count - 8)
        bytes[place] = UInt8(noise.next() >> 8 & 255)
      }
      if round % 4 == 0 { bytes.removeLast(Int(noise.next() >> 8) % bytes.count) }
      if round % 4 != 1 { TinyPNG.fixChecksums(&bytes) }
      if !Self.expectSame(bytes, "round \(round)") { refused += 1 }
    }
    #expect(refused > 300 && refused < 600)
  }
}

extension TinyPNG {
  /// The file with more bytes in its only IDAT.
  static func appending(_ bytes: [UInt8], toDataOf file: [UInt8]) -> [UInt8] {
    var result: [UInt8] = Array(file[..<8]), at = 8
    while at + 12 <= file.count {
      let length = file[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      let name = String(decoding: file[at + 4..<at + 8], as: UTF8.self)
      let payload = Array(file[at + 8..<at + 8 + length])
      result += name == "IDAT" ? chunk(name, payload + bytes) : Array(file[at..<at + 12 + length])
      at += 12 + length
    }
    return result
  }

  /// Puts the right checksum after every chunk that is inside the file.
  static func fixChecksums(_ bytes: inout [UInt8]) {
    var at = 8
    while at + 12 <= bytes.count {
      let length = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      guard length <= bytes.count - at - 12 else { return }
      let payload = Array(bytes[at + 8..<at + 8 + length])
      let name = String(String.UnicodeScalarView(bytes[at + 4..<at + 8].map { Unicode.Scalar($0) }))
      // `chunk` writes names in UTF-8: one that is not ASCII stays as it is.
      let whole = chunk(name, payload)
      if whole.count == length + 12 { bytes.replaceSubrange(at..<at + 12 + length, with: whole) }
      at += 12 + length
    }
  }
}
