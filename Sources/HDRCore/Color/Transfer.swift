/// Transfer functions in binary64, by the formulas of their documents. They are odd-extended below 0 and continued
/// above 1 (docs/colour-formulas.md#transfer).
package enum Transfer {
  // MARK: PQ (SMPTE ST 2084)

  enum PQConstants {
    static let m1 = 2610.0 / 16384, m2 = 2523.0 / 4096 * 128
    static let c1 = 3424.0 / 4096, c2 = 2413.0 / 4096 * 32, c3 = 2392.0 / 4096 * 32
  }

  /// Converts a PQ signal to cd/m².
  package static func pqEOTF(_ signal: Double) -> Double {
    typealias C = PQConstants
    let p = ExactMath.pow(abs(signal), 1 / C.m2)
    let nits = 10_000 * ExactMath.pow(max(p - C.c1, 0) / (C.c2 - C.c3 * p), 1 / C.m1)
    return signal < 0 ? -nits : nits
  }

  /// Converts cd/m² to a PQ signal.
  package static func pqInverseEOTF(_ nits: Double) -> Double {
    typealias C = PQConstants
    let y = ExactMath.pow(abs(nits) / 10_000, C.m1)
    let signal = ExactMath.pow((C.c1 + C.c2 * y) / (1 + C.c3 * y), C.m2)
    return nits < 0 ? -signal : signal
  }

  // MARK: HLG (ITU-R BT.2100 table 5)

  package enum HLG {
    package static let a = 0.17883277
    package static let b = 1 - 4 * a
    package static let c = 0.5 - a * ExactMath.log(4 * a)
    /// The luminance weights of the OOTF.
    package static let luminance = [0.2627, 0.6780, 0.0593]
  }

  /// Converts scene light 0...1 to signal.
  package static func hlgOETF(_ scene: Double) -> Double {
    let e = abs(scene)
    let signal = e <= 1.0 / 12 ? (3 * e).squareRoot() : HLG.a * ExactMath.log(12 * e - HLG.b) + HLG.c
    return scene < 0 ? -signal : signal
  }

  /// Converts signal to scene light 0...1.
  package static func hlgInverseOETF(_ signal: Double) -> Double {
    let x = abs(signal)
    let scene = x <= 0.5 ? x * x / 3 : (ExactMath.exp((x - HLG.c) / HLG.a) + HLG.b) / 12
    return signal < 0 ? -scene : scene
  }

  /// Returns the system gamma of a display of nominal peak `lw` cd/m²: BT.2100 note 5 for 400...2000, else the extended
  /// form (docs/colour-formulas.md#transfer).
  package static func hlgGamma(peak lw: Double) -> Double {
    if lw >= 400 && lw <= 2000 { return 1.2 + 0.42 * ExactMath.log10(lw / 1000) }
    return hlgExtendedGamma(peak: lw)
  }

  package static func hlgExtendedGamma(peak lw: Double, surround: Double = 5) -> Double {
    1.2 * ExactMath.pow(1.111, ExactMath.log2(lw / 1000)) * ExactMath.pow(0.98, ExactMath.log2(surround / 5))
  }

  /// Returns the HLG black-level lift of the EOTF.
  package static func hlgBeta(peak lw: Double, black lb: Double, gamma: Double) -> Double {
    lb <= 0 ? 0 : (3 * ExactMath.pow(lb / lw, 1 / gamma)).squareRoot()
  }

  /// Converts an HLG signal triplet (BT.2020) to display light in cd/m².
  package static func hlgEOTF(_ signal: [Double], peak lw: Double, black lb: Double = 0) -> [Double] {
    let gamma = hlgGamma(peak: lw), beta = hlgBeta(peak: lw, black: lb, gamma: gamma)
    let scene = signal.map { hlgInverseOETF(max(0, (1 - beta) * $0 + beta)) }
    let ys = HLG.luminance[0] * scene[0] + HLG.luminance[1] * scene[1] + HLG.luminance[2] * scene[2]
    let factor = ys > 0 ? lw * ExactMath.pow(ys, gamma - 1) : 0
    return scene.map { $0 * factor }
  }

  /// Converts display light in cd/m² (BT.2020) to HLG signal, black 0.
  package static func hlgInverseEOTF(_ nits: [Double], peak lw: Double) -> [Double] {
    let gamma = hlgGamma(peak: lw)
    let yd = abs(HLG.luminance[0] * nits[0] + HLG.luminance[1] * nits[1] + HLG.luminance[2] * nits[2])
    if yd == 0 && !nits.contains(where: { $0 > 0 }) { return [0, 0, 0] }
    let factor = ExactMath.pow(max(yd / lw, 1e-6), (1 - gamma) / gamma) / lw
    return nits.map { hlgOETF($0 * factor) }
  }

  // MARK: SDR curves

  /// Decodes sRGB (IEC 61966-2-1).
  package static func sRGBDecode(_ v: Double) -> Double {
    let x = abs(v)
    let l = x <= 0.04045 ? x / 12.92 : ExactMath.pow((x + 0.055) / 1.055, 2.4)
    return v < 0 ? -l : l
  }

  package static func sRGBEncode(_ light: Double) -> Double {
    let l = abs(light)
    let v = l <= 0.0031308 ? 12.92 * l : 1.055 * ExactMath.pow(l, 1 / 2.4) - 0.055
    return light < 0 ? -v : v
  }

  static let bt709Alpha = 1.09929682680944, bt709Beta = 0.018053968510807

  /// Applies the BT.709 / BT.2020 OETF with the full-precision pair of constants.
  package static func bt709OETF(_ light: Double) -> Double {
    let l = abs(light)
    let v = l < bt709Beta ? 4.5 * l : bt709Alpha * ExactMath.pow(l, 0.45) - (bt709Alpha - 1)
    return light < 0 ? -v : v
  }

  package static func bt709InverseOETF(_ signal: Double) -> Double {
    let v = abs(signal)
    let l = v < 4.5 * bt709Beta ? v / 4.5 : ExactMath.pow((v + (bt709Alpha - 1)) / bt709Alpha, 1 / 0.45)
    return signal < 0 ? -l : l
  }

  /// Applies BT.1886 with a black level, in cd/m².
  package static func bt1886EOTF(_ signal: Double, white lw: Double, black lb: Double) -> Double {
    let w = ExactMath.pow(lw, 1 / 2.4), k = lb > 0 ? ExactMath.pow(lb, 1 / 2.4) : 0
    let a = ExactMath.pow(w - k, 2.4), b = k / (w - k)
    return a * ExactMath.pow(max(signal + b, 0), 2.4)
  }
}

