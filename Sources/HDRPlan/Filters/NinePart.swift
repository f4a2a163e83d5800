import HDRCore

/// A filter that makes a picture larger or smaller by its middle alone, as frames and buttons need: two breakpoints on
/// each axis part corners and sides, which stay, from the middle.
protocol NinePartFilter: Filter {
  /// Returns the weights of one axis.
  ///
  /// - Parameters:
  ///   - middle: the part that changes its length, in pixels; not empty.
  ///   - growth: what is added to it.
  static func weights(_ length: Int, middle: Range<Double>, growth: Double, to result: Int, isFlipped: Bool)
    -> AxisWeights
  /// True if breakpoints and growth are rounded to pixels.
  static var isWhole: Bool { get }
}

extension NinePartFilter {
  static var category: FilterCategory { .geometry }
  static var isGeometric: Bool { true }
  static var alpha: AlphaRule { .premultiplied }

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    func numbers(_ p: FilterParameter) -> [Double] {
      let list = values.vector(p) ?? [0, 0]
      return isWhole ? list.map { $0.rounded() } : list
    }
    let low = numbers(NinePart.breakpoint0), high = numbers(NinePart.breakpoint1), growth = numbers(NinePart.growAmount)
    guard low[0] < high[0], low[1] < high[1] else {
      throw .invalidParameter("\(name): breakpoint0 lies left of and above breakpoint1")
    }
    let width = Edit.pixels(Double(edit.width) + growth[0]), height = Edit.pixels(Double(edit.height) + growth[1])
    guard width > 0, height > 0, high[0] - low[0] + growth[0] >= 0, high[1] - low[1] + growth[1] >= 0 else {
      throw .invalidParameter("\(name): the picture would shrink by more than its middle")
    }
    try edit.checkSize(name, width, height)
    if !isWhole { edit.premultiply() }
    edit.convolve(
      name, x: weights(edit.width, middle: low[0]..<high[0], growth: growth[0], to: width, isFlipped: false),
      y: weights(
        edit.height, middle: low[1]..<high[1], growth: growth[1], to: height,
        isFlipped: values.flag(NinePartTiled.flipYTiles)))
    if !isWhole { edit.unpremultiply() }
  }
}

/// Stretches the middle, bilinear: with the middle from b to c, place x shows x before b, (x - b) (c - b) / (c + growth -
/// b) + b up to c + growth, and x - growth after that.
enum NinePartStretched: NinePartFilter {
  static let name = "nine-part-stretched"
  static let summary = "the middle stretched; corners stay, sides change their length alone"
  static let parameters = NinePart.parameters
  static let isWhole = false

  static func weights(
    _ length: Int, middle: Range<Double>, growth: Double, to result: Int, isFlipped: Bool
  ) -> AxisWeights {
    let b = middle.lowerBound, c = middle.upperBound
    return AxisWeights(sourceSize: length, size: result, edges: .clamp) { i in
      let x = Double(i) + 0.5
      let place = x < b ? x : x < c + growth ? b + (x - b) * (c - b) / (c + growth - b) : x - growth
      let first = (place - 0.5).rounded(.down), rest = place - 0.5 - first
      // Beyond the border its pixels repeat.
      let at = min(max(Int(first), -2), length)
      return rest == 0 ? (at, [1]) : (at, [1 - rest, rest])
    }
  }
}

/// Repeats the middle: whole pixels alone.
enum NinePartTiled: NinePartFilter {
  static let name = "nine-part-tiled"
  static let summary = "the middle repeated; corners stay, sides are repeated along their length"
  static let flipYTiles = FilterParameter("flip-y-tiles", .flag(false), "every other row of tiles upside down")
  static let parameters = NinePart.parameters + [flipYTiles]
  static let isWhole = true
  static func keepsPixels(_ values: FilterValues) -> Bool { true }

  static func weights(
    _ length: Int, middle: Range<Double>, growth: Double, to result: Int, isFlipped: Bool
  ) -> AxisWeights {
    let b = Int(middle.lowerBound), tile = Int(middle.upperBound) - b, growth = Int(growth)
    return AxisWeights(sourceSize: length, size: result, edges: .clamp) { x in
      if x < b || x >= b + tile + growth { return (min(x < b ? x : x - growth, length), [1]) }
      let (k, rest) = (x - b).quotientAndRemainder(dividingBy: tile)
      return (min(b + (isFlipped && k % 2 == 1 ? tile - 1 - rest : rest), length), [1])
    }
  }
}

private enum NinePart {
  static let breakpoint0 = FilterParameter(
    "breakpoint0", .vector([50, 50], size: 2, 0...1_048_576), "x, y in pixels at which the middle begins")
  static let breakpoint1 = FilterParameter(
    "breakpoint1", .vector([150, 150], size: 2, 0...1_048_576),
    "x, y at which it ends; beyond the picture its border repeats")
  static let growAmount = FilterParameter(
    "grow-amount", .vector([100, 100], size: 2, -1_048_576...1_048_576),
    "columns and rows that are added; below 0 taken away")
  static let parameters = [breakpoint0, breakpoint1, growAmount]
}
