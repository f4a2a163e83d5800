/// An output transform of ACES 1: from ACES2065-1, scene light, to the light of a display.
package struct ACES1Output: Sendable, Hashable {
  /// The name in styles of OpenColorIO: `ACES-OUTPUT - ACES2065-1_to_CIE-XYZ-D65 - NAME`.
  package let name: String
  /// The short name: `aces1-sdr`, `aces1-hdr1000-p3`.
  package let view: String
  /// The name of the view in configurations of OpenColorIO.
  package let title: String
  /// The peak in cd/m²; 100 for SDR, where 1.0 is white.
  package let peak: Double
  /// The gamut that colours are cut to; `nil`: none.
  package let limit: Primaries?
  let white: White
  /// True for dim surroundings, false for the dark ones of cinemas.
  let isVideo: Bool

  /// The white of the display, and the one that it shows.
  enum White: Sendable, Hashable {
    /// D60 adapted to D65.
    case adapted
    /// D60 on a display of D65, or on a projector of DCI white.
    case d60OnD65, d60OnDCI
    /// D65 on a projector of DCI white.
    case d65OnDCI
  }

  private init(
    _ name: String, _ view: String, _ title: String, peak: Double = 100, limit: Primaries? = nil,
    _ white: White = .adapted
  ) {
    (self.name, self.view, self.title, self.peak, self.limit, self.white) = (name, view, title, peak, limit, white)
    isVideo = name.hasPrefix("SDR-VIDEO")
  }

  /// All output transforms of the releases 1.0 to 1.3.
  package static let all: [ACES1Output] = {
    let p3 = Primaries.displayP3, bt2020 = Primaries.bt2020, bt709 = Primaries.bt709
    func hdr(_ nits: Int, _ limit: Primaries) -> ACES1Output {
      let (gamut, short, title) = limit == p3 ? ("P3", "-p3", "P3") : ("REC2020", "", "Rec.2020")
      return ACES1Output(
        "HDR-VIDEO-\(nits)nit-15nit-\(gamut)lim_1.1", "aces1-hdr\(nits)\(short)",
        "ACES 1.1 - HDR Video (\(nits) nits & \(title) lim)", peak: Double(nits), limit: limit)
    }
    return [
      ACES1Output("SDR-VIDEO_1.0", "aces1-sdr", "ACES 1.0 - SDR Video"),
      ACES1Output("SDR-VIDEO-REC709lim_1.1", "aces1-sdr-709", "ACES 1.1 - SDR Video (Rec.709 lim)", limit: bt709),
      ACES1Output("SDR-VIDEO-P3lim_1.1", "aces1-sdr-p3", "ACES 1.1 - SDR Video (P3 lim)", limit: p3),
      ACES1Output(
        "SDR-VIDEO-D60sim-D65_1.0", "aces1-sdr-d60", "ACES 1.0 - SDR Video (D60 sim on D65)", .d60OnD65),
      ACES1Output("SDR-CINEMA_1.0", "aces1-cinema", "ACES 1.0 - SDR Cinema"),
      ACES1Output(
        "SDR-CINEMA-REC709lim_1.1", "aces1-cinema-709", "ACES 1.1 - SDR Cinema (Rec.709 lim)", limit: bt709),
      ACES1Output(
        "SDR-CINEMA-D60sim-D65_1.1", "aces1-cinema-d60", "ACES 1.1 - SDR Cinema (D60 sim on D65)", .d60OnD65),
      ACES1Output(
        "SDR-CINEMA-D60sim-DCI_1.0", "aces1-cinema-dci-d60", "ACES 1.0 - SDR Cinema (D60 sim on DCI)", .d60OnDCI),
      ACES1Output(
        "SDR-CINEMA-D65sim-DCI_1.1", "aces1-cinema-dci-d65", "ACES 1.1 - SDR Cinema (D65 sim on DCI)", .d65OnDCI),
    ]
      + [1000, 2000, 4000].flatMap { [hdr($0, bt2020), hdr($0, p3)] }
      + [
        ACES1Output(
          "HDR-CINEMA-108nit-7.2nit-P3lim_1.1", "aces1-hdr108-cinema", "ACES 1.1 - HDR Cinema (108 nits & P3 lim)",
          peak: 108, limit: p3)
      ]
  }()

  private var isHDR: Bool { peak > 100 }
}

/// A step of an output transform of ACES 1, or of its inverse.
package enum ACES1Step: Sendable {
  /// Glow and the change of reds (`ACES1Head`), in AP0.
  case head(isInverse: Bool)
  case matrix(Matrix3)
  case clamp(low: Double, high: Double)
  /// The tones of each component.
  case tone(ACES1Tone, isInverse: Bool)
  /// A factor: a power of a weighted sum.
  case scale(weights: [Double], exponent: Double)

  /// The step that undoes this one; what clamps have cut stays cut.
  package var inverse: ACES1Step {
    switch self {
    case .head(let isInverse): .head(isInverse: !isInverse)
    case .matrix(let m): .matrix(m.inverse!)
    case .clamp: self
    case .tone(let tone, let isInverse): .tone(tone, isInverse: !isInverse)
    case .scale(let weights, let exponent): .scale(weights: weights, exponent: 1 / (1 + exponent) - 1)
    }
  }

  /// Returns the factor of a weighted sum.
  package static func factor(_ sum: Double, _ exponent: Double) -> Double { ExactMath.pow(max(1e-10, sum), exponent) }

  fileprivate func callAsFunction(_ v: [Double]) -> [Double] {
    switch self {
    case .head(let isInverse): return isInverse ? ACES1Head.output.solution(v) : ACES1Head.output.apply(v)
    case .matrix(let m): return m * v
    case .clamp(let low, let high): return v.map { min(max($0, low), high) }
    case .tone(let tone, let isInverse): return v.map(isInverse ? tone.light : tone.shown)
    case .scale(let weights, let exponent):
      let factor = Self.factor(zip(weights, v).reduce(0) { $0 + $1.0 * $1.1 }, exponent)
      return v.map { $0 * factor }
    }
  }
}

