import HDRCore

/// Finds the content headroom of a file: docs/colour-formulas.md#headroom, first rule that applies.
package enum ContentHeadroom {
  /// A headroom and its source; `nil` if it is unknown.
  package struct Found: Sendable, Hashable {
    package var headroom: Headroom?
    package var source: String
  }

  /// Returns the headroom of the stored (baseline) picture.
  package static func ofBase(_ image: SourceImage) -> Found {
    if let sensor = image.sensor { return sensor.headroom }
    let white = image.light.referenceWhite
    let isHDR = image.isHDRTransfer
    if let map = image.gainMap, map.metadata.isComplete, !isHDR || map.metadata.baseIsHDR {
      return Found(headroom: Headroom(stops: map.metadata.baseHeadroom), source: map.metadata.headroomSource)
    }
    if let stops = image.light.headroomAdaptive?.baselineHeadroom {
      return Found(headroom: Headroom(stops: stops), source: HeadroomAdaptiveTone.name)
    }
    if isHDR {
      if let clli = image.light.clli, clli.maxCLL > 0 {
        return Found(headroom: Headroom(factor: max(1, clli.maxCLL / white)), source: image.levelSource)
      }
      if let peak = image.light.cclv?.maxLuminance {
        return Found(headroom: Headroom(factor: max(1, peak / white)), source: "cclv")
      }
      if let mastering = image.light.mdcv, mastering.maxLuminance > 0 {
        let nits = min(mastering.maxLuminance, 10_000)
        return Found(headroom: Headroom(factor: max(1, nits / white)), source: "mdcv")
      }
      return Found(headroom: Headroom(factor: 1000 / white), source: "nominal 1000 cd/m²")
    }
    if !image.image.format.isInteger || image.isScene {
      // From OpenEXR files that this program wrote, and measured in JPEG XR.
      if let clli = image.light.clli, clli.maxCLL > 0 {
        return Found(headroom: Headroom(factor: max(1, clli.maxCLL / white)), source: image.levelSource)
      }
      return Found(headroom: nil, source: "unknown")
    }
    return Found(headroom: .sdr, source: "SDR transfer")
  }

  /// Returns the largest headroom the file can show: the alternate's if a gain map leads to more.
  package static func ofFile(_ image: SourceImage) -> Found {
    let base = ofBase(image)
    guard let map = image.gainMap, map.metadata.isComplete else { return base }
    return Found(headroom: map.metadata.maxHeadroom, source: map.metadata.headroomSource)
  }
}

extension SourceImage {
  /// The source of the light level: the file, or its samples, of which a few may exceed it.
  fileprivate var levelSource: String { light.places[.clli] == .samples ? "measured" : "clli" }

  /// True for PQ or HLG samples.
  package var isHDRTransfer: Bool {
    if case .cicp(_, let transfer) = color.encoding { return CICP.Transfer.isHDR(transfer) }
    return false
  }

  /// True for light of a scene in a named space, linear or as a logarithm: it has no largest value.
  package var isScene: Bool { if case .space(let space) = color.encoding { space.isScene } else { false } }

  /// True for floats of linear light, which have no largest value.
  package var isLinearLight: Bool {
    if case .cicp(_, CICP.Transfer.linear) = color.encoding { return !image.format.isInteger }
    if case .matrixTRC(let curves, _, _) = color.encoding {
      return !image.format.isInteger && curves.allSatisfy { $0 == .identity || $0 == .gamma(1) }
    }
    return false
  }

  /// True if it is HDR by its transfer, as linear light or light of a scene, as samples of a sensor, or by its gain map. A map without a
  /// headroom adds nothing.
  package var isHDR: Bool {
    isHDRTransfer || isLinearLight || isScene || sensor != nil || gainMap?.metadata.isComplete == true
  }
}

extension GainMapMetadata {
  /// The source of the headrooms, for reports.
  var headroomSource: String {
    switch apple?.rule {
    case nil, .unknown: "gain map"
    case .xmp: "gain map, Apple XMP"
    case .makerNote: "gain map, Apple maker note"
    case .makerNoteTag33: "gain map, Apple maker note without tag 48"
    case .given: "content-headroom"
    }
  }
}
