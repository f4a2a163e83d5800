import HDRCore
import HDRRecipe
import HDRRender
import PlainData

/// Compares pictures in linear light, for each display: what `hdrbatch compare` does (docs/compare.md). Any number of
/// threads may use it at once.
///
/// ```swift
/// let comparer = HDRComparer(try HDRRenderer())
/// let difference = try comparer.compare("photo.heic", "photo.avif", accept: "good")
/// print(difference.verdict, difference.renditions[0].values["p95(dE-seen)"] as Any)
/// ```
public struct HDRComparer: Sendable {
  /// The names of all metrics.
  public static let metrics = Metric.allCases.map(\.rawValue)
  /// The names of the metrics that are computed if none are named.
  public static let standardMetrics = Metric.standard.map(\.rawValue)

  private let renderer: HDRRenderer

  /// - Parameter renderer: reads the files with its codecs, and renders them.
  public init(_ renderer: HDRRenderer) { self.renderer = renderer }

  /// Compares a file with a reference.
  ///
  /// - Parameters:
  ///   - a: the reference.
  ///   - b: the file that is compared with it.
  ///   - metrics: as for two pictures.
  ///   - headrooms: as for two pictures.
  ///   - accept: as for two pictures.
  /// - Throws: the errors of `HDRRenderer.image(contentsOf:)`, and of the comparison of two pictures.
  public func compare(
    _ a: String, _ b: String, metrics: [String]? = nil, headrooms: [Double]? = nil, accept: String? = nil
  ) throws(HDRError) -> HDRDifference {
    let left = try renderer.image(contentsOf: a), right = try renderer.image(contentsOf: b)
    return try compare(left, right, metrics: metrics, headrooms: headrooms, accept: accept)
  }

  /// Compares a picture with a reference. Both are as their files have them: write edited ones to compare them.
  ///
  /// - Parameters:
  ///   - a: the reference.
  ///   - b: the picture that is compared with it.
  ///   - metrics: names of ``metrics``; `nil`: ``standardMetrics``.
  ///   - headrooms: the displays, as factors from 1 of reference white, 203 cd/m²; `.infinity` is the full rendition.
  ///     `nil`: those that both pictures have.
  ///   - accept: a preset or a condition (docs/compare.md#accepting), which makes the verdict accepted or rejected.
  /// - Throws: `HDRError` `compare.size`, `compare.kind` or `compare.alpha` where numbers would mean nothing,
  ///   `compare.edited` for a picture with edits, `option.value` for other arguments, and what rendering throws.
  public func compare(
    _ a: HDRImage, _ b: HDRImage, metrics: [String]? = nil, headrooms: [Double]? = nil, accept: String? = nil
  ) throws(HDRError) -> HDRDifference {
    var options = ComparisonOptions()
    if let metrics { options.metrics = try Self.metrics(metrics) }
    if let headrooms { options.renditions = try Self.selectors(headrooms) }
    if let accept {
      do throws(AcceptExpression.Fault) {
        options.accept = try AcceptExpression(accept)
      } catch {
        throw HDRError(code: "option.value", message: "accept, column \(error.column): \(error.message)")
      }
    }
    let left = try file(a, "A"), right = try file(b, "B")
    return HDRDifference(left.path, right.path, try PairComparison(left, right, options, on: renderer.backends))
  }

  /// Decodes a picture.
  private func file(_ image: HDRImage, _ side: String) throws(HDRError) -> ComparedFile {
    guard !image.isEdited else {
      throw HDRError(
        code: "compare.edited", message: "\(side) has edits: write it, and compare the file", file: image.path.display)
    }
    return ComparedFile(image.path, try renderer.source(of: image))
  }

  private static func metrics(_ names: [String]) throws(HDRError) -> Set<Metric> {
    var result: Set<Metric> = []
    for name in names {
      guard let metric = Metric.named(name) else {
        throw HDRError(
          code: "option.value", message: "metrics \(SettingFault.notOne(of: Self.metrics, name).message)")
      }
      result.insert(metric)
    }
    return result
  }

  private static func selectors(_ headrooms: [Double]) throws(HDRError) -> [AcceptExpression.Selector] {
    var result: [AcceptExpression.Selector] = []
    for factor in headrooms {
      guard factor == .infinity || (1...65_536).contains(factor) else {
        throw HDRError(code: "option.value", message: "headrooms are factors of 1 to 65 536, not \(short(factor))")
      }
      let selector = factor == .infinity ? AcceptExpression.Selector.full : .headroom(factor)
      if !result.contains(selector) { result.append(selector) }
    }
    return result
  }
}
