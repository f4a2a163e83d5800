import HDRCore

/// Stage `zoom_blur`, a load: the mean of source 0 at places that each are the pixel's times a factor plus a shift.
public enum ZoomBlurStage: KernelStage {
  package static let readsColumns = true
  package static let readsScattered = true
  package static let operations = 256

  public struct Parameters: StageParameters {
    /// `table`: four words a place: factor, shift of columns, shift of rows, 0. `share`: 1 / samples.
    public let channels: UInt32, samples: UInt32, table: UInt32, share: Float, width: UInt32, height: UInt32

    package init(channels: UInt32, samples: UInt32, table: UInt32, share: Float, width: UInt32, height: UInt32) {
      (self.channels, self.samples, self.table, self.share, self.width, self.height) = (
        channels, samples, table, share, width, height
      )
    }
  }

  /// - Parameter pixel: reads R G B A of four halves.
  @inlinable @inline(always) public static func run(
    _ s: Strip, _ c: StageContext, pixel: (UnsafeRawPointer) -> SIMD4<Float>
  ) {
    let words = c.words(Parameters.self), table = c.table(at: words.table), samples = Int(words.samples)
    let width = Int(words.width), height = Int(words.height), channels = Int(words.channels)
    let y = Float(Int32(truncatingIfNeeded: s.y)), share = words.share
    for i in 0..<s.count {
      let x = Float(Int32(truncatingIfNeeded: s.x &+ i))
      var sum = SIMD4<Float>()
      for k in 0..<samples {
        let entry = table + 4 &* k
        let at = Bilinear(entry[0] * x + entry[1], entry[0] * y + entry[2], width, height)
        sum = sum + at.value(c.channels, channels, pixel)
      }
      sum = sum * share
      if channels != 4 { sum.w = 1 }
      s.put(sum, i)
    }
    s.spread()
  }
}
