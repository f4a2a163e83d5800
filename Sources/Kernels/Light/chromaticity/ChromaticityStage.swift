import HDRCore

/// Stage `chromaticity`: chromaticity and luminance of X, Y, Z, or L*, u*, v*, and back (`ColorCoordinates` has the formulas).
/// Sums and divisors of a magnitude up to 2^-30 count as 0, which has no chromaticity; L* ends at 1024.
public enum ChromaticityStage: KernelStage {
  package static let operations = 256

  public enum Model: Int, Sendable, Hashable, CaseIterable {
    case xyY, uvY, luv
  }
  public enum Direction: Int, Sendable, Hashable, CaseIterable {
    case forward, inverse
  }

  public struct Parameters: StageParameters {
    public let model: Choice<Model>, direction: Choice<Direction>
  }

  package static func words(_ model: Model, _ direction: Direction) -> [UInt32] {
    Parameters(model: Choice(model), direction: Choice(direction)).list
  }

  package static func samples(table: ([UInt32]) -> UInt32) -> [[UInt32]] {
    Model.allCases.flatMap { model in Direction.allCases.map { words(model, $0) } }
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), model = words.model.value
    if words.direction.value == .inverse { toXYZ(s, model) } else { fromXYZ(s, model) }
  }

  @inlinable @inline(always) static func fromXYZ(_ s: Strip, _ model: Model) {
    let first = s.red, second = s.green, third = s.blue, isXYY = model == .xyY, isLuv = model == .luv
    let yWeight: Float = isXYY ? 1 : 15, zWeight: Float = isXYY ? 1 : 3
    let xScale: Float = isXYY ? 1 : 4, yScale: Float = isXYY ? 1 : 9
    for i in 0..<s.padded {
      let x = first[i], y = second[i], z = third[i]
      let per = perOne((x + yWeight * y) + zWeight * z)
      let u = (xScale * x) * per, v = (yScale * y) * per
      let some: Float = y > 0.008_856_452 ? y : 0.008_856_452
      let root = 1.16 * E32.exp2(0.333_333_34 * E32.log2(some)) - 0.16
      let lightness: Float = y > 0.008_856_452 ? root : 9.032_963 * y, size = 13 * lightness
      first[i] = isLuv ? lightness : u
      second[i] = isLuv ? size * (u - 0.197_830_01) : v
      third[i] = isLuv ? size * (v - 0.468_319_99) : y
    }
  }

  @inlinable @inline(always) static func toXYZ(_ s: Strip, _ model: Model) {
    let first = s.red, second = s.green, third = s.blue, isXYY = model == .xyY, isLuv = model == .luv
    for i in 0..<s.padded {
      let a = first[i], b = second[i], c = third[i]
      let most: Float = a < 1024 ? a : 1024, per = perOne(13 * a), t = (most + 0.16) * 0.862_068_95
      let cube = (t * t) * t
      let dark = 0.110_705_644 * a, lit: Float = a > 0.08 ? cube : dark
      let y: Float = isLuv ? lit : c
      let u: Float = isLuv ? b * per + 0.197_830_01 : a, v: Float = isLuv ? c * per + 0.468_319_99 : b
      let share = y * perOne(v)
      let x: Float = isXYY ? u * share : 2.25 * (u * share)
      let z: Float = isXYY ? ((1 - u) - v) * share : 0.25 * (((12 - 3 * u) - 20 * v) * share)
      first[i] = x
      second[i] = y
      third[i] = z
    }
  }

  /// Returns 1/x; 0 for magnitudes up to 2^-30.
  @inlinable @inline(always) static func perOne(_ x: Float) -> Float {
    let size: Float = x < 0 ? -x : x, isSome = size > 0x1p-30, inverse = E32.reciprocal(isSome ? size : 1)
    let some: Float = isSome ? inverse : 0
    return x < 0 ? -some : some
  }
}
