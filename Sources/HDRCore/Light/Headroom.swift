/// Peak over reference white, kept in stops (log2). 0 stops is SDR.
public struct Headroom: Sendable, Hashable, Comparable {
  public var stops: Double

  public init(stops: Double) { self.stops = stops }
  public init(factor: Double) { stops = ExactMath.log2(factor) }

  /// Factor of reference white.
  public var factor: Double { ExactMath.exp2(stops) }

  public static let sdr = Headroom(stops: 0)
  /// 1000 cd/m² over 203: PQ without metadata, HLG.
  public static let nominal = Headroom(factor: ReferenceWhite.nominalHeadroom)
  /// The limit of the "constrained high" dynamic range: 1 stop is CSS's usual reading of "constrained"; this project's
  /// command line documents 2 stops.
  public static let constrainedHigh = Headroom(stops: 2)

  public static func < (a: Headroom, b: Headroom) -> Bool { a.stops < b.stops }

  /// Reads the command line's form: a bare number is the factor (`4`), `2ev` is in stops. `nil` for anything else, for
  /// factors below 1 and stops outside 0...16.
  public init?(argument: String) {
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

/// Displays by name: the headroom the vendor's talks state at usual brightness (WWDC22 10113, WWDC23 10181).
public struct DisplayPreset: Sendable, Hashable {
  public var name: String
  public var factor: Double
  public var note: String

  public static let all: [DisplayPreset] = [
    DisplayPreset(name: "sdr", factor: 1, note: "any SDR display or file"),
    DisplayPreset(name: "generic", factor: 2, note: "most other displays"),
    DisplayPreset(name: "iphone-14", factor: 8, note: "1600 cd/m² peak over 200"),
    DisplayPreset(name: "ipad-pro-12.9", factor: 16, note: "1600 cd/m² over 100"),
    DisplayPreset(name: "macbook-pro-xdr", factor: 16, note: "1600 cd/m² over 100"),
    DisplayPreset(name: "reference-mode", factor: 10, note: "1000 cd/m² over 100, fixed brightness"),
    DisplayPreset(name: "pro-display-xdr", factor: 400, note: "largest value reported, at the dimmest white"),
  ]

  public static func named(_ name: String) -> DisplayPreset? { all.first { $0.name == name.lowercased() } }
}
