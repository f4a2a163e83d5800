import CPURender
import HDRComparison
import HDRCore
import ImageFiles
import Testing

/// Enlarged parts of two pictures where they differ most.
@Suite struct WorstCropTests {
  private func crops(
    _ width: Int, _ height: Int, _ number: Int, bandPixels: Int = 1 << 19, spots: [(x: Int, y: Int, nits: Double)]
  ) -> [WorstCrop] {
    func picture(_ isB: Bool) -> SampleImage {
      LightPicture.light(width: width, height: height) { x, y in
        let spot = isB ? spots.first { abs($0.x - x) < 4 && abs($0.y - y) < 4 } : nil
        return Array(repeating: spot?.nits ?? 100, count: 3)
      }
    }
    let pool = BandPool(threads: 2)
    defer { pool.close() }
    return LightComparison(
      picture(false), picture(true), [.deltaSeen], crops: number, pool: pool, bandPixels: bandPixels
    ) { CPUBackend.best.render($0, pool: pool).image }.crops
  }

  private func places(_ crops: [WorstCrop]) -> [[Int]] { crops.map { [$0.x, $0.y] } }

  @Test("parts lie around the worst squares, the worst first, and do not overlap")
  func partsAreThoseThatDifferMost() {
    let spots = [
      (x: 40, y: 40, nits: 300.0), (x: 200, y: 100, nits: 600), (x: 216, y: 108, nits: 500), (x: 3, y: 180, nits: 200),
    ]
    let found = crops(256, 192, 8, spots: spots)
    // The square of 16 x 16 with 200, 100 begins at 192, 96; the next one lies in the same part.
    #expect(places(found) == [[168, 72], [8, 8], [0, 128]])
    #expect(zip(found, found.dropFirst()).allSatisfy { $0.mean > $1.mean })
    #expect(places(crops(256, 192, 1, spots: spots)) == [[168, 72]])
    // Bands change nothing.
    #expect(places(crops(256, 192, 8, bandPixels: 256 * 16, spots: spots)) == places(found))
  }

  @Test("equal pictures have no parts, and small ones are drawn whole")
  func smallPicturesAreWhole() throws {
    #expect(crops(64, 64, 3, spots: []).isEmpty)
    let small = try #require(crops(7, 5, 3, spots: [(x: 1, y: 1, nits: 400)]).first)
    #expect([small.x, small.y, small.width, small.height] == [0, 0, 7, 5])
  }

  @Test("a part shows A, B and the heat map beside each other, as bright as its peak allows")
  func partsShowBoth() throws {
    let crop = try #require(crops(128, 128, 1, spots: [(x: 72, y: 72, nits: 812)]).first)
    #expect(abs(crop.exposure - 0.25) < 1e-6)
    let image = try decodeImage(try crop.png()).image, part = 64 * WorstCrop.zoom
    #expect(image.width == 3 * part + 2 * WorstCrop.gap && image.height == part)
    func color(_ x: Int, _ y: Int) -> [UInt8] {
      image.channels.prefix(3).map { plane in
        (plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes).load(as: UInt8.self)
      }
    }
    let middle = part / 2
    // 100 cd/m² at a quarter, and the peak, which is white.
    let grey = UInt8((255 * Transfer.sRGBEncode(100 / 812)).rounded())
    #expect(color(middle, middle) == [grey, grey, grey])
    #expect(color(part + WorstCrop.gap + middle, middle) == [255, 255, 255])
    #expect(color(2 * (part + WorstCrop.gap) + middle, middle) == [255, 255, 255])
    #expect(color(2 * (part + WorstCrop.gap), 0) == [0, 0, 0])
  }
}