/// The luminance of linear value 1.0.
package enum ReferenceWhite {
  /// The HDR reference white in cd/m² (ITU-R BT.2408; SMPTE ST 2094-50 default).
  package static let nits = 203.0
  /// The nominal headroom of 1000 cd/m² content: PQ without metadata, HLG.
  package static let nominalHeadroom = 1000 / nits
}

/// A display-light curve per channel: the static part of a transfer characteristic, from signal to light with 1.0 =
/// reference white. HLG gives scene light; its OOTF is a separate stage.
package enum TransferCurve: Hashable, Sendable {
  case linear
  case sRGB
  case gamma(Double)
  /// The curve of ST 428-1: (52.37/48) V^2.6.
  case dciGamma
  case pq
  case hlg
  /// The camera's curve of BT.709 and BT.2020, to scene light; it is not the display's.
  case bt709Scene

  /// Makes the curve of an H.273 code (docs/colour-formulas.md#transfer); `nil` if the project rejects the code.
  package init?(code: Int) {
    switch code {
    case 1, 6, 7, 11, 14, 15: self = .gamma(2.4)
    case 2, 13: self = .sRGB
    case 4: self = .gamma(2.2)
    case 5: self = .gamma(2.8)
    case 8: self = .linear
    case 16: self = .pq
    case 17: self = .dciGamma
    case 18: self = .hlg
    default: return nil
    }
  }

  /// Converts signal to light.
  package func decode(_ x: Double) -> Double {
    switch self {
    case .linear: x
    case .sRGB: Transfer.sRGBDecode(x)
    case .gamma(let g): ExactMath.oddPow(x, g)
    case .dciGamma: 52.37 / 48 * ExactMath.oddPow(x, 2.6)
    case .pq: Transfer.pqEOTF(x) / ReferenceWhite.nits
    case .hlg: Transfer.hlgInverseOETF(x)
    case .bt709Scene: Transfer.bt709InverseOETF(x)
    }
  }

  /// Converts light to signal.
  package func encode(_ x: Double) -> Double {
    switch self {
    case .linear: x
    case .sRGB: Transfer.sRGBEncode(x)
    case .gamma(let g): ExactMath.oddPow(x, 1 / g)
    case .dciGamma: ExactMath.oddPow(x * 48 / 52.37, 1 / 2.6)
    case .pq: Transfer.pqInverseEOTF(x * ReferenceWhite.nits)
    case .hlg: Transfer.hlgOETF(x)
    case .bt709Scene: Transfer.bt709OETF(x)
    }
  }
}
