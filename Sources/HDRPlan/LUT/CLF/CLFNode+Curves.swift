import HDRCore

extension CLFNode {
  /// Reads `Exponent` of CLF and `Gamma` of CTF.
  func power(_ parameters: String, _ attribute: String) throws(LUTError) -> [LUTOperation] {
    guard let style else { throw element.error(.style, "it has no style") }
    let isReversed = style.hasSuffix("rev")
    guard isReversed || style.hasSuffix("fwd") else { throw unknownStyle() }
    let kind = style.dropLast(3), isMonCurve = kind.hasPrefix("moncurve")
    let negatives: LUTFormula.Negatives
    switch kind {
    case "basic", "moncurve": negatives = .clamp
    case "basicmirror", "moncurvemirror": negatives = .mirror
    case "basicpassthru": negatives = .pass
    default: throw unknownStyle()
    }
    let formulas = try channels(parameters) { (found) throws(LUTError) -> LUTFormula in
      guard let exponent = try found.number(attribute) else {
        throw found.error(.value, "\(attribute) is missing")
      }
      guard isMonCurve else {
        guard (0.01...100).contains(exponent), found.attribute("offset") == nil else {
          throw found.error(.value, "\(attribute) must be 0.01 to 100, and there is no offset in this style")
        }
        return .power(isReversed ? 1 / exponent : exponent, negatives)
      }
      guard let offset = try found.number("offset"), (0...0.9).contains(offset), (1...10).contains(exponent) else {
        throw found.error(.value, "\(attribute) must be 1 to 10, and offset 0 to 0.9")
      }
      return .monCurve(
        MonCurve(gamma: exponent, offset: offset), isReversed: isReversed, mirrors: negatives == .mirror)
    }
    guard formulas.contains(where: { $0 != nil }) else { throw element.error(.value, "\(parameters) is missing") }
    return [.formulas(formulas.map { $0 ?? .identity })]
  }

  func log() throws(LUTError) -> [LUTOperation] {
    switch style {
    case "log10": return [.formulas(Array(repeating: .log(base: 10), count: 3))]
    case "log2": return [.formulas(Array(repeating: .log(base: 2), count: 3))]
    case "antilog10": return [.formulas(Array(repeating: .exp(base: 10), count: 3))]
    case "antilog2": return [.formulas(Array(repeating: .exp(base: 2), count: 3))]
    case "lintolog": return try steps(of: parameters(isCamera: false), isReversed: false)
    case "logtolin": return try steps(of: parameters(isCamera: false), isReversed: true)
    case "cameralintolog": return try steps(of: parameters(isCamera: true), isReversed: false)
    case "cameralogtolin": return try steps(of: parameters(isCamera: true), isReversed: true)
    default: throw unknownStyle()
    }
  }

  /// The parameters of a logarithm: logSlope · log_base(linSlope · x + linOffset) + logOffset.
  private struct LogParameters {
    var base = 2.0, logSlope = 1.0, logOffset = 0.0, linSlope = 1.0, linOffset = 0.0
    /// Camera styles have a line: where it begins, and its slope if that is stated.
    var limit: Double?
    var lineSlope: Double?
  }

  private func parameters(isCamera: Bool) throws(LUTError) -> [LogParameters] {
    let found = try channels("LogParams") { (found) throws(LUTError) -> LogParameters in
      if found.attribute("refWhite") != nil || found.attribute("gamma") != nil { return try Self.film(found) }
      var log = LogParameters()
      log.base = try found.number("base") ?? log.base
      log.logSlope = try found.number("logSideSlope") ?? log.logSlope
      log.logOffset = try found.number("logSideOffset") ?? log.logOffset
      log.linSlope = try found.number("linSideSlope") ?? log.linSlope
      log.linOffset = try found.number("linSideOffset") ?? log.linOffset
      log.limit = try found.number("linSideBreak")
      log.lineSlope = try found.number("linearSlope")
      guard log.base > 0, log.base != 1, log.logSlope != 0, log.linSlope != 0 else {
        throw found.error(.value, "base must be above 0 and not 1, and slopes must not be 0")
      }
      guard isCamera == (log.limit != nil), isCamera || log.lineSlope == nil, log.lineSlope != 0 else {
        throw found.error(.value, "camera styles need linSideBreak, and others have neither it nor linearSlope")
      }
      if let limit = log.limit, limit * log.linSlope + log.linOffset <= 0 {
        throw found.error(.value, "linSideBreak has no logarithm")
      }
      return log
    }
    guard !isCamera || found.allSatisfy({ $0 != nil }) else {
      throw element.error(.value, "LogParams is missing")
    }
    return found.map { $0 ?? LogParameters() }
  }

