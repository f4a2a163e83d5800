import HDRCore
import HDRRecipe
import HDRRender
import PlainData

/// The difference of two pictures: a verdict and numbers, under the names that `accept` has for them, as
/// `p95(dE-seen)` and `bias`. A number that was not asked for or cannot be told is missing.
public struct HDRDifference: Sendable, CustomStringConvertible {
  /// The result of a comparison: one of the last two if there is something to accept.
  public enum Verdict: String, Sendable, Hashable {
    case equal, differs, accepted, rejected
  }

  /// The numbers of the light on one display.
  public struct Rendition: Sendable, Hashable {
    /// The factor of reference white, 203 cd/m²; `.infinity` is the full rendition.
    public let headroom: Double
    /// The numbers by their names. PSNR of the same light is `.infinity`.
    public let values: [String: Double]
  }

  public let verdict: Verdict
  /// The stable code of a rejection, `accept.rejected` or `metric.unavailable`.
  public let code: String?
  /// The condition that rejects, with its value.
  public let message: Message?
  /// The size of what was compared, in viewing orientation.
  public let width: Int
  public let height: Int
  /// The numbers of the files themselves, as `words`, `metadata` and `max(maps)`.
  public let files: [String: Double]
  /// The renditions, from the smallest headroom to the full one unless the call named others.
  public let renditions: [Rendition]
  /// Remarks on the pair.
  public let notes: [Warning]
  /// All that is known, as `compare --json` writes it (docs/data/compare-keys.tsv), without digests and time.
  public let json: String

  init(_ a: FilePath, _ b: FilePath, _ comparison: PairComparison) {
    let report = PairReport(a, b, comparison)
    verdict =
      switch comparison.verdict {
      case nil: comparison.isEqual ? .equal : .differs
      case .accepted: .accepted
      case .rejected: .rejected
      }
    (code, message, json) = (report.code, report.message, report.json.line)
    (width, height, notes) = (comparison.width, comparison.height, comparison.notes)
    files = Self.numbers(comparison.values)
    renditions = comparison.renditions.map { rendition in
      var headroom = Double.infinity
      if case .headroom(let factor) = rendition.selector { headroom = factor }
      return Rendition(headroom: headroom, values: Self.numbers(rendition.values))
    }
  }

  /// Names the numbers as conditions do.
  private static func numbers(_ values: [Metric: MetricValue]) -> [String: Double] {
    var result: [String: Double] = [:]
    for (metric, value) in values {
      if let number = value[nil] { result[metric.rawValue] = number }
      for aggregate in Aggregate.allCases {
        if let number = value[aggregate] { result["\(aggregate.rawValue)(\(metric.rawValue))"] = number }
      }
    }
    return result
  }

  public var description: String { verdict.rawValue + (message.map { ": \($0) [\(code ?? "")]" } ?? "") }
}
