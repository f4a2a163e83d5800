import BatchEngine
import HDRCore
import HDRPlan

extension VerificationCases {
  /// Returns cases of every decoding of Apple's codes at the map's headroom, and of both rules for headrooms below it.
  static func appleMaps(pixels: Int) -> [VerificationCase] {
    let w = width & ~1, h = rows(pixels) + 1 & ~1
    let jpeg = source(
      TestPictures.randomPlanes(width: w, height: h, bits: 8, chroma: .s420, siting: .center, seed: 61),
      primaries: CICP.Primaries.p3,
      transfer: CICP.Transfer.sRGB, matrix: CICP.Matrix.bt601, full: true)
    var mapped = withGainMap(jpeg, width: w / 2, height: max(1, h / 2), rgb: false, gamma: [1, 1, 1])
    mapped.gainMap?.metadata = GainMapMetadata(AppleGainMap(xmpHeadroom: 6))
    return AppleMapTransfer.allCases.flatMap { transfer in
      let full = RenderRecipe(target: OutputSignal(encoding: .linear, sink: .rgba16f), appleMapTransfer: transfer)
      return [recipe("Apple map \(transfer.rawValue)", mapped, full)]
        + ApplePartialHeadroom.allCases.map { partial in
          var partly = RenderRecipe(
            target: OutputSignal(encoding: .pq, sink: .rgba16), display: .headroom(Headroom(factor: 2.5)))
          (partly.appleMapTransfer, partly.applePartialHeadroom) = (transfer, partial)
          return recipe("Apple map \(transfer.rawValue), \(partial.rawValue) at headroom 2.5", mapped, partly)
        }
    }.compactMap { $0 }
  }
}
