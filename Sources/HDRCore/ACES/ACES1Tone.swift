/// The tones of an output of ACES 1: light of a scene to a display's share of white, by curves of logarithms.
package struct ACES1Tone: Sendable {
  /// Curves of log10, one behind the other.
  private let curves: [ACES1Curve]
  /// The luminance of black, and that of white above it.
  private let black: Double, span: Double
  /// The white at which tones for a projector of DCI white end, which roll off towards it.
  private let roll: Double?

  init(_ curves: ACES1Curve..., black: Double, span: Double, roll: Double? = nil) {
    (self.curves, self.black, self.span, self.roll) = (curves, black, span, roll)
  }

  /// Returns the display's share of white for scene light; with the rolled white of DCI, perhaps more than that white.
  package func shown(_ light: Double) -> Double {
    let y = curves.reduce(ExactMath.log10(max(light, 0x1p-126))) { $1($0) }
    return rolled((ExactMath.pow(10, y) - black) / span)
  }

  /// Returns the least scene light that is shown with a share of white. Black is 0; what is brighter than the brightest
  /// share is taken for that.
  package func light(_ shown: Double) -> Double {
    guard shown > 0 else { return 0 }
    let y = ExactMath.log10(black + span * unrolled(min(shown, brightest)))
    return ExactMath.pow(10, curves.reversed().reduce(y) { $1.inverse($0) })
  }

  /// The share of white that no light exceeds.
  package var brightest: Double { shown(0x1p60) }

  private func rolled(_ x: Double) -> Double {
    guard let roll else { return x }
    let t = 2 * (1 - x), slope = 2 * roll - 1.5
    if t > 1 { return x }
    return t < 0 ? roll - slope * t : roll - slope * t - (1 - roll) * t * t
  }

  private func unrolled(_ y: Double) -> Double {
    guard let roll, y > 0.5 else { return y }
    let slope = 2 * roll - 1.5, rest = roll - y
    let t = rest < 0 ? rest / slope : 2 * rest / (slope + (slope * slope + 4 * (1 - roll) * rest).squareRoot())
    return 1 - t / 2
  }
}
