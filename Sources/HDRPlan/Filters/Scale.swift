import HDRCore

/// Another size (docs/filter-formulas.md#geometry).
enum Scale: Filter {
  static let name = "scale"
  static let summary = "another size, by Lanczos, bicubic, area or bilinear weights"
  static let category = FilterCategory.geometry
  static let factor = FilterParameter("factor", .number(1, 0.001...64), "size of the result over that of the picture")
  static let aspectRatio = FilterParameter(
    "aspect-ratio", .number(1, 0.01...100), "how much more it is scaled horizontally")
  static let width = FilterParameter(
    "width", .count(nil, 1...65536), "pixels, instead of the factor; without it the height decides")
  static let height = FilterParameter(
    "height", .count(nil, 1...65536), "pixels, instead of the factor; without it the width decides")
  static let method = FilterParameter(
    "method", .choice("lanczos", ["lanczos", "bicubic", "area", "bilinear"]),
    "Lanczos of three lobes; Mitchell-Netravali; mean over the pixel's area; triangle")
  static let b = FilterParameter("b", .number(0, -2...2), "B of bicubic")
  static let c = FilterParameter("c", .number(0.75, -2...2), "C of bicubic")
  static let space = FilterParameter(
    "space", .choice("linear", ["linear", "pq"]), "light, or its PQ signal: less ringing around highlights")
  static let parameters = [factor, aspectRatio, width, height, method, b, c, space]
  static let isGeometric = true
  static let alpha = AlphaRule.premultiplied

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    let (w, h) = try size(values, edit)
    if w == edit.width && h == edit.height { return }
    func weights(_ size: Int, _ result: Int) -> AxisWeights? {
      if size == result { return nil }
      switch values.choice(method) {
      case "bicubic":
        let b = values.value(b), c = values.value(c)
        return .resampled(size, to: result, support: 2) { ResamplingKernel.bicubic($0, b: b, c: c) }
      case "area": return .covering(size, to: result) { $0 * Double(size) / Double(result) }
      case "bilinear": return .resampled(size, to: result, support: 1) { max(0, 1 - abs($0)) }
      default: return .resampled(size, to: result, support: 3) { ResamplingKernel.lanczos($0, lobes: 3) }
      }
    }
    let isPQ = values.choice(space) == "pq", x = weights(edit.width, w), y = weights(edit.height, h)
    if isPQ { edit.encode(.pq) }
    edit.premultiply()
    // The direction that leaves less for the other comes first.
    if Double(h) / Double(edit.height) < Double(w) / Double(edit.width) {
      edit.convolve(name, y: y)
      edit.convolve(name, x: x)
    } else {
      edit.convolve(name, x: x, y: y)
    }
    edit.clampAlpha()
    edit.unpremultiply()
    if isPQ { edit.decode(.pq) }
  }

  private static func size(_ values: FilterValues, _ edit: Edit) throws(PlanError) -> (Int, Int) {
    let w = Double(edit.width), h = Double(edit.height), aspect = values.value(aspectRatio)
    let result =
      switch (values.number(width), values.number(height)) {
      case (let x?, let y?): (x, y)
      case (let x?, nil): (x, h * x / w / aspect)
      case (nil, let y?): (w * y / h * aspect, y)
      case (nil, nil): (w * values.value(factor) * aspect, h * values.value(factor))
      }
    let (x, y) = (max(1, Edit.pixels(result.0)), max(1, Edit.pixels(result.1)))
    try edit.checkSize(name, x, y)
    return (x, y)
  }
}

/// A small copy that keeps its light.
enum Thumbnail: Filter {
  static let name = "thumbnail"
  static let summary = "a small copy by area averages; never larger than the picture"
  static let category = FilterCategory.geometry
  static let size = FilterParameter("size", .count(256, 1...65536), "pixels of the longer side, at most")
  static let parameters = [size]
  static let isGeometric = true
  static let alpha = AlphaRule.premultiplied

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    let longer = max(edit.width, edit.height), most = values.count(size) ?? longer
    if most >= longer { return }
    func length(_ side: Int) -> Int { max(1, Edit.pixels(Double(side) * Double(most) / Double(longer))) }
    let width = length(edit.width), height = length(edit.height)
    edit.premultiply()
    edit.convolve(name, y: height == edit.height ? nil : .area(edit.height, to: height))
    edit.convolve(name, x: width == edit.width ? nil : .area(edit.width, to: width))
    edit.unpremultiply()
  }
}

/// Weights of resampling at a distance in samples.
enum ResamplingKernel {
  /// sinc(x) sinc(x / lobes) up to `lobes`.
  static func lanczos(_ x: Double, lobes: Double) -> Double {
    if x == 0 { return 1 }
    if abs(x) >= lobes { return 0 }
    let a = 3.141592653589793238462643383279503 * x
    return ExactMath.cosSin(degrees: 180 * x).sin / a * ExactMath.cosSin(degrees: 180 * x / lobes).sin / (a / lobes)
  }

  /// The cubic of Mitchell and Netravali (Reconstruction Filters in Computer Graphics, 1988).
  static func bicubic(_ x: Double, b: Double, c: Double) -> Double {
    let d = abs(x)
    if d < 1 { return (((12 - 9 * b - 6 * c) * d + (-18 + 12 * b + 6 * c)) * d * d + 6 - 2 * b) / 6 }
    if d < 2 { return (((-b - 6 * c) * d + 6 * b + 30 * c) * d - 12 * b - 48 * c) * d / 6 + (8 * b + 24 * c) / 6 }
    return 0
  }
}

extension AxisWeights {
  /// Means over what each result sample covers, no less than one sample wide: areas where the picture gets smaller,
  /// linear interpolation where it gets larger.
  ///
  /// - Parameter place: from a place in the result to one in the source, both in samples from the first one's border;
  ///   does not decrease.
  static func covering(_ size: Int, to result: Int, _ place: (Double) -> Double) -> AxisWeights {
    AxisWeights(sourceSize: size, size: result, edges: .clamp) { i in
      let a = place(Double(i)), b = place(Double(i + 1)), half = max(b - a, 1) / 2, middle = (a + b) / 2
      let first = Int((middle - half).rounded(.down)), last = max(first, Int((middle + half).rounded(.up)) - 1)
      let list = (first...last).map { max(0, min(Double($0 + 1), middle + half) - max(Double($0), middle - half)) }
      let sum = list.reduce(0, +)
      return (first, list.map { $0 / sum })
    }
  }
}

extension Edit {
  /// Signal of the light, per channel, odd-extended.
  mutating func encode(_ curve: TransferCurve) { builder.add(.encode(curve)) }

  /// Light of the signal.
  mutating func decode(_ curve: TransferCurve) { builder.add(.decode(curve)) }

  /// Alpha back into 0...1 after sums with negative weights.
  mutating func clampAlpha() { if hasAlpha { stage(.clampAlpha, []) } }
}
