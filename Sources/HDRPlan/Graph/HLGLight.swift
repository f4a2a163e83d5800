import HDRCore

/// What HLG signals stand for (BT.2100): light of a display, by the OOTF of the nominal 1000 cd/m², or light of the scene.
public enum HLGLight: String, Sendable, Hashable, CaseIterable {
  /// As the file says: its profile may state light of the scene.
  case automatic = "auto"
  case display
  case scene
}

extension RenderRecipe {
  /// Light of the scene at the signal of HLG's reference white (BT.2408: 75 %): 1.0 of the working light where HLG is
  /// read or written as light of the scene.
  static let sceneWhite = Transfer.hlgInverseOETF(0.75)

  /// Headroom of HLG as light of the scene, which ends at 1.
  static let sceneHeadroom = Headroom(factor: 1 / sceneWhite)

  /// Whether HLG samples of a source are light of the scene.
  func readsScene(_ source: SourceImage) -> Bool {
    guard case .cicp(_, CICP.Transfer.hlg) = source.color.encoding else { return false }
    return hlg == .scene || hlg == .automatic && source.light.isSceneReferred
  }

  /// Whether HLG is written as light of the scene: where it was read so, and where that is asked for.
  func writesScene(_ source: SourceImage) -> Bool {
    target.encoding == .hlg && (hlg == .scene || readsScene(source))
  }

  /// What a source's own picture says of its headroom, gain map aside.
  func contentHeadroom(ofBase source: SourceImage) -> ContentHeadroom.Found {
    readsScene(source)
      ? ContentHeadroom.Found(headroom: Self.sceneHeadroom, source: "HLG as light of the scene")
      : ContentHeadroom.ofBase(source)
  }

  /// The same of all that the file can show.
  func contentHeadroom(ofFile source: SourceImage) -> ContentHeadroom.Found {
    source.gainMap?.metadata.isComplete == true ? ContentHeadroom.ofFile(source) : contentHeadroom(ofBase: source)
  }

  /// cd/m² that 1.0 of a source's light stands for.
  func white(of source: SourceImage) -> Double {
    // A reference display shows the luminance that the signal says.
    if display.reference != nil { return ReferenceWhite.nits }
    if case .hdr10(_, _, .some(let scale)) = mastering, case .cicp(_, CICP.Transfer.pq) = source.color.encoding {
      return scale
    }
    return source.light.referenceWhite
  }
}
