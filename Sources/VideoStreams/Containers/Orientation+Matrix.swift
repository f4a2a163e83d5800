import HDRCore

extension Orientation {
  /// Finds the orientation of a display matrix (ISO/IEC 14496-12 clause 6.2.2): a stored pixel (x, y) is shown at
  /// (a·x + c·y, b·x + d·y) and moved into view.
  ///
  /// - Returns: `nil` for turns by other angles, and for other sizes.
  package init?(a: Int, b: Int, c: Int, d: Int) {
    let unit = 1 << 16
    switch (a, b, c, d) {
    case (unit, 0, 0, unit): self = .up
    case (-unit, 0, 0, unit): self = .upMirrored
    case (-unit, 0, 0, -unit): self = .down
    case (unit, 0, 0, -unit): self = .downMirrored
    case (0, unit, unit, 0): self = .leftMirrored
    case (0, unit, -unit, 0): self = .right
    case (0, -unit, -unit, 0): self = .rightMirrored
    case (0, -unit, unit, 0): self = .left
    default: return nil
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
