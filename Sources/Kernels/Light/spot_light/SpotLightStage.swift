import HDRCore

/// Stage `spot_light`: R, G, B times the light that falls from a lamp above the picture.
public enum SpotLightStage: KernelStage {
  package static let operations = 256

  public struct Parameters: StageParameters {
    /// The place under the lamp, and the square of its height.
    public let lamp: CenterWords, square: Float
    /// The axis of the beam: x, y, and the height's share of its product with the way from the lamp.
    public let axisX: Float, axisY: Float, along: Float
    /// The power of the cosine between both, and the lamp's brightness times its height.
    public let power: Float, gain: Float, color: RGBWords<Float>
  }

  /// - Parameters:
  ///   - lamp, target: x, y and height above the picture in pixels, two places.
  ///   - power: 1 / concentration.
  package static func words(
    lamp: [Double], target: [Double], power: Double, brightness: Double, color: [Double]
  ) -> [UInt32] {
    let axis = zip(target, lamp).map { $0 - $1 }, z = lamp[2]
    let length = (axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]).squareRoot(),
      unit = axis.map { $0 / length }
    return Parameters(
      lamp: CenterWords(lamp[0], lamp[1]), square: Float(z * z), axisX: Float(unit[0]), axisY: Float(unit[1]),
      along: Float(-z * unit[2]), power: Float(power), gain: Float(brightness * max(z, 0)), color: RGBWords(color)
    ).list
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), n = s.padded, gain = s.scratch(0), dy = words.lamp.down(s.y)
    for i in 0..<n {
      let dx = words.lamp.along(s.x &+ i), square = (dx * dx + dy * dy) + words.square
      let inverse = E32.exp2(-0.5 * E32.log2(square > 0x1p-20 ? square : 0x1p-20))
      let cosine = ((dx * words.axisX + dy * words.axisY) + words.along) * inverse
      let power = E32.log2(cosine > 0x1p-20 ? cosine : 0x1p-20) * words.power
      // Less than 2^-40 of the light is none that shows.
      let least: Float = power > -40 ? power : -40
      gain[i] = E32.exp2(least) * (words.gain * inverse)
    }
    for channel in 0..<3 {
      let p = s.plane(channel), color = words.color[channel]
      for i in 0..<n { p[i] = p[i] * (gain[i] * color) }
    }
  }
}
