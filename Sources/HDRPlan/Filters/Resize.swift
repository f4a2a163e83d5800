import HDRCore

/// A size as people ask for it: the longer side, a box, or a share; never larger than the picture unless told.
enum Resize: Filter {
  static let name = "resize"
  static let summary = "made to fit a size; never larger than it was unless enlarge is true"
  static let category = FilterCategory.geometry
  static let size = FilterParameter(
    "size", .count(nil, 1...65536), "pixels of the longer side; without any of the four it stays as it is")
  static let width = FilterParameter("width", .count(nil, 1...65536), "pixels; without the height, that follows")
  static let height = FilterParameter("height", .count(nil, 1...65536), "pixels; without the width, that follows")
  static let percent = FilterParameter("percent", .number(nil, 0.1...6400), "of the picture's own size")
  static let fit = FilterParameter(
    "fit", .choice("fit", ["fit", "fill", "stretch"]),
    "into width and height; fill: all of them, what stands over is cut away evenly; stretch: all of them, out of shape")
  static let enlarge = FilterParameter("enlarge", .flag(false), "makes small pictures larger too")
  static let parameters = [size, width, height, percent, fit, enlarge, Scale.method, Scale.space]
  static let isGeometric = true
  static let alpha = AlphaRule.premultiplied

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    let w = Double(edit.width), h = Double(edit.height), enlarges = values.flag(enlarge)
    let share: (x: Double, y: Double)
    switch (values.number(size), values.number(width), values.number(height), values.number(percent)) {
    case (let n?, nil, nil, nil): share = (n / max(w, h), n / max(w, h))
    case (nil, let x?, nil, nil): share = (x / w, x / w)
    case (nil, nil, let y?, nil): share = (y / h, y / h)
    case (nil, nil, nil, let p?): share = (p / 100, p / 100)
    case (nil, let x?, let y?, nil): share = (x / w, y / h)
    case (nil, nil, nil, nil): return
    default: throw .invalidParameter("resize takes one of size, percent, and width or height or both")
    }
    func bounded(_ factor: Double) -> Double { enlarges ? factor : min(factor, 1) }
    switch values.choice(fit) {
    case "stretch": try resample(bounded(share.x), bounded(share.y), values, &edit)
    case "fill":
      let factor = bounded(max(share.x, share.y))
      // A box that the picture does not reach keeps its shape.
      let room = min(1, factor / max(share.x, share.y))
      let box = (width: pixels(w * share.x * room), height: pixels(h * share.y * room))
      try resample(factor, factor, values, &edit)
      Crop.cut(&edit, width: min(box.width, edit.width), height: min(box.height, edit.height))
    default:
      let factor = bounded(min(share.x, share.y))
      try resample(factor, factor, values, &edit)
    }
  }

  private static func pixels(_ length: Double) -> Int { max(1, Edit.pixels(length)) }

  private static func resample(
    _ x: Double, _ y: Double, _ values: FilterValues, _ edit: inout Edit
  ) throws(PlanError) {
    var scale = FilterValues()
    scale.values = values.values.filter { [Scale.method.name, Scale.space.name].contains($0.key) }
    scale.values[Scale.width.name] = .number(Double(pixels(Double(edit.width) * x)))
    scale.values[Scale.height.name] = .number(Double(pixels(Double(edit.height) * y)))
    try Scale.apply(scale, to: &edit)
  }
}
