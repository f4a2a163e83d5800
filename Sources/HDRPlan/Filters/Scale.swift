import HDRCore
import Synchronization

/// Scales to another size (docs/filter-formulas.md#geometry).
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
    try apply(values, to: &edit, size: size(edit.size, values))
  }

  static func scaled(_ size: PictureSize, _ values: FilterValues) -> PictureSize? { self.size(size, values) }

  /// Scales to a size; of the values it uses only the method, its numbers and the space.
  static func apply(_ values: FilterValues, to edit: inout Edit, size: PictureSize) throws(PlanError) {
    try edit.checkSize(name, size.width, size.height)
    if edit.axes == (SampleAxis(size.width), SampleAxis(size.height)) { return }
    let isPQ = values.choice(space) == "pq"
    if isPQ { edit.encode(.pq) }
    edit.premultiply()
    resample(&edit, to: size, values)
    edit.clampAlpha()
    edit.unpremultiply()
    if isPQ { edit.decode(.pq) }
  }

  /// Resamples by the method's weights, premultiplied.
  static func resample(_ edit: inout Edit, to result: PictureSize, _ values: FilterValues) {
    func weights(_ axis: SampleAxis, _ result: Int) -> AxisWeights? {
      let b = values.value(b), c = values.value(c)
      return axis == SampleAxis(result)
        ? nil : KnownWeights(method: values.choice(method), b: b, c: c, axis: axis, result: result).weights
    }
    let (w, h) = (result.width, result.height), x = weights(edit.axes.x, w), y = weights(edit.axes.y, h)
    // The direction that leaves fewer pixels for the other comes first.
    if Double(h) / Double(edit.height) < Double(w) / Double(edit.width) {
      edit.convolve(name, y: y)
      edit.convolve(name, x: x)
    } else {
      edit.convolve(name, x: x, y: y)
    }
  }

  private static func size(_ size: PictureSize, _ values: FilterValues) -> PictureSize {
    let w = Double(size.width), h = Double(size.height), aspect = values.value(aspectRatio)
    let result =
      switch (values.number(width), values.number(height)) {
      case (let x?, let y?): (x, y)
      case (let x?, nil): (x, h * x / w / aspect)
      case (nil, let y?): (w * y / h * aspect, y)
      case (nil, nil): (w * values.value(factor) * aspect, h * values.value(factor))
      }
    return PictureSize(max(1, Edit.pixels(result.0)), max(1, Edit.pixels(result.1)))
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
    let result = size(edit.size, values), (x, y) = edit.axes
    edit.premultiply()
    edit.convolve(name, y: y == SampleAxis(result.height) ? nil : .area(y, to: result.height))
    edit.convolve(name, x: x == SampleAxis(result.width) ? nil : .area(x, to: result.width))
    edit.unpremultiply()
  }

  static func scaled(_ size: PictureSize, _ values: FilterValues) -> PictureSize? { self.size(size, values) }

  private static func size(_ picture: PictureSize, _ values: FilterValues) -> PictureSize {
    let longer = max(picture.width, picture.height), most = values.count(size) ?? longer
    func length(_ side: Int) -> Int { max(1, Edit.pixels(Double(side) * Double(most) / Double(longer))) }
    return most >= longer ? picture : PictureSize(length(picture.width), length(picture.height))
  }
}

/// Weights of `Scale` along an axis, kept for the next picture: pictures of a batch often have the same size, and
/// Lanczos's sines take longer than rendering a small picture.
private struct KnownWeights: Hashable {
  var method: String
  var b: Double
  var c: Double
  var axis: SampleAxis
  var result: Int

  private static let known = Mutex<[KnownWeights: AxisWeights]>([:])

  var weights: AxisWeights {
    if let weights = Self.known.withLock({ $0[self] }) { return weights }
    let weights = make()
    Self.known.withLock { known in
      if known.count == 16 { known = [:] }
      known[self] = weights
    }
    return weights
  }

  private func make() -> AxisWeights {
    switch method {
    case "bicubic": .resampled(axis, to: result, support: 2) { ResamplingKernel.bicubic($0, b: b, c: c) }
    case "area": .covering(axis, to: result)
    case "bilinear": .resampled(axis, to: result, support: 1) { max(0, 1 - abs($0)) }
    default: .resampled(axis, to: result, support: 3) { ResamplingKernel.lanczos($0, lobes: 3) }
    }
  }
}

/// Weights of resampling at a distance in samples.
enum ResamplingKernel {
  /// Returns sinc(x) sinc(x / lobes) up to `lobes`.
  static func lanczos(_ x: Double, lobes: Double) -> Double {
    if x == 0 { return 1 }
    if abs(x) >= lobes { return 0 }
    let a = 3.141592653589793238462643383279503 * x
    return ExactMath.cosSin(degrees: 180 * x).sin / a * ExactMath.cosSin(degrees: 180 * x / lobes).sin / (a / lobes)
  }

  /// Returns the cubic of Mitchell and Netravali (Reconstruction Filters in Computer Graphics, 1988).
  static func bicubic(_ x: Double, b: Double, c: Double) -> Double {
    let d = abs(x)
    if d < 1 { return (((12 - 9 * b - 6 * c) * d + (-18 + 12 * b + 6 * c)) * d * d + 6 - 2 * b) / 6 }
    if d < 2 { return (((-b - 6 * c) * d + 6 * b + 30 * c) * d - 12 * b - 48 * c) * d / 6 + (8 * b + 24 * c) / 6 }
    return 0
  }
}

extension AxisWeights {
  /// Averages over the span that each result sample covers of the whole picture.
  fileprivate static func covering(_ axis: SampleAxis, to result: Int) -> AxisWeights {
    .covering(axis.count, to: result) {
      ($0 * Double(axis.pixels) / Double(result) + Double(axis.lead)) / Double(axis.scale)
    }
  }

  /// Averages over the span that each result sample covers, at least one sample wide: areas where the picture gets
  /// smaller, linear interpolation where it gets larger.
  ///
  /// - Parameter place: maps a place in the result to one in the source, both in samples from the first one's border;
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
  /// Encodes light as a signal, per channel, odd-extended.
  mutating func encode(_ curve: TransferCurve) { builder.add(.encode(curve)) }

  /// Decodes a signal to light.
  mutating func decode(_ curve: TransferCurve) { builder.add(.decode(curve)) }

  /// Clamps alpha to 0...1 after sums with negative weights.
  mutating func clampAlpha() { if hasAlpha { stage(.clampAlpha, []) } }
}
