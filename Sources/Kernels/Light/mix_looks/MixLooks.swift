import HDRCore

/// Stage `mix_looks`: R, G, B between a standard look S, the planes of a source, and the pixel's own look H of a high
/// dynamic range: S · (H / S)^amount in each channel, 0 if either is not above 2^-60.
///
/// An amount of 0 gives exactly S, 1 gives H; between them values rise, or fall, with the amount.
public enum MixLooks: KernelStage {
  package static let operations = 256

  public struct Parameters: StageParameters {
    public let source: UInt32, amount: Float
  }

  package static func words(source: Int, amount: Double) -> [UInt32] {
    Parameters(source: source.word, amount: Float(amount)).list
  }

  @inlinable @inline(always) static func mixed(_ standard: Float, _ high: Float, _ amount: Float) -> Float {
    let most: Float = high > standard ? high : standard, least: Float = high > standard ? standard : high
    let isSome = least > 0x1p-60
    let from = E32.log2(isSome ? standard : 1), to = E32.log2(isSome ? high : 1)
    let between = E32.exp2(from + amount * (to - from))
    // Rounding must not go beyond either look.
    let low: Float = between > least ? between : least, inside: Float = low < most ? low : most
    return isSome ? inside : 0
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), amount = words.amount, n = s.padded
    if amount >= 1 { return }
    for channel in 0..<3 {
      let view = c.channels[4 &* Int(words.source) &+ channel], p = s.plane(channel), standard = s.scratch(0)
      let row = (view.base + s.y &* view.rowBytes).assumingMemoryBound(to: Float.self) + s.x
      standard.update(from: row, count: s.count)
      for i in s.count..<n { standard[i] = 0 }
      if amount > 0 {
        for i in 0..<n { p[i] = mixed(standard[i], p[i], amount) }
      } else {
        p.update(from: standard, count: n)
      }
    }
  }
}
