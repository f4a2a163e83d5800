import CLanes
import HDRCore

/// A one-dimensional curve as a table indexed by the argument's own bits: a power of two segments an octave, a
/// quadratic in each (docs/exact-arithmetic.md#tables). Nodes are at segment ends, so the curve is continuous.
public struct CurveTable: Sendable {
  /// The first and last (inclusive) bit pattern of the domain.
  public let minBits: UInt32
  public let maxBits: UInt32
  /// log2 of the number of segments an octave.
  public let k: Int
  /// The coefficients a, b, c and 0 of each segment: 16 bytes, so that a lane takes one segment with one load.
  public let words: [UInt32]
  /// The curve below the domain: `value0 + x * slope0`.
  public let slope0: Double
  public let value0: Double

  /// Coefficients below this are rounding errors of 0, with which lookups would make subnormals.
  private static let least = 0x1p-80

  /// - Parameters:
  ///   - octaves: the exponents of the domain; -12..<1 covers 2^-12 to just below 2.
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
    let slope = (left - value0) / Double(sign: .plus, exponent: octaves.lowerBound, significand: 1)
    slope0 = abs(slope) < Self.least ? 0 : slope
    for octave in octaves {
      let base = Double(sign: .plus, exponent: octave, significand: 1)
      for i in 0..<n {
        let middle = f(base * (1 + (Double(i) + 0.5) / Double(n)))
        let right = f(base * (1 + Double(i + 1) / Double(n)))
        // Quadratic through both ends and the middle, argument 0...1 across the segment.
        let coefficients = [left, 4 * middle - 3 * left - right, 2 * (left + right) - 4 * middle]
        words += coefficients.map { abs($0) < Self.least ? 0 : $0.word } + [0]
        left = right
      }
    }
    self.words = words
  }

  public var domain: CurveDomain { CurveDomain(minBits: minBits, maxBits: maxBits, k: k.word) }

  /// Looks up the magnitudes of `from`: `to[i]` = a + f (b + f c) of the segment that the bits name, clamped into the
  /// domain. `index` and `fraction` are scratch; `n` is a multiple of 16; `to` may be `from`.
  @inlinable @inline(always) public static func lookup(
    _ t: UnsafePointer<Float>, from: UnsafePointer<Float>, to: UnsafeMutablePointer<Float>, _ n: Int,
    _ domain: CurveDomain, index: UnsafeMutablePointer<Float>, fraction: UnsafeMutablePointer<Float>
  ) {
    locate(from, n, domain, index: index, fraction: fraction)
    values(t, to: to, n, index: index, fraction: fraction)
  }

  /// Does the second half of a lookup: values at places in segments.
  @inlinable @inline(always) static func values(
    _ t: UnsafePointer<Float>, to: UnsafeMutablePointer<Float>, _ n: Int, index: UnsafePointer<Float>,
    fraction: UnsafePointer<Float>
  ) {
    // One pointer moves, and the others are at fixed distances from it: they are planes of a strip.
    var at = UnsafeMutableRawPointer(to)
    let end = at + 4 &* n
    let offsets = UnsafeRawPointer(index) - UnsafeRawPointer(to)
    let places = UnsafeRawPointer(fraction) - UnsafeRawPointer(to)
    while at < end {
      at.storeBytes(of: eight(t, offsets: at + offsets, fractions: at + places), as: SIMD8<Float>.self)
      at += 32
    }
  }

  /// Multiplies R, G, B by the table's values at scratch 0.
  @inlinable @inline(always) static func scale(_ s: Strip, _ c: StageContext, by gain: CurveWords) {
    let p = s.base, factor = s.scratch(0)
    lookup(
      c.table(at: gain.table), from: factor, to: factor, s.padded, gain.domain, index: s.scratch(1),
      fraction: s.scratch(2))
    for i in 0..<s.padded {
      p[i] = p[i] * factor[i]
      p[i &+ Strip.stride] = p[i &+ Strip.stride] * factor[i]
      p[i &+ 2 &* Strip.stride] = p[i &+ 2 &* Strip.stride] * factor[i]
    }
  }

  /// Does the first half of a lookup: byte offsets of segments (as integers in `index`) and places in them, 0...1.
  @inlinable @inline(always) static func locate(
    _ from: UnsafePointer<Float>, _ n: Int, _ domain: CurveDomain, index: UnsafeMutablePointer<Float>,
    fraction: UnsafeMutablePointer<Float>
  ) {
    let minBits = domain.minBits, maxBits = domain.maxBits, k = domain.k
    let offset = UnsafeMutableRawPointer(index).assumingMemoryBound(to: UInt32.self)
    let least = Int32(bitPattern: minBits), most = Int32(bitPattern: maxBits)
    for i in 0..<n {
      // Without its sign bit a word is not negative, so signed comparisons, which all vector units have, are enough.
      let bits = Int32(bitPattern: from[i].pattern & 0x7fff_ffff)
      let low = bits < least ? least : bits
      let c = UInt32(bitPattern: low > most ? most : low)
      offset[i] = ((c &- minBits) &>> (23 &- k)) &<< 4
      fraction[i] = Float(bitPattern: ((c &<< k) & 0x7f_ffff) | 0x3f80_0000) - 1
    }
  }

  /// Returns values for eight lanes.
  @inlinable @inline(always) static func eight(
    _ t: UnsafePointer<Float>, offsets: UnsafeRawPointer, fractions: UnsafeRawPointer
  ) -> SIMD8<Float> {
    hdr_segment_values(t, offsets, fractions.loadUnaligned(as: SIMD8<Float>.self))
  }
}
