import HDRCore
import Kernels

/// Loads become stages here: from samples of any format to R'G'B' in nominal 0...1, or to linear halves.
extension PlanBuilder {
  /// Makes the stages from samples to R'G'B' in nominal 0...1 (or linear halves).
  mutating func loadStages(_ image: SampleImage, _ color: SourceColor) -> [Stage] {
    let matrix = color.matrix, fullRange = color.fullRange
    if image.format == .float16 { return [words.stage(.loadHalf, LoadHalf.words(image))] }
    if image.format == .float32 { return [words.stage(.loadFloat, LoadFloat.words(image))] }
    if let reshape = color.reshape { return reshapeStages(image, reshape) }
    let range = SampleRange(bits: image.bitDepth, fullRange: fullRange)
    let lumaOffset = Int(range.lumaOffset), chromaOffset = Int(range.chromaOffset)
    let chroma = Double(LoadSamples.chromaScale(image))
    if image.model == .ycc && matrix != CICP.Matrix.identity {
      let load = words.stage(
        .loadSamples, LoadSamples.words(image, lumaOffset: lumaOffset, chromaOffset: chromaOffset))
      if let ycc = YCbCr(matrix: matrix, primaries: color.cicp?.primaries ?? 1) {
        return [
          load,
          words.stage(
            .yccToRGB,
            YCCToRGB.words(
              kr: ycc.kr, kb: ycc.kb, lumaScale: 1 / range.lumaScale, chromaScale: 1 / (range.chromaScale * chroma))),
        ]
      }
      let y = 1 / range.lumaScale, c = 1 / (range.chromaScale * chroma)
      if let extra = YCgCoLifting.extraBits(matrix: matrix) {
        return [load, words.stage(.ycgcoLifting, YCgCoLifting.words(bits: max(1, image.bitDepth - extra)))]
      }
      if let source = color.constantLuminance(of: image) {
        return [load, words.stage(.yccToRYB, YCCToRYB.words(source, lumaScale: y, chromaScale: c))]
      }
      if matrix == CICP.Matrix.ictcp {
        let hlg = color.encoding == .cicp(primaries: CICP.Primaries.bt2020, transfer: CICP.Transfer.hlg)
        let back = (hlg ? ICtCp.lmsToICtCpHLG : ICtCp.lmsToICtCpPQ).inverse!
        return [load, words.stage(.matrix3, Matrix3Stage.words(back * Matrix3.diagonal(y, c, c)))]
      }
      // YCgCo: planes Y, Cg, Co, made of R, G, B codes (H.273 equations 44 to 46), so all have the swing of luma.
      let d = y / chroma
      return [load, words.stage(.matrix3, Matrix3Stage.words(Matrix3([y, -d, d, y, d, 0, y, -d, -d])))]
    }
    // R'G'B', grey, or G'B'R' planes (matrix 0, already reordered by `normalized`).
    return [
      words.stage(.loadSamples, LoadSamples.words(image, lumaOffset: lumaOffset, chromaOffset: lumaOffset)),
      scale([1 / range.lumaScale, 1 / range.lumaScale, 1 / range.lumaScale], [0, 0, 0]),
    ]
  }

  /// Makes the stages from codes of a Dolby Vision base layer to PQ R'G'B' of the mastering display.
  private mutating func reshapeStages(_ image: SampleImage, _ reshape: DolbyReshape) -> [Stage] {
    [
      words.stage(.loadSamples, LoadSamples.words(image, lumaOffset: 0, chromaOffset: 0)),
      words.stage(
        .dolbyReshape,
        DolbyReshapeStage.words(reshape, chroma: LoadSamples.chromaScale(image)) { words.table($0) }),
      scale([1, 1, 1], reshape.offsets.map { -$0 }),
      words.stage(.matrix3, Matrix3Stage.words(reshape.toSignal)),
      words.stage(.clamp, ClampStage.words(low: 0, high: 1)),
    ]
  }
}
