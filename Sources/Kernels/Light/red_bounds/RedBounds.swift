import HDRCore

/// Stage `red_bounds`: the box of the pixels whose R is not 0, in two steps with a least of all between.
public enum RedBounds: KernelStage {
  public enum Mode: Int, Sendable, Hashable, CaseIterable {
    /// Distances of such a pixel from the left, the top, the right and the bottom; the picture's size elsewhere.
    case places
    /// The least of those distances give left, top, width and height as shares of the picture; 0 without such a pixel.
    case box
  }

  public struct Parameters: StageParameters {
    public let mode: Choice<Mode>, width: Float, height: Float, inverseWidth: Float, inverseHeight: Float

    package init(_ mode: Mode, width: Int, height: Int) {
      (self.mode, self.width, self.height) = (Choice(mode), Float(width), Float(height))
      (inverseWidth, inverseHeight) = (Float(1 / Double(width)), Float(1 / Double(height)))
    }
  }

  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    let words = c.words(Parameters.self), r = s.red, g = s.green, b = s.blue, a = s.alpha
    let width = words.width, height = words.height
    switch words.mode.value {
    case .places:
      let y = Float(Int32(truncatingIfNeeded: s.y)), first = Int32(truncatingIfNeeded: s.x)
      for i in 0..<s.padded {
        let x = Float(first &+ Int32(truncatingIfNeeded: i)), isRed = r[i] != 0
        r[i] = isRed ? x : width
        g[i] = isRed ? y : height
        b[i] = isRed ? (width - 1) - x : width
        a[i] = isRed ? (height - 1) - y : height
      }
    case .box:
      for i in 0..<s.padded {
        let x = r[i], y = g[i], isSome = x < width
        r[i] = isSome ? x * words.inverseWidth : 0
        g[i] = isSome ? y * words.inverseHeight : 0
        b[i] = isSome ? ((width - x) - b[i]) * words.inverseWidth : 0
        a[i] = isSome ? ((height - y) - a[i]) * words.inverseHeight : 0
      }
    }
  }
}
