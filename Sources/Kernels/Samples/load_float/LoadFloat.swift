import HDRCore

/// Stage `load_float`: binary32 R G B A samples of source 0 (grey: one channel), from a file or a program, made finite.
///
/// NaN becomes 0, magnitudes above 2^20 become +-2^20 and those below 2^-30 become 0
/// (docs/exact-arithmetic.md#contract). Alpha is clamped to [0, 1].
public enum LoadFloat: KernelStage {
  public typealias Parameters = LoadHalf.Parameters

  package static func words(_ image: SampleImage) -> [UInt32] { LoadHalf.words(image) }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), from = c.source(s.x, s.y), n = s.padded
    func load(_ index: Int, _ out: UnsafeMutablePointer<Float>) {
      let v = c.channels[index]
      let first = v.base + (from.y &* v.rowBytes &+ from.x &* v.stepBytes)
      let step = c.mapping.columnX &* v.stepBytes &+ c.mapping.columnY &* v.rowBytes
      for i in 0..<s.count {
        out[i] = E32.sanitize(Float(bitPattern: (first + i &* step).loadUnaligned(as: UInt32.self)))
      }
      for i in s.count..<n { out[i] = 0 }
    }
    load(0, s.red)
    if words.channels == 1 {
      s.green.update(from: s.red, count: n)
      s.blue.update(from: s.red, count: n)
    } else {
      load(1, s.green)
      load(2, s.blue)
    }
    let alpha = s.alpha
    if words.hasAlpha == 0 {
      for i in 0..<n { alpha[i] = 1 }
      return
    }
    load(3, alpha)
    for i in 0..<n {
      let low: Float = alpha[i] > 0 ? alpha[i] : 0
      alpha[i] = low < 1 ? low : 1
    }
  }
}
