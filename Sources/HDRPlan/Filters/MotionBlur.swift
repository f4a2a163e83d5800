import HDRCore

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

  /// The weights of pixels next to each other, from (x, y) on, relative to the result's pixel.
  struct Row {
    var y: Int
    var x: Int
    var weights: [Double]
  }

  /// Returns the pixels on and beside the line, sum 1, from the top down.
  static func line(radius r: Double, degrees: Double) -> [Row] {
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
      return Row(y: y, x: first, weights: (first...end).map { row[$0] ?? 0 })
    }
  }
}

/// Stage `motion_blur`: weighted sums over rows of source 0's pixels around each pixel; each row has its own length.
public enum MotionBlurStage {
  /// Returns four words a row: y, x, number of weights, and their place in these words; then the weights.
  static func table(_ rows: [MotionBlur.Row]) -> [UInt32] {
    var next = 4 * rows.count, words: [UInt32] = []
    for row in rows {
      words += [row.y.word, row.x.word, row.weights.count.word, next.word]
      next += row.weights.count
    }
    return words + rows.flatMap { $0.weights.map(\.word) }
  }

  public struct Words: StageWords {
    public let channels: UInt32, rows: UInt32, table: UInt32, width: UInt32, height: UInt32
  }

  /// - Parameter channels: the number of planes of source 0: 3 or 4.
  static func words(channels: Int, rows: Int, table: UInt32, width: Int, height: Int) -> [UInt32] {
    Words(channels: channels.word, rows: rows.word, table: table, width: width.word, height: height.word).list
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Words.self), channels = Int(words.channels), rows = Int(words.rows), n = s.count
    let table = c.tables + Int(words.table), width = Int(words.width), height = Int(words.height)
    for channel in 0..<channels {
      let view = c.channels[channel], out = s.plane(channel)
      for i in 0..<s.padded { out[i] = 0 }
      for row in 0..<rows {
        let entry = table + 4 &* row
        let dy = Int(Int32(bitPattern: entry[0])), dx = Int(Int32(bitPattern: entry[1])), count = Int(entry[2])
        let weights = UnsafeRawPointer(table + Int(entry[3])).assumingMemoryBound(to: Float.self)
        let reach = Swift.max(-dx, dx &+ count &- 1, 0)
        // Pixels beyond a border are copied to as many planes of scratch as needed.
        let samples =
          Neighbourhood.row(
            view, Neighbourhood.inside(s.y &+ dy, height), s, reach: reach, width: width, s.scratch(0)) + (reach &+ dx)
        WeightedSum.run(out, n, count, weights, adds: true) { samples + $0 }
      }
    }
    WeightedSum.finish(s, channels: channels)
  }
}
