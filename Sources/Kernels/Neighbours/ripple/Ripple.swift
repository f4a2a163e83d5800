import HDRCore

/// Stage `ripple`, a load: a ring wave around a centre between two pictures of one size, source 0 outside the ring and
/// another source inside. In the ring both are read displaced along the radius, bilinearly, and a shading picture is
/// added. Planes are premultiplied.
///
/// The inverse root of the squared distance, the displacement and the cosine are tables. Distances have a relative
/// error of 2^-22 (below 2^-8 pixels an error of 2^-8 pixels), displacements one of 3e-7 of the scale.
public enum Ripple: KernelStage {
  package static let readsScattered = true
  package static let operations = 256

  /// The inverse square root of squared distances.
  package static let inverseRoot = CurveTable(octaves: -16..<44, k: 6) { $0 > 0 ? 1 / $0.squareRoot() : 0 }

  /// The wave across its width, argument 1...2: displacement sin(pi u) sin(2 pi u).
  package static let wave = CurveTable(octaves: 0..<1, k: 8) { x in
    let s = sine(x - 1), c = cosine(x - 1)
    return 2 * s * s * c
  }
  /// cos(pi u).
  package static let turn = CurveTable(octaves: 0..<1, k: 8) { cosine($0 - 1) }

  /// Returns sin(pi u) for u in 0...1, by its series about the middle.
  static func sine(_ u: Double) -> Double {
    let x = (u - 0.5) * 3.141592653589793, q = x * x
    var sum = 1.0
    for k in stride(from: 24, through: 2, by: -2) { sum = 1 - q / Double(k * (k - 1)) * sum }
    return sum
  }

  /// Returns cos(pi u) for u in 0...1.
  static func cosine(_ u: Double) -> Double {
    let x = (u - 0.5) * 3.141592653589793, q = x * x
    var sum = 1.0
    for k in stride(from: 25, through: 3, by: -2) { sum = 1 - q / Double(k * (k - 1)) * sum }
    return -x * sum
  }

  public struct Parameters: StageParameters {
    public let channels: UInt32, target: UInt32, shade: UInt32
    public let width: UInt32, height: UInt32, shadeWidth: UInt32, shadeHeight: UInt32
    /// The centre's pixel, and the offset from there to the centre.
    public let centerX: Int32, centerY: Int32, toX: Float, toY: Float
    /// The place in the ring by distance, the scale of displacements, and the place in the shading by direction.
    public let slope: Float, offset: Float, scale: Float
    public let glintScaleX: Float, glintOffsetX: Float, glintScaleY: Float, glintOffsetY: Float
    public let inverse: UInt32, wave: UInt32, turn: UInt32, inverseDomain: CurveDomain, waveDomain: CurveDomain
  }

  /// - Parameters:
  ///   - radius: the radius of the ring's middle, in pixels.
  ///   - shading: size of the shading picture.
  package static func words(
    channels: Int, target: Int, shade: Int, width: Int, height: Int, shading: (width: Int, height: Int),
    center: (x: Double, y: Double), radius: Double, ring: Double, scale: Double, tables: [UInt32]
  ) -> [UInt32] {
    let x = center.x.rounded(.down), y = center.y.rounded(.down)
    return Parameters(
      channels: channels.word, target: target.word, shade: shade.word, width: width.word, height: height.word,
      shadeWidth: shading.width.word, shadeHeight: shading.height.word, centerX: Int32(x), centerY: Int32(y),
      toX: Float(0.5 - (center.x - x)), toY: Float(0.5 - (center.y - y)), slope: Float(1 / ring),
      offset: Float(0.5 - radius / ring), scale: Float(scale), glintScaleX: Float(Double(shading.width) / 2),
      glintOffsetX: Float(Double(shading.width - 1) / 2), glintScaleY: Float(Double(shading.height) / 2),
      glintOffsetY: Float(Double(shading.height - 1) / 2), inverse: tables[0], wave: tables[1], turn: tables[2],
      inverseDomain: inverseRoot.domain, waveDomain: wave.domain
    ).list
  }

  /// - Parameter pixel: reads R G B A of four halves.
  @inlinable @inline(always) public static func run(
    _ s: Strip, _ c: StageContext, pixel: (UnsafeRawPointer) -> SIMD4<Float>
  ) {
    let words = c.words(Parameters.self), n = s.padded, d = s.scratch(0), inverse = s.scratch(1), z = s.scratch(2)
    let wave = s.scratch(3), turn = s.scratch(4), dx = s.scratch(5)
    let dy = Float(Int32(truncatingIfNeeded: s.y &- Int(words.centerY))) + words.toY, fx = words.toX
    let first = Int32(truncatingIfNeeded: s.x &- Int(words.centerX))
    for i in 0..<n {
      dx[i] = Float(first &+ Int32(truncatingIfNeeded: i)) + fx
      d[i] = dx[i] * dx[i] + dy * dy
    }
    CurveTable.lookup(
      c.table(at: words.inverse), from: d, to: inverse, n, words.inverseDomain, index: s.scratch(6),
      fraction: s.scratch(7))
    let slope = words.slope, offset = words.offset
    for i in 0..<n {
      let u = (d[i] * inverse[i]) * slope + offset
      d[i] = u
      let low: Float = u > 0 ? u : 0
      z[i] = 1 + (low < 1 ? low : 1)
    }
    CurveTable.lookup(
      c.table(at: words.wave), from: z, to: wave, n, words.waveDomain, index: s.scratch(6), fraction: s.scratch(7))
    CurveTable.lookup(
      c.table(at: words.turn), from: z, to: turn, n, words.waveDomain, index: s.scratch(6), fraction: s.scratch(7))
    let width = Int(words.width), height = Int(words.height), outputs = Int(words.channels)
    let target = c.channels + 4 &* Int(words.target), shade = c.channels + 4 &* Int(words.shade)
    for i in 0..<s.count {
      let u = d[i], x = s.x &+ i
      if u <= 0 || u >= 1 {
        var own = Bilinear.sample(u <= 0 ? target : c.channels, x, s.y, outputs, pixel)
        if outputs == 3 { own.w = 1 }
        s.put(own, i)
        continue
      }
      let nx = dx[i] * inverse[i], ny = dy * inverse[i], shift = wave[i] * words.scale
      let at = Bilinear(
        Float(Int32(truncatingIfNeeded: x)) + nx * shift, Float(Int32(truncatingIfNeeded: s.y)) + ny * shift, width,
        height)
      let glint = Bilinear(
        (nx * turn[i]) * words.glintScaleX + words.glintOffsetX,
        (ny * turn[i]) * words.glintScaleY + words.glintOffsetY, Int(words.shadeWidth), Int(words.shadeHeight))
      let own = (u * u) * (3 - 2 * u)
      let base = at.value(target, outputs, pixel) * (1 - own) + at.value(c.channels, outputs, pixel) * own
      let alpha: Float = outputs == 4 ? base.w : 1
      let light = glint.value(shade, 4, pixel)
      var mixed = base + (2 * light - SIMD4(repeating: light.w)) * alpha
      mixed.w = alpha
      s.put(mixed, i)
    }
    s.spread()
  }
}
