import HDRCore
import PlainData
import VideoStreams

/// Light options say which light of a clip is measured, and what follows from it.
package struct LightOptions: Sendable, Hashable {
  /// A peak is chosen for the clip, a scene or a frame.
  package enum Measure: Sendable, Hashable {
    /// One peak for the clip.
    case clip
    /// No pass: the peak is the one that the clip's metadata state.
    case metadata
    /// A peak for each scene.
    case scenes
    /// A peak for each frame, which follows the light within a scene as fast as this time allows, in seconds.
    case adaptive(seconds: Double)
  }

  /// The light that tone mapping begins at.
  package enum Peak: Sendable, Hashable {
    /// 99.99 % of the pixels do not exceed this light.
    case percentile
    /// The largest component.
    case largest
    /// cd/m².
    case stated(Double)

    package var nits: Double? { if case .stated(let nits) = self { nits } else { nil } }
  }

  /// The pixels that count.
  package enum Area: Sendable, Hashable {
    /// Those within borders that are dark in all frames.
    case auto
    case full
    case stated(ActiveArea)
  }

  /// `nil`: `clip` where a tone map begins at the clip's peak, else `metadata`.
  package var measure: Measure?
  package var peak = Peak.percentile
  package var area = Area.auto
  /// True if MaxCLL is the largest p99.99.
  package var levelIsPercentile = false
  /// True if clips are measured, and no more.
  package var measuresOnly = false
  /// The light metadata of outputs.
  package var output = LightChoice.auto

  package init() {}
}

extension LightOptions.Measure {
  /// Reads `clip`, `metadata`, `scenes` or `adaptive:SECONDS`; `nil` for others.
  package init?(_ text: String) {
    switch text {
    case "clip": self = .clip
    case "metadata": self = .metadata
    case "scenes": self = .scenes
    default:
      guard text.hasPrefix("adaptive:"), let seconds = decimal(String(text.dropFirst("adaptive:".count))),
        (0...60).contains(seconds)
      else { return nil }
      self = .adaptive(seconds: seconds)
    }
  }

  package var text: String {
    switch self {
    case .clip: "clip"
    case .metadata: "metadata"
    case .scenes: "scenes"
    case .adaptive(let seconds): "adaptive:" + shortest(seconds)
    }
  }
}

extension LightOptions.Peak {
  /// Reads `p99.99`, `max` or cd/m²; `nil` for others.
  package init?(_ text: String) {
    switch text {
    case "p99.99": self = .percentile
    case "max": self = .largest
    default:
      guard let nits = decimal(text), (1...10_000).contains(nits) else { return nil }
      self = .stated(nits)
    }
  }

  package var text: String {
    switch self {
    case .percentile: "p99.99"
    case .largest: "max"
    case .stated(let nits): shortest(nits)
    }
  }
}

extension LightOptions.Area {
  /// Reads `auto`, `full` or WIDTH:HEIGHT:X:Y as FFmpeg's `cropdetect` prints it; `nil` for others.
  package init?(_ text: String) {
    switch text {
    case "auto": self = .auto
    case "full": self = .full
    default:
      let numbers = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
      guard numbers.count == 4, numbers.allSatisfy({ (0...FFmpegSource.maxSide).contains($0) }), numbers[0] > 0,
        numbers[1] > 0
      else { return nil }
      self = .stated(
        ActiveArea(rows: numbers[3]..<numbers[3] + numbers[1], columns: numbers[2]..<numbers[2] + numbers[0]))
    }
  }

  package var text: String {
    switch self {
    case .auto: "auto"
    case .full: "full"
    case .stated(let area):
      "\(area.columns.count):\(area.rows.count):\(area.columns.lowerBound):\(area.rows.lowerBound)"
    }
  }
}
