/// Finds the content headroom of a file: specs/color.md §10.2, first rule that applies.
public enum ContentHeadroom {
  /// `nil` factor: unknown.
  public struct Found: Sendable, Hashable {
    public var headroom: Headroom?
    public var source: String
  }

  /// Headroom of the stored (baseline) picture.
  public static func ofBase(_ image: SourceImage) -> Found {
    let white = image.light.diffuseWhite ?? ReferenceWhite.nits
    let isHDR = image.isHDRTransfer
    if let map = image.gainMap, !isHDR || map.metadata.baseIsHDR {
      return Found(headroom: Headroom(stops: map.metadata.baseHeadroom), source: "gain map")
    }
    if isHDR {
      if let clli = image.light.clli, clli.maxCLL > 0 {
        return Found(headroom: Headroom(factor: max(1, clli.maxCLL / white)), source: "clli")
      }
      if let peak = image.light.contentMaxLuminance, peak > 0 {
        return Found(headroom: Headroom(factor: max(1, peak / white)), source: "cclv")
      }
      if let mastering = image.light.mdcv, mastering.maxLuminance > 0 {
        let nits = min(mastering.maxLuminance, 10_000)
        return Found(headroom: Headroom(factor: max(1, nits / white)), source: "mdcv")
      }
      return Found(headroom: Headroom(factor: 1000 / white), source: "nominal 1000 cd/m²")
    }
    if image.image.format == .float16 { return Found(headroom: nil, source: "unknown") }
    return Found(headroom: .sdr, source: "SDR transfer")
  }

  /// Largest headroom the file can show: that of the alternate when a gain map leads up.
  public static func ofFile(_ image: SourceImage) -> Found {
    let base = ofBase(image)
    guard let map = image.gainMap else { return base }
    let most = max(map.metadata.baseHeadroom, map.metadata.alternateHeadroom)
    return Found(headroom: Headroom(stops: most), source: "gain map")
  }
}

extension SourceImage {
  /// PQ or HLG samples.
  public var isHDRTransfer: Bool {
    if case .cicp(_, let transfer) = color.encoding { return transfer == 16 || transfer == 18 }
    return false
  }

  /// HDR by its transfer or by its gain map.
  public var isHDR: Bool { isHDRTransfer || gainMap != nil }
}
