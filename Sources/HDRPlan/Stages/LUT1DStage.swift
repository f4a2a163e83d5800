import HDRCore

/// Stage `lut1d`: equally spaced samples for each channel, linear between them; outside the domain the end segments go
/// on or the value stops (docs/filter-formulas.md#luts).
public enum LUT1DStage {
  /// `offset`: table of `size` nodes, three words (R G B) each; `scale`, `bias`: from a value to node units.
  public static func words(
    offset: UInt32, size: Int, scale: [Double], bias: [Double], extrapolates: Bool
  ) -> [UInt32] {
    [offset, size.word] + scale.map(\.word) + bias.map(\.word) + [(extrapolates ? 1 : 0).word]
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let t = c.table(0), last = Float(c.int(1) - 1), lastCell = Float(c.int(1) - 2), extrapolates = c.int(8) == 1
    for channel in 0..<3 {
      let scale = c.float(2 + channel), bias = c.float(5 + channel), p = s.plane(channel)
      for i in 0..<s.padded {
        let at = p[i] * scale + bias
        let low: Float = at > 0 ? at : 0
        let q = low < last ? low : last
        let cell = LUT3DStage.cell(q, lastCell)
        let f = (extrapolates ? at : q) - cell
        let e = t + (LUT3DStage.node(cell) &* 3 &+ channel)
        p[i] = e[0] + f * (e[3] - e[0])
      }
    }
  }
}
