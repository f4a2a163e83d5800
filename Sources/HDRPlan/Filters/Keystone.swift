import HDRCore

/// A filter that turns the camera so that a rectangle of the scene, seen at four corners, becomes upright, level or both.
///
/// Sides that are parallel in the scene meet at a place whose direction is theirs: V = K⁻¹((tl × bl) × (tr × br)) of the
/// upright sides, y > 0, H = K⁻¹((tl × tr) × (bl × br)) of the level ones, x > 0, both of length 1. The turn R takes
/// them to the axes. Places go to T K R K⁻¹ p: T scales and moves, so that the quadrilateral keeps its area and the mean
/// of its corners. The definition is this project's.
protocol KeystoneFilter: Filter {
  /// Returns the turn of the camera.
  static func turn(upright: [Double], level: [Double]) -> Matrix3
}

extension KeystoneFilter {
  static var category: FilterCategory { .geometry }
  static var parameters: [FilterParameter] {
    [PinholeCamera.focalLength] + Quadrilateral.parameters + [Keystone.crop, Warping.sampling]
  }
  static var isGeometric: Bool { true }
  static var alpha: AlphaRule { .premultiplied }

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    let corners = Quadrilateral.corners(values, edit), size = PictureSize(edit.width, edit.height)
    let camera = PinholeCamera(values, width: size.width, height: size.height)
    guard Matrix3.square(to: corners) != nil, let (v, h) = Keystone.directions(corners, camera) else {
      throw Quadrilateral.fault(name)
    }
    let turned = camera.map(turning: turn(upright: v, level: h)), moved = corners.map { turned * ($0 + [1]) }
    guard moved.allSatisfy({ $0[2] > 0 }) else {
      throw .invalidParameter("\(name): a corner of the quadrilateral comes to lie behind the camera")
    }
    let places = moved.map { [$0[0] / $0[2], $0[1] / $0[2]] }
    let scale = (Keystone.area(corners) / Keystone.area(places)).squareRoot()
    guard scale.isFinite, scale > 0 else { throw Quadrilateral.fault(name) }
    let from = Keystone.mean(places), to = Keystone.mean(corners)
    let map = Matrix3([scale, 0, to[0] - scale * from[0], 0, scale, to[1] - scale * from[1], 0, 0, 1]) * turned
    if map.isIdentity() { return }
    guard values.flag(Keystone.crop) else {
      return try edit.warp(
        name, width: size.width, height: size.height, Warping.sampling(values), source: Canvas.inverse(name, map))
    }
    let seen = try Canvas.corners(name, map, of: size)
    guard let best = Keystone.largest(in: seen, shape: size) else { throw Quadrilateral.fault(name) }
    let w = best.share * Double(size.width), h2 = best.share * Double(size.height)
    let width = max(1, Edit.pixels(w, .down)), height = max(1, Edit.pixels(h2, .down))
    let left = best.x + (w - Double(width)) / 2, top = best.y + (h2 - Double(height)) / 2
    try edit.warp(
      name, width: width, height: height, Warping.sampling(values),
      source: Canvas.inverse(name, .translation(-left, -top) * map))
  }
}

/// Makes upright sides parallel and upright by the least turn.
enum KeystoneCorrectionVertical: KeystoneFilter {
  static let name = "keystone-correction-vertical"
  static let summary = "upright lines made upright: buildings taken from below"

  static func turn(upright: [Double], level: [Double]) -> Matrix3 { Keystone.leastTurn(upright, to: [0, 1, 0]) }
}

/// Makes level sides parallel and level by the least turn.
enum KeystoneCorrectionHorizontal: KeystoneFilter {
  static let name = "keystone-correction-horizontal"
  static let summary = "level lines made level: walls taken from the side"

  static func turn(upright: [Double], level: [Double]) -> Matrix3 { Keystone.leastTurn(level, to: [1, 0, 0]) }
}

/// Makes level sides level, and upright ones as upright as the focal length allows: upright if it is the true one.
enum KeystoneCorrectionCombined: KeystoneFilter {
  static let name = "keystone-correction-combined"
  static let summary = "upright and level lines made so"

  static func turn(upright: [Double], level: [Double]) -> Matrix3 {
    let along = Keystone.dot(upright, level)
    let down = Keystone.unit(zip(upright, level).map { $0 - along * $1 }) ?? [0, 1, 0]
    return Matrix3(level + down + Keystone.cross(level, down))
  }
}

