/// A row of colours in three planes, which are changed in place: loops over few planes run on several pixels at a time.
struct ColorRow<Sample: BinaryFloatingPoint & Sendable> {
  let width: Int
  private var samples: [Sample]

  init(width: Int) {
    self.width = width
    samples = [Sample](repeating: 0, count: 3 * width)
  }

  /// Changes the planes; the function gets the first sample of each.
  @inline(__always) mutating func change<Result>(
    _ body: (UnsafeMutablePointer<Sample>, UnsafeMutablePointer<Sample>, UnsafeMutablePointer<Sample>) -> Result
  ) -> Result {
    let width = width
    return samples.withUnsafeMutableBufferPointer { buffer in
      let first = buffer.baseAddress!
      return body(first, first + width, first + 2 * width)
    }
  }

  /// Multiplies colours by a matrix.
  ///
  /// - Parameter count: those at the beginning; `nil`: all.
  mutating func multiply(_ m: [Sample], count: Int? = nil) {
    let m0 = m[0], m1 = m[1], m2 = m[2], m3 = m[3], m4 = m[4], m5 = m[5], m6 = m[6], m7 = m[7], m8 = m[8]
    let count = count ?? width
    change { p, q, r in
      for x in 0..<count {
        let a = p[x], b = q[x], c = r[x]
        p[x] = m0 * a + m1 * b + m2 * c
        q[x] = m3 * a + m4 * b + m5 * c
        r[x] = m6 * a + m7 * b + m8 * c
      }
    }
  }
}
