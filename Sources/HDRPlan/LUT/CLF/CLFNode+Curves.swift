import HDRCore
import OCIOConfig

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

  private func parameters(isCamera: Bool) throws(LUTError) -> [LUTOperation.Logarithm] {
    let found = try channels("LogParams") { (found) throws(LUTError) -> LUTOperation.Logarithm in
      if found.attribute("refWhite") != nil || found.attribute("gamma") != nil { return try Self.film(found) }
      var log = LUTOperation.Logarithm()
      log.base = try found.number("base") ?? log.base
      log.sides.logSlope = try found.number("logSideSlope") ?? log.sides.logSlope
      log.sides.logOffset = try found.number("logSideOffset") ?? log.sides.logOffset
      log.sides.linSlope = try found.number("linSideSlope") ?? log.sides.linSlope
      log.sides.linOffset = try found.number("linSideOffset") ?? log.sides.linOffset
      log.limit = try found.number("linSideBreak")
      log.lineSlope = try found.number("linearSlope")
      guard log.base > 0, log.base != 1, log.sides.logSlope != 0, log.sides.linSlope != 0 else {
        throw found.error(.value, "base must be above 0 and not 1, and slopes must not be 0")
      }
      guard isCamera == (log.limit != nil), isCamera || log.lineSlope == nil, log.lineSlope != 0 else {
        throw found.error(.value, "camera styles need linSideBreak, and others have neither it nor linearSlope")
      }
      guard log.hasLimit else { throw found.error(.value, "linSideBreak has no logarithm") }
      return log
    }
    guard !isCamera || found.allSatisfy({ $0 != nil }) else {
      throw element.error(.value, "LogParams is missing")
    }
    return found.map { $0 ?? LUTOperation.Logarithm() }
  }

  /// Reads the parameters of old CTF files: a film scan's white, black and gamma, in codes of 10 bits.
  private static func film(_ found: LUTElement) throws(LUTError) -> LUTOperation.Logarithm {
    let gamma = try found.number("gamma") ?? 0.6, highlight = try found.number("highlight") ?? 1
    let shadow = try found.number("shadow") ?? 0
    let white = try found.number("refWhite") ?? 685, black = try found.number("refBlack") ?? 95
    guard gamma > 0, white > black, highlight > shadow else {
      throw found.error(.value, "gamma must be above 0, refWhite above refBlack, highlight above shadow")
    }
    let density = 0.002 * 1023 / gamma, range = highlight - shadow
    let gain = range / (1 - ExactMath.exp2(min((black - white) / 1023 * density, -0.0001) * ExactMath.log2(10)))
    var log = LUTOperation.Logarithm()
    log.base = 10
    (log.sides.logSlope, log.sides.logOffset) = (1 / density, white / 1023)
    (log.sides.linSlope, log.sides.linOffset) = (1 / gain, (gain - range - shadow) / gain)
    return log
  }

  private func steps(of logs: [LUTOperation.Logarithm], isReversed: Bool) -> [LUTOperation] {
    let chain = LUTOperation.logarithms(logs)
    // Slopes are not 0, so the inverse exists.
    return isReversed ? (try? LUTChain(chain).inverse().operations) ?? [] : chain
  }

  /// Reads `ECParams`: x · 2^exposure with contrast · gamma about a pivot, of light, of video or of logarithms.
  func exposureContrast() throws(LUTError) -> [LUTOperation] {
    guard let found = try element.one("ECParams") else { throw element.error(.value, "ECParams is missing") }
    let style = style ?? "linear", isReversed = style.hasSuffix("rev")
    guard let kind = ExposureContrast.Style(rawValue: isReversed ? String(style.dropLast(3)) : style) else {
      throw unknownStyle()
    }
    var numbers = ExposureContrast(style: kind)
    numbers.exposure = try found.number("exposure") ?? numbers.exposure
    numbers.contrast = try found.number("contrast") ?? numbers.contrast
    numbers.gamma = try found.number("gamma") ?? numbers.gamma
    numbers.pivot = try found.number("pivot") ?? numbers.pivot
    numbers.logExposureStep = try found.number("logExposureStep") ?? numbers.logExposureStep
    numbers.logMidGray = try found.number("logMidGray") ?? numbers.logMidGray
    guard abs(numbers.exposure) <= 100, numbers.contrast * numbers.gamma <= 100, numbers.pivot <= 1000 else {
      throw found.error(.value, "exposure must be at most 100, contrast · gamma at most 100, pivot at most 1000")
    }
    let chain = LUTOperation.exposureContrast(numbers)
    return isReversed ? try LUTChain(chain).inverse().operations : chain
  }
}
