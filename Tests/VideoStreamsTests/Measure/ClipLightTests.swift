import Foundation
import HDRCore
import PlainData
import TestSupport
import Testing
import VideoStreams

/// The light of clips, against values in double precision.
@Suite struct ClipLightTests {
  static let hasVectors = SharedData.url("specs/video-vectors.json") != nil

  /// Four frames of a real clip by their numbers.
  private static func realFrames() throws -> [Int: FrameSums] {
    let text = try String(contentsOfFile: SharedData.small("clip-light.tsv"), encoding: .utf8)
    var frames: [Int: FrameSums] = [:]
    for row in text.split(separator: "\n").dropFirst() {
      let cells = row.split(separator: "\t")
      var sums = FrameSums()
      sums.largest = try #require(Int(cells[1]))
      sums.units = try #require(Int(cells[2]))
      for pair in cells[3].split(separator: " ") {
        let numbers = pair.split(separator: ":").compactMap { Int($0) }
        sums.histogram.counts[numbers[0]] = numbers[1]
      }
      frames[try #require(Int(cells[0]))] = sums
    }
    return frames
  }

  /// Frames of 100 x 200 pixels of a few codes each.
  private static let madeFrames: [FrameSums] = (0..<23).map { n in
    var random = SystemOfCodes(state: UInt64(n) + 1), sums = FrameSums()
    for _ in 0..<20 {
      let code = random.next() % 65_536
      sums.add(code: code, units: Int(ClipLight.light(ofCode: code) * 0x1p18), pixels: 1000)
    }
    // 100 rows of 200 pixels; one column is bright in some frames, and two rows are never.
    sums.edges = EdgeLight(
      rows: (0..<100).map { $0 < 2 ? 0 : 3000 }, columns: (0..<200).map { $0 == 199 && n % 5 > 0 ? 9 : 3000 })
    return sums
  }

  private struct SystemOfCodes {
    var state: UInt64
    mutating func next() -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33)
    }
  }

  private static func clip(_ frames: some Sequence<FrameSums>) throws -> ClipLight {
    try frames.reduce(into: ClipLight()) { try $0.append($1) }
  }

  @Test("light of frames is that of double precision", .enabled(if: hasVectors, "skipped: no ../shared/specs"))
  func lightOfFramesIsThatOfDoublePrecision() throws {
    let vectors = try #require(SharedData.json("specs/video-vectors.json"))
    let light = try #require((vectors["light"] as? [String: [String: Any]])?["pq-lossless.mkv"])
    let expected = try #require(light["frames"] as? [[String: Double]])
    for (number, sums) in try Self.realFrames() {
      let clip = try Self.clip([sums]), frame = clip.frames[0], values = expected[number]
      func isNear(_ value: Double, _ key: String) throws -> Bool {
        let wanted = try #require(values[key])
        return abs(value - wanted) <= 0.005 * wanted
      }
      #expect(try isNear(clip.largest, "max"))
      #expect(try isNear(clip.mean(frame), "mean"))
      #expect(try isNear(clip.p9999(frame), "p99.99"))
    }
    let frames = try Self.realFrames()
    let clip = try Self.clip([0, 11, 12, 13].compactMap { frames[$0] })
    #expect(clip.level() == ContentLightLevel(maxCLL: 3972, maxFALL: 43))
    let peak = try #require(clip.peak())
    #expect(abs(peak.light - 3929.5) < 0.005 * 3929.5 && peak.frame == 0)
    #expect(clip.level(usesPercentile: true)?.maxCLL == peak.light.rounded(.up))
    // Half the sum of differences of shares, at the cut and behind it.
    let cuts = try #require((vectors["cuts"] as? [String: [Double]])?["pq-lossless.mkv"])
    for (index, number) in [(2, 12), (3, 13)] {
      #expect(abs(Double(clip.frames[index].change) / Double(2 * clip.pixels) - cuts[number]) < 5e-4)
    }
  }

  @Test("segments that are appended in any grouping have the light of the whole clip")
  func segmentsHaveTheLightOfTheWhole() throws {
    let frames = Self.madeFrames, whole = try Self.clip(frames)
    for cuts in [[4, 9], [1, 2, 22], [0, 12, 12], [7]] {
      let bounds = [0] + cuts + [frames.count]
      let segments = try zip(bounds, bounds.dropFirst()).map { try Self.clip(frames[$0..<$1]) }
      var fromLeft = ClipLight(), fromRight = ClipLight()
      for segment in segments { try fromLeft.append(segment) }
      for segment in segments.reversed() {
        var joined = segment
        try joined.append(fromRight)
        fromRight = joined
      }
      #expect(fromLeft == whole && fromRight == whole)
    }
    #expect(whole.darkBorders == 2 * 200)
    #expect(try Self.clip(frames.prefix(5).dropFirst()).darkBorders == 2 * 200 + 98)
    var other = FrameSums()
    other.add(code: 1, units: 1)
    #expect(throws: DecodeError.self) {
      var clip = whole
      try clip.append(other)
    }
    #expect(whole.histogram.pixels == 23 * 20_000 && whole.frames[0].change == 0 && whole.frames[1].change > 0)
  }

  @Test("light that is written as JSON is read again, and numbers that contradict each other are refused")
  func lightIsWrittenAndRead() throws {
    for clip in [try Self.clip(Self.madeFrames), ClipLight()] {
      let text = clip.json.line
      #expect(try ClipLight(JSON(parsing: Array(text.utf8))) == clip)
    }
    let text = try Self.clip(Self.madeFrames.prefix(2)).json.line
    for (old, new) in [
      ("\"pixels\":20000", "\"pixels\":20001"), ("\"pixels\":20000", "\"pixels\":-1"),
      ("\"first\":[", "\"first\":[1,"), ("\"histogram\":[", "\"histogram\":[9223372036854775807,"),
      ("\"frames\"", "\"pictures\""), ("\"frames\":[[", "\"frames\":[[6"), ("\"rows\":[", "\"rows\":[1,"),
      ("\"last\":[", "\"last\":[0.5,"),
    ] {
      let changed = text.replacing(old, with: new)
      #expect(changed != text)
      #expect(throws: DecodeError.self, "\(new)") { try ClipLight(JSON(parsing: Array(changed.utf8))) }
    }
  }

  @Test("one pixel of ten thousand may be brighter than p99.99, and bins round by half a percent")
  func percentilesCountPixels() throws {
    let bright = 60_000, middle = 40_000
    for (count, isBright) in [(1, false), (2, true)] {
      var sums = FrameSums()
      sums.add(code: middle, units: 0, pixels: 10_000 - count)
      sums.add(code: bright, units: 0, pixels: count)
      let clip = try Self.clip([sums]), light = ClipLight.light(ofCode: isBright ? bright : middle)
      #expect(abs(clip.p9999(clip.frames[0]) / light - 1) < 0.005)
      // Without the dark pixels one is more than one of ten thousand.
      let half = clip.p9999(clip.frames[0], ignoring: 5000)
      #expect(abs(half / ClipLight.light(ofCode: bright) - 1) < 0.005)
    }
  }

  @Test("a black clip has no light level, and dark borders do not count")
  func darknessIsNoLight() throws {
    var black = FrameSums()
    black.add(code: 0, units: 0, pixels: 4)
    #expect(try Self.clip([black]).level() == nil && ClipLight().level() == nil && ClipLight().peak() == nil)
    let edges = EdgeLight(rows: [0, 1966, 9000, 3, 4000, 12], columns: [2000, 0, 0])
    let both = edges.merged(EdgeLight(rows: [0, 0, 0, 0, 0, 1967], columns: [0, 3000, 1966]))
    let area = try #require(both).activeArea
    #expect(edges.merged(EdgeLight(rows: [0], columns: [0, 3000, 1966])) == nil && edges.merged(nil) == nil)
    #expect(area == ActiveArea(rows: 2..<6, columns: 0..<2) && area.ignored(width: 3, height: 6) == 10)
    let dark = EdgeLight(rows: [0, 5], columns: [1966])
    #expect(dark.activeArea == ActiveArea(rows: 0..<2, columns: 0..<1))
    let borders = DolbyDisplay.Borders(left: 1, right: 2, top: 3, bottom: 4)
    #expect(ActiveArea(borders, width: 10, height: 9) == ActiveArea(rows: 3..<5, columns: 1..<8))
    #expect(ActiveArea(borders, width: 3, height: 9) == nil)
    // The mean is that of the pixels that count.
    var sums = FrameSums()
    sums.add(code: 0, units: 0, pixels: 3)
    sums.add(code: 33_000, units: 100 << 18, pixels: 1)
    let clip = try Self.clip([sums])
    #expect(clip.mean(clip.frames[0]) == 25 && clip.mean(clip.frames[0], ignoring: 2) == 50)
  }
}
