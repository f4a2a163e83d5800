import HDRCore
import Kernels

/// A filter that shows at each pixel what the picture has at another place. Light above 1 and below 0 passes: weights of
/// `bilinear` are 0 to 1. The canvas stays the picture's (docs/filter-formulas.md#places).
protocol PlaceFilter: Filter {
  /// The parameters of the formula alone.
  static var own: [FilterParameter] { get }
  /// The default number of samples along each side of a pixel.
  static var samples: Int { get }
  /// True if a parameter says what lies beyond the border; else the formula leaves it to nothing or repeats the picture.
  static var hasEdges: Bool { get }

  /// - Throws: `PlanError.invalidParameter` for values that do not go together or with this picture.
  static func formula(_ values: FilterValues, _ edit: inout Edit) throws(PlanError) -> PlaceFormula
}

/// A formula of `WarpPlace` with its numbers.
struct PlaceFormula {
  var shape: WarpPlace.Shape
  var center = (x: 0.0, y: 0.0)
  var numbers: [Double] = []
  var count = 0
  /// True if columns (rows) beyond the border are those of the other side.
  var wraps = (columns: false, rows: false)
  /// True if the formula makes pixels transparent.
  var covers = false
  /// A picture that the formula reads.
  var other: PlaneRef?
  /// The samples that it wants instead of the filter's default.
  var samples: Int?
  var rows = PlaceRows.all
}

extension PlaceFilter {
  static var category: FilterCategory { .distortion }
  /// False for formulas that make the picture so much smaller or rougher in places that base and gains, moved apart, would
  /// be another picture, and for one that dims it.
  static var isGeometric: Bool { true }
  static var alpha: AlphaRule { .premultiplied }
  static var samples: Int { 1 }
  static var hasEdges: Bool { true }
  static var parameters: [FilterParameter] {
    own + [Warping.sampling] + (hasEdges ? [GaussianBlur.edges] : []) + [Placing.samples(samples)]
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    let formula = try formula(values, &edit)
    let fades = hasEdges && values.choice(GaussianBlur.edges) == "transparent" || !hasEdges && formula.covers
    let parameter = Placing.samples(formula.samples ?? samples), count = values.count(parameter) ?? 1
    try edit.place(name, formula, Warping.sampling(values), isTransparent: fades, samples: count)
  }
}

/// Parameters and numbers that formulas of places share.
enum Placing {
  static let largest = 4.0

  static func samples(_ count: Int) -> FilterParameter {
    FilterParameter(
      "samples", .count(count, 1...Int(largest)), "along each side of a pixel, averaged: more where places are dense")
  }

  static func length(_ name: String, _ value: Double, from low: Double = 0.01, _ summary: String) -> FilterParameter {
    FilterParameter(name, .number(value, low...1_048_576), summary)
  }

  static func angle(_ name: String, _ value: Double, _ summary: String) -> FilterParameter {
    FilterParameter(name, .number(value, -36000...36000), summary)
  }

  static func radians(_ degrees: Double) -> Double { degrees * 0.017453292519943295 }
}

extension Edit {
  /// Shows the picture at the places of a formula. Pictures that would get more than 2^28 samples, or 65,536 along a
  /// side, get fewer, with a warning.
  mutating func place(
    _ name: String, _ formula: PlaceFormula, _ sampling: Warping.Sampling, isTransparent: Bool, samples: Int
  ) throws(PlanError) {
    guard abs(formula.center.x) <= 0x1p20, abs(formula.center.y) <= 0x1p20 else {
      throw .invalidParameter("\(name): the centre is within 1048576 pixels of the top left corner")
    }
    let (width, height) = (width, height)
    var n = samples
    while n > 1, n * max(width, height) > 65536 || n * n * width * height > 1 << 28 { n -= 1 }
    if n < samples {
      warnings.append(
        Warning(
          "filter.samples",
          "\(name) takes \(n) instead of \(samples) samples along each side of a pixel: all are at most 2^28, and 65536 "
            + "along a side"))
    }
    let extent = Double(width + height) + abs(formula.center.x) + abs(formula.center.y)
    let rows = formula.rows.scale(samples: n, height: height, extent: extent)
    premultiply()
    load(name, .warpPlace, width: width * n, height: height * n, rows: rows) { channels, _ in
      WarpPlace.words(
        channels: channels, width: width, height: height, shape: formula.shape, sampling: sampling.ofPlaces,
        isTransparent: isTransparent, wraps: formula.wraps, samples: n, center: formula.center,
        numbers: formula.numbers, count: formula.count,
        other: formula.other.map { ($0.width, $0.height) } ?? (1, 1))
    }
    if let other = formula.other {
      let own = PlaceRows.around(0).scale(samples: n, height: height, extent: 0)
      _ = read(other, rows: formula.shape == .signals ? own : .all(height: height * n, of: other.height))
    }
    if isTransparent || formula.covers { makeTransparent() }
    if n > 1 {
      let weights = [Double](repeating: 1 / Double(n), count: n)
      convolve(
        name, x: AxisWeights(sourceSize: width * n, size: width, edges: .clamp) { ($0 * n, weights) },
        y: AxisWeights(sourceSize: height * n, size: height, edges: .clamp) { ($0 * n, weights) })
    }
    unpremultiply()
  }
}

extension Warping.Sampling {
  fileprivate var ofPlaces: WarpPlace.Sampling {
    switch self {
    case .nearest: .nearest
    case .bilinear: .bilinear
    case .bicubic: .bicubic
    }
  }
}
