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

  /// The table's values at the magnitudes of `from`: `to[i]` = a + f (b + f c) of the segment that the bits name, clamped
  /// into the domain. `index` and `fraction` are scratch; `n` is a multiple of 16; `to` may be `from`.
  @inlinable @inline(always) public static func lookup(
    _ t: UnsafePointer<Float>, from: UnsafePointer<Float>, to: UnsafeMutablePointer<Float>, _ n: Int, minBits: UInt32,
    maxBits: UInt32, k: UInt32, index scratch: UnsafeMutablePointer<Float>, fraction: UnsafeMutablePointer<Float>
  ) {
    // Byte offsets of segments.
    let offset = UnsafeMutableRawPointer(scratch).assumingMemoryBound(to: UInt32.self)
    for i in 0..<n {
      let bits = from[i].bitPattern & 0x7fff_ffff
      let low = bits < minBits ? minBits : bits
      let c = low > maxBits ? maxBits : low
      offset[i] = ((c &- minBits) &>> (23 &- k)) &<< 4
      fraction[i] = Float(bitPattern: ((c &<< k) & 0x7f_ffff) | 0x3f80_0000) - 1
    }
    // Eight segments are loaded whole and turned, so that the quadratic runs on eight lanes.
    let segments = UnsafeRawPointer(t)
    func pair(_ i: Int) -> SIMD8<Float> {
      SIMD8(
        lowHalf: (segments + Int(offset[i])).loadUnaligned(as: SIMD4<Float>.self),
        highHalf: (segments + Int(offset[i &+ 4])).loadUnaligned(as: SIMD4<Float>.self))
    }
    var i = 0
    while i < n {
      let r0 = pair(i), r1 = pair(i &+ 1), r2 = pair(i &+ 2), r3 = pair(i &+ 3)
      let u = SIMD8(r0[0], r1[0], r0[1], r1[1], r0[4], r1[4], r0[5], r1[5])
      let v = SIMD8(r2[0], r3[0], r2[1], r3[1], r2[4], r3[4], r2[5], r3[5])
      let w = SIMD8(r0[2], r1[2], r0[3], r1[3], r0[6], r1[6], r0[7], r1[7])
      let x = SIMD8(r2[2], r3[2], r2[3], r3[3], r2[6], r3[6], r2[7], r3[7])
      let a = SIMD8(u[0], u[1], v[0], v[1], u[4], u[5], v[4], v[5])
      let b = SIMD8(u[2], u[3], v[2], v[3], u[6], u[7], v[6], v[7])
      let c = SIMD8(w[0], w[1], x[0], x[1], w[4], w[5], x[4], x[5])
      let f = UnsafeRawPointer(fraction + i).loadUnaligned(as: SIMD8<Float>.self)
      UnsafeMutableRawPointer(to + i).storeBytes(of: a + f * (b + f * c), as: SIMD8<Float>.self)
      i &+= 8
    }
  }
}