extension ACES1Output {
  /// The steps from ACES2065-1 to CIE XYZ, 1.0 = 100 cd/m².
  package var steps: [ACES1Step] {
    let endless = 0x1p36,
      start: [ACES1Step] = [
        .head(isInverse: false), .matrix(ACESTransform.acesToWorking), .clamp(low: 0, high: endless),
        .matrix(Self.saturation), .tone(tone, isInverse: false),
      ]
    switch white {
    case .d60OnDCI, .d65OnDCI:
      let toD65 = Primaries.bradford(from: Self.dciWhite, to: Self.d65)
      let shown = white == .d65OnDCI ? toD65 * Self.d60ToD65 * Self.workingToXYZ : toD65 * Self.workingToXYZ
      return start + [.clamp(low: 0, high: roll), .matrix(shown * (white == .d65OnDCI ? 0.9575 : 0.96))]
    case .d60OnD65:
      let scale = isVideo ? 0.955 : 0.964
      return start + [.clamp(low: 0, high: 1)] + adjusted(Self.workingToXYZ, scale: scale)
    case .adapted:
      guard let limit, let toXYZ = limit.rgbToXYZ, let back = toXYZ.inverse else {
        return start + adjusted(Self.d60ToD65 * Self.workingToXYZ, scale: 1)
      }
      let toLimit = isHDR ? back * Self.workingToXYZ : back * Self.d60ToD65 * Self.workingToXYZ
      let shown = isHDR ? Self.d60ToD65 * toXYZ * (peak / 100) : toXYZ
      return start + adjusted(toLimit, scale: 1) + [.clamp(low: 0, high: 1), .matrix(shown)]
    }
  }

  /// The steps from CIE XYZ, 1.0 = 100 cd/m², to a colour of ACES2065-1 that is shown like that.
  package var inverseSteps: [ACES1Step] { steps.reversed().map(\.inverse) }

  /// Returns the steps of a matrix behind a scale, and behind what video needs in dim surroundings.
  private func adjusted(_ matrix: Matrix3, scale: Double) -> [ACES1Step] {
    guard isVideo else { return [.matrix(matrix * scale)] }
    return [
      .scale(weights: Self.luminance.map { $0 * scale }, exponent: 0.9811 - 1),
      .matrix(matrix * Self.desaturation * scale),
    ]
  }

  private var tone: ACES1Tone {
    switch peak {
    case 100: ACES1Tone(.reference, .cinema, black: 0.02, span: 47.98, roll: isRolled ? roll : nil)
    case 108: ACES1Tone(.hdr108, black: 0.0001, span: peak - 0.0001)
    case 1000: ACES1Tone(.hdr1000, black: 0.0001, span: peak - 0.0001)
    case 2000: ACES1Tone(.hdr2000, black: 0.0001, span: peak - 0.0001)
    default: ACES1Tone(.hdr4000, black: 0.0001, span: peak - 0.0001)
    }
  }

  private var isRolled: Bool { white == .d60OnDCI || white == .d65OnDCI }
  /// The white at which the curve for DCI ends.
  private var roll: Double { white == .d60OnDCI ? 0.918 : 0.908 }

  private static let saturation = Matrix3([
    0.970889148671, 0.026963270632, 0.002147580696, 0.010889148671, 0.986963270632, 0.002147580696, 0.010889148671,
    0.026963270632, 0.962147580696,
  ])
  private static let desaturation = Matrix3([
    0.949056010175, 0.047185723607, 0.003758266219, 0.019056010175, 0.977185723607, 0.003758266219, 0.019056010175,
    0.047185723607, 0.933758266219,
  ])
  private static let luminance = [0.27222871678091454, 0.6740817658111483, 0.05368951740793705]
  private static let workingToXYZ = Primaries.acesWorking.rgbToXYZ!
  private static let d65 = Primaries.xyz(Primaries.d65), dciWhite = Primaries.xyz(Chromaticity(0.314, 0.351))
  private static let d60ToD65 = Primaries.bradford(from: Primaries.xyz(Primaries.aces.white), to: d65)

  /// Returns display light as CIE XYZ, 1.0 = 100 cd/m², of a colour of ACES2065-1.
  package func callAsFunction(_ aces: [Double]) -> [Double] { steps.reduce(aces) { $1($0) } }

  /// Returns a colour of ACES2065-1 that is shown as CIE XYZ, 1.0 = 100 cd/m².
  package func inverse(_ xyz: [Double]) -> [Double] { inverseSteps.reduce(xyz) { $1($0) } }
}
