import HDRCore
import Kernels

/// Edges a pixel wide, 1 on 0 (Canny, A Computational Approach to Edge Detection, 1986).
///
/// Luminance, or its sRGB signal, is blurred; m is the squared length of Sobel's gradient over 8. Edges are where m is
/// larger than before and not smaller than behind, along the nearest of four directions. Strong ones reach the square of
/// `threshold-high`; weak ones reach that of `threshold-low`, and count if strong ones are beside them: as often as there
/// are passes.
enum CannyEdgeDetector: Filter {
  static let name = "canny-edge-detector"
  static let summary = "edges a pixel wide: 1 where there is one, else 0"
  static let category = FilterCategory.stylize
  static let sigma = FilterParameter("gaussian-sigma", .number(1.6, 0...10), "of the blur before, in pixels")
  static let perceptual = FilterParameter("perceptual", .flag(false), "of sRGB signals instead of light")
  static let high = FilterParameter(
    "threshold-high", .number(0.05, 0...65504), "slope of strong edges, in light a pixel")
  static let low = FilterParameter("threshold-low", .number(0.02, 0...65504), "slope of weak edges")
  static let passes = FilterParameter(
    "hysteresis-passes", .count(1, 0...20), "pixels that edges go on from strong to weak ones")
  static let parameters = [sigma, perceptual, high, low, passes]
  static let isHDRSafe = true
  static let alpha = AlphaRule.made
  static let headroomEffect = HeadroomEffect.recomputed
  /// Halves would decide which of two neighbours is larger.
  static let workingFormat = WorkingFormat.rgba32f

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    .sdr
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) {
    let (width, height) = (edit.width, edit.height), wasGrey = edit.builder.isGrey
    edit.luminancePlane()
    if values.flag(perceptual) { edit.builder.add(.encode(.sRGB)) }
    edit.builder.isGrey = true
    edit.gaussian(radius: values.value(sigma), edges: .clamp)
    edit.builder.isGrey = false
    edit.sobel(name, .gradients, scale: 1.0 / 8)
    let steps = [CannyStage.Mode.thin] + [CannyStage.Mode](repeating: .strengthen, count: values.count(passes) ?? 1)
    for (number, mode) in steps.enumerated() {
      edit.load(
        "\(name) \(number)", .canny, width: width, height: height, rows: .around(height: height, reach: 1)
      ) { _, _ in
        CannyStage.Parameters(
          mode, width: width, height: height, high: values.value(high), low: values.value(low)
        ).list
      }
      edit.builder.isGrey = true
    }
    edit.builder.isGrey = wasGrey
    edit.stage(.colorThreshold, ThresholdStage.words(1))
  }
}

extension Edit {
  /// Sets R, G and B to the luminance of premultiplied colour, and makes the picture opaque.
  mutating func luminancePlane() {
    premultiply()
    matrix(Matrix3(ColorTransform.luminance + ColorTransform.luminance + ColorTransform.luminance))
    makeOpaque()
  }
}
