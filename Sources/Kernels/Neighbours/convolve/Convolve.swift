import HDRCore

/// Stage `convolve_x`: weighted sums of consecutive samples in a row of source 0's planes, as R, G, B, A (one plane:
/// the same value three times; no fourth plane: A = 1). The weights decide: resampling, blur or averages along x.
public enum ConvolveX: KernelStage {
  public struct Words: StageWords {
    public let channels: UInt32, weights: UInt32
  }

  /// - Parameters:
  ///   - channels: the number of planes of source 0: 1, 3 or 4.
  ///   - weights: the offset of `AxisWeights.words`, one entry for each output column.
  public static func words(channels: Int, weights: UInt32) -> [UInt32] {
    Words(channels: channels.word, weights: weights).list
  }

  /// Returns true if most of some outputs have their neighbour's weights and are one sample further: lanes are then
  /// outputs. For others, lanes are the channels of a pixel, if the source has them side by side (`stepBytes` 16).
  public static func areRuns(_ columns: Range<Int>, _ c: StageContext) -> Bool {
    let entries = c.tables + Int(c.words(Words.self).weights)
    let followers = columns.dropFirst().count { x in
      entries[3 * x] == entries[3 * x - 3] + 1 && entries[3 * x + 2] == entries[3 * x - 1]
    }
    return 2 * followers >= columns.count
  }

