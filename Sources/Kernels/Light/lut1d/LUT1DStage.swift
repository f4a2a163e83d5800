import HDRCore

/// Stage `lut1d`: equally spaced samples for each channel, linear between them. Outside the domain the end segments
/// continue, or the value stays constant (docs/filter-formulas.md#luts).
public enum LUT1DStage: KernelStage {
  public struct Parameters: StageParameters {
    public let nodes: UInt32, size: UInt32, scale: RGBWords<Float>, bias: RGBWords<Float>, extrapolates: UInt32
  }

  /// `offset`: table of `size` nodes, three words (R G B) each; `scale`, `bias`: from a value to node units.
  package static func words(
    offset: UInt32, size: Int, scale: [Double], bias: [Double], extrapolates: Bool
  ) -> [UInt32] {
    Parameters(
      nodes: offset, size: size.word, scale: RGBWords(scale), bias: RGBWords(bias), extrapolates: extrapolates.word
    ).list
  }

  package static func samples(table: ([UInt32]) -> UInt32) -> [[UInt32]] {
    let nodes = table((0..<33).flatMap { i in [0.9, 1.0, 1.2].map { (Double(i) / 32 * $0 * $0).word } })
    return [true, false].map {
      words(offset: nodes, size: 33, scale: [32, 16, 8], bias: [0, 3, -1], extrapolates: $0)
    }
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), t = c.table(at: words.nodes), size = Int(words.size)
    let last = Float(size - 1), lastCell = Float(size - 2), extrapolates = words.extrapolates == 1
    for channel in 0..<3 {
      let scale = words.scale[channel], bias = words.bias[channel], p = s.plane(channel)
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
