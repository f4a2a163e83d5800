import HDRCore

/// The list of stages. A stage is a Swift file with its loop, a GLSL file in Shaders/glsl, a line here and a line in
/// CPUReference/StageList.swift. The raw value is the stem of the GLSL file and the name of its function
/// `vec4 NAME(vec4 p, uint k)`, k = first word of its parameters.
public enum StageKind: String, Sendable, Hashable, CaseIterable {
  case loadSamples = "load_samples"
  case loadHalf = "load_half"
  case loadFloatPlanes = "load_float_planes"
  case loadArea = "load_area"
  case convolveX = "convolve_x"
  case convolveY = "convolve_y"
  case convolve2D = "convolve_2d"
  case median3 = "median3"
  case motionBlur = "motion_blur"
  case warpProjective = "warp_projective"
  case warpBicubic = "warp_bicubic"
  case blendBlurred = "blend_blurred"
  case constantColor = "constant_color"
  case composite = "composite"
  case pattern = "pattern"
  case mixInput = "mix_input"
  case blendMode = "blend_mode"
  case ripple = "ripple"
  case extreme = "extreme"
  case binIndex = "bin_index"
  case histogram = "histogram"
  case yccToRGB = "ycc_to_rgb"
  case affine = "affine"
  case matrix3 = "matrix3"
  case curve = "curve"
  case scaleByMax = "scale_by_max"
  case scaleByLuminance = "scale_by_luminance"
  case scaleByFirst = "scale_by_first"
  case mixedGains = "mixed_gains"
  case addPositive = "add_positive"
  case pbrNeutral = "pbr_neutral"
  case gainMap = "gain_map"
  case gainRatio = "gain_ratio"
  case clamp = "clamp_range"
  case lut1D = "lut1d"
  case lut3D = "lut3d"
  case lut3DTrilinear = "lut3d_trilinear"
  case matrix4 = "matrix4"
  case colorPolynomial = "color_polynomial"
  case vibrance = "vibrance"
  case clampEach = "clamp_each"
  case colorThreshold = "color_threshold"
  case colorPosterize = "color_posterize"
  case signedCurve = "signed_curve"
  case logLuminance = "log_luminance"
  case luminanceGain = "luminance_gain"
  case vignette = "vignette"
  case desaturate = "desaturate"
  case unpremultiply = "unpremultiply"
  case premultiply = "premultiply"
  case clampAlpha = "clamp_alpha"
  case rgbToYCC = "rgb_to_ycc"
}

extension StageKind {
  /// Whether neighbouring output rows read the same source rows.
  public var readsColumns: Bool {
    self == .convolveY || self == .convolve2D || self == .median3 || self == .motionBlur || self == .warpProjective
      || self == .warpBicubic
  }

  /// Whether the stage reads pixels of earlier passes at places that the plan does not know by row and column.
  public var readsScattered: Bool { self == .warpProjective || self == .warpBicubic || self == .ripple }
}
