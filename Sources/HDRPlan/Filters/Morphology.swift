import HDRCore
import Kernels

/// The shapes of the morphological filters. Each component of premultiplied colour, and alpha, becomes its largest or
/// smallest value over a shape around the pixel. Beyond the border the border's pixels repeat. Light of any size is
/// kept: results are values of the picture.
enum Morphology {
  static let radius = FilterParameter("radius", .number(5, 0...50), "of a disc of whole pixels, centre to centre")
  static let width = FilterParameter("width", .number(5, 1...501), "of the rectangle; the nearest odd number of pixels")
  static let height = FilterParameter("height", .number(5, 1...501), "its height, likewise")

  /// A row of the shape: `count` pixels from (x, y) on, relative to the result's pixel.
  struct Row {
    var y: Int
    var x: Int
    var count: Int
  }

  /// Returns the pixels whose centres are no further away than the radius.
  static func disc(_ radius: Double) -> [Row] {
    let reach = Int(radius)
    return (-reach...reach).map { y in
      var x = 0
      while Double((x + 1) * (x + 1) + y * y) <= radius * radius { x += 1 }
      return Row(y: y, x: -x, count: 2 * x + 1)
    }
  }

  static func odd(_ size: Double) -> Int { 2 * Int(((size - 1) / 2).rounded()) + 1 }

  static func overDisc(_ kind: MorphologyStage.Kind, _ values: FilterValues, to edit: inout Edit) {
    edit.premultiply()
    edit.morphology(kind, disc(values.value(radius)))
    edit.unpremultiply()
  }

  /// Works along rows, then along columns.
  static func overRectangle(_ kind: MorphologyStage.Kind, _ values: FilterValues, to edit: inout Edit) {
    let w = odd(values.value(width)), h = odd(values.value(height))
    if w == 1 && h == 1 { return }
    edit.premultiply()
    if w > 1 { edit.morphology(kind, [Row(y: 0, x: -(w / 2), count: w)]) }
    if h > 1 { edit.morphology(kind, (-(h / 2)...h / 2).map { Row(y: $0, x: 0, count: 1) }) }
    edit.unpremultiply()
  }
}

extension Edit {
  mutating func morphology(_ kind: MorphologyStage.Kind, _ rows: [Morphology.Row]) {
    let (width, height) = (width, height)
    let table: [UInt32] = rows.flatMap { row in [row.y.word, row.x.word, row.count.word, 0] }
    load(
      "morphology", .morphology, width: width, height: height,
      rows: .around(height: height, reach: rows.map { abs($0.y) }.max() ?? 0), tables: [table]
    ) { channels, tables in
      MorphologyStage.Parameters(
        channels: channels.word, kind: Choice(kind), rows: rows.count.word, table: tables[0], width: width.word,
        height: height.word
      ).list
    }
  }
}
