import HDRCore
import Testing

/// Figures by which items wait, processes are bounded and rings are made. They change on purpose only.
@Suite struct MemoryNeedTests {
  static let jpeg = MemoryNeed.Source(pixels: 12_000_000, mapPixels: 0, pixelBytes: 3, fileBytes: 5_000_000)

  @Test func anItemNeedsMemoryForItsPixelsAndWork() {
    #expect(MemoryNeed.item(Self.jpeg, .init()) == 16 << 20 + 12_000_000 * 22 + 10_000_000)
    var heic = Self.jpeg
    heic.pixelBytes = 6
    #expect(MemoryNeed.item(heic, .init(isVideo: true)) == 602_777_216)
    var ultra = Self.jpeg
    (ultra.pixels, ultra.mapPixels) = (15_000_000, 3_000_000)
    #expect(MemoryNeed.item(Self.jpeg, .init(isWide: true)) == 16 << 20 + 12_000_000 * 38 + 10_000_000)
    let all = MemoryNeed.Work(hasEdits: true, isAdaptive: true, isVideo: true)
    #expect(MemoryNeed.item(ultra, all) == 1_226_777_216)
    #expect(MemoryNeed.item(ultra, all, sources: 2) == 2_453_554_432)
    #expect(MemoryNeed.batch(allotted: nil) == 1_288_490_184 && MemoryNeed.batch(allotted: 1000) == 600)
  }

  @Test("a judged file has the memory of a comparison's metrics: bands for each thread, halves, and gains of both maps")
  func judging() {
    func metrics(_ hasBands: Bool, _ hasHalves: Bool, _ hasGains: Bool) -> MemoryNeed.Metrics {
      MemoryNeed.Metrics(
        width: 4000, height: 3000, threads: 2, hasBands: hasBands, hasHalves: hasHalves, hasGains: hasGains)
    }
    func more(_ metrics: MemoryNeed.Metrics, isAdaptive: Bool = false) -> Int {
      var work = MemoryNeed.Work(isAdaptive: isAdaptive)
      let without = MemoryNeed.item(Self.jpeg, work)
      work.judging = metrics
      return MemoryNeed.item(Self.jpeg, work) - without
    }
    let pixels = 12_000_000, window = 48 << 20, bands = 2 * 84 * 4000 * 64
    #expect(more(metrics(false, false, false)) == 44 * pixels)
    #expect(more(metrics(true, true, false)) == 52 * pixels + window + bands)
    // A map that is made may have all pixels of its picture.
    #expect(more(metrics(false, false, true), isAdaptive: true) == 68 * pixels + window)
    #expect(more(metrics(false, false, true)) == 44 * pixels + window)
    var ultra = Self.jpeg
    (ultra.pixels, ultra.mapPixels) = (15_000_000, 3_000_000)
    let all = MemoryNeed.comparison(ultra, metrics(true, true, true))
    let none = MemoryNeed.comparison(ultra, metrics(false, false, false))
    #expect(all - none == 8 * pixels + 24 * 3_000_000 + window + bands)
    ultra.pixels = .max
    #expect(MemoryNeed.comparison(ultra, metrics(true, true, true)) == .max)
  }

  /// docs/isolation.md#limits.
  @Test func codecProcessLimitsFollowBytesAndNeverOverflow() {
    #expect(MemoryNeed.reading(fileBytes: 5_000_000) == 96 << 20 + 10_000_000)
    #expect(MemoryNeed.decoding(bytes: 72_000_000, fileBytes: 5_000_000) == 512 << 20 + 4 * 77_000_000)
    #expect(MemoryNeed.decoding(bytes: 0, fileBytes: 0, threads: 3) == 512 << 20 + 2 * 72 << 20)
    #expect(MemoryNeed.encoding(bytes: 96_000_000) == 512 << 20 + 16 * 96_000_000)
    #expect(MemoryNeed.encoded(bytes: 96_000_000) == 64 << 20 + 192_000_000)
    #expect(MemoryNeed.retirement(first: 101) == 512 << 20 + 150)
    #expect(MemoryNeed.arena(maxPixels: 1) == 256 << 20)
    #expect(MemoryNeed.arena(maxPixels: 1 << 28) == 4 << 30)
    #expect(MemoryNeed.arena(maxPixels: .max) == 1 << 40)
    // What an attacker declares never wraps around.
    #expect(MemoryNeed.decoding(bytes: Int.max, fileBytes: 1) == Int.max)
    #expect(MemoryNeed.decoding(bytes: 1, fileBytes: 1, work: Int.max) == Int.max)
    #expect(MemoryNeed.encoding(bytes: 1 << 60) == Int.max)
  }

