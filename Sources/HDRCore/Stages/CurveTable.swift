/// A one-dimensional curve as a table indexed by the argument's own bits: `segments` a power of two an octave, a
/// quadratic in each (design/bit-exact.md §3.5). Nodes at segment ends, so the curve is continuous.
public struct CurveTable: Sendable {
  /// First and last (inclusive) bit pattern of the domain.
  public let minBits: UInt32
  public let maxBits: UInt32
  /// log2 of segments an octave.
  public let k: Int
  /// a, b, c of each segment.
  public let words: [UInt32]
  /// The curve below the domain: `value0 + x * slope0`.
  public let slope0: Double
  public let value0: Double

  /// - Parameters:
  ///   - octaves: exponents of the domain; -12..<1 covers 2^-12 to just below 2.
  ///   - k: log2 of segments an octave, 0...16.
  ///   - f: the curve for x >= 0.
  public init(octaves: Range<Int>, k: Int, _ f: (Double) -> Double) {
    self.k = k
    minBits = UInt32(127 + octaves.lowerBound) << 23
    maxBits = (UInt32(127 + octaves.upperBound) << 23) - 1
    let n = 1 << k
    var words: [UInt32] = []
    words.reserveCapacity(octaves.count * n * 3)
    var left = f(Double(sign: .plus, exponent: octaves.lowerBound, significand: 1))
    value0 = f(0)
    slope0 = (left - value0) / Double(sign: .plus, exponent: octaves.lowerBound, significand: 1)
    for octave in octaves {
      let base = Double(sign: .plus, exponent: octave, significand: 1)
      for i in 0..<n {
        let middle = f(base * (1 + (Double(i) + 0.5) / Double(n)))
        let right = f(base * (1 + Double(i + 1) / Double(n)))
        // Quadratic through both ends and the middle, argument 0...1 across the segment.
        words += [left.word, (4 * middle - 3 * left - right).word, (2 * (left + right) - 4 * middle).word]
        left = right
      }
    }
    self.words = words
  }

  /// Domain parameters in the order of the stages: minBits, maxBits, k.
  public var domainWords: [UInt32] { [minBits, maxBits, k.word] }

  /// The table's value at `magnitude` bits clamped into the domain; `t` is the table's first word.
  @inlinable @inline(always) public static func lookup(
    _ t: UnsafePointer<Float>, _ bits: UInt32, _ minBits: UInt32, _ maxBits: UInt32, _ k: UInt32
  ) -> Float {
    let low = bits < minBits ? minBits : bits
    let c = low > maxBits ? maxBits : low
    let e = t + Int(truncatingIfNeeded: ((c &- minBits) &>> (23 &- k)) &* 3)
    let f = Float(bitPattern: ((c &<< k) & 0x7f_ffff) | 0x3f80_0000) - 1
    return e[0] + f * (e[1] + f * e[2])
  }
}
