import HDRCore
import Kernels

extension Edit {
  /// Mixes the picture with the input that a filter names, premultiplied, by one weight everywhere.
  mutating func mix(_ values: FilterValues, weight: Double) throws(PlanError) {
    try mix(values, weight: weight) { (_) throws(PlanError) in nil }
  }

  /// Mixes the picture with the input that a filter names, premultiplied, by a plane of weights.
  ///
  /// - Parameter mask: makes the plane; it may be smaller than the picture.
  mutating func mix(
    _ values: FilterValues, weight: Double = 1, mask: (inout Edit) throws(PlanError) -> PlaneRef?
  ) throws(PlanError) {
    let picture = planes()
    let top = try foreground(values, fit: Compositing.covering)
    let mask = try mask(&self)
    use(picture)
    mix(top, weight: weight, mask: mask)
  }

  /// Mixes the picture with another one, which is premultiplied.
  mutating func mix(_ top: PlaneRef, weight: Double = 1, mask: PlaneRef?) {
    premultiply()
    blend(top, weight: weight, by: mask)
    if !top.covers(width: width, height: height) { makeTransparent() }
    unpremultiply()
  }

  /// Mixes the picture with another one, both premultiplied; alpha is not made for one that does not cover it.
  mutating func blend(_ top: PlaneRef, weight: Double = 1, by mask: PlaneRef?) {
    let source = read(top, rows: rows(of: top))
    var weights: (source: Int, width: Int, height: Int)?
    if let mask { weights = (read(mask, rows: rows(of: mask)), mask.width, mask.height) }
    stage(
      .mixInput,
      MixInput.words(source: source, width: top.width, height: top.height, mask: weights, weight: weight))
  }

  /// The number of an input's pixel that becomes a weight.
  enum MaskChannel {
    /// Colours not multiplied by alpha; the weight is then multiplied by it.
    case luminance, red, blue
    case alpha
  }

  /// Makes one plane of a number of an input's pixels, clamped to 0...1.
  ///
  /// - Parameter then: changes the plane before it is stored.
  mutating func mask(
    _ name: String, _ channel: MaskChannel, isStretched: Bool, then: (inout Edit) -> Void = { _ in }
  ) throws(PlanError) -> PlaneRef {
    let (width, height, own) = (width, height, planes())
    use(try input(name))
    switch channel {
    case .luminance: spread(ToneOperation.luminance)
    case .red: spread([1, 0, 0])
    case .blue: spread([0, 0, 1])
    case .alpha: affine(scale: [0, 0, 0], offset: [1, 1, 1])
    }
    clamp(low: 0, high: 1)
    premultiply()
    builder.flush()
    builder.hasAlpha = false
    if isStretched { resize(width: width, height: height) }
    then(&self)
    let result = builder.close(channels: 1)
    use(own)
    return result
  }

  /// Sets each of R, G, B to a weighted sum of the three.
  private mutating func spread(_ weights: [Double]) { matrix(Matrix3(weights + weights + weights)) }
}
