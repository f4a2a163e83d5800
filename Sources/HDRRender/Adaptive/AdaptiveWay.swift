import HDRCore
import HDRPlan
import ImageFiles

/// The way a source becomes an Adaptive HDR file.
enum AdaptiveWay: Sendable, Hashable {
  /// Base and map payloads are kept.
  case keepBoth
  /// The base's payload is kept; the map has another formula or other settings, and is encoded again.
  case keepBase
  /// Both are encoded again with unchanged codes.
  case recode
  /// Both get the same edits and are encoded again, with the metadata kept (`sdr+gain`).
  case edit
  /// The base is edited and encoded again; the map is kept.
  case editBase
  /// Both renditions are rendered and a map is computed from them.
  case compute

  /// Chooses the way by the file's metadata; pixels are not needed.
  /// - Throws: `HDRError` `adaptive.sdr` for an SDR picture without a map, `adaptive.strategy` if `sdr+gain` was asked
  ///   for and there is no map that can be kept.
  init(_ source: SourceImage, _ options: AdaptiveOptions, _ rendition: RenditionOptions) throws(HDRError) {
    let strategy = rendition.recipe.edits.isEmpty ? nil : rendition.recipe.editStrategy
    func refused(_ why: String) -> HDRError {
      HDRError(
        code: "adaptive.strategy",
        message: "sdr+gain edits base and map alike, and \(why): use \(setting: "edit-strategy") sdr+hdr"
      )
    }
    guard let map = source.gainMap, map.metadata.isComplete else {
      guard source.isHDR else {
        throw HDRError(
          code: "adaptive.sdr",
          message:
            "SDR without a gain map: there is no HDR to keep; \(setting: "if-sdr") skip or sdr-jpeg lets such files "
            + "be, and `hdrbatch pair` joins one with its HDR rendition")
      }
      if strategy == .sdrAndGain { throw refused("this file has no gain map") }
      if rendition.ownEdits?.keepsMap == true {
        throw HDRError(code: "adaptive.strategy", message: "map: keep, and this file has no gain map")
      }
      self = .compute
      return
    }
    let isHDRBase = map.metadata.baseIsHDR
    let isAnew =
      options.recomputes || isHDRBase != (options.base == .hdr) || source.image.alpha != nil
      || source.hasCurvesAlone
    if let own = rendition.ownEdits {
      if own.keepsMap && isAnew {
        throw HDRError(
          code: "adaptive.strategy", message: "map: keep, and this map cannot be kept: options or alpha want another")
      }
      self = own.keepsMap ? .editBase : .compute
    } else if let strategy {
      if strategy == .sdrAndGain && isAnew { throw refused("this map cannot be kept: options or alpha want another") }
      let movesOnly = rendition.recipe.edits.movesPixelsOnly
      self = strategy == .sdrAndGain || strategy == .automatic && movesOnly && !isAnew ? .edit : .compute
    } else if isAnew {
      self = .compute
    } else if source.codedFormat == options.container.format, options.keepsBase {
      self = map.metadata.kind == .apple || !options.keepsMap ? .keepBase : .keepBoth
    } else {
      self = .recode
    }
  }
}

extension AdaptiveWay {
  /// The way in words, for the record and `--explain`.
  var reason: String {
    switch self {
    case .keepBoth: "base and map payloads kept bit for bit"
    case .keepBase: "base payload kept bit for bit, map coded anew"
    case .recode: "base and map coded anew, metadata kept"
    case .edit: "base and map edited alike (sdr+gain), metadata kept"
    case .editBase: "base edited, map and its metadata kept"
    case .compute: "both renditions rendered, map made of them"
    }
  }
}

extension SourceImage {
  /// True if neither code points nor a profile say what the codes mean, as in a PNG with gAMA and cHRM: another file
  /// cannot say it of the same codes.
  fileprivate var hasCurvesAlone: Bool {
    if case .matrixTRC = color.encoding { color.icc == nil } else { false }
  }

  /// The known code points of the picture's own colour: from the file, or from its profile.
  var knownCICP: CICP {
    if let cicp = color.cicp, cicp.primaries != CICP.Primaries.unspecified { return cicp }
    let declared = Planner.declaredPrimaries(self)
    if declared == nil, let cicp = color.cicp { return cicp }
    let isSRGB = declared.map { Planner.isPlainSDR(self, primaries: $0) } ?? false
    return CICP(
      declared ?? CICP.Primaries.unspecified, isSRGB ? CICP.Transfer.sRGB : CICP.Transfer.unspecified,
      CICP.Matrix.bt601, full: true)
  }

  /// The colour of the gain map's other rendition for signalling: the file's, else the picture's primaries.
  var alternateColor: AdaptiveColor {
    let transfer = gainMap?.metadata.baseIsHDR == true ? CICP.Transfer.sRGB : CICP.Transfer.pq
    func cicp(_ primaries: Int) -> CICP {
      CICP(primaries, transfer, CICP.Matrix.usual(primaries: primaries), full: true)
    }
    guard let color = gainMap?.alternateColor else {
      let own = knownCICP.primaries
      return AdaptiveColor(cicp: cicp(own), icc: own == CICP.Primaries.unspecified ? self.color.icc : nil)
    }
    return AdaptiveColor(cicp: color.cicp ?? cicp(CICP.Primaries.unspecified), icc: color.icc)
  }
}
