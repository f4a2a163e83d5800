import HDRCore

/// A camera without distortion, whose lens looks at the picture's centre: from places of pixels to directions and back.
///
/// Directions are x to the right, y down, z forwards.
struct PinholeCamera {
  static let focalLength = FilterParameter(
    "focal-length", .number(28, 1...10000),
    "of the lens in mm, as on film of 36x24; the picture's diagonal is the film's")

  /// Maps directions to places in pixels.
  let matrix: Matrix3
  /// Maps places to directions.
  let inverse: Matrix3

  init(_ values: FilterValues, width: Int, height: Int) {
    let w = Double(width), h = Double(height), film = Double(36 * 36 + 24 * 24).squareRoot()
    let f = values.value(Self.focalLength) * (w * w + h * h).squareRoot() / film
    matrix = Matrix3([f, 0, w / 2, 0, f, h / 2, 0, 0, 1])
    inverse = Matrix3([1 / f, 0, -w / 2 / f, 0, 1 / f, -h / 2 / f, 0, 0, 1])
  }

  /// Returns the map of places that a turn of the camera makes.
  func map(turning turn: Matrix3) -> Matrix3 { matrix * turn * inverse }
}
