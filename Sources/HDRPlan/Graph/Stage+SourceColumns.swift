import HDRCore
import Kernels

/// The parts of earlier passes' pictures that stages read: executors that decode halves prepare them.
extension Stage {
  /// Returns true if the stage reads a source of its pass.
  package func reads(_ source: Int, _ c: StageContext) -> Bool {
    switch kind {
    case .loadFloatPlanes, .loadArea, .loadCFA, .rcdDirections, .rcdGreen, .rcdOpposite, .convolveX, .convolveY,
      .convolve2D, .disc, .median3, .motionBlur, .morphology, .sobel, .canny, .zoomBlur, .mosaic, .warpProjective,
      .warpBicubic, .extreme, .histogram:
      source == 0
    case .rcdColors, .clusters: source <= 1
    case .warpPlace: source == 0 || source == 1 && c.words(WarpPlace.Parameters.self).shape.value.readsPicture
    case .gainMap: source == 1
    case .ripple:
      [0, c.words(Ripple.Parameters.self).target, c.words(Ripple.Parameters.self).shade].contains(UInt32(source))
    case .multiplyAdd:
      [c.words(MultiplyAdd.Parameters.self).factor, c.words(MultiplyAdd.Parameters.self).term].contains(UInt32(source))
    case .jointBilateral:
      [c.words(JointBilateral.Parameters.self).small, c.words(JointBilateral.Parameters.self).guide]
        .contains(UInt32(source))
    case .pageCurl:
      [c.words(PageCurlStage.Parameters.self).sheet, c.words(PageCurlStage.Parameters.self).shade]
        .contains(UInt32(source))
    case .shadedMaterial:
      [c.words(ShadedMaterialStage.Parameters.self).heights, c.words(ShadedMaterialStage.Parameters.self).shade]
        .contains(UInt32(source))
    case .blendBlurred: source == c.words(BlendBlurred.Parameters.self).source
    case .composite: source == c.words(Compositing.Parameters.self).source
    case .blendMode: source == c.words(BlendMode.Parameters.self).source
    case .mixInput:
      [c.words(MixInput.Parameters.self).source, c.words(MixInput.Parameters.self).mask].contains(UInt32(source))
    case .mixLooks: source == c.words(MixLooks.Parameters.self).source
    case .user:
      source > 0 ? source <= kernel?.head.inputs.count ?? 0 : kernel?.head.radius ?? 0 > 0
    case .luminanceGain: source == c.words(LuminanceGain.Parameters.self).source
    default: false
    }
  }

  /// Returns the columns of a source of `width` columns that the stage may read for some of the pass's; empty for none.
  package func sourceColumns(_ columns: Range<Int>, width: Int, _ c: StageContext) -> Range<Int> {
    func around(_ reach: Int) -> Range<Int> {
      (columns.lowerBound - reach..<columns.upperBound + reach).clamped(to: 0..<width)
    }
    func moved(_ x: Int) -> Range<Int> {
      (columns.lowerBound - x..<columns.upperBound - x).clamped(to: 0..<width)
    }
    /// Returns the reach of rows of pixels: four words a row, the second the first column, the third their number.
    func reach(of table: UnsafePointer<UInt32>, rows: Int) -> Int {
      (0..<rows).map { row in
        let left = Int(Int32(bitPattern: table[4 * row + 1]))
        return max(-left, left + Int(table[4 * row + 2]) - 1, 0)
      }.max() ?? 0
    }
    switch kind {
    case .loadFloatPlanes, .convolveY, .blendBlurred, .luminanceGain, .mixLooks, .multiplyAdd: return around(0)
    case .loadCFA: return around(LoadCFA.reach)
    case .rcdDirections, .rcdGreen, .rcdOpposite, .rcdColors: return around(RatioCorrected.reach)
    case .convolve2D: return around(Int(c.words(Convolve2D.Parameters.self).columns) / 2)
    case .disc: return around(Int(c.words(DiscStage.Parameters.self).reach))
    case .median3, .canny: return around(1)
    case .sobel: return around(c.words(SobelStage.Parameters.self).mode.value == .gabor ? 2 : 1)
    case .user:
      // Beyond a source's border its last pixels repeat.
      let reach = kernel?.head.radius ?? 0, last = width - 1
      return min(max(columns.lowerBound - reach, 0), last)..<min(columns.upperBound + reach, last + 1)
    case .motionBlur:
      let words = c.words(MotionBlurStage.Parameters.self)
      return around(reach(of: c.tables + Int(words.table), rows: Int(words.rows)))
    case .morphology:
      let words = c.words(MorphologyStage.Parameters.self)
      return around(reach(of: c.tables + Int(words.table), rows: Int(words.rows)))
    case .convolveX:
      let entries = c.tables + Int(c.words(ConvolveX.Parameters.self).weights)
      var low = width, high = 0
      for x in columns {
        let first = Int(entries[3 * x])
        low = min(low, first)
        high = max(high, first + Int(entries[3 * x + 1]))
      }
      return low..<max(low, high)
    case .composite: return moved(Int(c.words(Compositing.Parameters.self).x))
    case .blendMode: return moved(Int(c.words(BlendMode.Parameters.self).x))
    case .mixInput: return moved(0)
    default: return 0..<width
    }
  }
}
