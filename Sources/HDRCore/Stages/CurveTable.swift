/// A one-dimensional curve as a table indexed by the argument's own bits: `segments` a power of two an octave, a
/// quadratic in each (design/bit-exact.md §3.5). Nodes at segment ends, so the curve is continuous.
public struct CurveTable: Sendable {
  /// First and last (inclusive) bit pattern of the domain.
  public let minBits: UInt32
  public let maxBits: UInt32
  /// log2 of segments an octave.
  public let k: Int
  /// a, b, c, 0 of each segment: 16 bytes, so that a lane takes one with one load.
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
    words.reserveCapacity(octaves.count * n * 4)
    var left = f(Double(sign: .plus, exponent: octaves.lowerBound, significand: 1))
    value0 = f(0)
    slope0 = (left - value0) / Double(sign: .plus, exponent: octaves.lowerBound, significand: 1)
    for octave in octaves {
      let base = Double(sign: .plus, exponent: octave, significand: 1)
      for i in 0..<n {
        let middle = f(base * (1 + (Double(i) + 0.5) / Double(n)))
        let right = f(base * (1 + Double(i + 1) / Double(n)))
        // Quadratic through both ends and the middle, argument 0...1 across the segment.
        words += [left.word, (4 * middle - 3 * left - right).word, (2 * (left + right) - 4 * middle).word, 0]
        left = right
      }
    }
    self.words = words
  }

  /// Domain parameters in the order of the stages: minBits, maxBits, k.
  public var domainWords: [UInt32] { [minBits, maxBits, k.word] }

  /// The table's values at magnitudes: `values[i]` is replaced by a + f (b + f c) of the segment that its bits name,
  /// clamped into the domain. `index` and `fraction` are scratch; `n` is a multiple of 16.
  @inlinable @inline(always) public static func lookup(
    _ t: UnsafePointer<Float>, _ values: UnsafeMutablePointer<Float>, _ n: Int, minBits: UInt32, maxBits: UInt32,
    k: UInt32, index scratch: UnsafeMutablePointer<Float>, fraction: UnsafeMutablePointer<Float>
  ) {
    let index = UnsafeMutableRawPointer(scratch).assumingMemoryBound(to: UInt32.self)
    for i in 0..<n {
      let bits = values[i].bitPattern
      let low = bits < minBits ? minBits : bits
      let c = low > maxBits ? maxBits : low
      index[i] = (c &- minBits) &>> (23 &- k)
      fraction[i] = Float(bitPattern: ((c &<< k) & 0x7f_ffff) | 0x3f80_0000) - 1
    }
    // Four segments are loaded whole and turned, so that the quadratic runs on four lanes.
    let segments = UnsafeRawPointer(t)
    for i in stride(from: 0, to: n, by: 4) {
      let e0 = (segments + Int(index[i]) &* 16).loadUnaligned(as: SIMD4<Float>.self)
      let e1 = (segments + Int(index[i &+ 1]) &* 16).loadUnaligned(as: SIMD4<Float>.self)
      let e2 = (segments + Int(index[i &+ 2]) &* 16).loadUnaligned(as: SIMD4<Float>.self)
      let e3 = (segments + Int(index[i &+ 3]) &* 16).loadUnaligned(as: SIMD4<Float>.self)
      let f = UnsafeRawPointer(fraction + i).loadUnaligned(as: SIMD4<Float>.self)
      let a = SIMD4<Float>(e0.x, e1.x, e2.x, e3.x), b = SIMD4<Float>(e0.y, e1.y, e2.y, e3.y)
      let c = SIMD4<Float>(e0.z, e1.z, e2.z, e3.z)
      UnsafeMutableRawPointer(values + i).storeBytes(of: a + f * (b + f * c), as: SIMD4<Float>.self)
    }
  }
}
