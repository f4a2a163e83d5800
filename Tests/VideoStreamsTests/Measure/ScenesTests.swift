import HDRCore
import TestSupport
import Testing
import VideoStreams

/// Scenes, and peaks that follow them.
@Suite struct ScenesTests {
  @Test(
    "cuts are found where the vectors have them, and fades are none",
    .enabled(if: SharedData.url("specs/video-vectors.json") != nil, "skipped: no ../shared/specs"),
    arguments: [("pq-lossless.mkv", [0..<12, 12..<24]), ("open-gop.mp4", [0..<30, 30..<60])])
  func cutsAreFound(clip: String, scenes: [Range<Int>]) throws {
    let cuts = try #require(SharedData.json("specs/video-vectors.json")?["cuts"] as? [String: [Double]])
    let pixels = 320 * 180, changes = try #require(cuts[clip]).map { Int(($0 * Double(2 * pixels)).rounded()) }
    #expect(Scenes.find(changes: changes, pixels: pixels) == scenes)
  }

  @Test("a scene has at least six frames, and neither a flash nor a slow change starts one")
  func shortScenesAreNone() {
    func scenes(_ count: Int, _ changes: [Int: Int]) -> [Range<Int>] {
      Scenes.find(changes: (0..<count).map { changes[$0] ?? 0 }, pixels: 100)
    }
    #expect(scenes(20, [8: 100]) == [0..<8, 8..<20])
    #expect(scenes(20, [8: 23]) == [0..<20] && scenes(20, [8: 24]) == [0..<8, 8..<20])
    #expect(scenes(20, [8: 100, 9: 34]) == [0..<20] && scenes(20, [7: 33, 8: 100]) == [0..<8, 8..<20])
    #expect(scenes(20, [5: 100]) == [0..<20] && scenes(20, [6: 100]) == [0..<6, 6..<20])
    #expect(scenes(20, [14: 100]) == [0..<14, 14..<20] && scenes(20, [15: 100]) == [0..<20])
    #expect(scenes(30, [8: 100, 12: 100, 14: 100]) == [0..<8, 8..<14, 14..<30])
    #expect(scenes(0, [:]) == [] && scenes(1, [:]) == [0..<1])
  }

  @Test("a scene has one peak, its largest")
  func scenesHaveOnePeak() {
    #expect(FramePeaks.ofScenes([3, 9, 1, 2, 5], [0..<3, 3..<5]) == [9, 9, 9, 5, 5])
  }

  @Test("adaptive peaks are never below a frame's own and change slowly", arguments: [0, 1, 5, 12, 100])
  func adaptivePeaksAreAboveAndSlow(radius: Int) {
    // Light of 0 to 4000 cd/m² that jumps.
    var state: UInt64 = 7
    let peaks = (0..<60).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return ExactMath.pow(Double(state >> 40) / 0x1p24, 6) * 4000
    }
    let scenes = [0..<17, 17..<60], found = FramePeaks.adaptive(peaks, scenes, radius: radius)
    #expect(found.count == peaks.count && zip(found, peaks).allSatisfy { $0 >= $1 && $0 >= 1 })
    for scene in scenes {
      let stops = peaks[scene].map { ExactMath.log2(max($0, 1)) }, width = Double(2 * radius + 1)
      let range = stops.max()! - stops.min()!
      for (one, next) in zip(found[scene], found[scene].dropFirst()) {
        #expect(abs(ExactMath.log2(next / one)) <= range / width + 2e-6)
      }
      // By the definition, frame by frame.
      for n in stops.indices {
        let around = (n - radius...n + radius).map { k in
          let k = min(max(k, 0), stops.count - 1)
          return stops[max(k - radius, 0)...min(k + radius, stops.count - 1)].max()!
        }
        let mean = around.reduce(0, +) / width
        #expect(abs(ExactMath.log2(found[scene.lowerBound + n]) - mean) < 3e-6)
      }
    }
  }

  @Test("the frame of a poster has the median light of the longest scene")
  func postersShowMedianLight() throws {
    // 7 dark frames, a cut, 8 bright ones in another order of light.
    var clip = ClipLight()
    for (code, light) in [7, 1, 2, 3, 4, 5, 6].map({ (1000, $0) })
      + [90, 20, 70, 30, 10, 80, 40, 60].map({ (50_000, $0) })
    {
      var sums = FrameSums()
      sums.add(code: code, units: light, pixels: 100)
      try clip.append(sums)
    }
    #expect(clip.scenes == [0..<7, 7..<15] && clip.posterFrame == 13 && ClipLight().posterFrame == nil)
  }

  @Test("the radius is half the time in frames")
  func radiusIsHalfTheTime() {
    #expect(FramePeaks.radius(seconds: 2, framesPerSecond: 24_000 / 1001) == 24)
    #expect(FramePeaks.radius(seconds: -1, framesPerSecond: 24) == 0)
    #expect(FramePeaks.radius(seconds: .infinity, framesPerSecond: 24) == 0)
  }
}
