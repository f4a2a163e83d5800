import HDRCore
import ImageFiles

/// How a source becomes an Adaptive HDR file.
enum AdaptiveWay: Sendable, Hashable {
  /// Base and map payloads stay as they are.
  case keepBoth
  /// The base's payload stays; the map is of another formula or wanted otherwise, and is coded anew.
  case keepBase
  /// Both are coded anew, their codes unchanged.
  case recode
  /// Both renditions are rendered and a map is made of them.
  case compute

  /// - Parameter source: what the file says; pixels are not needed.
  /// - Throws: `ItemFailure` `adaptive.sdr` for an SDR picture without a map.
  init(_ source: SourceImage, _ options: AdaptiveOptions) throws(ItemFailure) {
    guard let map = source.gainMap, map.metadata.isComplete else {
      guard source.isHDR else {
        throw ItemFailure(
          code: "adaptive.sdr",
          message: "SDR without a gain map: there is no HDR to keep; `hdrbatch pair` joins it with an HDR rendition")
      }
      self = .compute
      return
    }
    let isHDRBase = map.metadata.baseIsHDR
    if options.recomputes || isHDRBase != (options.base == .hdr) || source.image.alpha != nil {
      self = .compute
    } else if source.format == options.container.sourceFormat, options.keepsBase {
      self = map.metadata.kind == .apple || !options.keepsMap ? .keepBase : .keepBoth
    } else {
      self = .recode
    }
  }
}

extension AdaptiveContainer {
  /// `SourceImage.format` of such files.
  var sourceFormat: String { rawValue }

  public var fileExtension: String { self == .jpeg ? "jpg" : rawValue }
}

extension SourceImage {
  /// Code points of the picture's own colour as far as they are known: from the file, or of its profile.
  var knownCICP: CICP {
    if let cicp = color.cicp, cicp.primaries != 2 { return cicp }
    guard let primaries = Planner.declaredPrimaries(self) else { return color.cicp ?? CICP(2, 2, 6, full: true) }
    return CICP(primaries, Planner.isPlainSDR(self, primaries: primaries) ? 13 : 2, 6, full: true)
  }

  /// Colour of the gain map's other rendition for signalling: what the file says, else the picture's primaries.
  var alternateColor: AdaptiveColor {
    let transfer = gainMap?.metadata.baseIsHDR == true ? 13 : 16
    func cicp(_ primaries: Int) -> CICP { CICP(primaries, transfer, primaries == 9 ? 9 : 6, full: true) }
    guard let color = gainMap?.alternateColor else {
      let own = knownCICP.primaries
      return AdaptiveColor(cicp: cicp(own), icc: own == 2 ? self.color.icc : nil)
    }
    return AdaptiveColor(cicp: color.cicp ?? cicp(2), icc: color.icc)
  }
}
