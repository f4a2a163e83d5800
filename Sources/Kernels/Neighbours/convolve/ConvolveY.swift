import HDRCore

/// Stage `convolve_y`: like `convolve_x`, but down the columns; one entry of weights for each output row.
public enum ConvolveY: KernelStage {
  package static let readsColumns = true

  public typealias Parameters = ConvolveX.Parameters

  package static func words(channels: Int, weights: UInt32) -> [UInt32] {
    ConvolveX.words(channels: channels, weights: weights)
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), base = c.tables + Int(words.weights), entry = base + 3 &* s.y
    let channels = Int(words.channels)
    let first = Int(entry[0]), taps = Int(entry[1])
    let weights = UnsafeRawPointer(base + Int(entry[2])).assumingMemoryBound(to: Float.self)
    if let ahead = c.ahead, ahead.pointee.fill(s, channels: channels) {
      WeightedSum.finish(s, channels: channels)
      return
    }
    let isTile = isTile(s, c, entry, taps)
    for channel in 0..<channels {
      let v = c.channels[channel]
      @inline(always) func samples(_ k: Int) -> UnsafePointer<Float> {
        (v.base + (first &+ k) &* v.rowBytes).assumingMemoryBound(to: Float.self) + s.x
      }
      if isTile, let ahead = c.ahead {
        let kept = ahead.pointee
        WeightedSum.fourRows(
          s.plane(channel), kept.plane(0, channel), kept.plane(1, channel), kept.plane(2, channel), s.count, taps,
          weights, samples)
      } else {
        WeightedSum.run(s.plane(channel), s.count, taps, weights, samples)
      }
    }
    if isTile { c.ahead?.pointee.keep(after: s) }
    WeightedSum.finish(s, channels: channels)
  }

  /// Returns true if the three rows below have the same weights, each a sample row further down.
  @inlinable @inline(always) static func isTile(
    _ s: Strip, _ c: StageContext, _ entry: UnsafePointer<UInt32>, _ taps: Int
  ) -> Bool {
    guard let ahead = c.ahead, s.y &+ RowsAhead.most < ahead.pointee.end, taps >= RowsAhead.most else { return false }
    for row in 1...UInt32(RowsAhead.most) {
      let next = entry + 3 &* Int(row)
      if next[0] != entry[0] &+ row || next[2] != entry[2] { return false }
    }
    return true
  }
}
