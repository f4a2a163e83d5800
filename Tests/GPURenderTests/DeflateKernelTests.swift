import GPURender
import HDRCore
import HDRPlan
import Kernels
import SPIRVExecutor
import Testing

/// Rows that kernels deflate, in the executor and on devices: the bytes of the twin, which other readers inflate
/// (`DeflateChunkTests`).
@Suite struct DeflateKernelTests {
  enum Format: CaseIterable {
    case png8, png16, integers, halves, floats, exr

    var samples: SampleFormat {
      switch self {
      case .png8: .uint8
      case .png16, .integers: .uint16
      case .halves, .exr: .float16
      case .floats: .float32
      }
    }
  }

  struct Case: CustomStringConvertible {
    var width: Int
    var height: Int
    var format = Format.png16
    var keepsAlpha = false
    /// The bits of noise in each byte.
    var noise: UInt8 = 255
    var description: String { "\(width)x\(height), \(format)\(keepsAlpha ? ", alpha" : ""), noise \(noise)" }

    var image: SampleImage {
      let samples = format.samples
      let image =
        samples == .float32
        ? SampleImage.planar(
          width: width, height: height, model: .rgb, format: samples, bitDepth: 32, hasAlpha: keepsAlpha)
        : SampleImage.interleaved(
          width: width, height: height, channelCount: 4, format: samples, bitDepth: 8 * samples.bytes)
      var random = SplitMix64(seed: UInt64(width * 31 + height))
      for plane in samples == .float32 ? image.channels + [image.alpha].compactMap(\.self) : [image.channels[0]] {
        for place in 0..<plane.buffer.byteCount {
          var value = UInt8(truncatingIfNeeded: place / 700) & ~noise | UInt8(truncatingIfNeeded: random.next()) & noise
          // Numbers from 0 to 1, alpha among them; of planes also negative ones and zeros of either sign.
          if !samples.isInteger, place % samples.bytes == samples.bytes - 1 {
            value = value & 0x39 | (samples == .float32 ? 0x38 : 0)
          }
          (plane.buffer.base + place).storeBytes(of: value, as: UInt8.self)
        }
        if samples == .float32 {
          for place in stride(from: 0, to: plane.buffer.byteCount, by: 4) where random.next() & 7 == 0 {
            let bits: UInt32 = random.next() & 1 == 0 ? 0x8000_0000 : 0xbf12_3456
            (plane.buffer.base + place).storeBytes(of: bits, as: UInt32.self)
          }
        }
      }
      return image
    }

    var coding: DeflateCoding {
      let channels = keepsAlpha ? 4 : 3
      let line: DeflateLine =
        switch format {
        case .png8, .png16:
          .png(PNGLine(width: width, sampleBytes: format.samples.bytes, keepsAlpha: keepsAlpha))
        case .integers: .tiff(TIFFLine(.integers, width: width, channels: channels))
        case .halves: .tiff(TIFFLine(.halves, width: width, channels: channels))
        case .floats: .tiff(TIFFLine(.floats, width: width, channels: channels))
        case .exr: .exr(EXRLine(width: width, channels: channels))
        }
      return DeflateCoding(DeflateLayout(line, height: height))
    }
  }

  static let small: [Case] = [(1, 1), (2, 1), (1, 9), (7, 5), (33, 40), (683, 1), (682, 3), (1366, 49)].enumerated()
    .flatMap { index, size in
      Format.allCases.enumerated().map { number, format in
        Case(
          width: size.0, height: size.1, format: format, keepsAlpha: (index + number) % 2 == 0,
          noise: [255, 3, 0][(index + number) % 3])
      }
    }

  static func compare(_ cases: [Case], _ name: String, _ deflate: (Plan, DeflateCoding) throws -> DeflatedPicture)
    throws
  {
    for one in cases {
      let image = one.image, made = try deflate(.copying(image), one.coding)
      #expect(made.rows == one.coding.rows(of: image), "\(one), \(name)")
    }
  }

  @Test(
    "kernels write the deflated bytes of the twin, whatever the height of bands",
    arguments: [1 << 12, 1 << 20, 1 << 26])
  func kernelsWriteTheBytesOfTheTwin(bandBytes: Int) throws {
    for (name, variant) in SPIRVRendererTests.variants {
      let renderer = try SPIRVRenderer(variant: variant, bandBytes: bandBytes)
      try Self.compare(bandBytes == 1 << 26 ? Self.small : Self.small.suffix(6), name) { try renderer.deflate($0, $1) }
    }
  }

