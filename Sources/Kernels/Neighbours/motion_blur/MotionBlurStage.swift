import HDRCore

/// Stage `motion_blur`: weighted sums over rows of source 0's pixels around each pixel; each row has its own length.
public enum MotionBlurStage: KernelStage {
  package static let readsColumns = true

  /// The weights of pixels next to each other, from (x, y) on, relative to the result's pixel.
  package struct Row {
    package let y: Int
    package let x: Int
    package let weights: [Double]

    package init(y: Int, x: Int, weights: [Double]) { (self.y, self.x, self.weights) = (y, x, weights) }
  }

  /// Returns four words a row: y, x, number of weights, and their place in these words; then the weights.
  package static func table(_ rows: [Row]) -> [UInt32] {
    var next = 4 * rows.count, words: [UInt32] = []
    for row in rows {
      words += [row.y.word, row.x.word, row.weights.count.word, next.word]
      next += row.weights.count
    }
    return words + rows.flatMap { $0.weights.map(\.word) }
  }

  public struct Parameters: StageParameters {
    public let channels: UInt32, rows: UInt32, table: UInt32, width: UInt32, height: UInt32
  }

  /// - Parameter channels: the number of planes of source 0: 3 or 4.
  package static func words(channels: Int, rows: Int, table: UInt32, width: Int, height: Int) -> [UInt32] {
    Parameters(channels: channels.word, rows: rows.word, table: table, width: width.word, height: height.word).list
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), channels = Int(words.channels), rows = Int(words.rows), n = s.count
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
