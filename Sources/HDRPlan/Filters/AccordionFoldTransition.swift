import HDRCore
import Kernels

/// The picture folds down like an accordion, and the input appears above it.
///
/// What lies above the bottom height becomes 1 - time as high, averaged by area, and stands on what lies below; every second of
/// its panels, two a fold, loses the shadow amount times time of its light. What lies below is mixed with the input by time.
enum AccordionFoldTransition: Filter {
  static let name = "accordion-fold-transition"
  static let summary = "from the picture, which folds down, to the input behind it"
  static let category = FilterCategory.transition
  static let bottom = FilterParameter("bottom-height", .number(0, 0...65536), "pixels at the bottom that do not fold")
  static let folds = FilterParameter("number-of-folds", .count(3, 1...50), "of two panels each")
  static let shadow = FilterParameter(
    "fold-shadow-amount", .number(0.1, 0...1), "share of its light that every second panel loses")
  static let parameters = [Compositing.input, Dissolve.time, bottom, folds, shadow]
  static let alpha = AlphaRule.premultiplied
  static let headroomEffect = HeadroomEffect.recomputed

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    Transition.headroom(values, content, inputs)
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    let time = values.value(Dissolve.time), (width, height) = (edit.width, edit.height)
    let folding = height - min(Int(values.value(bottom).rounded()), height), panels = 2 * (values.count(folds) ?? 3)
    let picture = edit.planes(), top = try edit.foreground(values, fit: Compositing.covering)
    edit.use(picture)
    edit.premultiply()
    let light = values.value(shadow) * time
    if light > 0 {
      edit.dim(light, by: try edit.bands(from: folding == 0 ? 0 : panels, over: max(folding, 1)))
    }
    edit.makeTransparent()
    edit.convolve(name, y: folded(height, folding: folding, share: 1 - time))
    let folded = edit.builder.close(channels: 4)
    edit.use(top)
    let source = edit.read(folded, rows: edit.rows(of: folded))
    edit.stage(
      .composite, Compositing.words(.sourceOver, source: source, x: 0, y: 0, width: width, height: height))
    edit.unpremultiply()
  }

  /// Returns the weights that move the picture's rows to their places at a time; they are 0 above the folded part.
  private static func folded(_ height: Int, folding: Int, share: Double) -> AxisWeights {
    if share == 1 { return .identity(height) }
    let tall = Double(folding) * share, start = Double(folding) - tall
    return AxisWeights(sourceSize: height, size: height, edges: .clamp) { y in
      if y >= folding { return (y, [share]) }
      let low = max(Double(y), start), high = Double(y + 1)
      if low >= high { return (y, [0]) }
      let from = (low - start) / share, to = min((high - start) / share, Double(folding))
      let first = min(Int(from), folding - 1), last = max(min(Int(to.rounded(.up)), folding) - 1, first)
      let list = (first...last).map { max(min(to, Double($0 + 1)) - max(from, Double($0)), 0) }
      let sum = list.reduce(0, +)
      return sum > 0 ? (first, list.map { $0 / sum * (high - low) }) : (first, [high - low])
    }
  }
}

extension Edit {
  /// Makes one plane of this size: `count` bands over the upper rows, every second of them 1; all else 0.
  fileprivate mutating func bands(from count: Int, over rows: Int) throws(PlanError) -> PlaneRef {
    let (width, height, own) = (width, height, planes())
    builder.begin(width: width, height: height)
    let colors: [String: FilterValue] = [
      Pattern.color0.name: .numbers([0, 0, 0]), Pattern.color1.name: .numbers([1, 1, 1]),
    ]
    let bands = (0..<height).map { y in y < rows ? Double(y * count / rows % 2) : 0 }
    pattern(.sum, FilterValues(colors), columns: [Double](repeating: 0, count: width), rows: bands)
    let result = builder.close(channels: 1)
    use(own)
    return result
  }
}
