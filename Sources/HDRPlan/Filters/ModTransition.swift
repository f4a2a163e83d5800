import HDRCore
import Kernels

/// Shows the input through holes that grow until they fill the picture.
///
/// Holes lie in a square grid of twice the radius, turned by the angle, seen as if places p from the centre were
/// p c / (c + |p|), c the compression: undistorted in the middle, larger outwards. With h the squared distance from a hole's
/// middle, 1 in the corners of its cell, the weight is t² (3 - 2t) of time 9 - 8 h, cut to 0...1.
enum ModTransition: Filter {
  static let name = "mod-transition"
  static let summary = "from the picture to the input through growing holes"
  static let category = FilterCategory.transition
  static let angle = Transition.angle(114.6)
  static let radius = FilterParameter("radius", .number(150, 1...65536), "of a hole in the middle, in pixels")
  static let compression = FilterParameter(
    "compression", .number(300, 1...65536), "pixels from the centre where holes are twice as far apart")
  static let parameters = [
    Compositing.input, Dissolve.time, Pattern.center, angle, radius, compression, Compositing.covering,
  ]
  static let alpha = AlphaRule.premultiplied
  static let headroomEffect = HeadroomEffect.recomputed
  /// The inverse of the share of h over which the weight rises.
  static let slope = 8.0

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    Transition.headroom(values, content, inputs)
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    let (cx, cy) = edit.place(values, Pattern.center), (c, s) = ExactMath.cosSin(degrees: values.value(angle))
    let scale = 0.5 / values.value(radius), margin = Transition.margin
    let words = HolesStage.Parameters(
      toX: Float(0.5 - cx), toY: Float(0.5 - cy), cosine: Float(c * scale), sine: Float(s * scale),
      compression: Float(values.value(compression)), slope: Float(Self.slope),
      start: Float(values.value(Dissolve.time) * (Self.slope + 1 + 2 * margin) - margin)
    ).list
    try edit.mix(values) { (edit) throws(PlanError) in edit.plane(.holes, words) }
  }
}
