import HDRCore

/// Stage `mix_input`: R, G, B, A premultiplied and the planes of a source, premultiplied, mixed by one weight, or by that
/// of a mask's plane. Outside its size the source is transparent black, and the mask is 0.
public enum MixInput {
  public struct Words: StageWords {
    public let source: UInt32, width: UInt32, height: UInt32
    /// 0: `weight` applies everywhere.
    public let mask: UInt32, maskWidth: UInt32, maskHeight: UInt32, weight: Float
  }

  /// - Parameter mask: source of the plane of weights; `nil`: `weight` everywhere.
  static func words(
    source: Int, width: Int, height: Int, mask: (source: Int, width: Int, height: Int)?, weight: Double
  ) -> [UInt32] {
    let mask = mask ?? (0, 0, 0)
    return Words(
      source: source.word, width: width.word, height: height.word, mask: mask.source.word, maskWidth: mask.width.word,
      maskHeight: mask.height.word, weight: Float(weight)
    ).list
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Words.self), weight = words.weight
    Compositing.loadForeground(
      s, c.channels + 4 &* Int(words.source), x: 0, y: 0, width: Int(words.width), height: Int(words.height))
    let m = s.scratch(4), mask = Int(words.mask), n = s.padded
    if mask == 0 {
      for i in 0..<n { m[i] = weight }
    } else {
      for i in 0..<n { m[i] = 0 }
      if s.y < Int(words.maskHeight) {
        let v = c.channels[4 &* mask], to = Swift.min(s.count, Int(words.maskWidth) &- s.x)
        let row = (v.base + s.y &* v.rowBytes).assumingMemoryBound(to: Float.self) + s.x
        var i = 0
        while i < to {
          m[i] = row[i]
          i &+= 1
        }
      }
    }
    for channel in 0..<4 {
      let b = s.plane(channel), t = s.scratch(channel)
      for i in 0..<n { b[i] = b[i] * (1 - m[i]) + t[i] * m[i] }
    }
    Compositing.limitAlpha(s)
  }
}

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
    let source = read(top, rows: rows(of: top))
    var weights: (source: Int, width: Int, height: Int)?
    if let mask { weights = (read(mask, rows: rows(of: mask)), mask.width, mask.height) }
    stage(
      .mixInput,
      MixInput.words(source: source, width: top.width, height: top.height, mask: weights, weight: weight))
    if !top.covers(width: width, height: height) { makeTransparent() }
    unpremultiply()
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
    case .luminance: spread(ToneStage.luminance)
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
