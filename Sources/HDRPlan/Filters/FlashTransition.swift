import HDRCore
import Kernels

/// A flash of a colour that spreads from a centre over the picture. At the time `threshold` it fills the picture, and
/// then fades over the input. Nothing is cut: colours above 1 are light above white.
///
/// With p = time / threshold and D the distance of the farthest corner, the flash reaches r = 5/4 p² D, and along rays up to
/// strength times the striation radius further: r (1 + strength radius q), where q of the direction is 0...1, steeper with
/// more contrast. Weight: t² (3 - 2t) over the last D / 8.
enum FlashTransition: Filter {
  static let name = "flash-transition"
  static let summary = "from the picture to the input by a flash that spreads and fades"
  static let category = FilterCategory.transition
  static let color = FilterParameter("color", .color([1, 0.8, 0.6]), "of the flash, encoded sRGB; 1 is white")
  static let striationRadius = FilterParameter(
    "max-striation-radius", .number(2.58, 0...10), "how far rays reach, times the flash")
  static let strength = FilterParameter("striation-strength", .number(0.5, 0...3), "how much of that they do")
  static let contrast = FilterParameter("striation-contrast", .number(1.375, 0...5), "of rays and what lies between")
  static let threshold = FilterParameter(
    "fade-threshold", .number(0.85, 0...1), "time at which the flash fills the picture")
  static let parameters = [
    Compositing.input, Dissolve.time, Pattern.center, color, striationRadius, strength, contrast, threshold,
    Compositing.covering,
  ]
  static let alpha = AlphaRule.premultiplied
  static let headroomEffect = HeadroomEffect.recomputed

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    Transition.headroom(values, content, inputs, light: Transition.light(values, color))
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    let time = values.value(Dissolve.time), full = values.value(threshold), (width, height) = (edit.width, edit.height)
    let spreads = time < full || time == 0, share = spreads ? (time == 0 ? 0 : time / full) : 1
    if spreads {
      _ = try edit.content(values.input(Compositing.input) ?? "")
      edit.premultiply()
    } else {
      let picture = edit.planes(), top = try edit.foreground(values, fit: Compositing.covering)
      edit.use(picture)
      edit.mix(top, mask: nil)
      edit.premultiply()
    }
    let (cx, cy) = edit.place(values, Pattern.center)
    let dx = max(abs(cx), abs(Double(width) - cx)), dy = max(abs(cy), abs(Double(height) - cy))
    let farthest = (dx * dx + dy * dy).squareRoot(), opacity = spreads || full == 1 ? 1 : (1 - time) / (1 - full)
    edit.stage(
      .flash,
      FlashStage.Parameters(
        toX: Float(0.5 - cx), toY: Float(0.5 - cy), radius: Float(1.25 * share * share * farthest),
        slope: Float(8 / farthest), reach: Float(values.value(strength) * values.value(striationRadius)),
        contrast: Float(values.value(contrast)), opacity: Float(time == 1 ? 0 : opacity),
        color: RGBWords(Array(values.color(color).prefix(3)))
      ).list)
    edit.unpremultiply()
  }
}
