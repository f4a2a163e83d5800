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

  /// Gives the light of each pixel of a row.
  @inline(__always) func each(_ y: Int, _ take: (_ x: Int, _ r: Double, _ g: Double, _ b: Double) -> Void) {
    switch content {
    case .codes(let light):
      DisplayCodes.light.withUnsafeBufferPointer { table in
        light.each(y) { x, r, g, b in
          take(x, table[DisplayCodes.code(r)], table[DisplayCodes.code(g)], table[DisplayCodes.code(b)])
        }
      }
    case .planes(let planes):
      planes[0].withRow(y) { r in
        planes[1].withRow(y) { g in
          planes[2].withRow(y) { b in for x in 0..<width { take(x, Double(r[x]), Double(g[x]), Double(b[x])) } }
        }
      }
    }
  }

  /// Returns the picture of half the size, rounded up: the last row and column count twice where one is missing.
  func halved() -> LinearPicture {
    let width = (self.width + 1) / 2, height = (self.height + 1) / 2
    let empty = PlaneBand<Float>(width: width, rows: 0..<height) { _, _ in }
    var red = empty, green = empty, blue = empty
    var sums = [Double](repeating: 0, count: 3 * width)
    for y in 0..<height {
      sums.withUnsafeMutableBufferPointer { sums in
        sums.update(repeating: 0)
        for row in [2 * y, min(2 * y + 1, self.height - 1)] {
          each(row) { x, r, g, b in
            // The last column stands for the missing one.
            let weight = x + 1 == self.width && x & 1 == 0 ? 0.5 : 0.25, at = 3 * (x >> 1)
            sums[at] += weight * r
            sums[at + 1] += weight * g
            sums[at + 2] += weight * b
          }
        }
        red.changeRow(y) { for x in 0..<width { $0[x] = Float(sums[3 * x]) } }
        green.changeRow(y) { for x in 0..<width { $0[x] = Float(sums[3 * x + 1]) } }
        blue.changeRow(y) { for x in 0..<width { $0[x] = Float(sums[3 * x + 2]) } }
      }
    }
    return LinearPicture(width: width, height: height, [red, green, blue])
  }

  /// Returns rows of X, Y and B, the colours of ssimulacra2.
  func perceptual(_ rows: Range<Int>) -> [PlaneBand<Double>] {
    let empty = PlaneBand<Double>(width: width, rows: rows) { _, _ in }
    var first = empty, second = empty, third = empty
    let m = Ssimulacra2Weights.opsin, bias = Ssimulacra2Weights.bias, offset = cubeRoot(bias)
    for y in rows {
      first.changeRow(y) { p in
        second.changeRow(y) { q in
          third.changeRow(y) { s in
            m.withUnsafeBufferPointer { m in
              each(y) { x, r, g, b in
                let long = cubeRoot(m[0] * r + m[1] * g + m[2] * b + bias) - offset
                let middle = cubeRoot(m[3] * r + m[4] * g + m[5] * b + bias) - offset
                let short = cubeRoot(m[6] * r + m[7] * g + m[8] * b + bias) - offset
                let light = (long + middle) / 2
                (p[x], q[x], s[x]) = (7 * (long - middle) + 0.42, light + 0.01, short - light + 0.55)
              }
            }
          }
        }
      }
    }
    return [first, second, third]
  }
}
