import HDRCore

/// Maps luminance to the colours of a picture that is a scale: 0 gives its left end, white and more its right end. It
/// is linear between the middles of the scale's pixels; several rows give their mean. Alphas multiply.
enum ColorMap: Filter {
  static let name = "color-map"
  static let summary = "luminance 0 to 1 as the place in a picture that is a scale of colours"
  static let category = FilterCategory.color
  static let gradient = FilterParameter("gradient", .input(nil), "the scale, dark to bright from the left")
  static let parameters = [gradient]
  static let isHDRSafe = false
  static let alpha = AlphaRule.made
  static let headroomEffect = HeadroomEffect.recomputed

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    values.input(gradient).flatMap(inputs)
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    let own = edit.planes(), scale = try edit.scale(values.input(gradient) ?? "")
    edit.use(own)
    let source = edit.read(scale, rows: .all(height: edit.height, of: 1))
    if scale.hasAlpha { edit.makeTransparent() }
    edit.stage(
      .colorMap,
      ColorMapStage.Words(
        source: source.word, width: scale.width.word, luminance: RGBWords(ColorTransform.luminance)
      ).list)
    edit.unpremultiply()
  }
}

extension Edit {
  /// Makes a scale of colours: one row, premultiplied, binary32, so that stages may read it at any place.
  fileprivate mutating func scale(_ name: String) throws(PlanError) -> PlaneRef {
    use(try input(name))
    premultiply()
    resize(width: width, height: 1)
    // With alpha, so that the input's planes are not taken unchanged.
    let isOpaque = !hasAlpha, format = builder.format
    makeTransparent()
    builder.format = .rgba32f
    defer { builder.format = format }
    var row = builder.close(channels: 4)
    row.isOpaque = isOpaque
    return row
  }
}

/// Stage `color_map`: R, G, B by luminance from a row of a source's four premultiplied binary32 planes, times alpha.
public enum ColorMapStage {
  public struct Words: StageWords {
    public let source: UInt32, width: UInt32, luminance: RGBWords<Float>
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Words.self), w = words.luminance, views = c.channels + 4 &* Int(words.source)
    let r = s.red, g = s.green, b = s.blue, a = s.alpha, last = Float(Int32(bitPattern: words.width &- 1))
    @inline(always) func row(_ channel: Int) -> UnsafePointer<Float> {
      views[channel].base.assumingMemoryBound(to: Float.self)
    }
    let p0 = row(0), p1 = row(1), p2 = row(2), p3 = row(3), end = Int(words.width) &- 1
    for i in 0..<s.padded {
      let y = (w.r * r[i] + w.g * g[i]) + w.b * b[i]
      let low: Float = y > 0 ? y : 0
      let place = (low < 1 ? low : 1) * last, cell = LUT3DStage.cell(place, last), f = place - cell
      let left = LUT3DStage.node(cell), right = left < end ? left &+ 1 : left, alpha = a[i]
      r[i] = (p0[left] * (1 - f) + p0[right] * f) * alpha
      g[i] = (p1[left] * (1 - f) + p1[right] * f) * alpha
      b[i] = (p2[left] * (1 - f) + p2[right] * f) * alpha
      a[i] = (p3[left] * (1 - f) + p3[right] * f) * alpha
    }
  }
}
