import HDRCore
import Kernels

/// Mean over a disc with a soft rim and, if wanted, a brighter ring, as an open lens draws lights out of focus.
///
/// Weights by the distance D of a pixel: (R - D) / max(softness, 2^-10) + 1/2 in 0...1, times 1 + 3 ring-amount where
/// D > R (1 - ring-size), of sum 1. In linear light highlights become discs. The formula is this project's choice.
enum BokehBlur: Filter {
  static let name = "bokeh-blur"
  static let summary = "mean over a disc: lights out of focus"
  static let category = FilterCategory.blur
  static let radius = FilterParameter("radius", .number(20, 0...100), "of the disc, in pixels")
  static let ringAmount = FilterParameter("ring-amount", .number(0, 0...1), "extra light of the ring")
  static let ringSize = FilterParameter("ring-size", .number(0.1, 0...0.2), "of the ring, times the radius")
  static let softness = FilterParameter("softness", .number(1, 0...10), "width of the rim in pixels")
  static let parameters = [radius, ringAmount, ringSize, softness]
  static let alpha = AlphaRule.premultiplied

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    let rows = disc(
      values.value(radius), ring: values.value(ringAmount), ringSize: values.value(ringSize),
      softness: values.value(softness))
    if rows.count == 1 && rows[0].weights.count == 1 { return }
    let (width, height) = (edit.width, edit.height), reach = rows.map { abs($0.y) }.max() ?? 0
    edit.premultiply()
    edit.load(
      name, .motionBlur, width: width, height: height, rows: .around(height: height, reach: reach),
      tables: [MotionBlurStage.table(rows)]
    ) { channels, tables in
      MotionBlurStage.words(channels: channels, rows: rows.count, table: tables[0], width: width, height: height)
    }
    edit.unpremultiply()
  }

  /// Returns the rows of a disc's weights, without the zeros at their ends.
  static func disc(_ radius: Double, ring: Double, ringSize: Double, softness: Double) -> [MotionBlurStage.Row] {
    let reach = Int((radius + softness / 2).rounded(.up)), rim = max(softness, 0x1p-10)
    var rows: [(y: Int, x: Int, weights: [Double])] = []
    for y in -reach...reach {
      let list = (-reach...reach).map { x in
        let d = Double(x * x + y * y).squareRoot(), cover = min(max((radius - d) / rim + 0.5, 0), 1)
        return d > radius * (1 - ringSize) ? cover * (1 + 3 * ring) : cover
      }
      guard let first = list.firstIndex(where: { $0 > 0 }), let last = list.lastIndex(where: { $0 > 0 }) else {
        continue
      }
      rows.append((y, first - reach, Array(list[first...last])))
    }
    let sum = rows.reduce(0) { $0 + $1.weights.reduce(0, +) }
    return rows.map { MotionBlurStage.Row(y: $0.y, x: $0.x, weights: $0.weights.map { $0 / sum }) }
  }
}
