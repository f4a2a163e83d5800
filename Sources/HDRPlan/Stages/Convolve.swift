import HDRCore

/// Stage `convolve_x`: weighted sums of consecutive samples in a row of source 0's planes, as R, G, B, A (one plane:
/// the same value thrice; no fourth plane: A = 1). Resampling, blur and averages along x, by the weights.
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
          WeightedSum.separate(out, i..<end, entries, base, row)
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
  @usableFromInline typealias Lanes = SIMD8<Float>

  /// `out[i]` = sum over k of `weights[k] * samples(k)[i]`, added in the order of k, to 0 or to what `out` has. Sums
  /// stay in registers while all taps are walked.
  @inlinable @inline(always) static func run(
    _ out: UnsafeMutablePointer<Float>, _ count: Int, _ taps: Int, _ weights: UnsafePointer<Float>, adds: Bool = false,
    _ samples: (Int) -> UnsafePointer<Float>
  ) {
    @inline(always) func start(_ i: Int) -> Lanes {
      adds ? lanes(UnsafePointer(out) + i) : Lanes()
    }
    @inline(always) func lanes(_ p: UnsafePointer<Float>) -> Lanes {
      UnsafeRawPointer(p).loadUnaligned(as: Lanes.self)
    }
    @inline(always) func store(_ sum: Lanes, _ i: Int) {
      UnsafeMutableRawPointer(out + i).storeBytes(of: sum, as: Lanes.self)
    }
    var i = 0
    while i &+ 32 <= count {
      var a = start(i), b = start(i &+ 8), c = start(i &+ 16), d = start(i &+ 24)
      for k in 0..<taps {
        let p = samples(k) + i, w = Lanes(repeating: weights[k])
        a = a + w * lanes(p)
        b = b + w * lanes(p + 8)
        c = c + w * lanes(p + 16)
        d = d + w * lanes(p + 24)
      }
      store(a, i)
      store(b, i &+ 8)
      store(c, i &+ 16)
      store(d, i &+ 24)
      i = i &+ 32
    }
    while i &+ 8 <= count {
      var a = start(i)
      for k in 0..<taps { a = a + Lanes(repeating: weights[k]) * lanes(samples(k) + i) }
      store(a, i)
      i = i &+ 8
    }
    while i < count {
      var sum: Float = adds ? out[i] : 0
      for k in 0..<taps { sum = sum + weights[k] * samples(k)[i] }
      out[i] = sum
      i = i &+ 1
    }
  }

  /// Results that do not lie one sample apart, each with its entry: four at a time, so that one does not wait for the
  /// other's additions.
  @inlinable @inline(always) static func separate(
    _ out: UnsafeMutablePointer<Float>, _ range: Range<Int>, _ entries: UnsafePointer<UInt32>,
    _ base: UnsafePointer<UInt32>, _ row: UnsafePointer<Float>
  ) {
    @inline(always) func weights(_ o: Int) -> UnsafePointer<Float> {
      UnsafeRawPointer(base + Int(entries[3 &* o &+ 2])).assumingMemoryBound(to: Float.self)
    }
    @inline(always) func samples(_ o: Int) -> UnsafePointer<Float> { row + Int(entries[3 &* o]) }
    @inline(always) func taps(_ o: Int) -> Int { Int(entries[3 &* o &+ 1]) }
    var o = range.lowerBound
    while o &+ 4 <= range.upperBound {
      let n = taps(o)
      guard taps(o &+ 1) == n, taps(o &+ 2) == n, taps(o &+ 3) == n else { break }
      let w0 = weights(o), w1 = weights(o &+ 1), w2 = weights(o &+ 2), w3 = weights(o &+ 3)
      let p0 = samples(o), p1 = samples(o &+ 1), p2 = samples(o &+ 2), p3 = samples(o &+ 3)
      var a: Float = 0, b: Float = 0, c: Float = 0, d: Float = 0
      for k in 0..<n {
        a = a + w0[k] * p0[k]
        b = b + w1[k] * p1[k]
        c = c + w2[k] * p2[k]
        d = d + w3[k] * p3[k]
      }
      out[o] = a
      out[o &+ 1] = b
      out[o &+ 2] = c
      out[o &+ 3] = d
      o = o &+ 4
    }
    while o < range.upperBound {
      let w = weights(o), p = samples(o)
      var sum: Float = 0
      for k in 0..<taps(o) { sum = sum + w[k] * p[k] }
      out[o] = sum
      o = o &+ 1
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
