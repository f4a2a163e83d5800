/// The logarithm of film scans, Cineon's and DPX's: codes of 10 bits that count 0.002 of printing density.
///
/// Light is (10^((code - white) · 0.002 / gamma) - o) / (1 - o) with o of the code of black: 1.0 at the code of white, 0 at
/// black's, negative below it. Source: Kodak, "Conversion of 10-bit Log Film Data to 8-bit Linear or Video Data" (1995).
package struct FilmLog: Sendable, Hashable {
  /// The codes of 10 bits of black and of a perfect diffuser, and the gamma of the negative.
  package var black = 95.0, white = 685.0, gamma = 0.6

  package init(black: Double = 95, white: Double = 685, gamma: Double = 0.6) {
    (self.black, self.white, self.gamma) = (black, white, gamma)
  }

  /// The values that a code of 10 bits can have, and gammas of negatives.
  package static let codes = 0.0...1023, gammas = 0.1...10.0

  /// True if white is brighter than black, and all numbers are within their ranges.
  package var isUsable: Bool {
    Self.codes.contains(black) && Self.codes.contains(white) && Self.gammas.contains(gamma) && black < white
  }

  /// The space of such codes, with the primaries of BT.709.
  package var space: NamedSpace {
    if self == FilmLog(), let known = NamedSpace.named(Self.name) { return known }
    let density = ExactMath.exp10((black - white) * 0.002 / gamma)
    let curve = CodeCurve.log(
      LogCurve(gamma / 0.002 / 1023, white / 1023, gain: 1 - density, shift: density))
    return .space("\(Self.name) \(black)/\(white)/\(gamma)", [], .log, .rec709, curve)
  }

  private static let name = "Cineon Rec.709"

  /// Parses the name of a space that `space` has made with other numbers than usual.
  init?(spaceName: String) {
    guard spaceName.hasPrefix(Self.name + " ") else { return nil }
    let numbers = spaceName.dropFirst(Self.name.count + 1).split(separator: "/", omittingEmptySubsequences: false)
      .map { Double($0) }
    guard numbers.count == 3, let black = numbers[0], let white = numbers[1], let gamma = numbers[2] else { return nil }
    self.init(black: black, white: white, gamma: gamma)
    guard isUsable, space.name == spaceName else { return nil }
  }
}
