import HDRCore

/// Stage `aces_gamut_compress`: a gamut compression of scene light in AP1, and its inverse.
///
/// A component's distance from the largest one, relative to its magnitude, is compressed from a threshold on: d becomes
/// threshold + scale n / (1 + n^p)^(1/p) with n = (d - threshold) / scale (`ACESGamutCompression` has the numbers).
/// A table holds that bend; its inverse has a pole at n = 1, so that its table is one of 1 - n.
public enum ACESGamutCompress: KernelStage {
  package static let operations = 128

  public enum Direction: Int, Sendable, Hashable, CaseIterable {
    case forward, inverse
  }

  public struct Parameters: StageParameters {
    public let threshold: RGBWords<Float>, scale: RGBWords<Float>, perScale: RGBWords<Float>
    public let direction: Choice<Direction>
    public let bend: CurveWords
  }

  /// Makes the table of the bend: more segments for larger exponents, which bend sharper.
  package static func bend(_ compression: ACESGamutCompression, _ direction: Direction) -> CurveTable {
    if compression == .reference { return direction == .forward ? bent : unbent }
    return make(compression, direction)
  }

  private static let bent = make(.reference, .forward), unbent = make(.reference, .inverse)

  private static func make(_ compression: ACESGamutCompression, _ direction: Direction) -> CurveTable {
    let k = min(9, 5 + Int(compression.power.exponent))
    return direction == .forward
      ? CurveTable(octaves: -24..<20, k: k, compression.bent)
      : CurveTable(octaves: -24..<0, k: k) { compression.unbent(1 - $0) }
  }

  package static func words(
    _ direction: Direction, _ compression: ACESGamutCompression = .reference, table: ([UInt32]) -> UInt32
  ) -> [UInt32] {
    let scales = compression.scales, bend = bend(compression, direction)
    return Parameters(
      threshold: RGBWords(compression.thresholds), scale: RGBWords(scales), perScale: RGBWords(scales.map { 1 / $0 }),
      direction: Choice(direction), bend: CurveWords(bend, offset: table(bend.words))
    ).list
  }

  package static func samples(table: ([UInt32]) -> UInt32) -> [[UInt32]] {
    Direction.allCases.map { words($0, table: table) }
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let p = s.base, most = s.scratch(3), size = s.scratch(4), per = s.scratch(5)
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
    for channel in 0..<3 { move(s, c, channel) }
  }

  /// Moves a component of all pixels. Scratch 3 to 5: the largest component, its magnitude, and the inverse of that.
  @inlinable @inline(always) static func move(_ s: Strip, _ c: StageContext, _ channel: Int) {
    let words = c.words(Parameters.self), isInverse = words.direction.value == .inverse
    let threshold = words.threshold[channel], scale = words.scale[channel], perScale = words.perScale[channel]
    let v = s.plane(channel), most = s.scratch(3), size = s.scratch(4), per = s.scratch(5)
    let beyond = s.scratch(6), bent = s.scratch(0)
    // 0 if no component is beyond its threshold, as in most strips of most pictures.
    var any: Int32 = 0
    for i in 0..<s.padded {
      let d = (most[i] - v[i]) * per[i], n = (d - threshold) * perScale
      beyond[i] = n
      bent[i] = isInverse ? 1 - n : n
      let bits = Int32(bitPattern: n.pattern)
      any |= bits & ~(bits &>> 31)
    }
    if any == 0 { return }
    CurveTable.lookup(
      c.table(at: words.bend.table), from: bent, to: bent, s.padded, words.bend.domain, index: s.scratch(1),
      fraction: s.scratch(2))
    let end: Float = isInverse ? 1 : 0x1p80
    for i in 0..<s.padded {
      let n = beyond[i], moved = most[i] - size[i] * (threshold + scale * bent[i])
      let kept: Float = n < end ? moved : v[i]
      v[i] = n > 0 ? kept : v[i]
    }
  }
}
