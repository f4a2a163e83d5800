import HDRCore

/// Report ITU-R BT.2446 method C, HDR to SDR; docs/tone-formulas.md#bt2446. Crosstalk, luminance through a line and a
/// logarithm, crosstalk undone; optionally less chroma above reference white.
///
/// The Report's display shows 100 cd/m². For a display of headroom h, light is divided by h before and multiplied
/// after.
package enum BT2446C: ToneOperator {
  package static let name = "bt2446c"
  package static let summary = "Report ITU-R BT.2446 method C, HDR to SDR"
  package static let space = "linear BT.2020 with crosstalk, luminance"
  static let crosstalk = ToneParameter("crosstalk", 0.04, 0...0.32, "share of each of the other two channels")
  static let chroma = ToneParameter("chroma", 0, 0...1, "how much chroma is taken off at the content's peak")
  static let published = ToneParameter(
    "published", 0, 0...1, "1: the Report's rounded constants, which jump by 0.035 cd/m² at the knee")
  static let fit = ToneParameter(
    "fit", 0, 0...1, "1: the content's peak at the display's instead of cutting what exceeds it")
  package static let parameters = [crosstalk, chroma, published, fit]

  /// The constants of the tone curve, in cd/m².
  package struct Constants: Sendable, Hashable {
    package var k1, k2, k3, k4, knee: Double

    init(k1: Double, k2: Double, k3: Double, k4: Double, knee: Double) {
      (self.k1, self.k2, self.k3, self.k4, self.knee) = (k1, k2, k3, k4, knee)
    }

    /// The constants printed in the Report.
    package static let published = Constants(
      k1: 0.83802, k2: 15.09968, k3: 0.74204, k4: 78.99439, knee: 58.5 / 0.83802)

    /// Derives constants that put skin at 70 % SDR signal, the knee at 80 %, reference white at 96 %.
    ///
    /// - Parameters:
    ///   - skin: luminance of skin in HDR, cd/m².
    ///   - white: luminance of reference white in HDR, cd/m².
    package static func derived(skin: Double, white: Double) -> Constants {
      func sdr(_ signal: Double) -> Double { 100 * ExactMath.pow(signal, 2.4) }
      let k1 = sdr(0.70) / skin, knee = sdr(0.80) / k1, rise = sdr(0.96) - k1 * knee
      var low = 0.0, high = 0.999
      for _ in 0..<200 {
        let k3 = (low + high) / 2
        let value = k1 * (1 - k3) * knee * (ExactMath.log(white / knee - k3) - ExactMath.log(1 - k3))
        // The rise falls as k3 grows.
        if value > rise { low = k3 } else { high = k3 }
      }
      let k3 = (low + high) / 2, k2 = k1 * (1 - k3) * knee
      return Constants(k1: k1, k2: k2, k3: k3, k4: k1 * knee - k2 * ExactMath.log(1 - k3), knee: knee)
    }

    /// The constants for the HLG levels of BT.2408: skin at 50 %, white at 75 % on a display of 1000 cd/m².
    package static let hlg = derived(
      skin: Transfer.hlgEOTF([0.5, 0.5, 0.5], peak: 1000)[0],
      white: Transfer.hlgEOTF([0.75, 0.75, 0.75], peak: 1000)[0])

    /// The constants for the PQ levels: skin at 44 %, white at 58 %.
    package static let pq = derived(skin: Transfer.pqEOTF(0.44), white: Transfer.pqEOTF(0.58))

    /// Maps cd/m² of the content to cd/m² of the SDR display.
    package func compressed(_ y: Double) -> Double { y < knee ? k1 * y : k2 * ExactMath.log(y / knee - k3) + k4 }

    package func expanded(_ y: Double) -> Double {
      y < k1 * knee ? y / k1 : knee * (ExactMath.exp((y - k4) / k2) + k3)
    }
  }

  /// Returns a matrix of 1 - 2a on the diagonal, a elsewhere.
  static func mixing(_ a: Double) -> Matrix3 {
    Matrix3([1 - 2 * a, a, a, a, 1 - 2 * a, a, a, a, 1 - 2 * a])
  }

  /// Returns L* of a luminance relative to white.
  static func lightness(_ y: Double) -> Double { 116 * cbrt(y) }

  /// Returns the CIE L*a*b* function minus 4/29: odd, 0 at 0.
  static func cbrt(_ t: Double) -> Double {
    let d = 6.0 / 29
    return t > d * d * d ? ExactMath.pow(t, 1.0 / 3) - 4.0 / 29 : t / (3 * d * d)
  }

  static func cube(_ v: Double) -> Double {
    let d = 6.0 / 29, f = v + 4.0 / 29
    return f > d ? f * f * f : 3 * d * d * v
  }

  /// Scales chroma by `max(1 - sigma (L* - 100)/(L*max - 100), 0)` above L* = 100, in CIE L*a*b* of reference white.
  static func chromaOperations(_ sigma: Double, peak: Double) -> [ToneOperation] {
    let most = lightness(peak)
    guard sigma > 0, most > 100, let toXYZ = Primaries.bt2020.rgbToXYZ else { return [] }
    let white = Primaries.xyz(Primaries.d65)
    let relative = Matrix3.diagonal(1 / white[0], 1 / white[1], 1 / white[2]) * toXYZ
    // Y first, then the two differences: a* and b* without their factors.
    let opponents = Matrix3([0, 1, 0, 1, -1, 0, 0, 1, -1])
    return [
      .matrix(relative),
      .curve(octaves: -20..<12, k: 6) { cbrt($0) },
      .matrix(opponents),
      .scaleByFirst(octaves: -6..<5, k: 9, first: { _ in 1 }) { l in
        116 * l <= 100 ? 1 : max(1 - sigma * (116 * l - 100) / (most - 100), 0)
      },
      .matrix(opponents.inverse!),
      .curve(octaves: -20..<6, k: 6) { cube($0) },
      .matrix(relative.inverse!),
    ]
  }

  package static func operations(content: Headroom, display: Headroom, _ values: ToneValues) -> [ToneOperation] {
    if display >= content { return [] }
    let a = values.value(crosstalk), shown = display.factor, peak = content.factor / shown
    let constants = values.flag(published) ? Constants.published : .hlg
    let white = ReferenceWhite.nits
    let most = values.flag(fit) ? constants.compressed(white * peak) : 100
    return [.matrix(mixing(a) * (1 / shown))] + chromaOperations(values.value(chroma), peak: peak) + [
      .scaleByLuminance(octaves: -3..<16, k: 9) { v in constants.compressed(white * v) / (most * v) },
      .matrix(mixing(a).inverse! * shown),
      .limit(low: -1_048_576, high: shown),
    ]
  }
}

