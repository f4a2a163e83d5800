import HDRCore
import Kernels

/// The mean along a line of `radius` pixels to either side, like a moving camera. The picture between pixels is
/// bilinear, points are a pixel apart, and beyond the border its pixels repeat.
enum MotionBlur: Filter {
  static let name = "motion-blur"
  static let summary = "mean along a line: a camera that moves"
  static let category = FilterCategory.blur
  static let radius = FilterParameter(
    "radius", .number(20, 0...250), "pixels to each side; of what is not whole, points count in part")
  static let angle = FilterParameter("angle", .number(0, -360...360), "degrees counter-clockwise as seen; 0 is level")
  static let parameters = [radius, angle]
  static let alpha = AlphaRule.premultiplied

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    let rows = line(radius: values.value(radius), degrees: values.value(angle))
    if rows.count == 1, rows[0].weights.count == 1 { return }
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

  /// Returns the pixels on and beside the line, sum 1, from the top down.
  static func line(radius r: Double, degrees: Double) -> [MotionBlurStage.Row] {
    let (c, s) = ExactMath.cosSin(degrees: degrees), whole = Int(r), last = Int(r.rounded(.up))
    var pixels: [Int: [Int: Double]] = [:]
    for i in -last...last {
      let weight = (abs(i) <= whole ? 1 : r - Double(whole)) / (2 * r + 1)
      let x = Double(i) * c, y = -Double(i) * s, left = x.rounded(.down), top = y.rounded(.down)
      for (row, share) in [(Int(top), 1 - (y - top)), (Int(top) + 1, y - top)] where share > 0 {
        for (column, part) in [(Int(left), 1 - (x - left)), (Int(left) + 1, x - left)] where part > 0 {
          pixels[row, default: [:]][column, default: 0] += weight * share * part
        }
      }
    }
    return pixels.keys.sorted().map { y in
      let row = pixels[y] ?? [:], first = row.keys.min() ?? 0, end = row.keys.max() ?? 0
      return MotionBlurStage.Row(y: y, x: first, weights: (first...end).map { row[$0] ?? 0 })
    }
  }
}
