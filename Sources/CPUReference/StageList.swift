import HDRCore

/// The list of stages on the CPU: one line each. The loops are inlined here, so this module's instruction set is theirs.
@inline(never)
func runStage(_ kind: StageKind, _ s: Strip, _ c: StageContext) {
  switch kind {
  case .loadSamples: LoadSamples.run(s, c)
  case .loadHalf: LoadHalf.run(s, c)
  case .loadFloatPlanes: LoadFloatPlanes.run(s, c)
  case .loadArea: LoadArea.run(s, c)
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
