import HDRComparison
import HDRCore
import HDRRecipe
import HDRRender
import Testing

/// Pairs of pictures that are small, black, grey or of other depths.
@Suite struct OddPairTests {
  static let backends = try! RenderBackends(.cpu, device: nil, threads: 2)

  /// Makes a picture of integers, PQ in BT.2020, from signals of 0...1.
  private func picture(
    _ width: Int, _ height: Int, depth: Int = 16, model: ColorModel = .rgb, _ signal: (Int, Int) -> [Double]
  ) -> ComparedFile {
    let format = depth > 8 ? SampleFormat.uint16 : .uint8, largest = Double((1 << depth) - 1)
    let image = SampleImage.planar(width: width, height: height, model: model, format: format, bitDepth: depth)
    for y in 0..<height {
      for x in 0..<width {
        for (plane, value) in zip(image.channels, signal(x, y)) {
          let at = plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes
          let code = (value * largest).rounded()
          if depth > 8 {
            at.storeBytes(of: UInt16(code), as: UInt16.self)
          } else {
            at.storeBytes(of: UInt8(code), as: UInt8.self)
          }
        }
      }
    }
    return ComparedFile(
      FilePath("picture"),
      SourceImage(
        format: .png, image: image,
        color: SourceColor(
          matrix: 0, fullRange: true, encoding: .cicp(primaries: 9, transfer: 16), cicp: CICP(9, 16, 0, full: true)),
        geometry: Geometry(width: width, height: height)))
  }

  private func compare(
    _ a: ComparedFile, _ b: ComparedFile, _ metrics: Set<Metric> = Set(Metric.allCases), accept: String? = nil
  ) throws -> PairComparison {
    var options = ComparisonOptions(metrics: metrics)
    options.accept = try accept.map { try AcceptExpression($0) }
    return try PairComparison(a, b, options, on: Self.backends)
  }

  @Test(
    "pictures of any small size are compared, and squares of 8 pixels or more have a tile",
    arguments: [(1, 1, false), (7, 7, false), (15, 16, true), (8, 1, false)])
  func smallPicturesAreCompared(width: Int, height: Int, hasTile: Bool) throws {
    let a = picture(width, height) { _, _ in [0.5, 0.5, 0.5] }
    let b = picture(width, height) { x, y in x == 0 && y == 0 ? [0.6, 0.5, 0.5] : [0.5, 0.5, 0.5] }
    let found = try compare(a, b)
    let pixels = try #require(found.renditions.last?.values[.deltaSeen]?.pixels)
    #expect(pixels.most?.x == 0 && pixels.most?.y == 0)
    #expect((pixels.numbers[.tile] != nil) == hasTile)
    #expect(found.words?.count == 1)
    #expect(try compare(a, a).isEqual)
  }

  @Test("black pictures are equal, and an expression about their hue rejects them")
  func blackHasNoHue() throws {
    let black = picture(16, 16) { _, _ in [0, 0, 0] }
    let found = try compare(black, black, accept: "hue == 0")
    let values = try #require(found.renditions.last?.values)
    #expect(values[.psnrPQ]?[nil] == .infinity && values[.hue] == nil && values[.bias]?[nil] == 0)
    #expect(found.isEqual)
    #expect(found.verdict?.code == "metric.unavailable")
  }

  @Test("grey is compared with RGB, and 8 bits with 16, in light and not in words")
  func otherShapesAreCompared() throws {
    func ramp(_ depth: Int, _ model: ColorModel) -> ComparedFile {
      picture(64, 16, depth: depth, model: model) { x, _ in Array(repeating: 0.3 + Double(x) / 255, count: 3) }
    }
    for (a, b) in [(ramp(16, .grey), ramp(16, .rgb)), (ramp(8, .rgb), ramp(16, .rgb))] {
      let found = try compare(a, b)
      #expect(found.words == nil && found.values[.words] == nil)
      // Half a code of 8 bits is 1.41.
      #expect((found.renditions.last?.values[.deltaITP]?[.max] ?? .nan) < 1.42)
    }
  }

  @Test("one sample of twelve million is found")
  func oneSampleIsFound() throws {
    let a = picture(4000, 1000) { _, _ in [0.4, 0.4, 0.4] }
    let b = picture(4000, 1000) { x, y in x == 3999 && y == 999 ? [0.4, 0.4, 0.9] : [0.4, 0.4, 0.4] }
    let found = try compare(a, b, [.words, .deltaITP], accept: "exact")
    #expect(found.words?.count == 1 && found.verdict?.code == "accept.rejected")
    let pixels = try #require(found.renditions.last?.values[.deltaITP]?.pixels)
    #expect(pixels.most?.x == 3999 && pixels.most?.y == 999 && pixels.numbers[.p999] == 0)
  }
}
