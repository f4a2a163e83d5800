import HDRCore

/// Stage `shaded_material`: the light of a sphere's picture where its surface has the slope of a relief, times the
/// pixel's alpha. Premultiplied. Beyond the border the relief goes on level.
public enum ShadedMaterialStage: KernelStage {
  package static let readsColumns = true
  package static let readsScattered = true
  package static let operations = 256

  public struct Parameters: StageParameters {
    /// The sources of heights (one plane) and of the sphere.
    public let heights: UInt32, shade: UInt32, width: UInt32, height: UInt32, shadeWidth: UInt32, shadeHeight: UInt32
    /// Minus half the scale of heights, and from -1...1 to pixel numbers of the sphere.
    public let scale: Float, acrossX: Float, acrossY: Float, middleX: Float, middleY: Float
  }

  package static func words(
    heights: Int, shade: Int, width: Int, height: Int, shading: (width: Int, height: Int), scale: Double
  ) -> [UInt32] {
    Parameters(
      heights: heights.word, shade: shade.word, width: width.word, height: height.word,
      shadeWidth: shading.width.word, shadeHeight: shading.height.word, scale: Float(-scale / 2),
      acrossX: Float(Double(shading.width) / 2), acrossY: Float(Double(shading.height) / 2),
      middleX: Float(Double(shading.width - 1) / 2), middleY: Float(Double(shading.height - 1) / 2)
    ).list
  }

  /// - Parameter pixel: reads R G B A of four halves.
  @inlinable @inline(always) public static func run(
    _ s: Strip, _ c: StageContext, pixel: (UnsafeRawPointer) -> SIMD4<Float>
  ) {
    let words = c.words(Parameters.self), u = s.scratch(0), v = s.scratch(1)
    let width = Int(words.width), height = Int(words.height), view = c.channels[4 &* Int(words.heights)]
    @inline(always) func row(_ y: Int, _ copy: Int) -> UnsafePointer<Float> {
      Neighbourhood.row(
        view, Neighbourhood.inside(y, height), s, reach: 1, width: width, s.scratch(copy))
    }
    let above = row(s.y &- 1, 2), own = row(s.y, 4), below = row(s.y &+ 1, 6)
    for i in 0..<s.count {
      let x = (own[i &+ 2] - own[i]) * words.scale, y = (below[i &+ 1] - above[i &+ 1]) * words.scale
      let inverse = E32.exp2(-0.5 * E32.log2(1 + (x * x + y * y)))
      u[i] = (x * inverse) * words.acrossX + words.middleX
      v[i] = (y * inverse) * words.acrossY + words.middleY
    }
    let shade = c.channels + 4 &* Int(words.shade), columns = Int(words.shadeWidth), rows = Int(words.shadeHeight)
    let alpha = s.alpha
    for i in 0..<s.count {
      s.put(Bilinear(u[i], v[i], columns, rows).value(shade, 4, pixel) * alpha[i], i)
    }
    s.spread()
  }
}
