import HDRCore
import Kernels

/// The parameters that the transitions share, and mixing by a plane of weights, 0 the picture and 1 the input.
///
/// At time 0 every weight is 0 and at time 1 every weight is 1, exactly: fronts begin and end a little outside.
enum Transition {
  static let color = FilterParameter("color", .color([1, 1, 1]), "of the light, encoded sRGB; 1 is white")

  static func angle(_ value: Double) -> FilterParameter {
    FilterParameter("angle", .number(value, -360...360), "degrees counter-clockwise as seen; 0 is to the right")
  }

  /// The range beyond 0 and 1 that weights reach before they are cut, against rounding.
  static let margin = 1.0 / 64

  /// Returns the largest headroom of picture, input and a colour's light.
  static func headroom(
    _ values: FilterValues, _ content: Headroom, _ inputs: (String) -> Headroom?, light: Double = 1
  ) -> Headroom? {
    Compositing.larger(values, content, inputs).map { max($0, Headroom(factor: max(1, light))) }
  }

  /// Returns the brightest component of a colour.
  static func light(_ values: FilterValues, _ color: FilterParameter) -> Double {
    values.color(color).prefix(3).max() ?? 1
  }
}

extension Edit {
  /// Multiplies R, G, B by 1 - share of a plane, which is 0...1.
  mutating func dim(_ share: Double, by plane: PlaneRef) {
    let source = read(plane, rows: rows(of: plane))
    // The stage takes log2 of its argument, which is 2 to the power of the plane.
    let gain = CurveTable(octaves: 0..<1, k: 6) { 1 - share * ExactMath.log2($0) }
    stage(.luminanceGain, tables: [gain.words]) {
      LuminanceGain.words(weights: ColorTransform.luminance, source: source, gain, offset: $0[0])
    }
  }

  /// Makes one plane of a picture of this size by a stage.
  mutating func plane(_ kind: StageKind, _ parameters: [UInt32]) -> PlaneRef {
    let (width, height, own) = (width, height, planes())
    builder.begin(width: width, height: height)
    stage(kind, parameters)
    let result = builder.close(channels: 1)
    use(own)
    return result
  }
}