/// Report ITU-R BT.2446 method C, SDR to HDR; docs/tone-formulas.md#bt2446. SDR white becomes 332 cd/m², with `fit` the
/// 1000 cd/m² that the super-whites of video reach.
package enum BT2446CInverse: ToneOperator {
  package static let name = "bt2446c-inverse"
  package static let summary = "Report ITU-R BT.2446 method C, SDR to HDR"
  package static let space = BT2446C.space
  package static let direction = ToneDirection.up
  static let fit = ToneParameter("fit", 0, 0...1, "1: SDR white at 1000 cd/m² instead of 332")
  package static let parameters = [BT2446C.crosstalk, BT2446C.published, fit]

  private static func whites(_ values: ToneValues) -> (constants: BT2446C.Constants, scale: Double) {
    let constants = values.flag(BT2446C.published) ? BT2446C.Constants.published : .hlg
    return (constants, values.flag(fit) ? constants.compressed(1000) : 100)
  }

  package static func result(content: Headroom, display: Headroom, _ values: ToneValues) -> Headroom {
    let (constants, scale) = whites(values)
    return min(display, Headroom(factor: constants.expanded(scale) / ReferenceWhite.nits))
  }

  package static func operations(content: Headroom, display: Headroom, _ values: ToneValues) -> [ToneOperation] {
    if display <= content { return [] }
    let a = values.value(BT2446C.crosstalk), (constants, scale) = whites(values), white = ReferenceWhite.nits
    return [
      .matrix(BT2446C.mixing(a)),
      // SDR light does not go beyond white; there the exponential would grow without bound.
      .scaleByLuminance(octaves: -3..<1, k: 9) { v in constants.expanded(scale * min(v, 1.1)) / (white * v) },
      .matrix(BT2446C.mixing(a).inverse!),
      .limit(low: -1_048_576, high: display.factor),
    ]
  }
}
