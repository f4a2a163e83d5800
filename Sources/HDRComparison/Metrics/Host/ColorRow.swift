/// A row of colours in three planes, which are changed in place: loops over few planes run on several pixels at a time.
struct ColorRow<Sample: RowSample> {
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

  /// Reads the planes; the function gets the first sample of each.
  @inline(__always) func read(
    _ body: (UnsafePointer<Sample>, UnsafePointer<Sample>, UnsafePointer<Sample>) -> Void
  ) {
    samples.withUnsafeBufferPointer { buffer in
      let first = buffer.baseAddress!
      body(first, first + width, first + 2 * width)
    }
  }

  /// Multiplies colours by a matrix.
  ///
  /// - Parameter count: those at the beginning; `nil`: all.
  mutating func multiply(_ m: [Sample], count: Int? = nil) {
    let count = count ?? width
    change { p, q, r in Sample.calls.multiply(p, q, r, m, count) }
  }
}
