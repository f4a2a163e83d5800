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
    let columns = rows.flatMap { $0.runs.map { max(-$0.x, $0.x + $0.count - 1) } }.max() ?? 0
    let (width, height) = (edit.width, edit.height), down = rows.map(\.y).max() ?? 0
    if columns == 0 && down == 0 { return }
    edit.premultiply()
    edit.load(
      name, .disc, width: width, height: height, rows: .around(height: height, reach: down),
      tables: [DiscStage.table(rows)]
    ) { channels, tables in
      DiscStage.Parameters(
        channels: channels, rows: rows.count, table: tables[0], reach: columns, width: width, height: height
      ).list
    }
    edit.unpremultiply()
  }

  /// Returns the runs of equal weights of the middle row and of those below it, of sum 1 with those above.
  static func disc(
    _ radius: Double, ring: Double, ringSize: Double, softness: Double
  ) -> [(y: Int, runs: [DiscStage.Run])] {
    let reach = Int((radius + softness / 2).rounded(.up)), rim = max(softness, 0x1p-10)
    var rows: [(y: Int, weights: [Double])] = [], sum = 0.0
    for y in 0...reach {
      let weights = (-reach...reach).map { x in
        let d = Double(x * x + y * y).squareRoot(), cover = min(max((radius - d) / rim + 0.5, 0), 1)
        return d > radius * (1 - ringSize) ? cover * (1 + 3 * ring) : cover
      }
      rows.append((y, weights))
      sum += weights.reduce(0, +) * (y == 0 ? 1 : 2)
    }
    return rows.compactMap { row in
      var runs: [DiscStage.Run] = [], first = 0
      while first < row.weights.count {
        let weight = row.weights[first], end = row.weights[first...].firstIndex { $0 != weight } ?? row.weights.count
        if weight > 0 { runs.append(DiscStage.Run(x: first - reach, count: end - first, weight: weight / sum)) }
        first = end
      }
      return runs.isEmpty ? nil : (row.y, runs)
    }
  }
}
