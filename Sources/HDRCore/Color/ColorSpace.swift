/// Primaries that an output can have, by name.
public enum OutputPrimaries: String, Sendable, Hashable, CaseIterable {
  case bt2020, p3, srgb

  /// The code point of ITU-T H.273.
  package var code: Int {
    switch self {
    case .bt2020: CICP.Primaries.bt2020
    case .p3: CICP.Primaries.p3
    case .srgb: CICP.Primaries.bt709
    }
  }

  package var primaries: Primaries {
    switch self {
    case .bt2020: .bt2020
    case .p3: .displayP3
    case .srgb: .bt709
    }
  }
}

/// The space of a LUT's numbers or of a colour: a curve and primaries, by one name (docs/operators.md#spaces).
public struct ColorSpace: Sendable, Hashable {
  public enum Curve: String, Sendable, Hashable, CaseIterable {
    case linear, srgb, gamma22, gamma24, pq, hlg

    /// The function from signal to light, 1.0 = reference white; HLG: to scene light.
    package var transfer: TransferCurve {
      switch self {
      case .linear: .linear
      case .srgb: .sRGB
      case .gamma22: .gamma(2.2)
      case .gamma24: .gamma(2.4)
      case .pq: .pq
      case .hlg: .hlg
      }
    }

    /// The primaries that the curve implies if none are named.
    package var primaries: OutputPrimaries { self == .pq || self == .hlg ? .bt2020 : .srgb }
  }

  public var curve: Curve
  public var primaries: OutputPrimaries

  public init(_ curve: Curve, _ primaries: OutputPrimaries? = nil) {
    self.curve = curve
    self.primaries = primaries ?? curve.primaries
  }

  public static let linear = ColorSpace(.linear), srgb = ColorSpace(.srgb), p3 = ColorSpace(.srgb, .p3)
  public static let pq = ColorSpace(.pq), hlg = ColorSpace(.hlg)

  /// Parses `pq`, `pq-p3`, `bt2020-linear`, `p3`; `nil` for any other name.
  public init?(_ name: String) {
    if name == "p3" {
      self = .p3
      return
    }
    let parts = name.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    if parts.count == 1, let curve = Curve(rawValue: parts[0]) {
      self.init(curve)
    } else if parts.count == 2, let curve = Curve(rawValue: parts[0]), let set = OutputPrimaries(rawValue: parts[1]) {
      self.init(curve, set)
    } else if parts.count == 2, let set = OutputPrimaries(rawValue: parts[0]), let curve = Curve(rawValue: parts[1]) {
      self.init(curve, set)
    } else {
      return nil
    }
  }

  /// The unique name of a space: without the primaries that its curve implies.
  public var name: String {
    if self == .p3 { return "p3" }
    return primaries == curve.primaries ? curve.rawValue : curve.rawValue + "-" + primaries.rawValue
  }

  /// Every space once.
  package static let all = Curve.allCases.flatMap { curve in OutputPrimaries.allCases.map { ColorSpace(curve, $0) } }

  /// The names listed in messages and help, in place of all names.
  package static let words = Curve.allCases.map(\.rawValue) + ["p3"]
  /// The form of a name, as words that follow "is".
  package static let form =
    "p3 or a curve (\(Curve.allCases.map(\.rawValue).joined(separator: ", "))), perhaps with "
    + OutputPrimaries.allCases.map { "-" + $0.rawValue }.joined(separator: ", ") + " behind it"

  /// The matrix from linear light in the space's primaries to linear BT.2020.
  package var toBT2020: Matrix3 { primaries.primaries.matrix(to: .bt2020) ?? .identity }
  /// The matrix from linear BT.2020 to linear light in the space's primaries.
  package var fromBT2020: Matrix3 { Primaries.bt2020.matrix(to: primaries.primaries) ?? .identity }

  /// Converts R, G, B of the space to linear BT.2020, 1.0 = reference white. HLG is as on a display of 1000 cd/m². Its
  /// OOTF takes the luminance of magnitudes, so that colours outside BT.2020 have light too.
  package func light(_ signal: [Double]) -> [Double] {
    let light = toBT2020 * signal.map(curve.transfer.decode)
    guard curve == .hlg else { return light }
    let weighted = zip(Transfer.HLG.luminance, light).reduce(0) { $0 + $1.0 * abs($1.1) }
    let gain = weighted > 0 ? ExactMath.pow(weighted, Transfer.hlgGamma(peak: 1000) - 1) : 0
    return light.map { $0 * gain * (1000 / ReferenceWhite.nits) }
  }
}