  @Test("what is measured beside is what is measured of pixels")
  func lightIsMeasured() throws {
    for (format, measurement) in [
      (Format.png16, Measurement.pq(bound: 65_535)), (.integers, .pq(bound: 40_000)), (.halves, .halves(bound: 0x3880)),
      (.exr, .halves(bound: 0x3901)), (.floats, .planes(3, bound: 0x1p-13)),
    ] {
      let one = Case(width: 141, height: 83, format: format, noise: 63), image = one.image
      let made = try SPIRVRenderer(bandBytes: 1 << 12).deflate(.copying(image), one.coding, measuring: measurement)
      let expected = measurement.sums(of: image)
      #expect(made.sums == expected && made.rows == one.coding.rows(of: image), "\(format)")
      if format != .png16 { #expect(expected.atBound > 0 && expected.atBound < image.pixelCount, "\(format)") }
    }
  }

  @Test("halves are measured of pictures that are deflated, negative ones and no numbers as 0")
  func halvesAreMeasured() throws {
    let image = SampleImage.interleaved(width: 3, height: 1, channelCount: 4, format: .float16, bitDepth: 16)
    let words = image.channels[0].buffer.base.assumingMemoryBound(to: UInt16.self)
    let pixels = [[0xbc00, 0x3c00, 0, 0x7bff], [0x7e00, 0x2c00, 0x4000, 0], [0xfe00, 0xfc00, 0x8000, 0]]
    for (index, word) in pixels.joined().enumerated() { words[index] = UInt16(word) }
    let measurement = Measurement.halves(bound: 0x3c00), sums = measurement.sums(of: image)
    #expect(sums.extremes == [0x4000] && sums.atBound == 2)
    let renderer = try SPIRVRenderer(), light = Case(width: 141, height: 83, format: .halves).image
    #expect(throws: GPUError.self) { try renderer.render(.copying(light), measuring: measurement) }
    #expect(try renderer.measure(.copying(light), measurement) == measurement.sums(of: light))
  }

  @Test("planes of floats with another number of channels than their rows are refused")
  func otherPlanesAreRefused() throws {
    let three = Case(width: 5, height: 3, format: .floats)
    let four = Case(width: 5, height: 3, format: .floats, keepsAlpha: true)
    let renderer = try SPIRVRenderer()
    #expect(throws: GPUError.self) { try renderer.deflate(.copying(three.image), four.coding) }
    #expect(throws: GPUError.self) { try renderer.deflate(.copying(four.image), three.coding) }
    #expect(throws: GPUError.self) { try renderer.deflate(.copying(Case(width: 5, height: 3).image), three.coding) }
  }

  @Test(.enabled(if: Lavapipe.isPresent, "skipped: no llvmpipe")) func aDeviceWritesTheBytesOfTheTwin() throws {
    let renderer = try #require(Lavapipe.renderer)
    let large = [
      Case(width: 1009, height: 613, noise: 15), Case(width: 50_000, height: 7), Case(width: 3, height: 9000, noise: 1),
      Case(width: 1009, height: 613, format: .exr, noise: 15), Case(width: 10_000, height: 70, format: .integers),
      Case(width: 3, height: 9000, format: .halves, noise: 1), Case(width: 509, height: 413, format: .floats, noise: 7),
    ]
    try Self.compare(Self.small + large, "lavapipe") { try renderer.deflate($0, $1) }
  }

  @Test("a head with numbers that no working device makes is refused")
  func impossibleHeadsAreRefused() throws {
    let coding = Case(width: 40, height: 24).coding
    let band = DeflateBand(coding.layout, .pq(bound: 65_535), alignment: 256)
    func isRead(_ place: Int, _ word: UInt32) -> Bool {
      let output = PixelBuffer(byteCount: band.byteCount), words = output.base.assumingMemoryBound(to: UInt32.self)
      words[0] = UInt32(DeflateCodes.headBits + 100)
      words[place] = word
      return band.head(output.base) != nil
    }
    #expect(isRead(1, 65_520) && !isRead(1, 65_521) && isRead(2, 65_520) && !isRead(2, 65_521))
    let most = UInt32(8 * DeflateChunkCoder.mostBytes(coding.layout.chunkBytes))
    #expect(isRead(0, most) && !isRead(0, most + 64) && !isRead(0, .max) && !isRead(0, UInt32(DeflateCodes.headBits)))
    // More light than a code of 16 bits has.
    #expect(isRead(64, 65_535) && !isRead(64, 65_536))
  }
}
