import HDRCore
import HDRPlan

/// The list of stages on the CPU, one line each. Each loop is inlined into a closure of its own here, so it gets this
/// module's instruction set. With all loops in one function the compiler stops inlining, and they run ten times slower.
func loop(of kind: StageKind) -> (Strip, StageContext) -> Void {
  switch kind {
  case .loadSamples: { LoadSamples.run($0, $1) }
  case .loadHalf: { LoadHalf.run($0, $1) }
  case .loadFloat: { LoadFloat.run($0, $1) }
  case .loadFloatPlanes: { LoadFloatPlanes.run($0, $1) }
  case .loadArea: { LoadArea.run($0, $1) }
  case .loadCFA: { LoadCFA.run($0, $1) }
  case .rcdDirections: { RCDDirections.run($0, $1) }
  case .rcdGreen: { RCDGreen.run($0, $1) }
  case .rcdOpposite: { RCDOpposite.run($0, $1) }
  case .rcdColors: { RCDColors.run($0, $1) }
  case .convolveX: { ConvolveX.run($0, $1) }
  case .convolveY: { ConvolveY.run($0, $1) }
  case .convolve2D: { Convolve2D.run($0, $1) }
  case .median3: { Median3.run($0, $1) }
  case .motionBlur: { MotionBlurStage.run($0, $1) }
  case .morphology: { MorphologyStage.run($0, $1) }
  case .zoomBlur: { ZoomBlurStage.run($0, $1) { Halves.pixel($0) } }
  case .sobel: { SobelStage.run($0, $1) }
  case .mosaic: { MosaicStage.run($0, $1) { Halves.pixel($0) } }
  case .warpProjective: { WarpProjective.run($0, $1) { Halves.pixel($0) } }
  case .warpBicubic: { WarpBicubic.run($0, $1) { Halves.pixel($0) } }
  case .blendBlurred: { BlendBlurred.run($0, $1) }
  case .constantColor: { ConstantColor.run($0, $1) }
  case .composite: { Compositing.run($0, $1) }
  case .pattern: { Pattern.run($0, $1) }
  case .mixInput: { MixInput.run($0, $1) }
  case .blendMode: { BlendMode.run($0, $1) }
  case .ripple: { Ripple.run($0, $1) { Halves.pixel($0) } }
  case .extreme: { Extreme.run($0, $1) }
  case .binIndex: { BinIndex.run($0, $1) }
  case .histogram: { Histogram.run($0, $1) }
  case .yccToRGB: { YCCToRGB.run($0, $1) }
  case .yccToRYB: { YCCToRYB.run($0, $1) }
  case .ycgcoLifting: { YCgCoLifting.run($0, $1) }
  case .affine: { Affine.run($0, $1) }
  case .matrix3: { Matrix3Stage.run($0, $1) }
  case .curve: { CurveStage.run($0, $1) }
  case .scaleByMax: { ScaleByMax.run($0, $1) }
  case .scaleByLuminance: { ScaleByLuminance.run($0, $1) }
  case .scaleByFirst: { ScaleByFirst.run($0, $1) }
  case .mixedGains: { MixedGains.run($0, $1) }
  case .addPositive: { AddPositive.run($0, $1) }
  case .pbrNeutral: { PBRNeutral.run($0, $1) }
  case .placeTable: { PlaceTable.run($0, $1) }
  case .hueSatMap: { HueSatMapStage.run($0, $1) }
  case .gainTableMap: { GainTableMapStage.run($0, $1) }
  case .rgbTone: { RGBToneStage.run($0, $1) }
  case .mixLooks: { MixLooks.run($0, $1) }
  case .gainMap: { GainMapStage.run($0, $1) }
  case .gainRatio: { GainRatio.run($0, $1) }
  case .clamp: { ClampStage.run($0, $1) }
  case .lut1D: { LUT1DStage.run($0, $1) }
  case .lut3D: { LUT3DStage.run($0, $1) }
  case .lut3DTrilinear: { LUT3DTrilinear.run($0, $1) }
  case .matrix4: { Matrix4Stage.run($0, $1) }
  case .colorPolynomial: { PolynomialStage.run($0, $1) }
  case .vibrance: { VibranceStage.run($0, $1) }
  case .clampEach: { ClampEach.run($0, $1) }
  case .colorThreshold: { ThresholdStage.run($0, $1) }
  case .colorPosterize: { PosterizeStage.run($0, $1) }
  case .signedCurve: { SignedCurve.run($0, $1) }
  case .logLuminance: { LogLuminance.run($0, $1) }
  case .luminanceGain: { LuminanceGain.run($0, $1) }
  case .vignette: { VignetteGain.run($0, $1) }
  case .colorMap: { ColorMapStage.run($0, $1) }
  case .dither: { DitherStage.run($0, $1) }
  case .sweep: { SweepStage.run($0, $1) }
  case .holes: { HolesStage.run($0, $1) }
  case .flash: { FlashStage.run($0, $1) }
  case .desaturate: { Desaturate.run($0, $1) }
  case .unpremultiply: { Unpremultiply.run($0, $1) }
  case .premultiply: { Premultiply.run($0, $1) }
  case .clampAlpha: { ClampAlpha.run($0, $1) }
  case .rgbToYCC: { RGBToYCC.run($0, $1) }
  case .user: { UserStage.run($0, $1) }
  }
}
