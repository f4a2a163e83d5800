import HDRCore
import Kernels

/// Shows the picture through glass whose relief is the luminance of a texture, repeated as tiles.
enum GlassDistortion: PlaceFilter {
  static let name = "glass-distortion"
  static let summary = "through glass with the relief of a texture, repeated about the centre"
  static let isGeometric = false
  static let texture = FilterParameter("texture", .input(nil), "a picture whose luminance of 0 to 1 is the height")
  static let scale = FilterParameter("scale", .number(200, -1000...1000), "pixels that a slope of 2 moves")
  static let own = [texture, Pattern.center, scale]

  static func formula(_ values: FilterValues, _ edit: inout Edit) throws(PlanError) -> PlaceFormula {
    let relief = try edit.prepared(values.input(texture) ?? "") { edit in
      edit.matrix(.luminance)
      edit.clamp(low: 0, high: 1)
    }
    return PlaceFormula(
      shape: .heights, center: edit.place(values, Pattern.center),
      numbers: [values.value(scale) / 2, Double(relief.width) / 2, Double(relief.height) / 2], other: relief,
      rows: .around(abs(values.value(scale)) / 2))
  }
}

/// Moves each pixel by the signals of another picture.
enum DisplacementDistortion: PlaceFilter {
  static let name = "displacement-distortion"
  static let summary = "moved by the red and green of another picture; half signal moves nothing"
  static let isGeometric = false
  static let displacement = FilterParameter(
    "displacement", .input(nil), "sRGB signals of 0 to 1, stretched to the picture")
  static let scale = FilterParameter("scale", .number(50, -1000...1000), "pixels that a whole signal moves")
  static let own = [displacement, scale]

  static func formula(_ values: FilterValues, _ edit: inout Edit) throws(PlanError) -> PlaceFormula {
    let size = (edit.width, edit.height)
    let signals = try edit.prepared(values.input(displacement) ?? "") { edit in
      edit.resize(width: size.0, height: size.1)
      edit.unpremultiply()
      edit.clamp(low: 0, high: 1)
      edit.curve(octaves: -24..<1, k: 6) { Transfer.sRGBEncode($0) }
      edit.clamp(low: 0, high: 1)
    }
    return PlaceFormula(
      shape: .signals, numbers: [values.value(scale)], other: signals, rows: .around(abs(values.value(scale)) / 2))
  }
}

extension Edit {
  /// Returns the planes of an input after steps on premultiplied colour; the picture so far stays.
  fileprivate mutating func prepared(
    _ name: String, _ steps: (inout Edit) throws(PlanError) -> Void
  ) throws(PlanError) -> PlaneRef {
    let own = planes()
    use(try input(name, isBounded: false))
    premultiply()
    try steps(&self)
    let result = builder.close(channels: 4)
    use(own)
    return result
  }
}

extension Matrix3 {
  /// The luminance of BT.2020 light in all three components.
  fileprivate static let luminance = Matrix3(
    [[Double]](repeating: [0.2627002120112671, 0.6779980715188708, 0.05930171646986196], count: 3).flatMap { $0 })
}
