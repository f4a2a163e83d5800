/// Functions and curves that make the rows of the list.
extension NamedSpace {
  /// Makes a space of a gamut and a curve.
  static func space(
    _ name: String, id: String? = nil, _ aliases: [String], _ kind: Kind, _ gamut: SpaceGamut,
    _ curve: CodeCurve = .linear, clamps: Bool = false
  ) -> NamedSpace {
    NamedSpace(
      name, id: id, aliases, kind, primaries: gamut.primaries,
      steps: (curve == .linear ? [] : [.curve(curve)]) + [.matrix(gamut.toACES)] + (clamps ? [.clamp] : []))
  }

  /// Makes a space of densities of film (S-2008-002): channels are made independent, then the table of light.
  static func density(_ name: String, id: String, _ aliases: [String], _ code: CodeCurve) -> NamedSpace {
    NamedSpace(
      name, id: id, aliases, .log,
      steps: [
        .curve(code),
        .matrix(Matrix3([0.75573, 0.22197, 0.0223, 0.05901, 0.96928, -0.02829, 0.16134, 0.07406, 0.7646])),
        .curve(.density),
        .matrix(Matrix3([0.72286, 0.1263, 0.15084, 0.11923, 0.76418, 0.11659, 0.01427, 0.08213, 0.90359])),
      ])
  }

  /// Makes the signal of a display. 1.0 of its light is reference white.
  static func display(
    _ name: String, id: String, _ aliases: [String], _ gamut: SpaceGamut, _ curve: TransferCurve
  ) -> NamedSpace {
    let code = gamut.primaries.flatMap { set in OutputPrimaries.allCases.first { $0.primaries == set }?.code }
    let known: ColorEncoding? = code.map { code in
      if let transfer = TransferCurve.code(of: curve) { return .cicp(primaries: code, transfer: transfer) }
      return .matrixTRC(
        curves: [ToneCurve(curve)], toBT2020: (gamut.primaries?.matrix(to: .bt2020) ?? .identity).rows, primaries: code)
    }
    return NamedSpace(
      name, id: id, aliases, .display, primaries: gamut.primaries,
      steps: [.curve(.transfer(curve))] + (curve == .hlg ? [.hlgDisplay] : []) + [.matrix(gamut.toACES)], known: known)
  }

  /// ARRI LogC3 at other exposure indices: EI, break, shift, slope and offset of the logarithm, slope and offset of the
  /// line (ARRI, "ALEXA Log C Curve", parameters for scene exposure).
  static let exposureIndices: [NamedSpace] = [
    (160, 0.005561, 0.080216, 0.269036, 0.381991, 5.842037, 0.092778),
    (200, 0.006208, 0.076621, 0.266007, 0.382478, 5.776265, 0.092782),
    (250, 0.006871, 0.072941, 0.262978, 0.382966, 5.710494, 0.092786),
    (320, 0.007622, 0.068768, 0.259627, 0.383508, 5.637732, 0.092791),
    (400, 0.008318, 0.064901, 0.256598, 0.383999, 5.571960, 0.092795),
    (500, 0.009031, 0.060939, 0.253569, 0.384493, 5.506188, 0.092800),
    (640, 0.009840, 0.056443, 0.250219, 0.385040, 5.433426, 0.092805),
    (1000, 0.011361, 0.047996, 0.244161, 0.386036, 5.301883, 0.092814),
    (1280, 0.012235, 0.043137, 0.240810, 0.386590, 5.229121, 0.092819),
    (1600, 0.013047, 0.038625, 0.237781, 0.387093, 5.163350, 0.092824),
  ].map { ei, light, shift, slope, offset, line, zero in
    space(
      "ARRI LogC3 (EI\(ei))", ["arri_logc3_ei\(ei)", "logc3ei\(ei)_alexawide"], .log, .arriWide3,
      .log(LogCurve(slope, offset, gain: 5.555556, shift: shift, below: light, line: (slope: line, offset: zero))))
  }
}

extension CodeCurve {
  package static let acesCCT = log(LogCurve(1 / 17.52, 9.72 / 17.52, base: 2, break: 0x1p-7))
  static let arriLogC3 = log(
    LogCurve(
      0.247189638318671, 0.385536998692443, gain: 5.55555555555556, shift: 0.0522722750251688,
      break: 0.0105909904954696))
  static let arriLogC4 = log(
    LogCurve(
      0.0647954196341293, -0.295908392682586, gain: 2231.82630906769, shift: 64, base: 2, break: -0.0180569961199113))
  static let sLog3 = log(
    LogCurve(
      261.5 / 1023, 420.0 / 1023, gain: 1 / 0.19, shift: 0.01 / 0.19, break: 0.01125,
      line: 76.2102946929 / (0.01125 * 1023)))
  static let vLog = log(LogCurve(0.241514, 0.598206, shift: 0.00873, break: 0.01))
  static let log3G10 = log(LogCurve(0.224282, 0, gain: 155.975327, shift: 2.55975327, break: -0.01))
  /// The black of code 95 of 1023 and white of 685, with 0.002 in density a code and the gamma 1.705 of a negative.
  static let redLogFilm = {
    let black = ExactMath.exp10(3.41 * -590 / 1023)
    return log(LogCurve(1 / 3.41, 685.0 / 1023, gain: 1 - black, shift: black))
  }()
  static let cineon = {
    let black = ExactMath.exp10(-590.0 / 300)
    return log(LogCurve(300.0 / 1023, 685.0 / 1023, gain: 1 - black, shift: black))
  }()
  static let dLog = log(
    LogCurve(0.256662970719888, 0.58455504907396, gain: 0.9892, shift: 0.0108, break: 0.00758078675))
  static let blackmagicFilm5 = log(
    LogCurve(
      0.0869287606549122, 0.530013339229194, shift: 0.00549407243225781, base: ExactMath.exp(1), break: 0.005))
  static let davinciIntermediate = log(
    LogCurve(0.07329248, 0.51304736, shift: 0.0075, base: 2, break: 0.00262409, line: 10.44426855))
  static let fLog2 = log(
    LogCurve(
      0.245281, 0.384316, gain: 5.555556, shift: 0.064829, below: (0.100686685 - 0.092864) / 8.799461,
      line: (slope: 8.799461, offset: 0.092864)))
  static let fLog = log(
    LogCurve(
      0.344676, 0.790453, gain: 0.555556, shift: 0.009468, below: (0.100537775 - 0.092864) / 8.735631,
      line: (slope: 8.735631, offset: 0.092864)))
  static let protune = log(LogCurve(1, 0, gain: 112, shift: 1, base: 113))
}

extension TransferCurve {
  /// Returns the code point of a curve that displays have; `nil`: there is none.
  fileprivate static func code(of curve: TransferCurve) -> Int? {
    [1, CICP.Transfer.sRGB, 4, CICP.Transfer.pq, CICP.Transfer.hlg].first { TransferCurve(code: $0) == curve }
  }
}

extension ToneCurve {
  fileprivate init(_ curve: TransferCurve) {
    if case .gamma(let gamma) = curve { self = .gamma(gamma) } else { self = .sRGB }
  }
}
