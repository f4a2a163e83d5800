/// The largest rate of plain arithmetic that one core reaches with this build: the upper roof of `bench`.
package enum ArithmeticPeak {
  /// Runs products and sums of single precision on all lanes, in six chains that do not wait for each other.
  ///
  /// - Returns: the number of operations done, and a sum that stops the compiler from removing the work.
  @inline(never)
  package static func run(rounds: Int) -> (operations: Double, sum: Float) {
    typealias Lanes = SIMD16<Float>
    let scale = Lanes(repeating: 0.9999), offset = Lanes(repeating: Float(rounds % 7) * 1e-4)
    var a = offset, b = a + 1, c = a + 2, d = a + 3, e = a + 4, f = a + 5
    for _ in 0..<rounds {
      a = a * scale + offset
      b = b * scale + offset
      c = c * scale + offset
      d = d * scale + offset
      e = e * scale + offset
      f = f * scale + offset
    }
    return (Double(rounds) * 2 * 16 * 6, (a + b + c + d + e + f).sum())
  }
}
