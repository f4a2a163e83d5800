import HDRCore

// How a reference display shows light: PQ and HLG at their luminances, SDR white at the display's white. Working light of
// the former is in units of 203 cd/m² then, of the latter in units of the display's white.

extension SourceImage {
  /// Whether the picture's light are luminances: PQ and HLG as they are. A gain map's light is relative to SDR white.
  fileprivate var isAbsolute: Bool { isHDRTransfer && gainMap?.metadata.isComplete != true }

  /// BT.709, sRGB and P3 of SDR, HDR10, HLG: what reference displays are made for.
  var isOfReferenceFormat: Bool { ["sdr", "pq", "hlg"].contains(inputKind) }
}

extension DisplayChoice {
  /// What headrooms of a picture's working light are multiplied by to be those of the display.
  func unit(of source: SourceImage) -> Double {
    guard let reference, source.isAbsolute else { return 1 }
    return ReferenceWhite.nits / reference.white
  }
}

extension RenderRecipe {
  /// What working light is multiplied by before it is encoded: linear outputs have the display's white at 1, PQ and HLG
  /// say luminances.
  func outputScale(of source: SourceImage) -> Double {
    guard let reference = display.reference else { return 1 }
    let unit = display.unit(of: source)
    return target.encoding == .linear ? unit : unit * reference.white / ReferenceWhite.nits
  }

  /// What no sample exceeds before the transfer curve, in the units of the output; `nil`: light stays as it is.
  func outputBound(of source: SourceImage) -> Double? {
    guard let bound else { return nil }
    guard let reference = display.reference, target.encoding != .linear else { return bound.factor }
    return min(bound.factor * reference.white / ReferenceWhite.nits, target.largestHeadroom.factor)
  }
}
