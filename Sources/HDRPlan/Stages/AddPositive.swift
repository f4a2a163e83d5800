import HDRCore

/// Stage `add_positive`: adds `amount` times the positive part of a weighted sum of R, G, B to each of them: the
/// correction of Report ITU-R BT.2446 §4 that darkens reds, and its inverse.
public enum AddPositive {
  public static func words(weights: [Double], amount: Double) -> [UInt32] { weights.map(\.word) + [amount.word] }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let wr = c.float(0), wg = c.float(1), wb = c.float(2), amount = c.float(3), p = s.base
    for i in 0..<s.padded {
      let r = p[i], g = p[i &+ Strip.stride], b = p[i &+ 2 &* Strip.stride]
      let sum = (wr * r + wg * g) + wb * b
      let positive: Float = sum > 0 ? sum : 0
      let d = positive * amount
      p[i] = r + d
      p[i &+ Strip.stride] = g + d
      p[i &+ 2 &* Strip.stride] = b + d
    }
  }
}
