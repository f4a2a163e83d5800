import HDRCore

/// Stage `mix_input`: R, G, B, A premultiplied and the planes of a source, premultiplied, mixed by one weight, or by that
/// of a mask's plane. Outside its size the source is transparent black, and the mask is 0.
public enum MixInput: KernelStage {
  public struct Parameters: StageParameters {
    public let source: UInt32, width: UInt32, height: UInt32
    /// 0: `weight` applies everywhere.
    public let mask: UInt32, maskWidth: UInt32, maskHeight: UInt32, weight: Float
  }

  /// - Parameter mask: source of the plane of weights; `nil`: `weight` everywhere.
  package static func words(
    source: Int, width: Int, height: Int, mask: (source: Int, width: Int, height: Int)?, weight: Double
  ) -> [UInt32] {
    let mask = mask ?? (0, 0, 0)
    return Parameters(
      source: source.word, width: width.word, height: height.word, mask: mask.source.word, maskWidth: mask.width.word,
      maskHeight: mask.height.word, weight: Float(weight)
    ).list
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), weight = words.weight
    Compositing.loadForeground(
      s, c.channels + 4 &* Int(words.source), x: 0, y: 0, width: Int(words.width), height: Int(words.height))
    let m = s.scratch(4), mask = Int(words.mask), n = s.padded
    if mask == 0 {
      for i in 0..<n { m[i] = weight }
    } else {
      for i in 0..<n { m[i] = 0 }
      if s.y < Int(words.maskHeight) {
        let v = c.channels[4 &* mask], to = Swift.min(s.count, Int(words.maskWidth) &- s.x)
        let row = (v.base + s.y &* v.rowBytes).assumingMemoryBound(to: Float.self) + s.x
        var i = 0
        while i < to {
          m[i] = row[i]
          i &+= 1
        }
      }
    }
    for channel in 0..<4 {
      let b = s.plane(channel), t = s.scratch(channel)
      for i in 0..<n { b[i] = b[i] * (1 - m[i]) + t[i] * m[i] }
    }
    Compositing.limitAlpha(s)
  }
}
