import HDRCore

/// Stage `vignette`: R, G, B times a curve of the squared distance of the pixel's centre from a place.
public enum VignetteGain: KernelStage {
  public struct Parameters: StageParameters {
    /// `toX`, `toY`: the offset from the centre to the first pixel's centre.
    public let toX: Float, toY: Float, scale: Float, gain: CurveWords
  }

  /// - Parameters:
  ///   - center: x, y in pixels.
  ///   - scale: converts pixels to units of the table's argument.
  package static func words(center: [Double], scale: Double, _ table: CurveTable, offset: UInt32) -> [UInt32] {
    Parameters(
      toX: Float(0.5 - center[0]), toY: Float(0.5 - center[1]), scale: Float(scale),
      gain: CurveWords(table, offset: offset)
    ).list
  }

  /// Returns the content headroom after a gain of at most 1 - intensity.
  package static func headroom(_ intensity: Double, after content: Headroom) -> Headroom {
    intensity < 0 ? Headroom(stops: content.stops + ExactMath.log2(1 - intensity)) : content
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), toX = words.toX, toY = words.toY, scale = words.scale, gain = s.scratch(0)
    let x = Int32(truncatingIfNeeded: s.x)
    let dy = (Float(Int32(truncatingIfNeeded: s.y)) + toY) * scale, down = dy * dy
    for i in 0..<s.padded {
      let dx = (Float(x &+ Int32(truncatingIfNeeded: i)) + toX) * scale
      gain[i] = dx * dx + down
    }
    CurveTable.scale(s, c, by: words.gain)
  }
}
