import HDRCore

/// Changes the shape, partly by cropping and partly by stretching, which keeps the middle's shape.
///
/// Let one axis be the one that the target needs to grow by `ratio` times more than the other. The picture is scaled by
/// ratio^cropAmount more than what fits it into the target; the other axis is then cropped evenly to the target.
/// The axis that is still too short by e = ratio^(1 - cropAmount) is stretched: a place x of -1...1 in the result shows
/// the picture's a x + (1 - a) x³, where 1 / a = lerp(1 / e, 1, centerStretchAmount), a <= 1.5.
enum StretchCrop: Filter {
  static let name = "stretch-crop"
  static let summary = "another shape, by cropping and by stretching more towards the borders"
  static let category = FilterCategory.geometry
  static let size = FilterParameter(
    "size", .vector(nil, size: 2, 1...65536), "width, height in pixels; without it 1280, 1280")
  static let cropAmount = FilterParameter(
    "crop-amount", .number(0.25, 0...1), "0 only stretches, 1 only crops")
  static let centerStretchAmount = FilterParameter(
    "center-stretch-amount", .number(0.25, 0...1), "0 keeps the shape of the middle, 1 stretches evenly")
  static let parameters = [size, cropAmount, centerStretchAmount]
  static let isGeometric = true
  static let alpha = AlphaRule.premultiplied

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    let target = values.vector(size) ?? [1280, 1280]
    let width = Edit.pixels(target[0]), height = Edit.pixels(target[1])
    try edit.checkSize(name, width, height)
    let x = Double(width) / Double(edit.width), y = Double(height) / Double(edit.height)
    let ratio = max(x, y) / min(x, y), crop = ExactMath.pow(ratio, values.value(cropAmount)), e = ratio / crop
    let a = min(1.5, 1 / (1 / e + (1 - 1 / e) * values.value(centerStretchAmount)))
    func weights(_ length: Int, _ result: Int, isStretched: Bool) -> AxisWeights? {
      if ratio == 1 || (isStretched ? e : crop) == 1, length == result { return nil }
      let half = Double(length) / 2, to = Double(result) / 2
      return .covering(length, to: result) { place in
        let t = place / to - 1
        return half + half * (isStretched ? a * t + (1 - a) * t * t * t : t / crop)
      }
    }
    edit.premultiply()
    edit.convolve(name, y: weights(edit.height, height, isStretched: y > x))
    edit.convolve(name, x: weights(edit.width, width, isStretched: x >= y))
    edit.unpremultiply()
  }
}
