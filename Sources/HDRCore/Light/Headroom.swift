/// The ratio of peak to reference white, kept in stops (log2). 0 stops is SDR.
public struct Headroom: Sendable, Hashable, Comparable {
  public var stops: Double

  public init(stops: Double) { self.stops = stops }
  public init(factor: Double) { stops = ExactMath.log2(factor) }

  /// The factor of reference white.
  public var factor: Double { ExactMath.exp2(stops) }

  package static let sdr = Headroom(stops: 0)
  /// The headroom of 1000 cd/m² over 203: PQ without metadata, HLG.
  package static let nominal = Headroom(factor: ReferenceWhite.nominalHeadroom)
  /// The default limit of the "constrained high" dynamic range. No vendor publishes one; this is the project's.
  package static let constrainedHigh = Headroom(stops: 2)

  public static func < (a: Headroom, b: Headroom) -> Bool { a.stops < b.stops }

  /// Reads the command line's form: a bare number is the factor (`4`), `2ev` is in stops. Returns `nil` for anything
  /// else, for factors below 1 and stops outside 0...16.
  package init?(argument: String) {
    let text = argument.lowercased()
    if text.hasSuffix("ev") {
      guard let stops = Double(text.dropLast(2)), (0...16).contains(stops) else { return nil }
      self.init(stops: stops)
    } else {
      guard let factor = Double(text), factor >= 1, factor <= 65536 else { return nil }
      self.init(factor: factor)
    }
  }
}
