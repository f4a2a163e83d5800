import HDRCore
import Kernels

/// Lifts or lowers shadows and lowers highlights by a gain of the pixel's luminance or of its blurred luminance
/// (named after Core Image's highlightShadowAdjust).
///
/// gain = 2^(2 shadowAmount ws - 2 (1 - highlightAmount) wh) of l = log2 max(Y, 2^-12). l itself is blurred, without
/// regard to alpha. ws = 1 - smoothstep(-6, -1, l), wh = smoothstep(-2, log2(headroom) + 1/2, l) for the content
/// headroom.
enum HighlightShadow: Filter {
  static let name = "highlight-shadow"
  static let summary = "light or dark shadows, darker highlights, by luminance nearby"
  static let category = FilterCategory.color
  static let shadows = FilterParameter("shadow-amount", .number(0, -1...1), "1 lifts shadows by two stops")
  static let highlights = FilterParameter("highlight-amount", .number(1, 0...1), "0 lowers highlights by two stops")
  static let radius = FilterParameter(
    "radius", .number(0, 0...500), "standard deviation of the blur of luminance in pixels; 0 is none")
  static let parameters = [shadows, highlights, radius]
  static let headroomEffect = HeadroomEffect.unknown

  /// log2 of the luminance below which all luminances count as equal.
  static let floor = -12.0

  private static func smoothstep(_ a: Double, _ b: Double, _ x: Double) -> Double {
    let t = min(max((x - a) / (b - a), 0), 1)
    return t * t * (3 - 2 * t)
  }

  /// Returns the gain as a function of luminance.
  static func gain(_ values: FilterValues, headroom: Headroom) -> @Sendable (Double) -> Double {
    let up = 2 * values.value(shadows), down = 2 * (1 - values.value(highlights)), top = max(headroom.stops, 0) + 0.5
    return { y in
      let l = max(ExactMath.log2(y), floor)
      return ExactMath.exp2(up * (1 - smoothstep(-6, -1, l)) - down * smoothstep(-2, top, l))
    }
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    if values.value(shadows) == 0 && values.value(highlights) == 1 { return }
    let table = CurveTable(octaves: Int(floor)..<20, k: 6, gain(values, headroom: edit.headroom ?? .nominal))
    var source: Int?
    if values.value(radius) >= 0.16 {
      let picture = edit.planes()
      edit.stage(.logLuminance, LogLuminance.words(weights: ColorTransform.luminance, floor: floor))
      let blurred = edit.blurredPlane(radius: values.value(radius))
      edit.use(picture)
      source = edit.read(blurred)
    }
    let number = source
    edit.stage(.luminanceGain, tables: [table.words]) {
      LuminanceGain.words(weights: ColorTransform.luminance, source: number, table, offset: $0[0])
    }
  }
}

extension Edit {
  /// Ends the open pass with its first channel alone and blurs that; beyond the border its samples repeat.
  ///
  /// - Parameter offset: pixels by which the result is moved to the right and down.
  mutating func blurredPlane(radius: Double, offset: (x: Int, y: Int) = (0, 0)) -> PlaneRef {
    let plane = builder.close(channels: 1), half = radius < 0.16 ? [1] : Gaussian.half(radius)
    let x = AxisWeights.symmetric(plane.width, half, edges: .clamp, offset: offset.x)
    let y = AxisWeights.symmetric(plane.height, half, edges: .clamp, offset: offset.y)
    let rows = builder.words.table(y.words), columns = builder.words.table(x.words)
    builder.begin(
      "gaussian x", .convolveX, of: plane, width: plane.width, height: plane.height, rows: .same(height: plane.height),
      ConvolveX.words(channels: 1, weights: columns))
    let across = builder.close(channels: 1)
    builder.begin(
      "gaussian y", .convolveY, of: across, width: plane.width, height: plane.height, rows: y.rows,
      ConvolveY.words(channels: 1, weights: rows))
    return builder.close(channels: 1)
  }
}
