import HDRCore

/// Stage `constant_color`: one colour, R, G, B not multiplied by alpha, and A.
public enum ConstantColor {
  public struct Words: StageWords {
    public let color: RGBAWords<Float>
  }

  public static func words(_ color: [Double]) -> [UInt32] { Words(color: RGBAWords(color)).list }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let color = c.words(Words.self).color
    for channel in 0..<4 {
      let p = s.plane(channel), value = color[channel]
      for i in 0..<s.padded { p[i] = value }
    }
  }
}

/// A picture of one colour.
enum ConstantColorGenerator: Filter {
  static let name = "constant-color"
  static let summary = "a picture of one colour"
  static let category = FilterCategory.generator
  static let color = FilterParameter("color", .color([1, 0, 0, 1]), "encoded sRGB; 1 is white, more is brighter")
  static let parameters = [color, Pattern.exposure]
  static let alpha = AlphaRule.made
  static let headroomEffect = HeadroomEffect.recomputed

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    Pattern.headroom(values, [color])
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    let light = Pattern.light(values, color)
    if light[3] < 1 { edit.makeTransparent() } else { edit.makeOpaque() }
    edit.stage(.constantColor, ConstantColor.words(light))
  }
}
