import HDRCore

/// What stages read of earlier passes' pictures: executors that decode halves prepare it.
extension Stage {
  /// Whether the stage reads a source of its pass.
  public func reads(_ source: Int, _ c: StageContext) -> Bool {
    switch kind {
    case .loadFloatPlanes, .loadArea, .convolveX, .convolveY, .convolve2D, .median3, .motionBlur, .warpProjective,
      .warpBicubic, .extreme, .histogram:
      source == 0
    case .ripple: source == 0 || source == c.int(1) || source == c.int(2)
    case .blendBlurred, .composite, .blendMode, .gainMap: source == (kind == .gainMap ? 1 : c.int(1))
    case .mixInput: source == c.int(0) || source == c.int(3)
    case .luminanceGain: source == c.int(3)
    default: false
    }
  }

  /// Columns of a source of `width` columns that the stage may read for some of the pass's; empty where it reads none.
  public func sourceColumns(_ columns: Range<Int>, width: Int, _ c: StageContext) -> Range<Int> {
    func around(_ reach: Int) -> Range<Int> {
      (columns.lowerBound - reach..<columns.upperBound + reach).clamped(to: 0..<width)
    }
    func moved(_ x: Int) -> Range<Int> {
      (columns.lowerBound - x..<columns.upperBound - x).clamped(to: 0..<width)
    }
    switch kind {
    case .loadFloatPlanes, .convolveY, .blendBlurred, .luminanceGain: return around(0)
    case .convolve2D: return around(c.int(1) / 2)
    case .median3: return around(1)
    case .motionBlur:
      let rows = c.int(1), table = c.tables + Int(c.constants[2])
      let reach = (0..<rows).map { row in
        let left = Int(Int32(bitPattern: table[4 * row + 1]))
        return max(-left, left + Int(table[4 * row + 2]) - 1, 0)
      }
      return around(reach.max() ?? 0)
    case .convolveX:
      let entries = c.tables + c.int(1)
      var low = width, high = 0
      for x in columns {
        let first = Int(entries[3 * x])
        low = min(low, first)
        high = max(high, first + Int(entries[3 * x + 1]))
      }
      return low..<max(low, high)
    case .composite, .blendMode: return moved(c.int(2))
    case .mixInput: return moved(0)
    default: return 0..<width
    }
  }
}
