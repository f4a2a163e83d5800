/// Stage `load_half`: binary16 R G B A samples of source 0 (grey: one channel), made finite.
///
/// NaN becomes 0, infinities +-65504, magnitudes below 2^-30 become 0 (design/bit-exact.md §1, §2). Alpha is clamped to
/// [0, 1].
public enum LoadHalf {
  public static func words(_ image: SampleImage) -> [UInt32] {
    [(image.model == .grey ? 1 : 3).word, (image.alpha == nil ? 0 : 1).word]
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let from = c.source(s.x, s.y), n = s.padded
    func load(_ index: Int, _ out: UnsafeMutablePointer<Float>) {
      let v = c.channels[index]
      let first = v.base + (from.y &* v.rowBytes &+ from.x &* v.stepBytes)
      let step = c.mapping.columnX &* v.stepBytes &+ c.mapping.columnY &* v.rowBytes
      for i in 0..<s.count {
        out[i] = E32.sanitize(E32.float(half: UInt32((first + i &* step).loadUnaligned(as: UInt16.self))))
      }
      for i in s.count..<n { out[i] = 0 }
    }
    load(0, s.red)
    if c.int(0) == 1 {
      s.green.update(from: s.red, count: n)
      s.blue.update(from: s.red, count: n)
    } else {
      load(1, s.green)
      load(2, s.blue)
    }
    let alpha = s.alpha
    if c.int(1) == 0 {
      for i in 0..<n { alpha[i] = 1 }
    } else {
      load(3, alpha)
      for i in 0..<n {
        let low: Float = alpha[i] > 0 ? alpha[i] : 0
        alpha[i] = low < 1 ? low : 1
      }
    }
  }
}
