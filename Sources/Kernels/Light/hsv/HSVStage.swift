import HDRCore

/// Stage `hsv`: hue, saturation and value of R, G, B, and back (`ColorCoordinates.hsv` has the formulas). Hue is 0 to 1; colours
/// with components below 0 have saturations from 1 to 2.
public enum HSVStage: KernelStage {
  package static let operations = 128

  public enum Direction: Int, Sendable, Hashable, CaseIterable {
    case forward, inverse
  }

  public struct Parameters: StageParameters {
    public let direction: Choice<Direction>
  }

  package static func words(_ direction: Direction) -> [UInt32] { Parameters(direction: Choice(direction)).list }

  package static func samples(table: ([UInt32]) -> UInt32) -> [[UInt32]] { Direction.allCases.map(words) }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    if c.words(Parameters.self).direction.value == .inverse { toRGB(s) } else { fromRGB(s) }
  }

  @inlinable @inline(always) static func fromRGB(_ s: Strip) {
    let red = s.red, green = s.green, blue = s.blue
    for i in 0..<s.padded {
      let r = red[i], g = green[i], b = blue[i]
      let rg: Float = g > r ? g : r, most: Float = b > rg ? b : rg
      let low: Float = g < r ? g : r, least: Float = b < low ? b : low
      let distance = most - least, isColor = distance > 0x1p-60
      let inverse = E32.reciprocal(isColor ? distance : 1)
      let ofGreen = 2 + (b - r) * inverse, ofBlue = 4 + (r - g) * inverse, ofRed = (g - b) * inverse
      let others: Float = g < most ? ofBlue : ofGreen, turn: Float = r < most ? others : ofRed
      let hue: Float = (turn < 0 ? turn + 6 : turn) * 0.166_666_67
      let below: Float = least < 0 ? least : 0, size: Float = -below > most ? -below : most
      let share = distance * E32.reciprocal(isColor ? size : 1)
      red[i] = isColor ? hue : 0
      green[i] = isColor ? share : 0
      blue[i] = most + below
    }
  }

  @inlinable @inline(always) static func toRGB(_ s: Strip) {
    let hue = s.red, saturation = s.green, value = s.blue
    for i in 0..<s.padded {
      let h = hue[i], given = saturation[i], v = value[i]
      // Beyond 2^20 a turn has no parts that mean something.
      let up: Float = h > -0x1p20 ? h : -0x1p20, inside: Float = up < 0x1p20 ? up : 0x1p20
      let near = (inside + 12_582_912) - 12_582_912, whole: Float = near > inside ? near - 1 : near
      let turn = (inside - whole) * 6
      let some: Float = given > 0 ? given : 0, share: Float = some < 1.999 ? some : 1.999
      let dark = v * (1 - share), inverse = E32.reciprocal(2 - share)
      let bottom: Float = v < 0 ? v * inverse : dark * inverse
      let isWide = v < 0 || share > 1
      let least: Float = isWide ? bottom : dark, most: Float = isWide ? v - bottom : v
      let distance = most - least
      hue[i] = edge(size(turn - 3) - 1) * distance + least
      saturation[i] = edge(2 - size(turn - 2)) * distance + least
      value[i] = edge(2 - size(turn - 4)) * distance + least
    }
  }

  @inlinable @inline(always) static func size(_ x: Float) -> Float { x < 0 ? -x : x }

  @inlinable @inline(always) static func edge(_ x: Float) -> Float {
    let low: Float = x > 0 ? x : 0
    return low < 1 ? low : 1
  }
}
