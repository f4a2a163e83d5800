import HDRCore

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
    let words = HolesStage.Words(
      toX: Float(0.5 - cx), toY: Float(0.5 - cy), cosine: Float(c * scale), sine: Float(s * scale),
      compression: Float(values.value(compression)), slope: Float(Self.slope),
      start: Float(values.value(Dissolve.time) * (Self.slope + 1 + 2 * margin) - margin)
    ).list
    try edit.mix(values) { (edit) throws(PlanError) in edit.plane(.holes, words) }
  }
}

/// Stage `holes`: the weight of a pixel in a grid of holes, as R, G and B.
public enum HolesStage {
  public struct Words: StageWords {
    /// The place of a pixel from the centre by its number, and the cell by that place.
    public let toX: Float, toY: Float, cosine: Float, sine: Float, compression: Float
    /// The weight before it is cut: start - slope h.
    public let slope: Float, start: Float
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Words.self), r = s.red, g = s.green, b = s.blue
    let y = Float(Int32(truncatingIfNeeded: s.y)) + words.toY, first = Int32(truncatingIfNeeded: s.x)
    for i in 0..<s.padded {
      let x = Float(first &+ Int32(truncatingIfNeeded: i)) + words.toX
      let near = words.compression * E32.reciprocal(words.compression + PlanarLength.of(x, y))
      let u = (words.cosine * x - words.sine * y) * near, v = (words.sine * x + words.cosine * y) * near
      let du = u - WarpProjective.floor(u + 0.5), dv = v - WarpProjective.floor(v + 0.5)
      let weight = words.start - words.slope * (2 * (du * du + dv * dv))
      let low: Float = weight > 0 ? weight : 0, t: Float = low < 1 ? low : 1
      let smooth = (t * t) * (3 - 2 * t)
      r[i] = smooth
      g[i] = smooth
      b[i] = smooth
    }
  }
}
