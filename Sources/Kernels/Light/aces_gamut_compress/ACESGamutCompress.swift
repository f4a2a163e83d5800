import HDRCore

/// Stage `aces_gamut_compress`: a gamut compression of scene light in AP1, and its inverse.
///
/// A component's distance from the largest one, relative to its magnitude, is compressed from a threshold on: d becomes
/// threshold + scale n / (1 + n^p)^(1/p) with n = (d - threshold) / scale (`ACESGamutCompression` has the numbers).
public enum ACESGamutCompress: KernelStage {
  package static let operations = 512

  public enum Direction: Int, Sendable, Hashable, CaseIterable {
    case forward, inverse
  }

  public struct Parameters: StageParameters {
    public let threshold: RGBWords<Float>, scale: RGBWords<Float>, perScale: RGBWords<Float>
    /// The exponent p, and -1/p.
    public let power: Float, root: Float
    public let direction: Choice<Direction>
  }

  package static func words(_ direction: Direction, _ compression: ACESGamutCompression = .reference) -> [UInt32] {
    let scales = compression.scales
    return Parameters(
      threshold: RGBWords(compression.thresholds), scale: RGBWords(scales), perScale: RGBWords(scales.map { 1 / $0 }),
      power: compression.power.lane, root: (-1 / compression.power).lane, direction: Choice(direction)
    ).list
  }

  package static func samples(table: ([UInt32]) -> UInt32) -> [[UInt32]] { Direction.allCases.map { words($0) } }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), p = s.base, most = s.scratch(0), size = s.scratch(1), per = s.scratch(2)
    for i in 0..<s.padded {
      let r = p[i], g = p[i &+ Strip.stride], b = p[i &+ 2 &* Strip.stride]
      let rg: Float = g > r ? g : r, top: Float = b > rg ? b : rg
      let magnitude: Float = top < 0 ? -top : top
      most[i] = top
      size[i] = magnitude
      // Where the largest component is 0 all distances are 0.
      let isSome = magnitude > 0x1p-60, inverse = E32.reciprocal(isSome ? magnitude : 1)
      per[i] = isSome ? inverse : 0
    }
    for channel in 0..<3 {
      let threshold = words.threshold[channel], scale = words.scale[channel], perScale = words.perScale[channel]
      if words.direction.value == .inverse {
        move(s, channel, threshold, scale, perScale, words.power, words.root, isInverse: true)
      } else {
        move(s, channel, threshold, scale, perScale, words.power, words.root, isInverse: false)
      }
    }
  }

  /// Moves a component of all pixels. Scratch 0 to 2: the largest component, its magnitude, and the inverse of that.
  @inlinable @inline(always) static func move(
    _ s: Strip, _ channel: Int, _ threshold: Float, _ scale: Float, _ perScale: Float, _ power: Float, _ root: Float,
    isInverse: Bool
  ) {
    let v = s.plane(channel), most = s.scratch(0), size = s.scratch(1), per = s.scratch(2)
    for i in 0..<s.padded {
      let d = (most[i] - v[i]) * per[i], n = (d - threshold) * perScale
      let bent = isInverse ? expanded(n, power, root) : compressed(n, power, root)
      let moved = most[i] - size[i] * (threshold + scale * bent)
      let end: Float = isInverse ? 1 : 0x1p80
      let kept: Float = n < end ? moved : v[i]
      v[i] = n > 0 ? kept : v[i]
    }
  }

  /// Returns n / (1 + n^p)^(1/p) for n > 0; beyond 2^24 it is 1.
  @inlinable @inline(always) static func compressed(_ n: Float, _ power: Float, _ root: Float) -> Float {
    let some: Float = n > 0x1p-40 ? n : 0x1p-40, x: Float = some < 0x1p24 ? some : 0x1p24
    let raised = E32.exp2(power * E32.log2(x))
    return x * E32.exp2(root * E32.log2(1 + raised))
  }

  /// Returns the number that `compressed` brings to n, which is less than 1; 2^20 at most for p = 1.2.
  @inlinable @inline(always) static func expanded(_ n: Float, _ power: Float, _ root: Float) -> Float {
    let some: Float = n > 0x1p-40 ? n : 0x1p-40, x: Float = some < 1 ? some : 1
    let rest = 1 - E32.exp2(power * E32.log2(x)), left: Float = rest > 0x1p-24 ? rest : 0x1p-24
    return x * E32.exp2(root * E32.log2(left))
  }
}
