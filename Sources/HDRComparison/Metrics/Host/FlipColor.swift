import HDRCore

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

  /// Turns X, Y, Z over white to a*, L*, b*, which take their places; a* and b* count less in the dark.
  ///
  /// - Parameter logs: memory for as many numbers.
  static func see(_ colors: inout ColorRow<Float>, _ logs: UnsafeMutablePointer<Float>) {
    let width = colors.width
    colors.change { x, y, z in
      for plane in [x, y, z] { rowLoops.lightness(plane, logs, count: width) }
      for i in 0..<width {
        let fx = x[i], fy = y[i], fz = z[i], l = 116 * fy - 16, hunt = 0.01 * l
        x[i] = hunt * (500 * (fx - fy))
        y[i] = l
        z[i] = hunt * (200 * (fy - fz))
      }
    }
  }

  /// Returns the distance of two colours: that of lightness and that of hue and chroma, before its power.
  @inline(__always) static func distance(_ l: Float, _ a: Float, _ b: Float) -> Float {
    (l < 0 ? -l : l) + (a * a + b * b).squareRoot()
  }

  /// The power of distances.
  static let exponent: Float = 0.7

  /// The distance of green and blue to its power, the largest one.
  static let largest: Float = {
    var colors = ColorRow<Float>(width: 2), power: Float = 0, log: [Float] = [0, 0]
    colors.change { _, g, b in (g[0], b[1]) = (1, 1) }
    colors.multiply(toRelative)
    log.withUnsafeMutableBufferPointer { see(&colors, $0.baseAddress!) }
    power = colors.change { a, l, b in distance(l[0] - l[1], a[0] - a[1], b[0] - b[1]) }
    rowLoops.raise(&power, to: [exponent], &log, count: 1)
    return power
  }()

  /// Returns a distance as 0...1: small ones take almost all of it.
  @inline(__always) static func error(_ distance: Float, largest: Float) -> Float {
    let knee = 0.4 * largest
    return distance < knee
      ? 0.95 / knee * distance : 0.95 + (distance - knee) / (largest - knee) * 0.05
  }
}
