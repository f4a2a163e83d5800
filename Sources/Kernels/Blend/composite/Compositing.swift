import HDRCore

/// The place of an input over the picture, and the stage that joins the two, as the compositing filters share them.
///
/// Stage `composite`: R, G, B, A premultiplied are the background B; the planes of a source, premultiplied, the foreground
/// S. Outside the foreground it is transparent black.
public enum Compositing: KernelStage {
  package static let operations = 256

  public enum Mode: Int, Sendable, Hashable, CaseIterable {
    case sourceOver, addition, multiply, minimum, maximum, sourceIn, sourceOut, sourceAtop, absoluteDifference
  }

  public struct Parameters: StageParameters {
    public let mode: Choice<Mode>, source: UInt32, x: Int32, y: Int32, width: UInt32, height: UInt32
  }

  package static func words(_ mode: Mode, source: Int, x: Int, y: Int, width: Int, height: Int) -> [UInt32] {
    Parameters(
      mode: Choice(mode), source: source.word, x: Int32(truncatingIfNeeded: x), y: Int32(truncatingIfNeeded: y),
      width: width.word, height: height.word
    ).list
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), views = c.channels + 4 &* Int(words.source), n = s.padded
    let row = s.y &- Int(words.y), column = s.x &- Int(words.x)
    // A strip that lies in the foreground, without lanes after its last pixel, reads it where it is.
    let isInside =
      n == s.count && row >= 0 && row < Int(words.height) && column >= 0 && column &+ n <= Int(words.width)
    if !isInside {
      loadForeground(
        s, views, x: Int(words.x), y: Int(words.y), width: Int(words.width), height: Int(words.height))
    }
    @inline(always) func top(_ channel: Int) -> UnsafePointer<Float> {
      if !isInside { return UnsafePointer(s.scratch(channel)) }
      return (views[channel].base + row &* views[channel].rowBytes).assumingMemoryBound(to: Float.self) + column
    }
    let topAlpha = top(3), a = s.alpha
    for channel in 0..<4 {
      let b = s.plane(channel), t = top(channel)
      switch words.mode.value {
      case .sourceOver: for i in 0..<n { b[i] = t[i] + b[i] * (1 - topAlpha[i]) }
      case .addition: for i in 0..<n { b[i] = t[i] + b[i] }
      case .multiply: for i in 0..<n { b[i] = t[i] * b[i] }
      case .minimum: for i in 0..<n { b[i] = t[i] < b[i] ? t[i] : b[i] }
      case .maximum: for i in 0..<n { b[i] = t[i] > b[i] ? t[i] : b[i] }
      // Alpha comes last, so these read the background's.
      case .sourceIn: for i in 0..<n { b[i] = t[i] * a[i] }
      case .sourceOut: for i in 0..<n { b[i] = t[i] * (1 - a[i]) }
      case .sourceAtop: for i in 0..<n { b[i] = t[i] * a[i] + b[i] * (1 - topAlpha[i]) }
      case .absoluteDifference:
        if channel == 3 {
          for i in 0..<n { b[i] = t[i] * b[i] }
        } else {
          for i in 0..<n {
            let d = t[i] * a[i] - b[i] * topAlpha[i]
            b[i] = d < 0 ? -d : d
          }
        }
      }
    }
    limitAlpha(s)
  }

  /// Loads pixels of four planes whose top left corner is at (x, y) of the picture into scratch 0...3; 0 outside.
  @inlinable @inline(always) static func loadForeground(
    _ s: Strip, _ channels: UnsafePointer<ChannelView>, x: Int, y: Int, width: Int, height: Int
  ) {
    let row = s.y &- y, column = s.x &- x
    let from = Swift.max(0, 0 &- column), to = Swift.min(s.count, width &- column)
    let isRow = row >= 0 && row < height && from < to
    for channel in 0..<4 {
      let top = s.scratch(channel)
      for i in 0..<s.padded { top[i] = 0 }
      if isRow {
        let v = channels[channel]
        let samples = (v.base + row &* v.rowBytes).assumingMemoryBound(to: Float.self)
        for i in from..<to { top[i] = samples[column &+ i] }
      }
    }
  }

  /// Clamps alpha to [0, 1].
  @inlinable @inline(always) static func limitAlpha(_ s: Strip) {
    let a = s.alpha
    for i in 0..<s.padded {
      let low: Float = a[i] > 0 ? a[i] : 0
      a[i] = low < 1 ? low : 1
    }
  }
}
