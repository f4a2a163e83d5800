/// A tone operator: from content headroom to display headroom, in linear BT.2020 light, 1.0 = reference white.
///
/// An operator is a Swift file here and a line in `ToneOperators.all`. One that scales R, G, B by a curve of their
/// maximum needs nothing else: `factor` becomes a table, the stage `scale_by_max` applies it on both backends.
public protocol ToneOperator: Sendable {
  /// Name on the command line and in records.
  static var name: String { get }
  /// One line for `--help` and docs.
  static var summary: String { get }
  /// Stages from linear BT.2020 light to linear BT.2020 light.
  static func stages(content: Headroom, display: Headroom) -> [ToneStage]
}

/// What an operator asks of the planner.
public enum ToneStage: Sendable {
  /// R, G, B times a factor of max(R, G, B); the function takes and gives factors of reference white. `octaves`: where
  /// the factor varies; outside it is that of the nearer end.
  case scaleByMax(octaves: Range<Int>, k: Int, factor: @Sendable (Double) -> Double)
  /// Each channel into [low, high], in the destination's primaries.
  case clamp(low: Double, high: Double)
}

/// The list of tone operators.
public enum ToneOperators {
  public static let all: [any ToneOperator.Type] = [ReferenceWhiteTone.self, BT2390.self, ClipTone.self]

  public static func named(_ name: String) -> (any ToneOperator.Type)? { all.first { $0.name == name } }
}
