import GPURender
import HDRCore
import HDRPlan
import Kernels

extension VerificationCases {
  /// Returns cases of rows that are deflated: of PNG, TIFF and OpenEXR.
  static func deflated(pixels: Int) -> [VerificationCase] {
    deflatedPNGs(pixels: pixels) + deflatedLines(pixels: pixels)
  }

  /// Returns cases of PNGs: noise, which has no matches; a flat picture, which has long ones; and, in
  /// more than one chunk, low noise, which has short ones, and bytes of which some are so rare that their codes would have
  /// too many bits.
  private static func deflatedPNGs(pixels: Int) -> [VerificationCase] {
    var cases: [VerificationCase] = []
    for (format, keepsAlpha) in [(SampleFormat.uint16, false), (.uint16, true), (.uint8, false)] {
      let line = PNGLine(width: width, sampleBytes: format.bytes, keepsAlpha: keepsAlpha)
      let chunk = DeflateLayout(line, height: 1).chunkRows, least = rows(pixels)
      func add(_ name: String, height: Int, _ fill: (UnsafeMutablePointer<UInt8>, _ rowBytes: Int) -> Void) {
        let image = SampleImage.interleaved(
          width: width, height: height, channelCount: 4, format: format, bitDepth: 8 * format.bytes)
        let plane = image.channels[0]
        fill(plane.buffer.base.assumingMemoryBound(to: UInt8.self), plane.rowBytes)
        cases.append(
          VerificationCase(
            name: "deflate \(8 * format.bytes) bits, \(keepsAlpha ? 4 : 3) channels, \(name)", plan: .copying(image),
            compared: .rows(DeflateCoding(DeflateLayout(line, height: height)))))
      }
      var random = SplitMix64(seed: 92)
      add("noise", height: max(least, 3)) { bytes, row in
        for place in 0..<row * max(least, 3) { bytes[place] = UInt8(truncatingIfNeeded: random.next()) }
      }
      add("flat", height: max(least, 9)) { bytes, row in
        for place in 0..<row * max(least, 9) { bytes[place] = UInt8(7 + place % (4 * format.bytes)) }
      }
      let height = max(least, chunk + 2)
      add("low noise", height: height) { bytes, row in
        for place in 0..<row * height where place % format.bytes == 0 {
          bytes[place] = UInt8(truncatingIfNeeded: random.next() & 3)
        }
      }
      // Differences of which each is about as often met as the next two together.
      add("rare codes", height: height) { bytes, row in
        for place in 0..<row * height {
          var step: UInt8 = 0
          while step < 30, random.next() % 1000 >= 382 { step += 1 }
          bytes[place] = step &+ (place < row ? 0 : bytes[place - row])
        }
      }
    }
    return cases
  }

  /// Returns cases of TIFF and OpenEXR, in more than one chunk: light with noise, and what is measured of it.
  private static func deflatedLines(pixels: Int) -> [VerificationCase] {
    // Neither rows nor chunks are whole words; of wide rows a part that is measured has several pixels.
    let width = 211, wide = 523
    return [3, 4].flatMap { channels in
      let lines: [(name: String, line: DeflateLine, measurement: Measurement?)] = [
        ("TIFF, 16 bits", .tiff(TIFFLine(.integers, width: width, channels: channels)), .pq(bound: 60_000)),
        ("TIFF, halves", .tiff(TIFFLine(.halves, width: width, channels: channels)), .halves(bound: 0x3c00)),
        ("TIFF, floats", .tiff(TIFFLine(.floats, width: width, channels: channels)), .planes(3, bound: 1)),
        ("OpenEXR", .exr(EXRLine(width: wide, channels: channels)), .halves(bound: 0x4000)),
      ]
      return lines.enumerated().map { number, one in
        let width = one.line.width, height = max(pixels / width, one.line.chunkRows + 2)
        let light = TestPictures.lightHalves(width: width, height: height, peak: 4, seed: 93 + UInt64(number))
        let plan =
          switch one.name {
          case "TIFF, 16 bits": plan(light, sink: .rgba16) { _ in [] }
          case "TIFF, floats": Plan.copying(light.floats(channels: channels))
          default: Plan.copying(light)
          }
        return VerificationCase(
          name: "deflate \(one.name), \(channels) channels", plan: plan,
          compared: .rows(DeflateCoding(DeflateLayout(one.line, height: height)), measuring: one.measurement))
      }
    }
  }
}

extension SampleImage {
  /// Returns interleaved halves R G B A as planes of binary32.
  fileprivate func floats(channels count: Int) -> SampleImage {
    let made = SampleImage.planar(
      width: width, height: height, model: .rgb, format: .float32, bitDepth: 32, hasAlpha: count == 4)
    for (from, to) in zip(channels + [alpha].compactMap(\.self), made.channels + [made.alpha].compactMap(\.self)) {
      for y in 0..<height {
        for x in 0..<width {
          let half = (from.buffer.base + from.offset + y * from.rowBytes + x * from.stepBytes).load(as: UInt16.self)
          (to.buffer.base + to.offset + y * to.rowBytes + 4 * x).storeBytes(
            of: E32.float(half: UInt32(half)), as: Float.self)
        }
      }
    }
    return made
  }
}