/// The geometry of the keystone filters: lines and directions of three numbers, places of two.
enum Keystone {
  static let crop = FilterParameter(
    "crop", .flag(false), "the largest rectangle of the picture's shape without transparency; otherwise its own canvas")

  static func dot(_ a: [Double], _ b: [Double]) -> Double { a[0] * b[0] + a[1] * b[1] + a[2] * b[2] }

  static func cross(_ a: [Double], _ b: [Double]) -> [Double] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
  }

  /// Returns the direction in the length 1; `nil` for none.
  static func unit(_ v: [Double]) -> [Double]? {
    let length = dot(v, v).squareRoot()
    return length > 1e-12 && length.isFinite ? v.map { $0 / length } : nil
  }

  /// Returns the directions in which the upright and the level sides of a quadrilateral go, downwards and to the right.
  static func directions(_ corners: [[Double]], _ camera: PinholeCamera) -> (upright: [Double], level: [Double])? {
    // Directions instead of places keep numbers near 1, whatever the picture's size.
    let p = corners.map { camera.inverse * ($0 + [1]) }
    func meeting(_ a: Int, _ b: Int, _ c: Int, _ d: Int) -> [Double]? {
      unit(cross(cross(p[a], p[b]), cross(p[c], p[d])))
    }
    guard let v = meeting(0, 3, 1, 2), let h = meeting(0, 1, 3, 2) else { return nil }
    return (v[1] < 0 ? v.map { -$0 } : v, h[0] < 0 ? h.map { -$0 } : h)
  }

  /// Returns the least turn that takes one direction to another, which is not its opposite: I + [v]x + [v]x²/(1 + a·b).
  static func leastTurn(_ a: [Double], to b: [Double]) -> Matrix3 {
    let v = cross(a, b), k = 1 / (1 + dot(a, b)), x = v[0], y = v[1], z = v[2]
    let across = Matrix3([0, -z, y, z, 0, -x, -y, x, 0]), twice = across * across
    return Matrix3((0..<9).map { Matrix3.identity.rows[$0] + across.rows[$0] + k * twice.rows[$0] })
  }

  static func area(_ p: [[Double]]) -> Double {
    var sum = 0.0
    for i in 0..<4 {
      let a = p[i], b = p[(i + 1) % 4]
      sum += a[0] * b[1] - b[0] * a[1]
    }
    return abs(sum) / 2
  }

  static func mean(_ p: [[Double]]) -> [Double] {
    [p.map { $0[0] }.reduce(0, +) / 4, p.map { $0[1] }.reduce(0, +) / 4]
  }

  /// Returns the left top corner and the share of a picture's sides of the largest rectangle of its shape that lies in a
  /// convex quadrilateral, corners clockwise as seen; the middle one of several.
  ///
  /// Each side gives a bound that is linear in the three numbers; the largest share lies where three bounds meet.
  static func largest(in corners: [[Double]], shape: PictureSize) -> (x: Double, y: Double, share: Double)? {
    let w = Double(shape.width), h = Double(shape.height)
    let bounds: [[Double]] = (0..<4).compactMap { i in
      let a = corners[i], b = corners[(i + 1) % 4], n = [a[1] - b[1], b[0] - a[0]]
      let length = (n[0] * n[0] + n[1] * n[1]).squareRoot()
      guard length > 1e-9 else { return nil }
      return [n[0], n[1], min(n[0] * w, 0) + min(n[1] * h, 0), -n[0] * a[0] - n[1] * a[1]].map { $0 / length }
    }
    guard bounds.count == 4 else { return nil }
    var found: [[Double]] = []
    for left in 0..<4 {
      let three = bounds.indices.filter { $0 != left }.map { bounds[$0] }, other = bounds[left]
      guard let inverse = Matrix3(three.flatMap { $0.prefix(3) }).inverse else { continue }
      let at = inverse * three.map { -$0[3] }
      if at[2] > 0, dot(other, at) + other[3] > -1e-7 * (w + h) { found.append(at) }
    }
    guard let most = found.map({ $0[2] }).max() else { return nil }
    let best = found.filter { $0[2] > most * (1 - 1e-9) }, count = Double(best.count)
    return (best.reduce(0) { $0 + $1[0] } / count, best.reduce(0) { $0 + $1[1] } / count, most)
  }
}
