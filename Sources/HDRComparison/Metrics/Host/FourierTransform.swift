import HDRCore

/// A number with an imaginary part.
struct Complex: Sendable, Hashable {
  var re = 0.0, im = 0.0

  @inline(__always) static func * (a: Complex, b: Complex) -> Complex {
    Complex(re: a.re * b.re - a.im * b.im, im: a.re * b.im + a.im * b.re)
  }

  @inline(__always) static func + (a: Complex, b: Complex) -> Complex { Complex(re: a.re + b.re, im: a.im + b.im) }

  var conjugate: Complex { Complex(re: re, im: -im) }
}

/// The discrete Fourier transform of rows of any length, by their prime factors.
struct FourierTransform {
  let count: Int
  /// exp(-2 pi i k / count).
  private let turns: [Complex]
  private let primes: [Int]

  init(count: Int) {
    self.count = count
    turns = (0..<count).map {
      let (cos, sin) = ExactMath.cosSin(degrees: 360 * Double($0) / Double(count))
      return Complex(re: cos, im: -sin)
    }
    var primes: [Int] = [], rest = count, prime = 2
    while rest > 1 {
      while rest % prime == 0 {
        primes.append(prime)
        rest /= prime
      }
      prime += 1
    }
    self.primes = primes
  }

  func callAsFunction(_ values: [Complex]) -> [Complex] {
    var result = [Complex](repeating: Complex(), count: count)
    var column = [Complex](repeating: Complex(), count: primes.max() ?? 1)
    values.withUnsafeBufferPointer { values in
      result.withUnsafeMutableBufferPointer { result in
        column.withUnsafeMutableBufferPointer { column in
          turns.withUnsafeBufferPointer {
            run(values.baseAddress!, 1, result.baseAddress!, count, 0, column, $0)
          }
        }
      }
    }
    return result
  }

  /// Transforms `count` values with a step between them: first every p-th one of each remainder, then those p results.
  private func run(
    _ values: UnsafePointer<Complex>, _ step: Int, _ result: UnsafeMutablePointer<Complex>, _ count: Int, _ level: Int,
    _ column: UnsafeMutableBufferPointer<Complex>, _ turns: UnsafeBufferPointer<Complex>
  ) {
    guard count > 1 else {
      result[0] = values[0]
      return
    }
    let prime = primes[level], part = count / prime, scale = self.count / count
    for j in 0..<prime {
      run(values + j * step, step * prime, result + j * part, part, level + 1, column, turns)
    }
    for k in 0..<part {
      for j in 0..<prime { column[j] = result[j * part + k] * turns[j * k * scale] }
      for q in 0..<prime {
        var sum = column[0]
        for j in 1..<prime { sum = sum + column[j] * turns[j * q % prime * part * scale] }
        result[q * part + k] = sum
      }
    }
  }

  /// Transforms a picture, rows one after another, along both axes.
  static func transformed(_ picture: [Complex], width: Int, height: Int) -> [Complex] {
    let across = FourierTransform(count: width), down = FourierTransform(count: height)
    var result: [Complex] = []
    result.reserveCapacity(picture.count)
    for y in 0..<height { result += across(Array(picture[y * width..<(y + 1) * width])) }
    for x in 0..<width {
      let column = down((0..<height).map { result[$0 * width + x] })
      for y in 0..<height { result[y * width + x] = column[y] }
    }
    return result
  }
}
