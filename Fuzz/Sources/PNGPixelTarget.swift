import CPNGShim
import HDRCore
@testable import ImageFiles

extension Target {
  /// Pixels of PNG files: by ISA-L and plain.c, by libpng alone, and by hand.
  static let pngPixels = Target("png-pixels", maxLength: 1 << 14, mutate: PNGPixelGrammar.mutate) { bytes in
    // Larger pictures are no other code, only more time.
    guard let png = try? PNGChunks(bytes), png.width <= 4096, png.height <= 4096, png.width * png.height <= 1 << 14
    else { return }
    let own = outcome(bytes, allByLibpng: false), other = outcome(bytes, allByLibpng: true)
    // ISA-L reads Huffman codes that are not complete, which zlib refuses. The stream's checksum fits all the same.
    let isIncomplete = other.text.hasSuffix("invalid distances set") || other.text.hasSuffix("literal/lengths set")
    if own.image != nil, isIncomplete { return }
    demand(own.text == other.text, "libpng: \(other.text); own: \(own.text)")
    guard let image = own.image, let reference = other.image else { return }
    demand(samples(image) == samples(reference), "other samples than libpng's")
    if let plain = PlainPNG(png) {
      demand(plain.samples == samples(reference), "other samples than by hand")
      plain.demandStride(png, expected: plain.samples)
    }
  }

  /// Pictures that are written, read again by libpng alone and by plain.c.
  static let pngWritten = Target("png-written", maxLength: 1 << 12) { bytes in
    guard let first = bytes.first else { return }
    let kind = [OutputKind.pqPNG, .hlgPNG, .sdrPNG][Int(first) % 3]
    guard let made = MadePicture(bytes[...], kind.layout) else { return }
    let (image, hasAlpha) = (made.image, made.hasAlpha)
    let request = EncodeRequest(
      kind: kind, image: image, hasAlpha: hasAlpha,
      cicp: CICP(kind == .sdrPNG ? 1 : 9, kind == .pqPNG ? 16 : kind == .hlgPNG ? 18 : 13, 0, full: true),
      coding: CodingOptions(pngEffort: Int(made.choices.1) % 8, deflatesInChunks: made.choices.1 >= 128),
      contentHeadroom: 1, displayHeadroom: 1)
    guard let file = try? encodeImage(request).main else { fatalError("a picture that is not written") }
    var expected = image
    if !hasAlpha { expected.alpha = nil }
    for allByLibpng in [true, false] {
      guard let read = outcome(file, allByLibpng: allByLibpng).image else { fatalError("a file that is not read") }
      demand(samples(read) == samples(expected), "other samples than were written")
    }
    writeWithMap(image, isGrey: made.choices.1 % 2 == 0, coding: request.coding)
  }

  /// Writes a picture as base and gain map of a PNG, and reads both again.
  private static func writeWithMap(_ image: SampleImage, isGrey: Bool, coding: CodingOptions) {
    let map = isGrey ? image.firstChannel : image
    let metadata = GainMapMetadata(
      kind: .iso, baseHeadroom: 0, alternateHeadroom: 2, min: [0, 0, 0], max: [2, 2, 2], usesBaseColorSpace: !isGrey)
    var request = AdaptiveRequest(
      container: .png, base: .samples(image), baseColor: AdaptiveColor(cicp: .sRGB), map: .samples(map),
      mapColor: CICP(2, 2, 0, full: true), metadata: metadata,
      // A grey map of other primaries is written as R = G = B.
      alternateColor: AdaptiveColor(cicp: CICP(coding.deflatesInChunks ? 9 : 1, 16, 0, full: true)))
    (request.effort, request.deflatesInChunks) = (coding.pngEffort, coding.deflatesInChunks)
    guard let file = try? encodeAdaptive(request), (try? verifyAdaptive(file, request)) != nil,
      let read = try? decodeImage(file.main), let found = read.gainMap
    else { fatalError("a gain map that is not written, or not read") }
    var base = image, expected = map
    (base.alpha, expected.alpha) = (nil, nil)
    demand(samples(read.image) == samples(base), "another base than was written")
    if isGrey, found.image.model == .rgb {
      expected = found.image.firstChannel
      demand(samples(expected) == samples(map), "another grey map than was written")
      expected.channels = found.image.channels
      expected.model = .rgb
    }
    demand(samples(found.image) == samples(expected), "another map than was written")
  }

  private static func outcome(_ bytes: [UInt8], allByLibpng: Bool) -> (image: SampleImage?, text: String) {
    do throws(DecodeError) {
      let limits = DecodeLimits(maxPixels: 1 << 14, maxSide: 4096)
      let source = try PNGDecoder.decode(bytes, request: .pixels, limits: limits, allByLibpng: allByLibpng)
      return (source.image, "\(source.warnings)")
    } catch {
      return (nil, "\(error)")
    }
  }

