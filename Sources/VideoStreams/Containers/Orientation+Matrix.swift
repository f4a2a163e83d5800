import HDRCore

extension Orientation {
  /// Finds the orientation of a display matrix (ISO/IEC 14496-12 clause 6.2.2): a stored pixel (x, y) is shown at
  /// (a·x + c·y, b·x + d·y) and moved into view.
  ///
  /// - Returns: `nil` for turns by other angles, and for other sizes.
  package init?(a: Int, b: Int, c: Int, d: Int) {
    let unit = 1 << 16
    guard
      let found = Self.allCases.first(where: {
        let m = $0.matrix
        return (m.a * unit, m.b * unit, m.c * unit, m.d * unit) == (a, b, c, d)
      })
    else { return nil }
    self = found
  }

  /// The numbers of a display matrix, without its factor of 65536.
  package var matrix: (a: Int, b: Int, c: Int, d: Int) {
    switch self {
    case .up: (1, 0, 0, 1)
    case .upMirrored: (-1, 0, 0, 1)
    case .down: (-1, 0, 0, -1)
    case .downMirrored: (1, 0, 0, -1)
    case .leftMirrored: (0, 1, 1, 0)
    case .right: (0, 1, -1, 0)
    case .rightMirrored: (0, -1, -1, 0)
    case .left: (0, -1, 1, 0)
    }
  }

  /// Finds the orientation of the pose of a flat projection in Matroska, in degrees: a roll turns counter-clockwise, a
  /// yaw or pitch of half a turn mirrors before (RFC 9559 clause 5.1.4.1.28.41, as FFmpeg writes it).
  package init?(yaw: Double, pitch: Double, roll: Double) {
    func quarters(_ degrees: Double) -> Int? {
      let turns = (degrees / 90).rounded()
      return abs(turns * 90 - degrees) < 0.01 && abs(turns) <= 4 ? (Int(turns) + 4) % 4 : nil
    }
    guard let yaw = quarters(yaw), let pitch = quarters(pitch), let roll = quarters(roll), yaw % 2 == 0,
      pitch % 2 == 0
    else { return nil }
    var result = Orientation.up
    if yaw == 2 { result = result.then(.upMirrored) }
    if pitch == 2 { result = result.then(.downMirrored) }
    for _ in 0..<roll { result = result.then(.left) }
    self = result
  }
}
