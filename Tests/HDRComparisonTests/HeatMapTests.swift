import CPURender
import HDRComparison
import HDRCore
import HDRRecipe
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

  @Test("differences of fine metrics have the colours of 32 times as large ones")
  func fineDifferencesHaveTheScale() {
    for difference in [0, 0.01, 0.1, 0.5, 0.9, 1.5] {
      #expect(HeatMap.color(difference, isFine: true) == HeatMap.color(32 * difference))
    }
  }

  @Test(
    "each metric of pixels has a map whose largest difference is its own, and worst parts",
    arguments: [Metric.deltaITP, .deltaSeen, .flip, .delta2000, .deltaOK])
  func metricsHaveMaps(metric: Metric) throws {
    func picture(_ spot: Double) -> SampleImage {
      LightPicture.light(width: 90, height: 150) { x, y in
        (70..<80).contains(x) && (100..<110).contains(y) ? [spot, 60, 30] : [50, 60, 70]
      }
    }
    let pool = BandPool(threads: 2)
    defer { pool.close() }
    let found = LightComparison(
      picture(50), picture(150), [metric], isSDR: true, drawn: metric, draws: true, crops: 1, pool: pool,
      bandPixels: 90 * 32
    ) { CPUBackend.best.render($0, pool: pool).image }
    let map = try #require(found.map), numbers = try #require(found.values[metric]?.pixels)
    let most = try #require(numbers.most), crop = try #require(found.crops.first)
    #expect(map.width == 90 && map.height == 150 && map[0, 0] == 0)
    #expect(map[most.x, most.y] == numbers.numbers[.max] && map[most.x, most.y] > 0.01)
    #expect((crop.x...crop.x + 64).contains(75) && (crop.y...crop.y + 64).contains(105))
    #expect(crop.mean == numbers.numbers[.tile])
    // The file is the map with the colours of its differences.
    let file = try decodeImage(try map.png()).image.channels[2]
    let byte = (file.buffer.base + file.offset + most.y * file.rowBytes + most.x * file.stepBytes).load(as: UInt8.self)
    #expect(abs(Int(byte) - Int(HeatMap.color(map[most.x, most.y], isFine: metric.isFine)[2])) <= 1)
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
