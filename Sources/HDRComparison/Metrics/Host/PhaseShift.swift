import HDRCore

/// The distance by which a picture lies beside another, found from the phases of their frequencies, in pixels: + is to
/// the right and below.
package struct PhaseShift: Sendable, Hashable {
  package let x: Double
  package let y: Double
  /// The height of the peak over that of identical pictures; blur and other differences lower it.
  package let score: Double

  package var distance: Double { (x * x + y * y).squareRoot() }

  /// The longest side of a window, and the least.
  static let longest = 512, leastSide = 16
  /// The least score that is believed.
  static let leastScore = 0.8

  /// Compares two windows of values, such as logarithms of light.
  ///
  /// - Returns: `nil` for windows smaller than `leastSide`, flat ones, and a score below `leastScore`.
  init?(_ a: [Double], _ b: [Double], width: Int, height: Int) {
    guard min(width, height) >= Self.leastSide, Self.vary(a), Self.vary(b) else { return nil }
    let p = FourierTransform.transformed(Self.windowed(a, width, height), width: width, height: height)
    let q = FourierTransform.transformed(Self.windowed(b, width, height), width: width, height: height)
    var product = zip(p, q).map { $1 * $0.conjugate }
    let most = product.reduce(0) { max($0, $1.length) }
    guard most > 0 else { return nil }
    // Phases alone count, smoothed by a Gaussian of one pixel.
    let across = Self.smoothing(width), down = Self.smoothing(height)
    var whole = 0.0
    for y in 0..<height {
      for x in 0..<width {
        let weight = across[x] * down[y], length = product[y * width + x].length
        whole += weight
        let scale = length > 1e-9 * most ? weight / length : 0
        // The conjugate: its transform is the inverse one.
        product[y * width + x] = Complex(re: product[y * width + x].re * scale, im: -product[y * width + x].im * scale)
      }
    }
    let peaks = FourierTransform.transformed(product, width: width, height: height).map(\.re)
    var place = 0
    for index in peaks.indices where peaks[index] > peaks[place] { place = index }
    let column = place % width, row = place / width
    func peak(_ x: Int, _ y: Int) -> Double { peaks[(y + height) % height * width + (x + width) % width] }
    let right = Self.parabola(peak(column - 1, row), peak(column, row), peak(column + 1, row))
    let below = Self.parabola(peak(column, row - 1), peak(column, row), peak(column, row + 1))
    // Rounded, so that what arithmetic leaves of an unmoved picture is 0.
    func rounded(_ x: Double) -> Double { (x * 10_000).rounded() / 10_000 + 0 }
    x = rounded(Double(column > width / 2 ? column - width : column) + right)
    y = rounded(Double(row > height / 2 ? row - height : row) + below)
    score = rounded(peaks[place] / whole)
    if score < Self.leastScore { return nil }
  }

  private static func vary(_ values: [Double]) -> Bool { values.contains { $0 != values[0] } }

  /// Returns values less their mean, under a Hann window.
  private static func windowed(_ values: [Double], _ width: Int, _ height: Int) -> [Complex] {
    func hann(_ count: Int) -> [Double] {
      (0..<count).map { 0.5 - 0.5 * ExactMath.cosSin(degrees: 360 * (Double($0) + 0.5) / Double(count)).cos }
    }
    let across = hann(width), down = hann(height), mean = values.reduce(0, +) / Double(values.count)
    return values.enumerated().map {
      Complex(re: ($1 - mean) * across[$0 % width] * down[$0 / width])
    }
  }

  /// Returns the transform of a Gaussian of one pixel.
  private static func smoothing(_ count: Int) -> [Double] {
    (0..<count).map {
      let frequency = Double(2 * $0 < count ? $0 : $0 - count) / Double(count)
      return ExactMath.exp(-2 * 9.86960440108935861883 * frequency * frequency)
    }
  }

  /// Returns the place of the peak of a parabola through the logarithms of three neighbours, from the middle one; 0 if
  /// one is not positive.
  private static func parabola(_ before: Double, _ at: Double, _ after: Double) -> Double {
    guard before > 0, at > 0, after > 0 else { return 0 }
    let (l, c, r) = (ExactMath.log2(before), ExactMath.log2(at), ExactMath.log2(after)), bend = l - 2 * c + r
    return bend == 0 ? 0 : 0.5 * (l - r) / bend
  }
}

extension Complex {
  fileprivate var length: Double { (re * re + im * im).squareRoot() }
}
