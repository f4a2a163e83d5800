import HDRCore
import OCIOConfig

extension LUTChain {
  /// Makes the chain of a transform that OpenColorIO 2.6 has built in.
  ///
  /// - Returns: `nil` for other names.
  package init?(builtin name: String) {
    guard let operations = Self.operations(name) else { return nil }
    self.init(operations)
  }

  private static let output = "ACES-OUTPUT - ACES2065-1_to_CIE-XYZ-D65 - "

  private static func operations(_ name: String) -> [LUTOperation]? {
    if let rest = name.after(DisplayStyle.prefix) { return DisplayStyle.all.first { $0.name == rest }?.operations }
    if let rest = name.after(output) {
      if let one = ACES1Output.all.first(where: { $0.name == rest }) { return [.output1(one, isInverse: false)] }
      return ACESOutput.all.first { $0.name + "_2.0" == rest }.map {
        [.matrix(ACESTransform.acesToWorking), .output($0, isInverse: false), .matrix($0.toXYZ)]
      }
    }
    if let space = spaces[name].flatMap(NamedSpace.named) { return space.steps.flatMap(\.operations) }
    return others[name]
  }

  /// The names of spaces by those of the transforms from them to ACES2065-1.
  private static let spaces: [String: String] = Dictionary(
    uniqueKeysWithValues: [
      ("ACEScct", "ACEScct"), ("ACEScc", "ACEScc"), ("ACEScg", "ACEScg"), ("ACESproxy10i", "ACESproxy"),
      ("ADX10", "ADX10"), ("ADX16", "ADX16"), ("APPLE_LOG", "Apple Log"), ("APPLE_LOG-APPLEWG", "Apple Log 2"),
      ("ARRI_ALEXA-LOGC-EI800-AWG", "ARRI LogC3 (EI800)"), ("ARRI_LOGC4", "ARRI LogC4"),
      ("CANON_CLOG2-CGAMUT", "CanonLog2 CinemaGamut D55"), ("CANON_CLOG3-CGAMUT", "CanonLog3 CinemaGamut D55"),
      ("PANASONIC_VLOG-VGAMUT", "V-Log V-Gamut"), ("RED_REDLOGFILM-RWG", "REDLogFilm REDWideGamutRGB"),
      ("RED_LOG3G10-RWG", "Log3G10 REDWideGamutRGB"), ("SONY_SLOG3-SGAMUT3", "S-Log3 S-Gamut3"),
      ("SONY_SLOG3-SGAMUT3.CINE", "S-Log3 S-Gamut3.Cine"), ("SONY_SLOG3-SGAMUT3-VENICE", "S-Log3 Venice S-Gamut3"),
      ("SONY_SLOG3-SGAMUT3.CINE-VENICE", "S-Log3 Venice S-Gamut3.Cine"),
    ].map { ($0.0 + "_to_ACES2065-1", $0.1) })

  private static let others: [String: [LUTOperation]] = {
    let toD65 = Primaries.bradford(from: Primaries.xyz(Primaries.aces.white), to: Primaries.xyz(Primaries.d65))
    func toXYZ(_ primaries: Primaries) -> [LUTOperation] {
      [.matrix(toD65 * (primaries.rgbToXYZ ?? .identity))]
    }
    func curve(_ code: CodeCurve) -> [LUTOperation] { [.formula(.code(code, isReversed: false))] }
    let toWorking = ACESTransform.acesToWorking
    return [
      "IDENTITY": [],
      "UTILITY - ACES-AP0_to_CIE-XYZ-D65_BFD": toXYZ(.aces),
      "UTILITY - ACES-AP1_to_CIE-XYZ-D65_BFD": toXYZ(.acesWorking),
      "UTILITY - ACES-AP1_to_LINEAR-REC709_BFD": [.matrix(Primaries.acesWorking.matrix(to: .bt709) ?? .identity)],
      "CURVE - ACEScct-LOG_to_LINEAR": curve(.acesCCT), "CURVE - APPLE_LOG_to_LINEAR": curve(.appleLog),
      "CURVE - CANON_CLOG2_to_LINEAR": curve(.canonLog2), "CURVE - CANON_CLOG3_to_LINEAR": curve(.canonLog3),
      "CURVE - ST-2084_to_LINEAR": [.formula(.pq(isReversed: true))],
      "CURVE - LINEAR_to_ST-2084": [.formula(.pq(isReversed: false))],
      "CURVE - HLG-OETF": [.formula(.hlg)], "CURVE - HLG-OETF-INVERSE": [.formula(LUTFormula.hlg.inverse)],
      "ACES-LMT - BLUE_LIGHT_ARTIFACT_FIX": [.matrix(acesBlueLightFix)],
      "ACES-LMT - ACES 1.3 Reference Gamut Compression": [
        .matrix(toWorking), .gamut(.reference, isInverse: false), .matrix(toWorking.inverse ?? .identity),
      ],
    ]
  }()
}

extension String {
  /// Returns the rest after a beginning; `nil` if it begins otherwise.
  fileprivate func after(_ beginning: String) -> String? {
    hasPrefix(beginning) ? String(dropFirst(beginning.count)) : nil
  }
}

extension NamedSpace.Step {
  /// The operations of a step of a named space; none for the steps of displays' signals.
  fileprivate var operations: [LUTOperation] {
    func line(_ scale: Double, _ offset: Double) -> LUTOperation {
      .affine([scale, scale, scale], [offset, offset, offset])
    }
    switch self {
    case .curve(.affine(let scale, let offset)): return [line(scale, offset)]
    // No table follows its ends: 50 codes a stop, from code 64 to 940.
    case .curve(.acesProxy):
      return [
        .clamp(low: 64.0 / 1023, high: 940.0 / 1023), line(1023.0 / 50, -64.0 / 50 - 9.72), .formula(.exp(base: 2)),
      ]
    case .curve(let curve): return [.formula(.code(curve, isReversed: false))]
    case .matrix(let matrix): return [.matrix(matrix)]
    case .clamp: return [.clamp(low: 0, high: nil)]
    case .hlgDisplay: return []
    }
  }
}

extension LUTFormula {
  /// HLG's OETF of light whose square root is the code up to 1/4 (BT.2100 table 5, light times 3); odd.
  static let hlg = LUTFormula.gammaLog(
    FixedFunction.GammaLog(
      mirror: 0, break: 0.25, power: 0.5, postScale: 1, preOffset: 0, base: ExactMath.exp(1),
      sides: LogSides(
        logSlope: Transfer.HLG.a, logOffset: Transfer.HLG.c + Transfer.HLG.a * ExactMath.log(4),
        linSlope: 1, linOffset: -Transfer.HLG.b / 4)), isReversed: false)
}
