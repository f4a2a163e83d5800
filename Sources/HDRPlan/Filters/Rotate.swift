import HDRCore

/// Turns the picture about its centre; quarter turns move whole pixels.
enum Rotate: Filter {
  static let name = "rotate"
  static let summary = "turned counter-clockwise about its centre"
  static let category = FilterCategory.geometry
  static let angle = FilterParameter("angle", .number(90, -360...360), "degrees counter-clockwise as seen")
  static let expand = FilterParameter(
    "expand", .flag(true), "grows the canvas so that nothing is lost; otherwise it keeps its size")
  static let parameters = [angle, expand, Warping.sampling]
  static let isGeometric = true
  static let alpha = AlphaRule.premultiplied

  static func keepsPixels(_ values: FilterValues) -> Bool {
    let quarters = values.value(angle) / 90
    return quarters == quarters.rounded() && (values.flag(expand) || Int(quarters) % 2 == 0)
  }

  /// Returns the turn by quarters that shows all pixels; `nil`: it is none.
  private static func orientation(_ size: PictureSize, _ values: FilterValues) -> Orientation? {
    let quarters = values.value(angle) / 90
    guard quarters == quarters.rounded() else { return nil }
    let turns = Int(quarters) & 3
    let isWhole = values.flag(expand) || turns % 2 == 0 || size.width == size.height
    return isWhole ? [.up, .left, .down, .right][turns] : nil
  }

  static func move(_ size: PictureSize, _ values: FilterValues) -> PixelMove? {
    orientation(size, values).map { PixelMove(Geometry(width: size.width, height: size.height, orientation: $0)) }
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    if let orientation = orientation(PictureSize(edit.width, edit.height), values) { return edit.turn(orientation) }
    let degrees = values.value(angle), expands = values.flag(expand)
    let (c, s) = ExactMath.cosSin(degrees: degrees)
    let w = Double(edit.width), h = Double(edit.height)
    let width = expands ? Edit.pixels(w * abs(c) + h * abs(s) - 1e-9, .up) : edit.width
    let height = expands ? Edit.pixels(w * abs(s) + h * abs(c) - 1e-9, .up) : edit.height
    try edit.warp(
      name, width: width, height: height, Warping.sampling(values),
      source: Warping.turned(c, s, from: (Double(width) / 2, Double(height) / 2), to: (w / 2, h / 2)))
  }
}

/// Turns a little and crops the transparent corners.
enum Straighten: Filter {
  static let name = "straighten"
  static let summary = "turned a little and cropped to the largest rectangle of the same shape"
  static let category = FilterCategory.geometry
  static let angle = FilterParameter("angle", .number(0, -45...45), "degrees counter-clockwise as seen")
  static let parameters = [angle, Warping.sampling]
  static let isGeometric = true
  static let alpha = AlphaRule.premultiplied

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    let (c, s) = ExactMath.cosSin(degrees: values.value(angle))
    if s == 0 { return }
    // A rectangle of k times the size, turned, must lie inside: its half diagonals reach this far along each axis.
    let w = Double(edit.width), h = Double(edit.height)
    let k = min(w / (w * c + h * abs(s)), h / (w * abs(s) + h * c))
    let width = max(1, Edit.pixels(k * w, .down)), height = max(1, Edit.pixels(k * h, .down))
    try edit.warp(
      name, width: width, height: height, Warping.sampling(values),
      source: Warping.turned(c, s, from: (Double(width) / 2, Double(height) / 2), to: (w / 2, h / 2)))
  }
}

/// The sampling that the filters share which move pixels freely.
enum Warping {
  static let sampling = FilterParameter(
    "sampling", .choice("bilinear", ["bilinear", "bicubic", "nearest"]),
    "between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest")

  enum Sampling: String { case bilinear, bicubic, nearest }

  static func sampling(_ values: FilterValues) -> Sampling { Sampling(rawValue: values.choice(sampling)) ?? .bilinear }

  /// Maps the result back to the picture: `from` is the centre in the result, `to` in the picture, y downwards.
  static func turned(_ c: Double, _ s: Double, from: (Double, Double), to: (Double, Double)) -> Matrix3 {
    .translation(to.0, to.1) * Matrix3([c, -s, 0, s, c, 0, 0, 0, 1]) * .translation(-from.0, -from.1)
  }
}

extension Edit {
  /// Turns or flips whole pixels.
  mutating func turn(_ orientation: Orientation) {
    if orientation == .up { return }
    let geometry = Geometry(width: width, height: height, orientation: orientation)
    remap(width: geometry.outputWidth, height: geometry.outputHeight, geometry.mapping)
  }
}
