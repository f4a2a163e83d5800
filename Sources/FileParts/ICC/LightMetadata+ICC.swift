import HDRCore

extension LightMetadata {
  /// Reads the light metadata of a picture's profile: ST 2094-50 metadata for PQ, HLG and linear light, and the flag of
  /// scene light.
  package init(profile color: SourceColor, warnings: inout [Warning]) {
    self.init()
    guard let bytes = color.icc, let profile = try? ICCProfile(bytes) else { return }
    isSceneReferred = profile.isSceneReferred
    if case .cicp(_, let transfer) = color.encoding,
      [CICP.Transfer.pq, CICP.Transfer.hlg, CICP.Transfer.linear].contains(transfer)
    {
      setTone(profile.toneMetadata, .profile, warnings: &warnings)
    }
  }

  /// Keeps ST 2094-50 metadata if they can be read.
  package mutating func setTone(_ payload: [UInt8]?, _ place: Place, warnings: inout [Warning]) {
    guard let payload, toneMetadata == nil else { return }
    do throws(DecodeError) {
      _ = try HeadroomAdaptiveMetadata(parsing: payload)
      toneMetadata = payload
      places[.toneMetadata] = place
    } catch {
      warnings.append(Warning("tone.metadata", "ST 2094-50 metadata are ignored: \(error)"))
    }
  }
}
