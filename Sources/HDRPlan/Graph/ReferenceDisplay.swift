import HDRCore

// Reference displays show PQ and HLG at their luminances, and SDR white at the display's white. Working light of PQ and
// HLG is then in units of 203 cd/m², that of SDR in units of the display's white.

extension SourceImage {
  /// True if the picture's light is in luminances: PQ and HLG. A gain map's light is relative to SDR white.
  fileprivate var isAbsolute: Bool { isHDRTransfer && gainMap?.metadata.isComplete != true }

  /// True for the formats that reference displays are made for: BT.709, sRGB and P3 of SDR, HDR10, HLG.
  var isOfReferenceFormat: Bool { ["sdr", "pq", "hlg"].contains(inputKind) }
}

extension DisplayChoice {
  /// Returns the factor from headrooms of a picture's working light to those of the display.
  func unit(of source: SourceImage) -> Double {
    guard let reference, source.isAbsolute else { return 1 }
    return ReferenceWhite.nits / reference.white
  }
}

extension RenderRecipe {
  /// Returns the factor of working light before it is encoded: linear outputs have the display's white at 1, PQ and HLG
  /// state luminances.
  func outputScale(of source: SourceImage) -> Double {
    guard let reference = display.reference else { return keptUnit(of: source) }
    let unit = display.unit(of: source)
    return target.encoding == .linear ? unit : unit * reference.white / ReferenceWhite.nits
  }

  /// Returns the light that no sample exceeds before the transfer curve, in the output's units; `nil`: no limit.
  func outputBound(of source: SourceImage) -> Double? {
    guard let bound else { return nil }
    guard let reference = display.reference, target.encoding != .linear else {
      return bound.factor * keptUnit(of: source)
    }
    return min(bound.factor * reference.white / ReferenceWhite.nits, target.largestHeadroom.factor)
  }

  /// Returns the factor from working light to light that PQ states in units of 203 cd/m²: not 1 where a setting states the
  /// picture's white, as its luminances then stay what they are.
  func keptUnit(of source: SourceImage) -> Double {
    guard target.encoding == .pq, display.reference == nil else { return 1 }
    return source.light.signalWhite / ReferenceWhite.nits
  }
}
