import CPURender
import HDRComparison
import HDRCore
import ImageFiles
import Testing

/// Pictures of where two renditions differ.
@Suite struct HeatMapTests {
  @Test(
    "colours are those of the scale, and lie between two of it",
    arguments: [
      (0, [0, 0, 0]), (0.5, [0, 0, 128]), (1, [0, 0, 255]), (3, [0, 255, 128]), (16, [255, 0, 0]),
      (24, [255, 128, 128]),
      (32, [255, 255, 255]), (700, [255, 255, 255]),
    ] as [(Double, [UInt8])])
  func colorsFollowTheScale(difference: Double, color: [UInt8]) {
    #expect(HeatMap.color(difference) == color)
  }

  @Test("a map shows the largest difference of each square where it is")
  func mapsShowPlaces() throws {
    func picture(_ spot: Double) -> SampleImage {
      LightPicture.light(width: 2100, height: 40) { x, y in
        (1200..<1210).contains(x) && (20..<30).contains(y) ? [spot, spot, spot] : [100, 100, 100]
      }
    }
    let pool = BandPool(threads: 2)
    defer { pool.close() }
    let found = LightComparison(picture(100), picture(400), [.deltaSeen], draws: true, pool: pool) {
      CPUBackend.best.render($0, pool: pool).image
    }
    let map = try #require(found.map)
    #expect(map.width == 1050 && map.height == 20)
    #expect(map[0, 0] == 0)
    #expect(map[602, 12] == found.values[.deltaSeen]?[.max])
    #expect(map[602, 12] > 30)
    // The file is the map above its legend, of the same colours.
    let file = try decodeImage(try map.png())
    #expect(file.image.width == 1050 && file.image.height == 20 + HeatMap.legendRows)
    let plane = file.image.channels[0]
    let pixel = plane.buffer.base + plane.offset + 12 * plane.rowBytes + 602 * plane.stepBytes
    #expect(pixel.load(as: UInt8.self) == HeatMap.color(map[602, 12])[0])
  }
}
