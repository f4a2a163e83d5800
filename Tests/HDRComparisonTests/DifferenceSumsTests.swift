import HDRComparison
import HDRCore
import HDRRecipe
import TestSupport
import Testing

/// Sums, percentiles and tiles of differences.
@Suite struct DifferenceSumsTests {
  /// Sums of a plane whose first row is at a row of the picture.
  private func sums(width: Int, height: Int, top: Int = 0, rows: Range<Int>? = nil, _ value: (Int, Int) -> Double)
    -> DifferenceSums
  {
    let image = LightPicture.planes(width: width, height: height, channels: 1) { x, y in [value(x, y)] }
    var sums = DifferenceSums()
    sums.add(image.channels[0], rows: rows ?? 0..<height, top: top)
    return sums
  }

  @Test(
    "bins are 256 of one value, then 128 an octave",
    arguments: [
      (0, 0, 0), (255, 255, 255), (256, 256, 257), (257, 256, 257), (258, 257, 259), (511, 383, 511), (512, 384, 515),
      (515, 384, 515), (516, 385, 519), (1023, 511, 1023), (1024, 512, 1031), (65_535, 1279, 65_535),
      (1_048_575, 1791, 1_048_575),
    ] as [(UInt32, Int, UInt32)])
  func binsFollowTheRule(steps: UInt32, bin: Int, edge: UInt32) {
    #expect(DifferenceSums.bin(steps) == bin)
    #expect(DifferenceSums.edge(bin) == edge)
  }

  @Test("each bin begins where the one before ends")
  func binsLeaveNoGap() {
    for bin in 1..<DifferenceSums.binCount {
      #expect(DifferenceSums.bin(DifferenceSums.edge(bin - 1) + 1) == bin)
    }
  }

  @Test func percentilesAreUpperEdgesOfTheNearestRank() {
    let values = [0.249, 0.25, 0.251, 0.5, 1, 2, 100, 719.9]
    let sums = sums(width: 8, height: 1) { x, _ in values[x] }
    #expect(sums.sum == 843_930)
    #expect(sums.squares == 553_922_865_318)
    #expect(sums[.p50] == 0.5029296875)
    #expect(sums[.p95] == 719.900390625)
    #expect(sums[.max] == 719.900390625)
    #expect(sums[.tile] == nil)
  }

  @Test func differencesBeyondTheLargestCountAsIt() {
    let sums = sums(width: 3, height: 1) { x, _ in [1023.9995, 1024, 5000][x] }
    #expect(sums[.mean].map { abs($0 - 1023.99902344) < 1e-8 } == true)
    #expect(sums.squares == 3_298_528_591_875)
    #expect(sums.bins[1791] == 3)
  }

  @Test("rows in any order have the same sums, the first of the largest and of the tiles")
  func orderDoesNotCount() {
    func value(_ x: Int, _ y: Int) -> Double { Double((x * 37 + y * 91) % 64) / 3 }
    let whole = sums(width: 50, height: 75, value)
    var parts = DifferenceSums()
    for rows in [48..<75, 16..<48, 0..<16] { parts.merge(sums(width: 50, height: 75, rows: rows, value)) }
    #expect(parts == whole)
    var again = DifferenceSums()
    for first in [64, 0, 32] {
      again.merge(
        sums(width: 50, height: min(32, 75 - first), top: first) { x, y in value(x, y + first) })
    }
    #expect(again == whole)
    let most = whole.most
    #expect(most?.steps == UInt32(21 * 1024))
    #expect(most.map { value($0.x, $0.y) } == 21)
  }

  @Test("squares of 16 pixels find a broken one; rests of 8 pixels count")
  func tilesCount() {
    func tile(_ width: Int, _ height: Int) -> DifferenceSums.Tile? {
      sums(width: width, height: height) { x, y in x + 1 == width && y + 1 == height ? 6 : 0 }.tile
    }
    #expect(tile(7, 7) == nil)
    #expect(tile(15, 16)?.count == 15 * 16)
    #expect(tile(32, 24)?.y == 16)
    #expect(tile(32, 24)?.count == 16 * 8)
    // A rest of 7 pixels does not count.
    #expect(tile(39, 16)?.sum == 0)
  }

  @Test(
    .enabled(if: SharedData.url("specs/compare-vectors.json") != nil, "skipped: no data"))
  func sumsAreThoseOfTheVectors() throws {
    let group = try #require(SharedData.json("specs/compare-vectors.json")?["aggregation"] as? [String: Any])
    for row in try #require(group["bin_of_k"] as? [[Int]]) {
      #expect(DifferenceSums.bin(UInt32(row[0])) == row[1])
      #expect(DifferenceSums.edge(row[1]) == UInt32(row[2]))
    }
    let lists: [String: [Double]] = [
      "i/10 for i = 0...99": (0..<100).map { Double($0) / 10 },
      "19 zeros and one 50": [Double](repeating: 0, count: 19) + [50],
      "(i*i)/1000 for i = 0...999": (0..<1000).map { Double($0 * $0) / 1000 },
    ]
    for row in try #require(group["rows"] as? [[String: Any]]) {
      let text = try #require(row["dE"] as? String)
      let list =
        lists[text]
        ?? text.dropFirst().dropLast().split(separator: ",").compactMap {
          Double($0.filter { $0 != " " })
        }
      #expect(list.count == Int(row.number("n")))
      let sums = sums(width: list.count, height: 1) { x, _ in list[x] }
      // Differences are binary32, which moves some of them over a half.
      expectClose(Double(sums.sum), row.number("sum_k"), abs: 0, rel: lists[text] == nil ? 0 : 1e-7, text)
      expectClose(Double(sums.squares), row.number("sum_k2"), abs: 0, rel: lists[text] == nil ? 0 : 1e-7, text)
      for (aggregate, key) in [
        (Aggregate.mean, "mean"), (.rms, "rms"), (.p50, "p50"), (.p95, "p95"), (.p99, "p99"), (.p999, "p99_9"),
        (.max, "max"),
      ] {
        let tolerance = aggregate == .mean || aggregate == .rms ? 1e-7 : 0
        expectClose(try #require(sums[aggregate]), row.number(key), abs: tolerance, rel: tolerance)
      }
    }
  }
}