  @Test("JPEG XL has what libjxl takes of a picture of 24 megapixels, in its process and in the budget")
  func ofJPEGXL() {
    let image = SampleImage(
      width: 5968, height: 3979, model: .rgb, format: .uint16, bitDepth: 16, chroma: .s444, channels: [])
    let color = SourceColor(matrix: 0, fullRange: true, encoding: .cicp(primaries: 9, transfer: 16))
    func source(_ format: FileFormat) -> SourceImage {
      SourceImage(format: format, image: image, color: color, geometry: Geometry(width: 5968, height: 3979))
    }
    let work = MemoryNeed.decoder(of: source(.jxl)), bytes = MemoryNeed.samples(of: image)
    #expect(MemoryNeed.decoder(of: source(.png)) == 0)
    // Measured: 1.41 GB.
    #expect(MemoryNeed.decoding(bytes: bytes, fileBytes: 0) < 1_410_000_000)
    #expect(MemoryNeed.decoding(bytes: bytes, fileBytes: 0, work: work) > 1_410_000_000)
    let item = MemoryNeed.Source(
      pixels: image.pixelCount, mapPixels: 0, pixelBytes: 6, fileBytes: 0, workBytes: work)
    #expect(MemoryNeed.item(item, .init()) > 1_410_000_000)
  }

  @Test func samplesNeedBytesByFormatAndChroma() {
    let grey = SampleImage.planar(width: 64, height: 48, model: .grey, format: .uint8, bitDepth: 8)
    let video = SampleImage.planar(
      width: 64, height: 48, model: .ycc, format: .uint16, bitDepth: 10, chroma: .s420)
    #expect(MemoryNeed.samples(of: grey) == 2 * 64 * 48 && MemoryNeed.samples(of: video) == 5 * 64 * 48)
    #expect(MemoryNeed.pixel(of: grey) == 3 && MemoryNeed.pixel(of: video) == 6)
  }

  @Test func gpuMemoryFollowsTheHeapWithinBounds() {
    #expect(MemoryNeed.ring(heap: nil) == 64 << 20 && MemoryNeed.ring(heap: 140 << 30) == 2 << 30)
    // A large card in a large machine, in a small one, and beside another program.
    #expect(MemoryNeed.ring(heap: 80 << 30, host: 128 << 30) == 20 << 30)
    #expect(MemoryNeed.ring(heap: 80 << 30, host: 16 << 30) == 4 << 30)
    #expect(MemoryNeed.ring(heap: 80 << 30, free: 3 << 30, host: 128 << 30) == 3 << 29)
    #expect(MemoryNeed.ring(heap: 80 << 30, free: 0) == 64 << 20 && MemoryNeed.ring(heap: 8 << 20, free: 0) == 2 << 20)
    #expect(MemoryNeed.bands(ring: 2 << 30) == 1 << 30 && MemoryNeed.largestBand(ring: 2 << 30) == 256 << 20)
    #expect(MemoryNeed.largestBand(ring: 0) == 1 << 16)
    // An Adaptive JPEG of 12.5 megapixels stays on a card of 1 GiB, 12 on one of 8 GiB.
    let card = MemoryNeed.ring(heap: 1 << 30, free: 1 << 30, host: 16 << 30), picture = 14 * 12_500_000
    #expect(MemoryNeed.heldPlanes(ring: card, free: 1 << 30) >= picture)
    #expect(MemoryNeed.heldPlanes(ring: MemoryNeed.ring(heap: 8 << 30), free: 8 << 30) >= 12 * picture)
    #expect(MemoryNeed.heldPlanes(ring: 64 << 20, free: 0) == 0)
    #expect(MemoryNeed.slots(jobs: 1) == 4 && MemoryNeed.slots(jobs: 16) == 18)
    #expect(MemoryNeed.tables(ring: 2 << 30) == 512 << 20 && MemoryNeed.tables(ring: 0) == 1 << 20)
  }

  @Test("halves of light and planes of gains of 12 MP are kept between items, for an item for each 2 GiB")
  func intermediatesAreKept() {
    for gibibytes in [2, 16, 64, 1024] {
      #expect(MemoryNeed.keptPictures(ofBatch: gibibytes << 30) >= gibibytes / 2 * 20 * 4080 * 3072)
    }
  }
}