  /// Reads the parameters of old CTF files: a film scan's white, black and gamma, in codes of 10 bits.
  private static func film(_ found: LUTElement) throws(LUTError) -> LogParameters {
    let gamma = try found.number("gamma") ?? 0.6, highlight = try found.number("highlight") ?? 1
    let shadow = try found.number("shadow") ?? 0
    let white = try found.number("refWhite") ?? 685, black = try found.number("refBlack") ?? 95
    guard gamma > 0, white > black, highlight > shadow else {
      throw found.error(.value, "gamma must be above 0, refWhite above refBlack, highlight above shadow")
    }
    let density = 0.002 * 1023 / gamma, range = highlight - shadow
    let gain = range / (1 - ExactMath.exp2(min((black - white) / 1023 * density, -0.0001) * ExactMath.log2(10)))
    var log = LogParameters()
    log.base = 10
    (log.logSlope, log.logOffset) = (1 / density, white / 1023)
    (log.linSlope, log.linOffset) = (1 / gain, (gain - range - shadow) / gain)
    return log
  }

  private func steps(of logs: [LogParameters], isReversed: Bool) -> [LUTOperation] {
    var chain: [LUTOperation] = [.affine(logs.map(\.linSlope), logs.map(\.linOffset))]
    if logs[0].limit == nil {
      chain += [
        .formulas(logs.map { .log(base: $0.base) }), .affine(logs.map(\.logSlope), logs.map(\.logOffset)),
      ]
    } else {
      chain.append(
        .formulas(
          logs.map { log in
            .camera(
              CameraLog(
                base: log.base, scale: log.logSlope, offset: log.logOffset,
                limit: (log.limit ?? 0) * log.linSlope + log.linOffset,
                lineSlope: log.lineSlope.map { $0 / log.linSlope }), isReversed: false)
          }))
    }
    // Slopes are not 0, so the inverse exists.
    return isReversed ? (try? LUTChain(chain).inverse().operations) ?? [] : chain
  }

  /// Reads `ECParams`: x · 2^exposure with contrast · gamma about a pivot, of light, of video or of logarithms.
  func exposureContrast() throws(LUTError) -> [LUTOperation] {
    guard let found = try element.one("ECParams") else { throw element.error(.value, "ECParams is missing") }
    let exposure = try found.number("exposure") ?? 0
    let contrast = max(0.001, (try found.number("contrast") ?? 1) * (try found.number("gamma") ?? 1))
    let pivot = max(0.001, try found.number("pivot") ?? 0.18)
    let step = try found.number("logExposureStep") ?? 0.088, grey = try found.number("logMidGray") ?? 0.435
    guard abs(exposure) <= 100, contrast <= 100, pivot <= 1000 else {
      throw found.error(.value, "exposure must be at most 100, contrast · gamma at most 100, pivot at most 1000")
    }
    let style = style ?? "linear", isReversed = style.hasSuffix("rev")
    let kind = isReversed ? String(style.dropLast(3)) : style
    func three(_ x: Double) -> [Double] { [x, x, x] }
    let chain: [LUTOperation]
    switch kind {
    case "linear", "video":
      let video = kind == "video" ? 1 / 1.83 : 1
      let level = ExactMath.pow(pivot, video), gain = ExactMath.exp2(exposure * video)
      chain = [
        .affine(three(gain / level), three(0)), .formulas(Array(repeating: .power(contrast, .clamp), count: 3)),
        .affine(three(level), three(0)),
      ]
    case "log":
      let center = ExactMath.log2(pivot / 0.18) * step + grey
      chain = [
        .affine(three(contrast), three((exposure * step - center) * contrast + center))
      ]
    default: throw unknownStyle()
    }
    return isReversed ? try LUTChain(chain).inverse().operations : chain
  }

  /// Reads the surround of BT.2100, the one fixed function that stages have.
  func fixedFunction() throws(LUTError) -> [LUTOperation] {
    let isForward = ["rec2100surround", "rec2100surroundfwd"].contains(style)
    guard isForward || style == "rec2100surroundrev" else {
      throw element.error(.transformStyle, "this FixedFunction is not supported; bake the file to a LUT")
    }
    let parameters = try LUTNumbers.finite(
      (element.attribute("params") ?? "").split(whereSeparator: \.isWhitespace), 1, line: element.line, "params")
    guard (0.01...100).contains(parameters[0]) else {
      throw element.error(.value, "params must be 0.01 to 100")
    }
    return [.surround(exponent: isForward ? parameters[0] : 1 / parameters[0])]
  }
}