  /// Sums pixels of binary32 side by side, four at a time so that one does not wait for the other's additions.
  @inlinable @inline(always) static func pixels(_ s: Strip, _ c: StageContext) {
    typealias Pixel = SIMD4<Float>
    let words = c.words(Words.self), base = c.tables + Int(words.weights), entries = base + 3 &* s.x
    let row = c.channels[0].base + s.y &* c.channels[0].rowBytes
    @inline(always) func weights(_ o: Int) -> UnsafePointer<Float> {
      UnsafeRawPointer(base + Int(entries[3 &* o &+ 2])).assumingMemoryBound(to: Float.self)
    }
    @inline(always) func samples(_ o: Int) -> UnsafePointer<Pixel> {
      (row + 16 &* Int(entries[3 &* o])).assumingMemoryBound(to: Pixel.self)
    }
    @inline(always) func taps(_ o: Int) -> Int { Int(entries[3 &* o &+ 1]) }
    var o = 0
    while o < s.count {
      let n = taps(o)
      if o &+ 4 <= s.count, taps(o &+ 1) == n, taps(o &+ 2) == n, taps(o &+ 3) == n {
        let w0 = weights(o), w1 = weights(o &+ 1), w2 = weights(o &+ 2), w3 = weights(o &+ 3)
        let p0 = samples(o), p1 = samples(o &+ 1), p2 = samples(o &+ 2), p3 = samples(o &+ 3)
        var a = Pixel(), b = Pixel(), c = Pixel(), d = Pixel()
        for k in 0..<n {
          a = a + Pixel(repeating: w0[k]) * p0[k]
          b = b + Pixel(repeating: w1[k]) * p1[k]
          c = c + Pixel(repeating: w2[k]) * p2[k]
          d = d + Pixel(repeating: w3[k]) * p3[k]
        }
        s.put(a, o)
        s.put(b, o &+ 1)
        s.put(c, o &+ 2)
        s.put(d, o &+ 3)
        o = o &+ 4
      } else {
        let w = weights(o), p = samples(o)
        var sum = Pixel()
        for k in 0..<n { sum = sum + Pixel(repeating: w[k]) * p[k] }
        s.put(sum, o)
        o = o &+ 1
      }
    }
    s.spread()
    WeightedSum.finish(s, channels: Int(words.channels))
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    if c.channels[0].stepBytes == 16 {
      pixels(s, c)
      return
    }
    let words = c.words(Words.self), base = c.tables + Int(words.weights), entries = base + 3 &* s.x, n = s.count
    let channels = Int(words.channels)
    var i = 0
    while i < n {
      // Outputs with the same weights, one sample apart: the lanes are outputs.
      let first = Int(entries[3 &* i]), taps = Int(entries[3 &* i &+ 1]), at = entries[3 &* i &+ 2]
      var end = i &+ 1
      while end < n && entries[3 &* end &+ 2] == at && Int(entries[3 &* end]) == first &+ (end &- i) { end = end &+ 1 }
      let weights = UnsafeRawPointer(base + Int(at)).assumingMemoryBound(to: Float.self)
      let isRun = end &- i >= 8
      if !isRun { end = Swift.min(i &+ 8, n) }
      for channel in 0..<channels {
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
    WeightedSum.finish(s, channels: channels)
  }
}

/// Stage `convolve_y`: like `convolve_x`, but down the columns; one entry of weights for each output row.
public enum ConvolveY: KernelStage {
  public static let readsColumns = true

  public typealias Words = ConvolveX.Words

  public static func words(channels: Int, weights: UInt32) -> [UInt32] {
    ConvolveX.words(channels: channels, weights: weights)
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Words.self), base = c.tables + Int(words.weights), entry = base + 3 &* s.y
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

/// Loops that both directions use.
@usableFromInline enum WeightedSum {
  @usableFromInline typealias Lanes = SIMD8<Float>

  /// Sets `out[i]` to the sum over k of `weights[k] * samples(k)[i]`, added in the order of k, to 0 or to the value in
  /// `out`. Sums stay in registers for all taps.
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
    // Eight sums that do not wait for each other keep the machine's adders busy.
    while i &+ 64 <= count {
      var a = start(i), b = start(i &+ 8), c = start(i &+ 16), d = start(i &+ 24)
      var e = start(i &+ 32), f = start(i &+ 40), g = start(i &+ 48), h = start(i &+ 56)
      for k in 0..<taps {
        let p = samples(k) + i, w = Lanes(repeating: weights[k])
        a = a + w * lanes(p)
        b = b + w * lanes(p + 8)
        c = c + w * lanes(p + 16)
        d = d + w * lanes(p + 24)
        e = e + w * lanes(p + 32)
        f = f + w * lanes(p + 40)
        g = g + w * lanes(p + 48)
        h = h + w * lanes(p + 56)
      }
      store(a, i)
      store(b, i &+ 8)
      store(c, i &+ 16)
      store(d, i &+ 24)
      store(e, i &+ 32)
      store(f, i &+ 40)
      store(g, i &+ 48)
      store(h, i &+ 56)
      i = i &+ 64
    }
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

  /// Makes four rows of results, each from one row of samples further than the one before and added as in `run`: each
  /// row of samples is read once for all four.
  @inlinable @inline(always) static func fourRows(
    _ out0: UnsafeMutablePointer<Float>, _ out1: UnsafeMutablePointer<Float>, _ out2: UnsafeMutablePointer<Float>,
    _ out3: UnsafeMutablePointer<Float>, _ count: Int, _ taps: Int, _ weights: UnsafePointer<Float>,
    _ samples: (Int) -> UnsafePointer<Float>
  ) {
    @inline(always) func lanes(_ p: UnsafePointer<Float>) -> Lanes {
      UnsafeRawPointer(p).loadUnaligned(as: Lanes.self)
    }
    @inline(always) func weight(_ k: Int) -> Lanes { Lanes(repeating: weights[k]) }
    @inline(always) func store(_ left: Lanes, _ right: Lanes, _ out: UnsafeMutablePointer<Float>) {
      UnsafeMutableRawPointer(out).storeBytes(of: left, as: Lanes.self)
      UnsafeMutableRawPointer(out + 8).storeBytes(of: right, as: Lanes.self)
    }
    var i = 0
    while i &+ 16 <= count {
      var a0 = Lanes(), a1 = Lanes(), b0 = Lanes(), b1 = Lanes()
      var c0 = Lanes(), c1 = Lanes(), d0 = Lanes(), d1 = Lanes()
      // The first and the last three rows of samples are not used by all results.
      var p = samples(0) + i, x0 = lanes(p), x1 = lanes(p + 8)
      var wa = weight(0), wb = wa, wc = wa, wd = wa
      @inline(always) func sample(_ k: Int) {
        p = samples(k) + i
        x0 = lanes(p)
        x1 = lanes(p + 8)
        wd = wc
        wc = wb
        wb = wa
      }
      @inline(always) func addA() {
        a0 = a0 + wa * x0
        a1 = a1 + wa * x1
      }
      @inline(always) func addB() {
        b0 = b0 + wb * x0
        b1 = b1 + wb * x1
      }
      @inline(always) func addC() {
        c0 = c0 + wc * x0
        c1 = c1 + wc * x1
      }
      @inline(always) func addD() {
        d0 = d0 + wd * x0
        d1 = d1 + wd * x1
      }
      addA()
      sample(1)
      wa = weight(1)
      addA()
      addB()
      sample(2)
      wa = weight(2)
      addA()
      addB()
      addC()
      for k in 3..<taps {
        sample(k)
        wa = weight(k)
        addA()
        addB()
        addC()
        addD()
      }
      sample(taps)
      addB()
      addC()
      addD()
      sample(taps &+ 1)
      addC()
      addD()
      sample(taps &+ 2)
      addD()
      store(a0, a1, out0 + i)
      store(b0, b1, out1 + i)
      store(c0, c1, out2 + i)
      store(d0, d1, out3 + i)
      i = i &+ 16
    }
    run(out0 + i, count &- i, taps, weights) { samples($0) + i }
    run(out1 + i, count &- i, taps, weights) { samples($0 &+ 1) + i }
    run(out2 + i, count &- i, taps, weights) { samples($0 &+ 2) + i }
    run(out3 + i, count &- i, taps, weights) { samples($0 &+ 3) + i }
  }

  /// Makes results that are not one sample apart, each with its entry: four at a time, so that one does not wait for
  /// the other's additions.
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

  /// Fills channels that the planes do not have, and the lanes after the last pixel.
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