  /// Returns all samples, pixel after pixel, alpha after the colours.
  private static func samples(_ image: SampleImage) -> [UInt16] {
    let planes = image.channels + (image.alpha.map { [$0] } ?? [])
    var result: [UInt16] = []
    for y in 0..<image.height {
      for x in 0..<image.width { for plane in planes { result.append(plane.sample(x, y, image.format)) } }
    }
    return result
  }
}

extension SamplePlane {
  /// Returns a sample, found by nothing but the plane's numbers.
  func sample(_ x: Int, _ y: Int, _ format: SampleFormat) -> UInt16 {
    let place = buffer.base + offset + y * rowBytes + x * stepBytes
    return format == .uint8 ? UInt16(place.load(as: UInt8.self)) : place.loadUnaligned(as: UInt16.self)
  }
}

/// The pixels of a PNG by clauses 7 and 9 of the specification, as plainly as they can be written: not interlaced, 8 or
/// 16 bits, no palette, no transparency key. The stream is zlib's to inflate.
private struct PlainPNG {
  private(set) var samples: [UInt16] = []
  private let channels: Int
  private let sampleBytes: Int

  init?(_ png: PNGChunks) {
    let bytes = png.bytes
    guard let count = [0: 1, 2: 3, 4: 2, 6: 4][png.colorType], png.bitDepth >= 8, bytes[28] == 0,
      png.first("tRNS") == nil
    else { return nil }
    (channels, sampleBytes) = (count, png.bitDepth / 8)
    var stream: [UInt8] = [], at = 8
    while at + 12 <= bytes.count {
      let length = bytes[at...].number(0, 4), name = bytes[(at + 4)..<(at + 8)]
      if name.elementsEqual("IEND".utf8) { break }
      if name.elementsEqual("IDAT".utf8) { stream += bytes[(at + 8)..<(at + 8 + length)] }
      at += 12 + length
    }
    let step = channels * sampleBytes, line = png.width * step + 1
    // A stream with more in it than the picture is judged by libpng's warnings.
    guard case .bytes(let raw) = inflateZlib(stream[...], limit: line * png.height), raw.count == line * png.height
    else { return nil }
    var above = [UInt8](repeating: 0, count: line)
    for y in 0..<png.height {
      var row = Array(raw[y * line..<(y + 1) * line])
      for i in 1..<line {
        let a = i > step ? Int(row[i - step]) : 0, b = Int(above[i]), c = i > step ? Int(above[i - step]) : 0
        let predicted: Int
        switch row[0] {
        case 0: predicted = 0
        case 1: predicted = a
        case 2: predicted = b
        case 3: predicted = (a + b) / 2
        default:
          let p = a + b - c, toA = abs(p - a), toB = abs(p - b), toC = abs(p - c)
          predicted = toA <= toB && toA <= toC ? a : toB <= toC ? b : c
        }
        row[i] = UInt8(truncatingIfNeeded: Int(row[i]) + predicted)
      }
      for i in stride(from: 1, to: line, by: sampleBytes) {
        samples.append(sampleBytes == 1 ? UInt16(row[i]) : UInt16(row[i]) << 8 | UInt16(row[i + 1]))
      }
      above = row
    }
  }

  /// Rows further apart than they are long: nothing is written between them.
  func demandStride(_ png: PNGChunks, expected: [UInt16]) {
    let row = png.width * channels * sampleBytes, apart = row + 5, mark: UInt8 = 0xEE
    var pixels = [UInt8](repeating: mark, count: apart * png.height)
    var layout = hdr_png_layout(
      width: UInt32(png.width), height: UInt32(png.height), bit_depth: UInt32(8 * sampleBytes),
      channels: UInt32(channels), by_libpng: 0)
    var result = hdr_png_result()
    hdr_png_read(png.bytes, png.bytes.count, &layout, 4096, &pixels, apart, &result)
    demand(Int(result.status) == HDR_PNG_OK, "a picture that is not read with another stride")
    var samples: [UInt16] = []
    for y in 0..<png.height {
      for i in stride(from: y * apart, to: y * apart + row, by: sampleBytes) {
        samples.append(sampleBytes == 1 ? UInt16(pixels[i]) : UInt16(pixels[i]) | UInt16(pixels[i + 1]) << 8)
      }
      demand(pixels[(y * apart + row)..<((y + 1) * apart)].allSatisfy { $0 == mark }, "bytes between the rows")
    }
    demand(samples == expected, "other samples with another stride")
  }
}
