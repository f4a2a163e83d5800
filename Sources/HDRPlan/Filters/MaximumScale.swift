import HDRCore
import Kernels

/// A smaller picture that keeps its lights: each pixel has the largest of each premultiplied component of all pixels that
/// it touches. An axis that gets larger is bilinear.
///
/// Of n columns, column i of m shows those from floor(i n / m) up to ceil((i + 1) n / m), without that; rows alike.
enum MaximumScale: Filter {
  static let name = "maximum-scale-transform"
  static let summary = "a smaller picture of the largest components: single lights do not fade"
  static let category = FilterCategory.geometry
  static let scale = FilterParameter("scale", .number(1, 0.001...1), "size of the result over that of the picture")
  static let aspectRatio = FilterParameter(
    "aspect-ratio", .number(1, 0.01...100), "how much more it is scaled horizontally")
  static let parameters = [scale, aspectRatio]
  static let alpha = AlphaRule.premultiplied

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    let (w, h) = (edit.width, edit.height), scale = values.value(scale)
    let size = PictureSize(w, h).times(scale * values.value(aspectRatio), scale)
    try edit.checkSize(name, size.width, size.height)
    if size == PictureSize(w, h) { return }
    edit.premultiply()
    if size.width < w { edit.extremes(.maximum, columns: ranges(w, size.width), rows: singles(h)) }
    if size.height < h { edit.extremes(.maximum, columns: singles(edit.width), rows: ranges(h, size.height)) }
    edit.resize(width: size.width, height: size.height)
    edit.unpremultiply()
  }

  private static func singles(_ size: Int) -> [Range<Int>] { (0..<size).map { $0..<$0 + 1 } }

  private static func ranges(_ size: Int, _ result: Int) -> [Range<Int>] {
    (0..<result).map { $0 * size / result..<(($0 + 1) * size + result - 1) / result }
  }
}
