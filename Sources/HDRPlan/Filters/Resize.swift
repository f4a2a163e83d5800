import HDRCore

/// Scales to the longer side, a box, or a share; never larger than the picture unless `enlarge` is set.
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
    let own = edit.size
    guard let share = try share(own, values), let size = resampled(own, values) else { return }
    try Scale.apply(values, to: &edit, size: size)
    if scaled(own, values) != nil { return }
    // Fills a box; a box that the picture does not reach keeps its shape.
    let most = max(share.x, share.y), room = min(1, bounded(most, values) / most)
    let box = own.times(share.x * room, share.y * room)
    Crop.cut(&edit, width: min(box.width, edit.width), height: min(box.height, edit.height))
  }

  static func scaled(_ size: PictureSize, _ values: FilterValues) -> PictureSize? {
    guard let share = try? share(size, values) else { return nil }
    switch values.choice(fit) {
    case "fill": return nil
    case "stretch": return size.times(bounded(share.x, values), bounded(share.y, values))
    default:
      let factor = bounded(min(share.x, share.y), values)
      return size.times(factor, factor)
    }
  }

  /// Returns the size to which the picture is scaled, before a box cuts it; `nil` if no size is given.
  static func resampled(_ size: PictureSize, _ values: FilterValues) -> PictureSize? {
    guard let share = try? share(size, values) else { return nil }
    let factor = bounded(max(share.x, share.y), values)
    return scaled(size, values) ?? size.times(factor, factor)
  }

  private static func bounded(_ factor: Double, _ values: FilterValues) -> Double {
    values.flag(enlarge) ? factor : min(factor, 1)
  }

  /// Returns the wanted shares of the picture's sides; `nil` if no size is given.
  private static func share(_ own: PictureSize, _ values: FilterValues) throws(PlanError) -> (x: Double, y: Double)? {
    let w = Double(own.width), h = Double(own.height)
    switch (values.number(size), values.number(width), values.number(height), values.number(percent)) {
    case (let n?, nil, nil, nil): return (n / max(w, h), n / max(w, h))
    case (nil, let x?, nil, nil): return (x / w, x / w)
    case (nil, nil, let y?, nil): return (y / h, y / h)
    case (nil, nil, nil, let p?): return (p / 100, p / 100)
    case (nil, let x?, let y?, nil): return (x / w, y / h)
    case (nil, nil, nil, nil): return nil
    default: throw .invalidParameter("resize takes one of size, percent, and width or height or both")
    }
  }
}
