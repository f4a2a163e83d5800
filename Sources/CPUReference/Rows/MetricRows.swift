import HDRPlan
import Kernels

/// The loops of metrics in this build. Short loops over few rows are run on several pixels at a time.
package enum MetricRows: RowLoops {
  package static func multiply(_ p: Floats, _ q: Floats, _ r: Floats, _ matrix: [Float], count: Int) {
    product(p, q, r, matrix, count: count)
  }

  package static func multiply(_ p: Doubles, _ q: Doubles, _ r: Doubles, _ matrix: [Double], count: Int) {
    product(p, q, r, matrix, count: count)
  }

  @inline(__always) private static func product<Sample: BinaryFloatingPoint>(
    _ p: UnsafeMutablePointer<Sample>, _ q: UnsafeMutablePointer<Sample>, _ r: UnsafeMutablePointer<Sample>,
    _ m: [Sample], count: Int
  ) {
    let m0 = m[0], m1 = m[1], m2 = m[2], m3 = m[3], m4 = m[4], m5 = m[5], m6 = m[6], m7 = m[7], m8 = m[8]
    for x in 0..<count {
      let a = p[x], b = q[x], c = r[x]
      p[x] = m0 * a + m1 * b + m2 * c
      q[x] = m3 * a + m4 * b + m5 * c
      r[x] = m6 * a + m7 * b + m8 * c
    }
  }

  package static func log2(_ x: Floats, count: Int) {
    for i in 0..<count { x[i] = E32.log2(x[i]) }
  }

  package static func raise(_ x: Floats, to exponents: UnsafePointer<Float>, _ logs: Floats, count: Int) {
    for i in 0..<count { logs[i] = exponents[i] * E32.log2(x[i]) }
    for i in 0..<count { logs[i] = E32.exp2(logs[i]) }
    for i in 0..<count {
      let power = logs[i]
      x[i] = x[i] < 0x1p-60 ? 0 : power
    }
  }

  package static func cubeRoots(_ numbers: Doubles, _ guesses: Floats, count: Int) {
    // Loops for floats and doubles apart: machines take twice as many floats at a time.
    for i in 0..<count { guesses[i] = Float(numbers[i]) }
    for i in 0..<count { guesses[i] = E32.log2(guesses[i]) * (1 / 3) }
    for i in 0..<count { guesses[i] = E32.exp2(guesses[i]) }
    // The guess is good to 20 bits; the step triples them.
    for i in 0..<count {
      let x = numbers[i], guess = Double(guesses[i]), cube = guess * guess * guess
      let root = guess * (cube + 2 * x) / (2 * cube + x)
      numbers[i] = x < 1e-30 ? 0 : root
    }
  }

  package static func toneOfFlip(_ x: Floats, factor: Float, count: Int) {
    for i in 0..<count {
      let v = x[i] * factor
      let value = (0.9036 * v * v + 0.018 * v) / (0.8748 * v * v + 0.354 * v + 0.14)
      x[i] = value < 1 ? value : 1
    }
  }

  package static func halve(_ p: UnsafePointer<Double>, _ q: UnsafePointer<Double>, to: Floats, count: Int) {
    for x in 0..<count {
      to[x] = Float(0.25 * p[2 &* x] + 0.25 * p[2 &* x &+ 1] + 0.25 * q[2 &* x] + 0.25 * q[2 &* x &+ 1])
    }
  }

  package static func lightness(_ plane: Floats, _ logs: Floats, count: Int) {
    for i in 0..<count { logs[i] = (1.0 / 3) * E32.log2(plane[i]) }
    for i in 0..<count { logs[i] = E32.exp2(logs[i]) }
    for i in 0..<count {
      let t = plane[i], root = logs[i], line = t * (841.0 / 108) + 4.0 / 29
      plane[i] = t > 216.0 / 24_389 ? root : line
    }
  }
}
