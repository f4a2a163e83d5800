import HDRCore

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
