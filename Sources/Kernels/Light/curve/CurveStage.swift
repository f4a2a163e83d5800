import HDRCore

/// Stage `curve`: a curve on each channel, continued to negative values as an odd function.
///
/// Below the table's domain the curve is the line through its value at 0; magnitudes below 2^-30 count as 0, which
/// has no sign: Vulkan leaves open which zero an operation makes.
public enum CurveStage: KernelStage {
  public struct Parameters: StageParameters {
    public let tables: RGBWords<UInt32>, domain: CurveDomain, slope0: RGBWords<Float>, value0: RGBWords<Float>
  }

  /// Makes the words of one table for all channels, or of three with the same domain.
  package static func words(_ tables: [CurveTable], offsets: [UInt32]) -> [UInt32] {
    let three = tables.count == 3 ? tables : [tables[0], tables[0], tables[0]]
    let at = offsets.count == 3 ? offsets : [offsets[0], offsets[0], offsets[0]]
    return Parameters(
      tables: RGBWords(at), domain: three[0].domain, slope0: RGBWords(three.map(\.slope0)),
      value0: RGBWords(three.map(\.value0))
    ).list
  }

  package static func samples(table: ([UInt32]) -> UInt32) -> [[UInt32]] {
    [
      TransferCurve.pq.encodeTable, TransferCurve.pq.decodeTable, TransferCurve.sRGB.encodeTable,
      TransferCurve.hlg.decodeTable, TransferCurve.gamma(2.4).decodeTable,
    ].map { words([$0], offsets: [table($0.words)]) }
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    for channel in 0..<3 {
      // Here and not outside the loop: words held over all channels take registers that the lanes need.
      let words = c.words(Parameters.self)
      apply(
        s, s.plane(channel), c.table(at: words.tables[channel]), words.domain, words.slope0[channel],
        words.value0[channel])
    }
  }

  /// Applies the curve to one plane; scratch 1 and 2 are used.
  @inlinable @inline(always) static func apply(
    _ s: Strip, _ p: UnsafeMutablePointer<Float>, _ table: UnsafePointer<Float>, _ domain: CurveDomain,
    _ slope0: Float, _ value0: Float
  ) {
    let n = s.padded, index = s.scratch(1), fraction = s.scratch(2)
    CurveTable.locate(p, n, domain, index: index, fraction: fraction)
    typealias Words = SIMD8<UInt32>
    let magnitude = Words(repeating: 0x7fff_ffff), sign = Words(repeating: 0x8000_0000)
    let least = SIMD8<Int32>(repeating: Int32(bitPattern: domain.minBits)), small = SIMD8<Float>(repeating: 0x1p-30)
    let slope = SIMD8<Float>(repeating: slope0), value = SIMD8<Float>(repeating: value0)
    // One pointer moves, and the others are at fixed distances from it: they are planes of a strip.
    var at = UnsafeMutableRawPointer(p)
    let end = at + 4 &* n
    let offsets = UnsafeRawPointer(index) - UnsafeRawPointer(p)
    let places = UnsafeRawPointer(fraction) - UnsafeRawPointer(p)
    while at < end {
      let y = CurveTable.eight(table, offsets: at + offsets, fractions: at + places)
      let u = at.loadUnaligned(as: Words.self), m = u & magnitude, ordered = unsafeBitCast(m, to: SIMD8<Int32>.self)
      if all(ordered .>= least) {
        at.storeBytes(of: unsafeBitCast(y, to: Words.self) ^ (u & sign), as: Words.self)
      } else {
        let kept = u.replacing(with: 0, where: unsafeBitCast(m, to: SIMD8<Float>.self) .< small)
        // All ones if m is too small, by the sign of a difference of two numbers that are not negative.
        let isBelow = unsafeBitCast((ordered &- least) &>> 31, to: Words.self)
        let line = value + unsafeBitCast(kept & magnitude, to: SIMD8<Float>.self) * slope
        let chosen = (unsafeBitCast(line, to: Words.self) & isBelow) | (unsafeBitCast(y, to: Words.self) & ~isBelow)
        at.storeBytes(of: chosen ^ (kept & sign), as: Words.self)
      }
      at += 32
    }
  }
}
