import HDRCore

/// Stage `convolve_2d`: weighted sums over a rectangle of source 0's planes around each pixel, added row by row.
public enum Convolve2D: KernelStage {
  package static let readsColumns = true

  public struct Parameters: StageParameters {
    /// `columns` is at most 79, so that a strip's row with the pixels around it fits a plane of scratch.
    public let channels: UInt32, columns: UInt32, rows: UInt32, weights: UInt32
    public let width: UInt32, height: UInt32, keepsAlpha: UInt32

    package init(
      channels: UInt32, columns: UInt32, rows: UInt32, weights: UInt32, width: UInt32, height: UInt32,
      keepsAlpha: UInt32
    ) {
      (self.channels, self.columns, self.rows, self.weights, self.width, self.height, self.keepsAlpha) = (
        channels, columns, rows, weights, width, height, keepsAlpha
      )
    }
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), channels = Int(words.channels), columns = Int(words.columns)
    let rows = Int(words.rows), weights = c.table(at: words.weights), n = s.count
    let width = Int(words.width), height = Int(words.height)
    let summed = words.keepsAlpha != 0 ? 3 : channels
    for channel in 0..<summed {
      let view = c.channels[channel], out = s.plane(channel)
      for i in 0..<s.padded { out[i] = 0 }
      for row in 0..<rows {
        let y = Neighbourhood.inside(s.y &+ row &- (rows &>> 1), height)
        let samples = Neighbourhood.row(view, y, s, reach: columns &>> 1, width: width, s.scratch(0))
        WeightedSum.run(out, n, columns, weights + row &* columns, adds: true) { samples + $0 }
      }
    }
    if summed != channels {
      let view = c.channels[3], row = (view.base + s.y &* view.rowBytes).assumingMemoryBound(to: Float.self)
      s.alpha.update(from: row + s.x, count: n)
    }
    WeightedSum.finish(s, channels: channels)
  }
}
