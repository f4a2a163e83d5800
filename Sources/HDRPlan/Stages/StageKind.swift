import HDRCore

/// The list of stages. A stage is a Swift file with its loop and its `Words`, a GLSL file in Shaders/glsl, two lines
/// here and a line in CPUReference/StageList.swift. The raw value is the stem of the GLSL file and the name of its
/// function `vec4 NAME(vec4 p, uint k)`, where k is the first word of its parameters.
public enum StageKind: String, Sendable, Hashable, CaseIterable {
  case loadSamples = "load_samples"
  case loadHalf = "load_half"
  case loadFloat = "load_float"
  case loadFloatPlanes = "load_float_planes"
  case loadArea = "load_area"
  case loadCFA = "load_cfa"
  case rcdDirections = "rcd_directions"
  case rcdGreen = "rcd_green"
  case rcdOpposite = "rcd_opposite"
  case rcdColors = "rcd_colors"
  case convolveX = "convolve_x"
  case convolveY = "convolve_y"
  case convolve2D = "convolve_2d"
  case median3 = "median3"
  case motionBlur = "motion_blur"
  case morphology = "morphology"
  case zoomBlur = "zoom_blur"
  case sobel = "sobel"
  case mosaic = "mosaic"
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
  case yccToRYB = "ycc_to_ryb"
  case ycgcoLifting = "ycgco_lifting"
  case affine = "affine"
  case matrix3 = "matrix3"
  case curve = "curve"
  case scaleByMax = "scale_by_max"
  case scaleByLuminance = "scale_by_luminance"
  case scaleByFirst = "scale_by_first"
  case mixedGains = "mixed_gains"
  case addPositive = "add_positive"
  case pbrNeutral = "pbr_neutral"
  case placeTable = "place_table"
  case hueSatMap = "hue_sat_map"
  case gainTableMap = "gain_table_map"
  case rgbTone = "rgb_tone"
  case mixLooks = "mix_looks"
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
  case colorMap = "color_map"
  case dither = "dither"
  case sweep = "sweep"
  case holes = "holes"
  case flash = "flash"
  case desaturate = "desaturate"
  case unpremultiply = "unpremultiply"
  case premultiply = "premultiply"
  case clampAlpha = "clamp_alpha"
  case rgbToYCC = "rgb_to_ycc"
  case user = "user"
}

extension StageKind {
  /// The type of the stage's parameters; `nil` if it has none.
  public var words: (any StageWords.Type)? {
    switch self {
    case .loadSamples: LoadSamples.Words.self
    case .loadHalf: LoadHalf.Words.self
    case .loadFloat: LoadFloat.Words.self
    case .loadFloatPlanes: LoadFloatPlanes.Words.self
    case .loadArea: LoadArea.Words.self
    case .loadCFA: LoadCFA.Words.self
    case .rcdDirections, .rcdGreen, .rcdOpposite, .rcdColors: RatioCorrected.Words.self
    case .convolveX: ConvolveX.Words.self
    case .convolveY: ConvolveY.Words.self
    case .convolve2D: Convolve2D.Words.self
    case .median3: Median3.Words.self
    case .motionBlur: MotionBlurStage.Words.self
    case .morphology: MorphologyStage.Words.self
    case .zoomBlur: ZoomBlurStage.Words.self
    case .sobel: SobelStage.Words.self
    case .mosaic: MosaicStage.Words.self
    case .warpProjective: WarpProjective.Words.self
    case .warpBicubic: WarpBicubic.Words.self
    case .blendBlurred: BlendBlurred.Words.self
    case .constantColor: ConstantColor.Words.self
    case .composite: Compositing.Words.self
    case .pattern: Pattern.Words.self
    case .mixInput: MixInput.Words.self
    case .blendMode: BlendMode.Words.self
    case .ripple: Ripple.Words.self
    case .extreme: Extreme.Words.self
    case .binIndex: BinIndex.Words.self
    case .histogram: Histogram.Words.self
    case .yccToRGB: YCCToRGB.Words.self
    case .yccToRYB: YCCToRYB.Words.self
    case .ycgcoLifting: YCgCoLifting.Words.self
    case .affine: Affine.Words.self
    case .matrix3: Matrix3Stage.Words.self
    case .curve: CurveStage.Words.self
    case .scaleByMax: ScaleByMax.Words.self
    case .scaleByLuminance: ScaleByLuminance.Words.self
    case .scaleByFirst: ScaleByFirst.Words.self
    case .mixedGains: MixedGains.Words.self
    case .addPositive: AddPositive.Words.self
    case .placeTable: PlaceTable.Words.self
    case .hueSatMap: HueSatMapStage.Words.self
    case .gainTableMap: GainTableMapStage.Words.self
    case .rgbTone: RGBToneStage.Words.self
    case .mixLooks: MixLooks.Words.self
    case .gainMap: GainMapStage.Words.self
    case .gainRatio: GainRatio.Words.self
    case .clamp: ClampStage.Words.self
    case .lut1D: LUT1DStage.Words.self
    case .lut3D: LUT3DStage.Words.self
    case .lut3DTrilinear: LUT3DTrilinear.Words.self
    case .matrix4: Matrix4Stage.Words.self
    case .colorPolynomial: PolynomialStage.Words.self
    case .vibrance: VibranceStage.Words.self
    case .clampEach: ClampEach.Words.self
    case .colorThreshold: ThresholdStage.Words.self
    case .colorPosterize: PosterizeStage.Words.self
    case .signedCurve: SignedCurve.Words.self
    case .logLuminance: LogLuminance.Words.self
    case .luminanceGain: LuminanceGain.Words.self
    case .vignette: VignetteGain.Words.self
    case .colorMap: ColorMapStage.Words.self
    case .dither: DitherStage.Words.self
    case .sweep: SweepStage.Words.self
    case .holes: HolesStage.Words.self
    case .flash: FlashStage.Words.self
    case .desaturate: Desaturate.Words.self
    case .rgbToYCC: RGBToYCC.Words.self
    case .user: UserStage.Words.self
    case .pbrNeutral, .unpremultiply, .premultiply, .clampAlpha: nil
    }
  }

  /// True if neighbouring output rows read the same source rows.
  public var readsColumns: Bool {
    switch self {
    case .loadCFA, .rcdDirections, .rcdGreen, .rcdOpposite, .rcdColors, .convolveY, .convolve2D, .median3, .motionBlur,
      .morphology, .sobel, .warpProjective, .warpBicubic, .zoomBlur, .mosaic, .user:
      true
    default: false
    }
  }

  /// The largest number of rows and columns around its own that the stage reads of a file's picture.
  public var reach: Int { self == .loadCFA ? LoadCFA.reach : 0 }

  /// True if the stage reads pixels of earlier passes at places that the plan does not know by row and column.
  public var readsScattered: Bool {
    switch self {
    case .warpProjective, .warpBicubic, .ripple, .zoomBlur, .mosaic: true
    default: false
    }
  }
}
