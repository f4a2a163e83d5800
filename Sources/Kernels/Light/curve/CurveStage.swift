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

  /// Applies the curve to one plane; scratch 0 to 2 are used.
  @inlinable @inline(always) static func apply(
    _ s: Strip, _ p: UnsafeMutablePointer<Float>, _ table: UnsafePointer<Float>, _ domain: CurveDomain,
    _ slope0: Float, _ value0: Float
  ) {
    let value = s.scratch(0), n = s.padded, least = Int32(bitPattern: domain.minBits)
    CurveTable.lookup(table, from: p, to: value, n, domain, index: s.scratch(1), fraction: s.scratch(2))
    for i in 0..<n {
      let u = p[i].pattern, m = u & 0x7fff_ffff
      let kept = Float(bitPattern: m) < 0x1p-30 ? 0 : u
      // All ones if m is too small, by the sign of a difference of two numbers that are not negative.
      let isBelow = UInt32(bitPattern: (Int32(bitPattern: m) &- least) &>> 31)
      let line = value0 + Float(bitPattern: kept & 0x7fff_ffff) * slope0
      let y = (line.pattern & isBelow) | (value[i].pattern & ~isBelow)
      p[i] = Float(bitPattern: y ^ (kept & 0x8000_0000))
    }
  }
}
