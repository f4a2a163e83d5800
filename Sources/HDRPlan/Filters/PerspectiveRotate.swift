import HDRCore

/// The picture as the camera would have taken it turned about its lens; the centre stays at its place.
///
/// Places go to T K Z X Y K⁻¹ p. K is the camera's matrix, Y turns by `yaw` about the upright axis, X by `pitch` about
/// the level one, Z by `roll` about the view, and T moves the centre back. Order and signs are this project's choice.
enum PerspectiveRotate: Filter {
  static let name = "perspective-rotate"
  static let summary = "as if the camera had been turned about its lens"
  static let category = FilterCategory.geometry
  static let pitch = angle("pitch", "positive: the bottom recedes, which rights buildings taken from below")
  static let yaw = angle("yaw", "positive: the left side recedes")
  static let roll = angle("roll", "counter-clockwise as seen")
  static let parameters = [PinholeCamera.focalLength, pitch, yaw, roll, Canvas.parameter, Warping.sampling]
  static let isGeometric = true
  static let alpha = AlphaRule.premultiplied

  private static func angle(_ name: String, _ what: String) -> FilterParameter {
    FilterParameter(name, .number(0, -36000...36000), "degrees; \(what)")
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    let camera = PinholeCamera(values, width: edit.width, height: edit.height)
    let (cp, sp) = ExactMath.cosSin(degrees: values.value(pitch))
    let (cy, sy) = ExactMath.cosSin(degrees: values.value(yaw))
    let (cr, sr) = ExactMath.cosSin(degrees: values.value(roll))
    let x = Matrix3([1, 0, 0, 0, cp, -sp, 0, sp, cp]), y = Matrix3([cy, 0, sy, 0, 1, 0, -sy, 0, cy])
    let z = Matrix3([cr, sr, 0, -sr, cr, 0, 0, 0, 1]), turn = z * x * y
    if turn.isIdentity() { return }
    let map = camera.map(turning: turn), w = Double(edit.width), h = Double(edit.height)
    let center = map * [w / 2, h / 2, 1]
    let corners = [[0, 0, 1], [w, 0, 1], [w, h, 1], [0, h, 1]].map { (map * $0)[2] }
    guard center[2] > 0, corners.allSatisfy({ $0 > 0.05 * center[2] }) else {
      throw .invalidParameter("\(name): so far turned, a corner of the picture lies beside or behind the camera")
    }
    let back = Matrix3.translation(w / 2 - center[0] / center[2], h / 2 - center[1] / center[2])
    try Canvas.apply(name, values, back * map, to: &edit)
  }
}
