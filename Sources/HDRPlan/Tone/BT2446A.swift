import HDRCore

/// Report ITU-R BT.2446 method A, HDR to SDR; docs/tone-formulas.md#bt2446. Luma of gamma 2.4 through a logarithmic
/// perceptual curve with a knee; reds are darkened a little.
///
/// For displays of headroom h the SDR peak is h times reference white.
package enum BT2446A: ToneOperator {
  package static let name = "bt2446a"
  package static let summary = "Report ITU-R BT.2446 method A, HDR to SDR"
  package static let space = "Y'CbCr of gamma 2.4 in BT.2020, Y'"
  static let strict = ToneParameter(
    "strict", 0, 0...1, "1: the Report's own 1000 cd/m² content and 100 cd/m² display, whatever the headrooms")
  package static let parameters = [strict]

  static let gamma = 2.4

  /// Returns 1 + 32 (L/10000)^(1/2.4).
  static func rho(_ nits: Double) -> Double { 1 + 32 * ExactMath.pow(nits / 10_000, 1 / gamma) }

  /// Maps Y' of the content to Y' of the display, both 0...1, and returns the intermediate values too.
  package static func luma(
    _ y: Double, contentPeak: Double, displayPeak: Double
  ) -> (perceptual: Double, compressed: Double, luma: Double) {
    let h = rho(contentPeak), s = rho(displayPeak)
    let yp = ExactMath.log(1 + (h - 1) * y) / ExactMath.log(h)
    let yc: Double =
      yp <= 0.7399 ? 1.0770 * yp : (yp < 0.9909 ? (-1.1510 * yp + 2.7811) * yp - 0.6302 : 0.5 * yp + 0.5)
    return (yp, yc, (ExactMath.pow(s, yc) - 1) / (s - 1))
  }

  /// Computes the exact inverse of `luma`.
  package static func inverseLuma(_ y: Double, contentPeak: Double, displayPeak: Double) -> Double {
    let h = rho(contentPeak), s = rho(displayPeak)
    let yc = ExactMath.log(1 + y * (s - 1)) / ExactMath.log(s)
    let knee = 1.0770 * 0.7399, end = 0.5 * 0.9909 + 0.5
    let yp: Double
    if yc <= knee {
      yp = yc / 1.0770
    } else if yc < end {
      // The pieces do not join exactly: values in the gap belong to the nearer one.
      let root = max(2.7811 * 2.7811 - 4 * 1.1510 * (0.6302 + yc), 0).squareRoot()
      yp = min(max((2.7811 - root) / (2 * 1.1510), 0.7399), 0.9909)
    } else {
      yp = (yc - 0.5) / 0.5
    }
    return (ExactMath.pow(h, yp) - 1) / (h - 1)
  }

  /// The weights of 0.1 Cr, which reds lose: a tenth of (R - Y) / 1.4746.
  static let redness = [1 - 0.2627, -0.6780, -0.0593].map { $0 * 0.1 / 1.4746 }

  /// Returns a matrix that adds `share` of luma to each component.
  static func addingLuma(_ share: Double) -> Matrix3 {
    let w = ToneOperation.luminance.map { $0 * share }
    return Matrix3([1 + w[0], w[1], w[2], w[0], 1 + w[1], w[2], w[0], w[1], 1 + w[2]])
  }

  static func encode(_ scale: Double) -> ToneOperation {
    .curve(octaves: -30..<12, k: 6) { ExactMath.pow($0 * scale, 1 / gamma) }
  }

  static func decode(_ scale: Double) -> ToneOperation {
    .curve(octaves: -20..<1, k: 7) { ExactMath.pow($0, gamma) * scale }
  }

  package static func operations(content: Headroom, display: Headroom, _ values: ToneValues) -> [ToneOperation] {
    let isStrict = values.flag(strict)
    if display >= content && !isStrict { return [] }
    let white = ReferenceWhite.nits
    let lh = isStrict ? 1000 : white * content.factor, ls = isStrict ? 100 : white * display.factor
    return [
      encode(white / lh),
      // Y'CbCr of the Report in R'G'B': differences from luma are scaled by f = Ysdr / (1.1 Y'), then luma becomes
      // Ysdr - max(0.1 Cr, 0).
      .scaleByLuminance(octaves: -14..<4, k: 8) { y in
        y <= 0 ? 0 : luma(y, contentPeak: lh, displayPeak: ls).luma / (1.1 * y)
      },
      .matrix(addingLuma(0.1)),
      .addPositive(weights: redness, amount: -1),
      .limit(low: 0, high: 1),
      decode(isStrict ? 1 : display.factor),
    ]
  }
}

/// Report ITU-R BT.2446 method A, SDR to HDR; docs/tone-formulas.md#bt2446. The Report's fitted powers are for a
/// display of 1000 cd/m²; for other displays the result is scaled to their peak.
package enum BT2446AInverse: ToneOperator {
  package static let name = "bt2446a-inverse"
  package static let summary = "Report ITU-R BT.2446 method A, SDR to HDR"
  package static let space = BT2446A.space
  package static let direction = ToneDirection.up
  static let exact = ToneParameter(
    "exact", 0, 0...1, "1: the exact inverse of bt2446a for the same headrooms instead of the Report's fit")
  package static let parameters = [exact]

  /// Maps Y' of gamma 2.4 to the Report's Y'HDR, 0...1000.
  package static func expanded(_ y: Double) -> (exponent: Double, luma: Double) {
    let v = 255 * y
    let e: Double =
      v <= 70 + 1e-9 ? (1.8712e-5 * v - 2.7334e-3) * v + 1.3141 : (2.8305e-6 * v - 7.4622e-4) * v + 1.2528
    return (e, ExactMath.pow(v, e))
  }

  package static func operations(content: Headroom, display: Headroom, _ values: ToneValues) -> [ToneOperation] {
    if display <= content { return [] }
    let peak = display.factor, white = ReferenceWhite.nits
    if values.flag(exact) {
      return [
        BT2446A.encode(1),
        .addPositive(weights: BT2446A.redness, amount: 1),
        .matrix(BT2446A.addingLuma(1 / 1.1 - 1)),
        // Luma is 1/1.1 of the display's here.
        .scaleByLuminance(octaves: -14..<1, k: 8) { v in
          let y = min(1.1 * v, 1)
          return y <= 0 ? 0 : 1.1 * BT2446A.inverseLuma(y, contentPeak: white * peak, displayPeak: white) / y
        },
        .limit(low: 0, high: 1),
        BT2446A.decode(peak),
      ]
    }
    // Differences from luma times 1.075 Yh / Y', luma becomes Yh.
    return [
      BT2446A.encode(1),
      .scaleByLuminance(octaves: -14..<1, k: 8) { y in y <= 0 ? 0 : 1.075 * expanded(min(y, 1)).luma / (1000 * y) },
      .matrix(BT2446A.addingLuma(1 / 1.075 - 1)),
      .limit(low: 0, high: 1),
      BT2446A.decode(peak),
    ]
  }
}
