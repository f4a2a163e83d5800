import HDRCore

/// Linear R, G, B of 0...1 of a picture that halves its size again and again: first the light of 8-bit sRGB codes, then
/// means of 2 x 2 pixels, which are kept in memory.
struct LinearPicture: Sendable {
  private enum Content {
    case codes(DisplayLight)
    case planes([PlaneBand<Float>])
  }

  let width: Int
  let height: Int
  private let content: Content

  init(_ light: DisplayLight) { (width, height, content) = (light.width, light.height, .codes(light)) }

  private init(width: Int, height: Int, _ planes: [PlaneBand<Float>]) {
    (self.width, self.height, content) = (width, height, .planes(planes))
  }

  /// Writes the light of a row.
  func fill(_ y: Int, _ row: inout ColorRow<Double>) {
    let width = width
    row.change { r, g, b in
      switch content {
      case .codes(let light):
        var exact = ColorRow<Float>(width: width)
        light.fill(y, &exact)
        exact.change { red, green, blue in
          DisplayCodes.light.withUnsafeBufferPointer { table in
            for (to, from) in [(r, red), (g, green), (b, blue)] {
              DisplayCodes.each(from, count: width) { x, code in to[x] = table[code] }
            }
          }
        }
      case .planes(let planes):
        for (to, plane) in zip([r, g, b], planes) {
          plane.withRow(y) { from in for x in 0..<width { to[x] = Double(from[x]) } }
        }
      }
    }
  }

  /// Returns the picture of half the size, rounded up: the last row and column count twice where one is missing.
  func halved() -> LinearPicture {
    let width = (self.width + 1) / 2, height = (self.height + 1) / 2, whole = self.width / 2
    let empty = PlaneBand<Float>(width: width, rows: 0..<height) { _, _ in }
    var planes = [empty, empty, empty], upper = ColorRow<Double>(width: self.width), lower = upper
    for y in 0..<height {
      fill(2 * y, &upper)
      fill(min(2 * y + 1, self.height - 1), &lower)
      upper.change { r, g, b in
        lower.change { s, t, u in
          for (index, (p, q)) in [(r, s), (g, t), (b, u)].enumerated() {
            planes[index].changeRow(y) { to in
              rowLoops.halve(p, q, to: to, count: whole)
              if whole < width { to[whole] = Float(0.5 * p[2 * whole] + 0.5 * q[2 * whole]) }
            }
          }
        }
      }
    }
    return LinearPicture(width: width, height: height, planes)
  }

  /// Returns rows of X, Y and B, the colours of ssimulacra2.
  func perceptual(_ rows: Range<Int>) -> [PlaneBand<Double>] {
    let empty = PlaneBand<Double>(width: width, rows: rows) { _, _ in }
    var bands = [empty, empty, empty], row = ColorRow<Double>(width: width)
    var guesses = [Float](repeating: 0, count: width)
    let width = width, bias = Ssimulacra2Weights.bias
    var offset = bias, guess: Float = 0
    rowLoops.cubeRoots(&offset, &guess, count: 1)
    for y in rows {
      fill(y, &row)
      row.multiply(Ssimulacra2Weights.opsin)
      row.change { l, m, s in
        for plane in [l, m, s] {
          for x in 0..<width { plane[x] += bias }
          rowLoops.cubeRoots(plane, &guesses, count: width)
          for x in 0..<width { plane[x] -= offset }
        }
        for x in 0..<width {
          let long = l[x], middle = m[x], light = (long + middle) / 2
          l[x] = 7 * (long - middle) + 0.42
          m[x] = light + 0.01
          s[x] = s[x] - light + 0.55
        }
        for (index, plane) in [l, m, s].enumerated() {
          bands[index].changeRow(y) { $0.update(from: plane, count: width) }
        }
      }
    }
    return bands
  }
}
