/// Loops over rows of numbers, of which the metrics of the CPU are made. Builds for several instruction sets give the
/// same bits: by single operations in a fixed order.
package protocol RowLoops: SendableMetatype {
  typealias Floats = UnsafeMutablePointer<Float>
  typealias Doubles = UnsafeMutablePointer<Double>

  /// Writes weighted sums of the samples of an odd number of rows: those as far above the middle row as below have the
  /// same weight, or with `isOdd` its negative above.
  ///
  /// - Parameter taps: the weights of the middle row and of those below.
  static func filter(
    _ rows: UnsafePointer<UnsafePointer<Float>>, _ taps: UnsafeBufferPointer<Float>, isOdd: Bool, to: Floats, count: Int
  )
  static func filter(
    _ rows: UnsafePointer<UnsafePointer<Double>>, _ taps: UnsafeBufferPointer<Double>, isOdd: Bool, to: Doubles,
    count: Int)

  /// Multiplies vectors of three planes by a matrix of nine numbers, in place.
  static func multiply(_ p: Floats, _ q: Floats, _ r: Floats, _ matrix: [Float], count: Int)
  static func multiply(_ p: Doubles, _ q: Doubles, _ r: Doubles, _ matrix: [Double], count: Int)

  /// Replaces positive numbers by their binary logarithms.
  static func log2(_ x: Floats, count: Int)

  /// Raises numbers of at least 0 to a power of each; below 2^-60 they become 0.
  ///
  /// - Parameter logs: memory for as many numbers.
  static func raise(_ x: Floats, to exponents: UnsafePointer<Float>, _ logs: Floats, count: Int)

  /// Replaces numbers by their cube roots, within an ulp or two; below 1e-30 they become 0.
  ///
  /// - Parameter guesses: memory for as many numbers.
  static func cubeRoots(_ x: Doubles, _ guesses: Floats, count: Int)

  /// Replaces shares of white by the function of CIELAB: cube roots, and a line near black.
  ///
  /// - Parameter logs: memory for as many numbers.
  static func lightness(_ x: Floats, _ logs: Floats, count: Int)

  /// Replaces light by the signal of the tone curve of HDR-FLIP, still linear and at most 1, at an exposure.
  static func toneOfFlip(_ x: Floats, factor: Float, count: Int)

  /// Writes the means of 2 x 2 numbers of two rows.
  static func halve(_ p: UnsafePointer<Double>, _ q: UnsafePointer<Double>, to: Floats, count: Int)

  /// Writes CIEDE2000 of colours in CIELAB.
  static func differences2000(_ a: LabRow, _ b: LabRow, to: Doubles, count: Int)

  /// Writes the numbers of steps of differences of at least 0, to nearest and at most `largest`, which is less than 2^23,
  /// and their bins in a histogram: 256 of one step, then 128 an octave.
  static func steps(
    _ differences: UnsafePointer<Float>, unit: Float, largest: Float, to: UnsafeMutablePointer<UInt32>,
    bins: UnsafeMutablePointer<UInt32>, count: Int)

  /// Adds numbers to a sum of each 16, which do not overflow.
  ///
  /// - Returns: the largest number, and the sum of the squares of all.
  static func add(
    _ numbers: UnsafePointer<UInt32>, to sums: UnsafeMutablePointer<UInt32>, sumCount: Int
  ) -> (most: UInt32, squares: UInt64)

  /// Returns what the largest components of a row of R, G, B are together: the largest of them, at least 0; the sum of all
  /// in 1024ths, at most 8191 each; and the number of pixels with a component below `low` or above `high`.
  static func light(
    _ r: UnsafePointer<Float>, _ g: UnsafePointer<Float>, _ b: UnsafePointer<Float>, low: Float, high: Float, count: Int
  ) -> (most: Float, sum: UInt64, outside: Int)

  /// Returns the sums of numbers and of their fourth powers.
  static func sums(_ x: UnsafePointer<Double>, count: Int) -> (first: Double, fourth: Double)
}

/// A row of colours in CIELAB.
package struct LabRow {
  package let lightness, a, b: UnsafePointer<Double>

  package init(_ lightness: UnsafePointer<Double>, _ a: UnsafePointer<Double>, _ b: UnsafePointer<Double>) {
    (self.lightness, self.a, self.b) = (lightness, a, b)
  }
}
