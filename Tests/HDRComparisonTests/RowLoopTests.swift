import CPURender
import HDRCore
import HDRPlan
import TestSupport
import Testing

/// The loops over rows of which metrics are made, in each build that this machine can run.
@Suite struct RowLoopTests {
  private static let builds = CPUBackend.available.map(\.loops)

  /// Numbers of -1 to 1 that look random and are the same each time.
  private func numbers(_ count: Int, seed: UInt64) -> [Double] {
    var state = seed &* 0x9e37_79b9_7f4a_7c15 | 1
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 40) / Double(1 << 23) - 1
    }
  }

  private func filtered(_ loops: any RowLoops.Type, _ rows: [[Float]], _ taps: [Float], isOdd: Bool) -> [Float] {
    let width = rows[0].count, all = rows.flatMap { $0 }
    var result = [Float](repeating: 0, count: width)
    all.withUnsafeBufferPointer { all in
      let firsts = rows.indices.map { UnsafePointer(all.baseAddress! + $0 * width) }
      taps.withUnsafeBufferPointer { loops.filter(firsts, $0, isOdd: isOdd, to: &result, count: width) }
    }
    return result
  }

  @Test("filters are weighted sums of the rows on both sides", arguments: [1, 15, 32, 77])
  func filtersAreWeightedSums(width: Int) {
    let rows = (0..<7).map { row in numbers(width, seed: UInt64(row + 1)).map { Float($0) } }
    let taps: [Float] = [0.4, 0.2, -0.07, 0.03]
    for isOdd in [false, true] {
      let results = Self.builds.map { filtered($0, rows, taps, isOdd: isOdd) }
      #expect(Set(results).count == 1, "builds differ")
      for x in 0..<width {
        var sum = isOdd ? 0 : Double(taps[0]) * Double(rows[3][x])
        for k in 1...3 {
          sum += Double(taps[k]) * (Double(rows[3 + k][x]) + (isOdd ? -1 : 1) * Double(rows[3 - k][x]))
        }
        expectClose(Double(results[0][x]), sum, abs: 1e-6, rel: 0)
      }
    }
  }

  @Test("powers, logarithms and roots have the same bits in each build, and are those of binary64")
  func powersAreThoseOfDoubles() {
    let count = 333, values = numbers(count, seed: 5).map { abs($0) + 1e-4 }
    let exponents = numbers(count, seed: 6).map { Float(abs($0)) }
    var powers: Set<[Float]> = [], logs: Set<[Float]> = [], shares: Set<[Float]> = [], roots: Set<[Double]> = []
    for loops in Self.builds {
      var memory = [Float](repeating: 0, count: count), x = values.map { Float($0) }, y = values
      loops.raise(&x, to: exponents, &memory, count: count)
      powers.insert(x)
      x = values.map { Float($0) }
      loops.log2(&x, count: count)
      logs.insert(x)
      x = values.map { Float($0) }
      loops.lightness(&x, &memory, count: count)
      shares.insert(x)
      loops.cubeRoots(&y, &memory, count: count)
      roots.insert(y)
    }
    #expect(powers.count == 1 && logs.count == 1 && shares.count == 1 && roots.count == 1, "builds differ")
    for (i, value) in values.enumerated() {
      let root = ExactMath.pow(value, 1.0 / 3)
      expectNear(powers.first?[i], ExactMath.pow(value, Double(exponents[i])), abs: 0, rel: 1e-5)
      expectNear(logs.first?[i], ExactMath.log2(value), abs: 1e-6, rel: 1e-6)
      expectNear(shares.first?[i], value > 216.0 / 24_389 ? root : value * 841 / 108 + 4.0 / 29, abs: 1e-6, rel: 0)
      #expect(abs((roots.first?[i] ?? .nan) - root) < 1e-15)
    }
  }

  private func expectNear(_ found: Float?, _ expected: Double, abs: Double, rel: Double) {
    expectClose(Double(found ?? .nan), expected, abs: abs, rel: rel)
  }

  @Test("CIEDE2000 by unit vectors is that by angles, near grey, opposite hues and blue too")
  func colorsDifferByTheirAngles() {
    let count = 600
    // Every third pair is near grey, every third has opposite hues.
    func colors(_ seed: UInt64) -> [[Double]] {
      let l = numbers(count, seed: seed), a = numbers(count, seed: seed + 1), b = numbers(count, seed: seed + 2)
      return l.indices.map { [50 + 50 * l[$0], a[$0] * ($0 % 3 == 0 ? 2 : 100), b[$0] * ($0 % 3 == 0 ? 2 : 100)] }
    }
    let p = colors(11)
    let q = colors(21).enumerated().map { i, color in
      i % 3 == 1 ? [color[0], -p[i][1], -p[i][2] + color[2] / 1e3] : color
    }
    func planes(_ colors: [[Double]]) -> [[Double]] { (0..<3).map { channel in colors.map { $0[channel] } } }
    let x = planes(p), y = planes(q)
    var found: Set<[Double]> = []
    for loops in Self.builds {
      var result = [Double](repeating: 0, count: count)
      x[0].withUnsafeBufferPointer { l in
        x[1].withUnsafeBufferPointer { a in
          x[2].withUnsafeBufferPointer { b in
            y[0].withUnsafeBufferPointer { l1 in
              y[1].withUnsafeBufferPointer { a1 in
                y[2].withUnsafeBufferPointer { b1 in
                  loops.differences2000(
                    LabRow(l.baseAddress!, a.baseAddress!, b.baseAddress!),
                    LabRow(l1.baseAddress!, a1.baseAddress!, b1.baseAddress!), to: &result, count: count)
                }
              }
            }
          }
        }
      }
      found.insert(result)
    }
    #expect(found.count == 1, "builds differ")
    for (i, value) in (found.first ?? []).enumerated() {
      let expected = Self.difference2000(p[i], q[i])
      #expect(abs(value - expected) < 1e-8, "\(p[i]) and \(q[i]): \(value), not \(expected)")
    }
  }

  /// CIEDE2000 as its standard writes it, by angles.
  private static func difference2000(_ p: [Double], _ q: [Double]) -> Double {
    func length(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }
    func seventh(_ c: Double) -> Double {
      let power = c * c * c * c * c * c * c
      return (power / (power + 6_103_515_625)).squareRoot()
    }
    func cos(_ degrees: Double) -> Double { ExactMath.cos(degrees: degrees) }
    let stretch = 1 + 0.5 * (1 - seventh((length(p[1], p[2]) + length(q[1], q[2])) / 2))
    let ap = p[1] * stretch, aq = q[1] * stretch, c = length(ap, p[2]), d = length(aq, q[2]), hasHues = c * d != 0
    let h = ExactMath.degrees(y: p[2], x: ap), i = ExactMath.degrees(y: q[2], x: aq)
    var turn = hasHues ? i - h : 0, middle = h + i
    if turn > 180 { turn -= 360 } else if turn < -180 { turn += 360 }
    if hasHues { middle = (abs(h - i) > 180 ? (h + i < 360 ? h + i + 360 : h + i - 360) : h + i) / 2 }
    let light = q[0] - p[0], hue = 2 * (c * d).squareRoot() * ExactMath.sin(degrees: turn / 2)
    let level = (p[0] + q[0]) / 2 - 50, mean = (c + d) / 2
    let t =
      1 - 0.17 * cos(middle - 30) + 0.24 * cos(2 * middle) + 0.32 * cos(3 * middle + 6) - 0.2 * cos(4 * middle - 63)
    let l = light / (1 + 0.015 * level * level / (20 + level * level).squareRoot())
    let s = (d - c) / (1 + 0.045 * mean), u = hue / (1 + 0.015 * mean * t), blue = (middle - 275) / 25
    let rotation = -ExactMath.sin(degrees: 60 * ExactMath.exp(-blue * blue)) * 2 * seventh(mean)
    return max(0, l * l + s * s + u * u + rotation * s * u).squareRoot()
  }

  @Test("sums of rows, squares and fourth powers are the same in each build")
  func sumsAreExact() {
    let values = numbers(101, seed: 9), steps = values.prefix(96).map { UInt32(abs($0) * 1_000_000) }
    for loops in Self.builds {
      let sums = loops.sums(values, count: values.count)
      expectClose(sums.first, values.reduce(0, +), abs: 1e-13, rel: 0)
      expectClose(sums.fourth, values.reduce(0) { $0 + $1 * $1 * $1 * $1 }, abs: 1e-13, rel: 0)
      #expect(sums == Self.builds[0].sums(values, count: values.count))
      let light = values.map { Float($0) }, dark = light.map { $0 / 4 }
      let row = loops.light(dark, light, dark, low: -0.5, high: 0.75, count: light.count)
      #expect(row.most == light.max() && row.outside == light.count { $0 < -0.5 || $0 > 0.75 })
      let largest = zip(light, dark).map { Double(max($0, $1, 0)) * 1024 }
      expectClose(Double(row.sum), largest.reduce(0) { $0 + $1.rounded() }, abs: 1, rel: 0)
      var squares = [UInt32](repeating: 7, count: 6)
      let found = loops.add(steps, to: &squares, sumCount: 6)
      #expect(squares == (0..<6).map { tile in steps[16 * tile..<16 * tile + 16].reduce(7, +) })
      #expect(found.most == steps.max() && found.squares == steps.reduce(0) { $0 + UInt64($1) * UInt64($1) })
    }
  }
}
