import HDRPlan
import Kernels

/// The part of a half-float picture that strips read, as binary32. Walking down a column of strips, each row is decoded
/// once, even if several rows of the result use it.
struct SourceWindow {
  /// The source's first view in the job's list.
  private let first: Int
  private let halves: [ChannelView]
  private let scale: RowScale
  /// True if R G B A lie side by side, false if each has a plane.
  private let isInterleaved: Bool
  /// The columns of the source that each column of strips reads.
  private let columns: [Range<Int>]
  private let memory: UnsafeMutablePointer<Float>
  /// The number of rows that fit; floats from a row to the next and from a channel to the next.
  private let capacity: Int
  private let stride: Int
  private let planeFloats: Int
  /// The largest number of source rows that one row of the result needs.
  let reach: Int

  /// The column of strips that is walked, the row at the beginning of the memory, and the rows that are there.
  private var block = -1
  private var origin = 0
  private var rows = 0..<0

  /// - Parameters:
  ///   - stage: the stage that reads the source, with its context.
  ///   - rows: rows of the result.
  ///   - blocks: columns of the result that are walked one after the other.
  ///   - memory: allocates a number of floats.
  init(
    first: Int, halves: [ChannelView], scale: RowScale, stage: Stage, context: StageContext, rows: Range<Int>,
    blocks: [Range<Int>], memory: (Int) -> UnsafeMutablePointer<Float>
  ) {
    (self.first, self.halves, self.scale) = (first, halves, scale)
    var most = 1, low = Int.max, high = 0
    for y in rows {
      let need = Self.needed(y, scale)
      most = max(most, need.count)
      low = min(low, need.lowerBound)
      high = max(high, need.upperBound)
    }
    reach = most
    capacity = most == 1 ? 1 : min(high - low, 2 * (most + RowsAhead.most) + 32)
    columns = blocks.map { Self.aligned(stage.sourceColumns($0, width: halves[0].width, context)) }
    isInterleaved = stage.kind == .convolveX && !ConvolveX.areRuns(blocks[0], context)
    // Not a multiple of 4 KiB, or rows would push each other out of the first-level cache.
    let wide = (columns.map(\.count).max() ?? 0) + 16
    stride = isInterleaved ? 4 * wide : wide
    planeFloats = capacity * stride + 16
    self.memory = memory((isInterleaved ? 1 : halves.count) * planeFloats + 4 * wide)
  }

  private static func needed(_ y: Int, _ scale: RowScale) -> Range<Int> {
    let row = min(max(y, 0), scale.firstRow.count - 1)
    return Int(scale.firstRow[row])..<Int(scale.lastRow[row]) + 1
  }

  /// Rounds columns to whole cache lines of a half-float plane.
  private static func aligned(_ columns: Range<Int>) -> Range<Int> {
    let start = columns.lowerBound & ~31
    return start..<start + (columns.upperBound - start + 31) & ~31
  }

  /// Decodes the rows that row `y` of the result needs, and a few more with `ahead`; points the stages' views at them.
  mutating func prepare(
    _ block: Int, y: Int, end: Int, ahead: Bool, _ views: UnsafeMutablePointer<ChannelView>
  ) {
    if block != self.block {
      self.block = block
      rows = 0..<0
    }
    let columns = columns[block]
    if columns.isEmpty { return }
    var need = Self.needed(y, scale)
    if ahead && reach > 1 {
      let last = Self.needed(min(y + RowsAhead.most, end - 1), scale)
      if last.upperBound > need.upperBound && last.upperBound - need.lowerBound <= capacity {
        need = need.lowerBound..<last.upperBound
      }
    }
    if need.lowerBound < rows.lowerBound || need.lowerBound > rows.upperBound || rows.isEmpty {
      rows = need.lowerBound..<need.lowerBound
      origin = need.lowerBound
    }
    if need.upperBound - origin > capacity { moveUp(to: need.lowerBound) }
    for row in rows.upperBound..<max(rows.upperBound, need.upperBound) { decode(row, columns) }
    rows = rows.lowerBound..<max(rows.upperBound, need.upperBound)
    let step = isInterleaved ? 4 : 1
    for channel in halves.indices {
      let start = memory + (isInterleaved ? channel : channel * planeFloats)
      views[first + channel] = ChannelView(
        base: UnsafeRawPointer(start - origin * stride - columns.lowerBound * step), rowBytes: 4 * stride,
        stepBytes: 4 * step, width: halves[channel].width, height: halves[channel].height)
    }
  }

  /// Drops the rows above a row.
  private mutating func moveUp(to row: Int) {
    for channel in 0..<(isInterleaved ? 1 : halves.count) {
      let plane = memory + channel * planeFloats
      plane.update(from: plane + (row - origin) * stride, count: (rows.upperBound - row) * stride)
    }
    rows = row..<rows.upperBound
    origin = row
  }

  private func decode(_ row: Int, _ columns: Range<Int>) {
    let wide = isInterleaved ? stride / 4 : stride, apart = memory + (isInterleaved ? planeFloats : 0)
    for (channel, view) in halves.enumerated() {
      let to = isInterleaved ? apart + channel * wide : memory + channel * planeFloats + (row - origin) * stride
      let from = view.base + row * view.rowBytes + columns.lowerBound * view.stepBytes
      if view.stepBytes == 2 {
        Halves.decode(from, to, columns.count)
      } else {
        for i in 0..<min(columns.count, view.width - columns.lowerBound) {
          to[i] = E32.float(half: UInt32((from + i * view.stepBytes).loadUnaligned(as: UInt16.self)))
        }
      }
    }
    guard isInterleaved else { return }
    // Without a fourth channel, the value read for it is not used.
    let r = apart, g = apart + wide, b = g + wide, a = halves.count == 4 ? b + wide : b
    let to = memory + (row - origin) * stride
    for i in 0..<columns.count {
      to[4 &* i] = r[i]
      to[4 &* i &+ 1] = g[i]
      to[4 &* i &+ 2] = b[i]
      to[4 &* i &+ 3] = a[i]
    }
  }
}
