import HDRCore

/// Stage `disc`, a load: weighted sums over source 0's pixels around each pixel, with the same weights above and below,
/// given as runs of pixels of one weight.
///
/// Rows at the same distance above and below are added first, then pixels in blocks of 32, 16, 8, 4, 2 and 1: each block is
/// the sum of its halves, so a row of blocks of one size makes that of the next. A run takes its blocks from the left.
public enum DiscStage: KernelStage {
  package static let readsColumns = true

  /// Pixels of one weight next to each other.
  package struct Run {
    package let x: Int
    package let count: Int
    package let weight: Double

    package init(x: Int, count: Int, weight: Double) { (self.x, self.count, self.weight) = (x, count, weight) }
  }

  /// Returns for each row its distance, its number of runs, the place of the first in these words, and log2 of its largest
  /// block; then three words a run.
  package static func table(_ rows: [(y: Int, runs: [Run])]) -> [UInt32] {
    var next = 4 * rows.count, words: [UInt32] = []
    for row in rows {
      let longest = row.runs.map(\.count).max() ?? 1
      words += [
        row.y.word, row.runs.count.word, next.word, min(Int.bitWidth - 1 - longest.leadingZeroBitCount, 5).word,
      ]
      next += 3 * row.runs.count
    }
    return words + rows.flatMap { $0.runs.flatMap { [$0.x.word, $0.count.word, $0.weight.word] } }
  }

  public struct Parameters: StageParameters {
    /// `reach` is the number of columns to each side, at most 112.
    public let channels: UInt32, rows: UInt32, table: UInt32, reach: UInt32, width: UInt32, height: UInt32

    package init(channels: Int, rows: Int, table: UInt32, reach: Int, width: Int, height: Int) {
      (self.channels, self.rows, self.table, self.reach) = (channels.word, rows.word, table, reach.word)
      (self.width, self.height) = (width.word, height.word)
    }
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), table = c.tables + Int(words.table), reach = Int(words.reach)
    let channels = Int(words.channels)
    for channel in 0..<channels {
      let out = s.plane(channel)
      for i in 0..<s.padded { out[i] = 0 }
      for row in 0..<Int(words.rows) {
        let entry = table + 4 &* row
        blocks(s, c.channels[channel], Int(entry[0]), levels: Int(entry[3]), reach, Int(words.width), Int(words.height))
        for run in 0..<Int(entry[1]) {
          let one = table + (Int(entry[2]) &+ 3 &* run)
          add(
            s, out, from: reach &+ Int(Int32(bitPattern: one[0])), count: Int(one[1]),
            weight: Float(bitPattern: one[2]))
        }
      }
    }
    WeightedSum.finish(s, channels: channels)
  }

  /// Fills two planes of scratch for each size of blocks: the sum of 2^k pixels from each of `reach` before the strip on.
  @inlinable @inline(always) static func blocks(
    _ s: Strip, _ view: ChannelView, _ distance: Int, levels: Int, _ reach: Int, _ width: Int, _ height: Int
  ) {
    let count = s.count &+ 2 &* reach, pixels = s.scratch(0)
    @inline(always) func row(_ y: Int, _ copy: Int) -> UnsafePointer<Float> {
      Neighbourhood.row(view, Neighbourhood.inside(y, height), s, reach: reach, width: width, s.scratch(copy))
    }
    let above = row(s.y &- distance, 10)
    if distance == 0 {
      pixels.update(from: above, count: count)
    } else {
      let below = row(s.y &+ distance, 12)
      for i in 0..<count { pixels[i] = above[i] + below[i] }
    }
    for level in 0..<levels {
      let half = s.scratch(2 &* level), whole = s.scratch(2 &* level &+ 2), step = 1 &<< level
      for i in 0..<(count &- 2 &* step &+ 1) { whole[i] = half[i] + half[i &+ step] }
    }
  }

  /// Adds a run of pixels times its weight.
  @inlinable @inline(always) static func add(
    _ s: Strip, _ out: UnsafeMutablePointer<Float>, from: Int, count: Int, weight: Float
  ) {
    var at = from, left = count, isFirst = true, sum = UnsafePointer(s.scratch(0)), level = 5
    let partial = s.scratch(12)
    while left > 0 {
      while left < 1 &<< level { level = level &- 1 }
      let block = UnsafePointer(s.scratch(2 &* level) + at)
      at = at &+ 1 &<< level
      left = left &- 1 &<< level
      if left == 0 && isFirst {
        for i in 0..<s.count { out[i] = out[i] + weight * block[i] }
      } else if left == 0 {
        for i in 0..<s.count { out[i] = out[i] + weight * (sum[i] + block[i]) }
      } else if isFirst {
        sum = block
      } else {
        for i in 0..<s.count { partial[i] = sum[i] + block[i] }
        sum = UnsafePointer(partial)
      }
      isFirst = false
    }
  }
}
