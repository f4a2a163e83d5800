import HDRCore

/// Stage `color_map`: R, G, B by luminance from a row of a source's four premultiplied binary32 planes, times alpha.
public enum ColorMapStage: KernelStage {
  public struct Parameters: StageParameters {
    public let source: UInt32, width: UInt32, luminance: RGBWords<Float>

    package init(source: UInt32, width: UInt32, luminance: RGBWords<Float>) {
      (self.source, self.width, self.luminance) = (source, width, luminance)
    }
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), w = words.luminance, views = c.channels + 4 &* Int(words.source)
    let r = s.red, g = s.green, b = s.blue, a = s.alpha, last = Float(Int32(bitPattern: words.width &- 1))
    @inline(always) func row(_ channel: Int) -> UnsafePointer<Float> {
      views[channel].base.assumingMemoryBound(to: Float.self)
    }
    let p0 = row(0), p1 = row(1), p2 = row(2), p3 = row(3), end = Int(words.width) &- 1
    for i in 0..<s.padded {
      let y = (w.r * r[i] + w.g * g[i]) + w.b * b[i]
      let low: Float = y > 0 ? y : 0
      let place = (low < 1 ? low : 1) * last, cell = LUT3DStage.cell(place, last), f = place - cell
      let left = LUT3DStage.node(cell), right = left < end ? left &+ 1 : left, alpha = a[i]
      r[i] = (p0[left] * (1 - f) + p0[right] * f) * alpha
      g[i] = (p1[left] * (1 - f) + p1[right] * f) * alpha
      b[i] = (p2[left] * (1 - f) + p2[right] * f) * alpha
      a[i] = (p3[left] * (1 - f) + p3[right] * f) * alpha
    }
  }
}
