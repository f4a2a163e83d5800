import HDRCore

extension Edit {
  /// Takes each pixel of the result from one of the picture: crops, flips and quarter turns.
  mutating func remap(width: Int, height: Int, _ mapping: SourceMapping) {
    builder.remap(width: width, height: height, mapping)
  }

  /// Scales the picture, colour and alpha as they are: averages over areas where it gets smaller, bilinear where it
  /// gets larger.
  mutating func resize(width: Int, height: Int) {
    func weights(_ axis: SampleAxis, _ result: Int) -> AxisWeights? {
      if axis == SampleAxis(result) { return nil }
      return result < axis.count
        ? .area(axis, to: result) : .resampled(axis, to: result, support: 1, edges: .clamp) { max(0, 1 - abs($0)) }
    }
    let (x, y) = axes
    convolve("resize", x: weights(x, width), y: weights(y, height))
  }
}
