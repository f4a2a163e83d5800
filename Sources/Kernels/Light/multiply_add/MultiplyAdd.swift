import HDRCore

/// Stage `multiply_add`: R, G, B times the first plane of a source and a sign, plus another source's planes; alpha too
/// where the planes are four. Sources have the pixel's own place.
public enum MultiplyAdd: KernelStage {
  package static let operations = 256

  public struct Parameters: StageParameters {
    /// `term` 0 stands for none.
    public let factor: UInt32, term: UInt32, channels: UInt32, sign: Float

    package init(factor: Int, term: Int?, channels: Int, sign: Double) {
      (self.factor, self.term, self.channels) = (factor.word, (term ?? 0).word, channels.word)
      self.sign = Float(sign)
    }
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), term = Int(words.term), factor = s.scratch(0), added = s.scratch(1)
    func load(_ view: ChannelView, _ to: UnsafeMutablePointer<Float>) {
      to.update(from: (view.base + s.y &* view.rowBytes).assumingMemoryBound(to: Float.self) + s.x, count: s.count)
      for i in s.count..<s.padded { to[i] = 0 }
    }
    load(c.channels[4 &* Int(words.factor)], factor)
    for i in 0..<s.padded { factor[i] = words.sign * factor[i] }
    for channel in 0..<(words.channels == 4 ? 4 : 3) {
      let p = s.plane(channel)
      if term == 0 {
        for i in 0..<s.padded { p[i] = p[i] * factor[i] }
      } else {
        load(c.channels[4 &* term &+ (words.channels == 1 ? 0 : channel)], added)
        for i in 0..<s.padded { p[i] = p[i] * factor[i] + added[i] }
      }
    }
  }
}
