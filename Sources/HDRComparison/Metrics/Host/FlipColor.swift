import HDRCore
import Kernels

/// The colours in which FLIP compares: linear BT.709 to a linear opponent space, to be filtered, and from there to
/// CIELAB with the Hunt effect. Source: the reference code of FLIP; matrices of small integers over one white.
enum FlipColor {
  private static let white = [0.950428545, 1, 1.088900371]
  private static let toXYZ = Matrix3([
    10_135_552 / 24_577_794, 8_788_810 / 24_577_794, 4_435_075 / 24_577_794,
    2_613_072 / 12_288_897, 8_788_810 / 12_288_897, 887_015 / 12_288_897,
    1_425_312 / 73_733_382, 8_788_810 / 73_733_382, 70_074_185 / 73_733_382,
  ])
  /// From linear R, G, B to X, Y, Z over white, and back.
  private static let forward = Matrix3.diagonal(1 / white[0], 1 / white[1], 1 / white[2]) * toXYZ
  static let toRelative = forward.rows.map { Float($0) }
  static let fromRelative = (forward.inverse ?? .identity).rows.map { Float($0) }

  /// Returns the product of a matrix and a colour.
  @inline(__always) static func multiply(
    _ m: UnsafePointer<Float>, _ a: Float, _ b: Float, _ c: Float
  ) -> (Float, Float, Float) {
    (m[0] * a + m[1] * b + m[2] * c, m[3] * a + m[4] * b + m[5] * c, m[6] * a + m[7] * b + m[8] * c)
  }

  /// Returns L*, a*, b* of X, Y, Z over white; a* and b* count less in the dark.
  @inline(__always) static func seen(_ x: Float, _ y: Float, _ z: Float) -> (Float, Float, Float) {
    let fx = lightness(x), fy = lightness(y), fz = lightness(z)
    let l = 116 * fy - 16, hunt = 0.01 * l
    return (l, hunt * (500 * (fx - fy)), hunt * (200 * (fy - fz)))
  }

  @inline(__always) private static func lightness(_ t: Float) -> Float {
    t > 216.0 / 24_389 ? power(t, 1 / 3) : t * (841.0 / 108) + 4.0 / 29
  }

  /// Returns x^y; 0 for the least x.
  @inline(__always) static func power(_ x: Float, _ y: Float) -> Float {
    x < 0x1p-60 ? 0 : E32.exp2(y * E32.log2(x))
  }

  /// Returns the distance of two colours: that of lightness and that of hue and chroma, to the power of 0.7.
  @inline(__always) static func distance(_ a: (Float, Float, Float), _ b: (Float, Float, Float)) -> Float {
    let l = a.0 - b.0, s = a.1 - b.1, t = a.2 - b.2
    return power((l < 0 ? -l : l) + (s * s + t * t).squareRoot(), 0.7)
  }

  /// The distance of green and blue, the largest one.
  static let largest: Float = {
    let green = toRelative.withUnsafeBufferPointer { multiply($0.baseAddress!, 0, 1, 0) }
    let blue = toRelative.withUnsafeBufferPointer { multiply($0.baseAddress!, 0, 0, 1) }
    return distance(seen(green.0, green.1, green.2), seen(blue.0, blue.1, blue.2))
  }()

  /// Returns a distance as 0...1: small ones take almost all of it.
  @inline(__always) static func error(_ distance: Float, largest: Float) -> Float {
    let knee = 0.4 * largest
    return distance < knee
      ? 0.95 / knee * distance : 0.95 + (distance - knee) / (largest - knee) * 0.05
  }
}
