import HDRCore
import PlainData
import VideoStreams

/// Figures of a clip's measured light, of the pixels that count.
package struct MeasuredClip: Sendable, Hashable {
  package let light: ClipLight
  /// The light level; `nil` for a black clip.
  package let level: ContentLightLevel?
  /// The largest p99.99 of a frame, cd/m², and the number of the frame.
  package let p9999: Double
  package let peakFrame: Int
  package let scenes: [Range<Int>]
  /// The dark pixels of each frame that do not count.
  private let ignored: Int

  init(_ light: ClipLight, _ options: LightOptions) {
    self.light = light
    ignored = light.darkBorders
    level = light.level(ignoring: ignored, usesPercentile: options.levelIsPercentile)
    let peak = light.peak(ignoring: ignored)
    (p9999, peakFrame) = (peak?.light ?? 0, peak?.frame ?? 0)
    scenes = light.scenes
  }

  /// Returns the peak of each frame, cd/m².
  func peaks(_ rule: LightOptions.Peak) -> [Double] {
    light.frames.map {
      rule == .largest ? ClipLight.light(ofCode: $0.largest) : light.p9999($0, ignoring: ignored)
    }
  }

  /// Returns the share of all pixels that count whose light is in a bin above that of its frame's peak.
  ///
  /// - Parameter peaks: one for all frames, or one for each, not below the frame's p99.99.
  func share(above peaks: [Double]) -> Double? {
    guard let first = peaks.first, !light.frames.isEmpty else { return nil }
    let bins = peaks.map { LightHistogram.bin(ofLight: $0) }
    let count =
      bins.count == light.frames.count && bins.count > 1
      ? zip(light.frames, bins).reduce(0) { sum, frame in
        frame.0.brightest.reduce(sum) { $1.bin > frame.1 ? $0 + $1.pixels : $0 }
      } : light.histogram.counts[min(LightHistogram.bin(ofLight: first) + 1, LightHistogram.binCount)...].reduce(0, +)
    return Double(count) / Double(max(light.pixels - ignored, 1) * light.frames.count)
  }

  package var json: JSON {
    [
      "maxCLL": level.map { .number($0.maxCLL) } ?? .null, "maxFALL": level.map { .number($0.maxFALL) } ?? .null,
      "p9999": .number(p9999), "peakFrame": .int(peakFrame),
    ]
  }
}

extension LightHistogram {
  /// Returns the bin of light in cd/m².
  static func bin(ofLight light: Double) -> Int {
    bin(ofCode: Int((min(max(Transfer.pqInverseEOTF(light), 0), 1) * 65_535).rounded()))
  }
}
