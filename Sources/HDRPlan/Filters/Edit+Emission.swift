import HDRCore
import Kernels

/// A generator of one colour replaces the picture, and its light lies on transparent black.
enum Emission {
  /// Returns the headroom of a picture of a colour whose light is multiplied by up to `factor`.
  static func headroom(_ values: FilterValues, _ color: FilterParameter, times factor: Double = 1) -> Headroom {
    Headroom(factor: max(1, (Pattern.light(values, color).prefix(3).max() ?? 1) * factor))
  }

  /// Returns the colour with the exposure's stops added, premultiplied.
  static func color(_ values: FilterValues, _ color: FilterParameter) -> [Double] {
    let light = Pattern.light(values, color)
    return light.prefix(3).map { $0 * light[3] } + [light[3]]
  }
}

extension Edit {
  /// Replaces the picture by what a stage makes, premultiplied.
  mutating func emit(
    _ kind: StageKind, tables: [[UInt32]] = [], _ parameters: @escaping @Sendable ([UInt32]) -> [UInt32]
  ) {
    makeTransparent()
    stage(kind, tables: tables, parameters)
    unpremultiply()
  }
}
