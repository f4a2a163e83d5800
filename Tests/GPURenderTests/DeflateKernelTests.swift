import GPURender
import HDRCore
import HDRPlan
import Kernels
import SPIRVExecutor
import Testing

/// Rows that kernels deflate, in the executor and on devices: the bytes of the twin, which other readers inflate
/// (`DeflateChunkTests`).
@Suite struct DeflateKernelTests {
  struct Case: CustomStringConvertible {
    var width: Int
    var height: Int
    var bytes = 2
    var keepsAlpha = false
    /// The bits of noise in each byte.
    var noise: UInt8 = 255
    var description: String { "\(width)x\(height), \(8 * bytes) bits\(keepsAlpha ? ", alpha" : ""), noise \(noise)" }

    var image: SampleImage {
      let image = SampleImage.interleaved(
        width: width, height: height, channelCount: 4, format: bytes == 2 ? .uint16 : .uint8, bitDepth: 8 * bytes)
      var random = SplitMix64(seed: UInt64(width * 31 + height))
      for place in 0..<image.channels[0].buffer.byteCount {
        let value = UInt8(truncatingIfNeeded: place / 700) & ~noise | UInt8(truncatingIfNeeded: random.next()) & noise
        (image.channels[0].buffer.base + place).storeBytes(of: value, as: UInt8.self)
      }
      return image
    }

    var coding: DeflateCoding {
      DeflateCoding(DeflateLayout(PNGLine(width: width, sampleBytes: bytes, keepsAlpha: keepsAlpha), height: height))
    }
  }

  static let small: [Case] = [(1, 1), (2, 1), (1, 9), (7, 5), (33, 40), (683, 1), (682, 3), (1366, 97)].enumerated()
    .flatMap { index, size in
      [UInt8(255), 3, 0].enumerated().map { number, noise in
        Case(
          width: size.0, height: size.1, bytes: (index + number) % 3 == 0 ? 1 : 2,
          keepsAlpha: (index + number) % 2 == 0,
          noise: noise)
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
    arguments: [1 << 12, 1 << 21, 1 << 26])
  func kernelsWriteTheBytesOfTheTwin(bandBytes: Int) throws {
    for (name, variant) in SPIRVRendererTests.variants {
      let renderer = try SPIRVRenderer(variant: variant, bandBytes: bandBytes)
      try Self.compare(bandBytes == 1 << 26 ? Self.small : Self.small.suffix(3), name) { try renderer.deflate($0, $1) }
    }
  }

  @Test("what is measured beside is what is measured of pixels")
  func lightIsMeasured() throws {
    let one = Case(width: 141, height: 83, noise: 63), image = one.image, measurement = Measurement.pq(bound: 65_535)
    let made = try SPIRVRenderer(bandBytes: 1 << 12).deflate(.copying(image), one.coding, measuring: measurement)
    #expect(made.sums == measurement.sums(of: image))
  }

  @Test(.enabled(if: Lavapipe.isPresent, "skipped: no llvmpipe")) func aDeviceWritesTheBytesOfTheTwin() throws {
    let renderer = try #require(Lavapipe.renderer)
    let large = [
      Case(width: 1009, height: 613, noise: 15), Case(width: 50_000, height: 7), Case(width: 3, height: 9000, noise: 1),
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
