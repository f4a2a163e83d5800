import HDRCore

extension LightMetadata {
  /// Reads the light metadata of a picture's profile: ST 2094-50 metadata for PQ, HLG and linear light, and the flag of
  /// scene light.
  package init(profile color: SourceColor, warnings: inout [Warning]) {
    self.init()
    guard let bytes = color.icc, let profile = try? ICCProfile(bytes) else { return }
    isSceneReferred = profile.isSceneReferred
    do throws(ICCProfile.Fault) {
      guard let payload = try profile.toneMetadata() else { return }
      guard case .cicp(_, let transfer) = color.encoding, CICP.Transfer.takesToneMetadata(transfer) else {
        warnings.append(
          Warning("hagc.transfer", "HAGC is ignored: its curves are for PQ, HLG or linear light, and this is neither"))
        return
      }
      setTone(payload, .profile, warnings: &warnings)
    } catch {
      warnings.append(Warning("hagc.invalid", "HAGC is ignored: \(error.what)"))
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
      warnings.append(
        place == .profile
          ? Warning("hagc.invalid", "HAGC is ignored: \(error)")
          : Warning("tone.metadata", "ST 2094-50 metadata are ignored: \(error)"))
    }
  }
}
