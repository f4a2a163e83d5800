import HDRCore

/// Crops the picture to a rectangle.
enum Crop: Filter {
  static let name = "crop"
  static let summary = "a rectangle of the picture, or the largest of a shape; what of it lies outside is left out"
  static let category = FilterCategory.geometry
  static let rect = FilterParameter(
    "rect", .vector(nil, size: 4, -1_048_576...1_048_576), "x, y, width, height in pixels; without it all")
  static let aspect = FilterParameter(
    "aspect", .number(nil, 0.001...1000), "width over height, as 1.25 or 4:5, of the largest that there is room for")
  static let gravity = FilterParameter(
    "gravity", .choice("center", places.map(\.name) + ["centre"]), "where that lies")
  static let parameters = [rect, aspect, gravity]
  static let isGeometric = true
  static func keepsPixels(_ values: FilterValues) -> Bool { true }

  /// The places of a smaller rectangle: its shares of the room to its left and above it.
  private static let places: [(name: String, x: Double, y: Double)] = [
    ("center", 0.5, 0.5), ("top", 0.5, 0), ("bottom", 0.5, 1), ("left", 0, 0.5), ("right", 1, 0.5),
    ("top-left", 0, 0), ("top-right", 1, 0), ("bottom-left", 0, 1), ("bottom-right", 1, 1),
  ]

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    let (x, y) = try rectangle(PictureSize(edit.width, edit.height), values)
    cut(&edit, x: x, y: y)
  }

  static func move(_ size: PictureSize, _ values: FilterValues) -> PixelMove? {
    guard let (x, y) = try? rectangle(size, values) else { return nil }
    return PixelMove(PictureSize(x.count, y.count), mapping(x, y))
  }

  /// Returns the columns and rows that stay.
  private static func rectangle(
    _ size: PictureSize, _ values: FilterValues
  ) throws(PlanError) -> (x: Range<Int>, y: Range<Int>) {
    if let ratio = values.number(aspect) {
      guard values.vector(rect) == nil else { throw .invalidParameter("crop takes either rect or aspect") }
      let w = Double(size.width), h = Double(size.height)
      let width = min(size.width, max(1, Edit.pixels(min(w, h * ratio))))
      let height = min(size.height, max(1, Edit.pixels(min(h, w / ratio))))
      return rectangle(size, width: width, height: height, at: values.choice(gravity))
    }
    guard let r = values.vector(rect) else { return (0..<size.width, 0..<size.height) }
    let x0 = max(0, Int(r[0].rounded())), y0 = max(0, Int(r[1].rounded()))
    let x1 = min(size.width, Int((r[0] + r[2]).rounded())), y1 = min(size.height, Int((r[1] + r[3]).rounded()))
    guard x1 > x0, y1 > y0 else {
      throw .invalidParameter("crop: the rectangle lies outside the picture of \(size.width)x\(size.height)")
    }
    return (x0..<x1, y0..<y1)
  }

  /// Returns a smaller rectangle at one of `places`.
  private static func rectangle(
    _ size: PictureSize, width: Int, height: Int, at name: String
  ) -> (x: Range<Int>, y: Range<Int>) {
    let place = places.first { $0.name == name } ?? places[0]
    let x = Edit.pixels(Double(size.width - width) * place.x, .down)
    let y = Edit.pixels(Double(size.height - height) * place.y, .down)
    return (x..<x + width, y..<y + height)
  }

  /// Crops to a smaller rectangle at one of `places`.
  static func cut(_ edit: inout Edit, width: Int, height: Int, at name: String = "center") {
    let (x, y) = rectangle(PictureSize(edit.width, edit.height), width: width, height: height, at: name)
    cut(&edit, x: x, y: y)
  }

  private static func mapping(_ x: Range<Int>, _ y: Range<Int>) -> SourceMapping {
    SourceMapping(x0: x.lowerBound, y0: y.lowerBound, columnX: 1, columnY: 0, rowX: 0, rowY: 1)
  }

  private static func cut(_ edit: inout Edit, x: Range<Int>, y: Range<Int>) {
    if x.count == edit.width && y.count == edit.height { return }
    edit.remap(width: x.count, height: y.count, mapping(x, y))
  }
}
