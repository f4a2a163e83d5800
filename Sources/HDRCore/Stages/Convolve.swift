/// Stage `convolve_x`: weighted sums of consecutive samples in a row of source 0's planes, as R, G, B, A (one plane: the
/// same value thrice; no fourth plane: A = 1). Resampling, blur and averages along x, whatever the weights say.
public enum ConvolveX {
  /// - Parameters:
  ///   - channels: planes of source 0: 1, 3 or 4.
  ///   - weights: offset of `AxisWeights.words`, one entry for each output column.
  public static func words(channels: Int, weights: UInt32) -> [UInt32] { [channels.word, weights] }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let base = c.tables + c.int(1), entries = base + 3 &* s.x, n = s.count
    var i = 0
    while i < n {
      // Outputs with the same weights, one sample apart: the lanes are outputs.
      let first = Int(entries[3 &* i]), taps = Int(entries[3 &* i &+ 1]), at = entries[3 &* i &+ 2]
      var end = i &+ 1
      while end < n && entries[3 &* end &+ 2] == at && Int(entries[3 &* end]) == first &+ (end &- i) { end = end &+ 1 }
      let weights = UnsafeRawPointer(base + Int(at)).assumingMemoryBound(to: Float.self)
      let isRun = end &- i >= 8
      if !isRun { end = Swift.min(i &+ 8, n) }
      for channel in 0..<c.int(0) {
        let v = c.channels[channel], out = s.plane(channel)
        let row = (v.base + s.y &* v.rowBytes).assumingMemoryBound(to: Float.self)
        if isRun {
          WeightedSum.run(out + i, end &- i, taps, weights) { UnsafePointer(row) + (first &+ $0) }
        } else {
          for o in i..<end {
            let e = entries + 3 &* o, p = row + Int(e[0])
            let w = UnsafeRawPointer(base + Int(e[2])).assumingMemoryBound(to: Float.self)
            var sum: Float = 0
            for k in 0..<Int(e[1]) { sum = sum + w[k] * p[k] }
            out[o] = sum
          }
        }
      }
      i = end
    }
    WeightedSum.finish(s, channels: c.int(0))
  }
}

/// Stage `convolve_y`: the same down the columns; one entry of weights for each output row.
public enum ConvolveY {
  public static func words(channels: Int, weights: UInt32) -> [UInt32] { [channels.word, weights] }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let base = c.tables + c.int(1), entry = base + 3 &* s.y
    let first = Int(entry[0]), taps = Int(entry[1])
    let weights = UnsafeRawPointer(base + Int(entry[2])).assumingMemoryBound(to: Float.self)
    for channel in 0..<c.int(0) {
      let v = c.channels[channel]
      WeightedSum.run(s.plane(channel), s.count, taps, weights) { k in
        (v.base + (first &+ k) &* v.rowBytes).assumingMemoryBound(to: Float.self) + s.x
      }
    }
    WeightedSum.finish(s, channels: c.int(0))
  }
}

/// Loops that both directions share.
@usableFromInline enum WeightedSum {
  /// `out[i]` = sum over k of `weights[k] * samples(k)[i]`, added in the order of k. Four taps a sweep: each sweep reads
  /// and writes the sums once.
  @inlinable @inline(always) static func run(
    _ out: UnsafeMutablePointer<Float>, _ count: Int, _ taps: Int, _ weights: UnsafePointer<Float>,
    _ samples: (Int) -> UnsafePointer<Float>
  ) {
    for i in 0..<count { out[i] = 0 }
    var k = 0
    while k &+ 4 <= taps {
      let w0 = weights[k], w1 = weights[k &+ 1], w2 = weights[k &+ 2], w3 = weights[k &+ 3]
      let p0 = samples(k), p1 = samples(k &+ 1), p2 = samples(k &+ 2), p3 = samples(k &+ 3)
      for i in 0..<count { out[i] = (((out[i] + w0 * p0[i]) + w1 * p1[i]) + w2 * p2[i]) + w3 * p3[i] }
      k = k &+ 4
    }
    while k < taps {
      let w = weights[k], p = samples(k)
      for i in 0..<count { out[i] = out[i] + w * p[i] }
      k = k &+ 1
    }
  }

  /// Channels that the planes do not have, and the lanes behind the last pixel.
  @inlinable @inline(always) static func finish(_ s: Strip, channels: Int) {
    for channel in 0..<channels {
      let p = s.plane(channel)
      for i in s.count..<s.padded { p[i] = 0 }
    }
    if channels == 1 {
      s.green.update(from: s.red, count: s.padded)
      s.blue.update(from: s.red, count: s.padded)
    }
    if channels != 4 { for i in 0..<s.padded { s.alpha[i] = 1 } }
  }
}
