import HDRCore

/// Stage `convolve_x`: weighted sums of consecutive samples in a row of source 0's planes, as R, G, B, A (one plane:
/// the same value three times; no fourth plane: A = 1). The weights decide: resampling, blur or averages along x.
public enum ConvolveX: KernelStage {
  public struct Parameters: StageParameters {
    public let channels: UInt32, weights: UInt32
  }

  /// - Parameters:
  ///   - channels: the number of planes of source 0: 1, 3 or 4.
  ///   - weights: the offset of `AxisWeights.words`, one entry for each output column.
  package static func words(channels: Int, weights: UInt32) -> [UInt32] {
    Parameters(channels: channels.word, weights: weights).list
  }

  /// Returns true if most of some outputs have their neighbour's weights and are one sample further: lanes are then
  /// outputs. For others, lanes are the channels of a pixel, if the source has them side by side (`stepBytes` 16).
  public static func areRuns(_ columns: Range<Int>, _ c: StageContext) -> Bool {
    let entries = c.tables + Int(c.words(Parameters.self).weights)
    let followers = columns.dropFirst().count { x in
      entries[3 * x] == entries[3 * x - 3] + 1 && entries[3 * x + 2] == entries[3 * x - 1]
    }
    return 2 * followers >= columns.count
  }

  /// Sums pixels of binary32 side by side, four at a time so that one does not wait for the other's additions.
  @inlinable @inline(always) static func pixels(_ s: Strip, _ c: StageContext) {
    typealias Pixel = SIMD4<Float>
    let words = c.words(Parameters.self), base = c.tables + Int(words.weights), entries = base + 3 &* s.x
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
    let words = c.words(Parameters.self), base = c.tables + Int(words.weights), entries = base + 3 &* s.x, n = s.count
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
