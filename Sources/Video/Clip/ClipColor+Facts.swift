import HDRCore
import HDRRender
import VideoStreams

extension ClipColor {
  /// Decides what the samples of a clip mean: what is stated, else what the clip says, else what is usual.
  ///
  /// - Throws: `HDRError`, `decode.undescribed` for a clip whose colour would be guessed, `video.matrix`.
  init(
    _ facts: ClipFacts, _ planes: PlanarFormat, _ options: VideoOptions, _ warnings: inout [Warning]
  ) throws(HDRError) {
    let isRGB = planes.model == .rgb
    var codes = (facts.primaries, facts.transfer, isRGB ? CICP.Matrix.identity : facts.matrix)
    if let stated = options.stated {
      codes = (stated.primaries, stated.transfer, stated.matrix ?? codes.2)
    } else if codes.0 == nil || codes.1 == nil || codes.2 == nil {
      let found = try Self.usual(facts, planes, options.untagged)
      // Tags that are there stay.
      codes = (codes.0 ?? found.primaries, codes.1 ?? found.transfer, codes.2 ?? found.matrix)
      warnings.append(
        Warning(
          "video.untagged",
          "the clip does not say its colour whole: read as "
            + "\(codes.0 ?? 2)/\(codes.1 ?? 2)/\(codes.2 ?? 2); \(setting: "cicp") states it"))
    }
    let isFull = facts.pixelFormat.hasPrefix("yuvj") ? true : facts.fullRange ?? isRGB
    self.init(
      codes.0 ?? CICP.Primaries.unspecified, codes.1 ?? CICP.Transfer.unspecified, codes.2 ?? CICP.Matrix.unspecified,
      fullRange: options.statedRange ?? isFull, siting: .left)
    siting = options.statedSiting ?? facts.siting ?? Self.usualSiting(facts, planes, self)
    guard [CICP.Matrix.identity, 1, 5, 6, CICP.Matrix.bt2020].contains(matrix) else {
      throw HDRError(
        clip: "matrix",
        "matrix \(matrix) is not read; \(setting: "cicp") P/T/M states another if the clip's tag is wrong")
    }
    guard [1, 4, 6, 8, 13, 14, 15, 16, 18].contains(transfer) else {
      throw HDRError(
        clip: "matrix",
        "transfer \(transfer) is not read; \(setting: "cicp") P/T/M states another if the clip's tag is wrong")
    }
  }

  /// Returns what is meant by 8 bits without tags; nothing is guessed of more.
  private static func usual(
    _ facts: ClipFacts, _ planes: PlanarFormat, _ rule: UntaggedVideo
  ) throws(HDRError) -> CICP {
    let is709: Bool
    switch rule {
    case .bt709: is709 = true
    case .bt601: is709 = false
    case .fail, .auto:
      guard rule == .auto, planes.bitDepth == 8, facts.matrix != CICP.Matrix.bt2020 else {
        throw HDRError(
          code: "decode.undescribed",
          message: "the clip does not say its primaries, transfer and matrix: give \(setting: "cicp"), as 9/16/9",
          kind: .request)
      }
      is709 = facts.height >= 720
    }
    if is709 { return CICP(1, 1, 1, full: false) }
    // BT.601 of 625 lines, or of 525.
    let code = [576, 288].contains(facts.height) ? 5 : 6
    return CICP(code, 6, code, full: false)
  }

  /// Returns where chroma lies if nothing says it: BT.2100 has it at the top left, MPEG-2 and later at the left.
  private static func usualSiting(_ facts: ClipFacts, _ planes: PlanarFormat, _ color: ClipColor) -> ChromaSiting {
    let is2100 = color.isHDR && color.primaries == CICP.Primaries.bt2020
    return is2100 && planes.chroma == .s420 && ["hevc", "av1"].contains(facts.codec) ? .topLeft : .left
  }
}
