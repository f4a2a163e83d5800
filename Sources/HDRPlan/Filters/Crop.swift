import HDRCore

/// Cuts a rectangle out.
enum Crop: Filter {
  static let name = "crop"
  static let summary = "a rectangle of the picture; what of it lies outside is left out"
  static let category = FilterCategory.geometry
  static let rect = FilterParameter(
    "rect", .vector(nil, size: 4, -1_048_576...1_048_576), "x, y, width, height in pixels; without it all")
  static let parameters = [rect]
  static let isGeometric = true

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    guard let r = values.vector(rect) else { return }
    let x0 = max(0, Int(r[0].rounded())), y0 = max(0, Int(r[1].rounded()))
    let x1 = min(edit.width, Int((r[0] + r[2]).rounded())), y1 = min(edit.height, Int((r[1] + r[3]).rounded()))
    guard x1 > x0, y1 > y0 else {
      throw .invalidParameter("crop: the rectangle lies outside the picture of \(edit.width)x\(edit.height)")
    }
    edit.remap(
      width: x1 - x0, height: y1 - y0,
      SourceMapping(x0: x0, y0: y0, columnX: 1, columnY: 0, rowX: 0, rowY: 1))
  }
}
