/// The list of stages. A stage is a Swift file with its loop, a GLSL file in Shaders/glsl, and two lines here. The raw
/// value is the stem of the GLSL file and the name of its function `vec4 NAME(vec4 p, uint k)`, k = first word of its
/// parameters.
public enum StageKind: String, Sendable, Hashable, CaseIterable {
  case loadSamples = "load_samples"
  case loadHalf = "load_half"
  case loadFloatPlanes = "load_float_planes"
  case loadArea = "load_area"
  case convolveX = "convolve_x"
  case convolveY = "convolve_y"
  case constantColor = "constant_color"
  case composite = "composite"
  case yccToRGB = "ycc_to_rgb"
  case affine = "affine"
  case matrix3 = "matrix3"
  case curve = "curve"
  case scaleByMax = "scale_by_max"
  case scaleByLuminance = "scale_by_luminance"
  case scaleByFirst = "scale_by_first"
  case addPositive = "add_positive"
  case pbrNeutral = "pbr_neutral"
  case gainMap = "gain_map"
  case gainRatio = "gain_ratio"
  case clamp = "clamp_range"
  case lut1D = "lut1d"
  case lut3D = "lut3d"
  case lut3DTrilinear = "lut3d_trilinear"
  case desaturate = "desaturate"
  case unpremultiply = "unpremultiply"
  case premultiply = "premultiply"
  case rgbToYCC = "rgb_to_ycc"
}

extension StageKind {
  /// Whether neighbouring output rows read the same source rows.
  public var readsColumns: Bool { self == .convolveY }

  /// The stage on the CPU. Inlined into each build of `CPUReference`, so that module's instruction set is the loops'.
  @inlinable @inline(always) public func run(_ s: Strip, _ c: StageContext) {
    switch self {
    case .loadSamples: LoadSamples.run(s, c)
    case .loadHalf: LoadHalf.run(s, c)
    case .loadFloatPlanes: LoadFloatPlanes.run(s, c)
    case .loadArea: LoadArea.run(s, c)
    case .convolveX: ConvolveX.run(s, c)
    case .convolveY: ConvolveY.run(s, c)
    case .constantColor: ConstantColor.run(s, c)
    case .composite: Compositing.run(s, c)
    case .yccToRGB: YCCToRGB.run(s, c)
    case .affine: Affine.run(s, c)
    case .matrix3: Matrix3Stage.run(s, c)
    case .curve: CurveStage.run(s, c)
    case .scaleByMax: ScaleByMax.run(s, c)
    case .scaleByLuminance: ScaleByLuminance.run(s, c)
    case .scaleByFirst: ScaleByFirst.run(s, c)
    case .addPositive: AddPositive.run(s, c)
    case .pbrNeutral: PBRNeutral.run(s, c)
    case .gainMap: GainMapStage.run(s, c)
    case .gainRatio: GainRatio.run(s, c)
    case .clamp: ClampStage.run(s, c)
    case .lut1D: LUT1DStage.run(s, c)
    case .lut3D: LUT3DStage.run(s, c)
    case .lut3DTrilinear: LUT3DTrilinear.run(s, c)
    case .desaturate: Desaturate.run(s, c)
    case .unpremultiply: Unpremultiply.run(s, c)
    case .premultiply: Premultiply.run(s, c)
    case .rgbToYCC: RGBToYCC.run(s, c)
    }
  }
}
