import HDRCore

/// The meaning of HLG signals (BT.2100): light of a display, by the OOTF of the nominal 1000 cd/m², or of the scene.
package enum HLGLight: String, Sendable, Hashable, CaseIterable {
  /// The meaning that the file states: its profile may state light of the scene.
  case automatic = "auto"
  case display
  case scene
}

extension RenderRecipe {
  /// The scene light at the signal of HLG's reference white (BT.2408: 75 %). It is 1.0 of the working light if HLG is
  /// read or written as light of the scene.
  static let sceneWhite = Transfer.hlgInverseOETF(0.75)

  /// The headroom of HLG as light of the scene, whose largest value is 1.
  static let sceneHeadroom = Headroom(factor: 1 / sceneWhite)

  /// Returns true if HLG samples of a source are light of the scene.
  func readsScene(_ source: SourceImage) -> Bool {
    guard case .cicp(_, CICP.Transfer.hlg) = source.color.encoding else { return false }
    return hlg == .scene || hlg == .automatic && source.light.isSceneReferred
  }

  /// Returns true if HLG is written as light of the scene: if it was read as such, or the recipe asks for it.
  func writesScene(_ source: SourceImage) -> Bool {
    target.encoding == .hlg && (hlg == .scene || readsScene(source))
  }

  /// Returns the headroom that a source's own picture states, without its gain map.
  func contentHeadroom(ofBase source: SourceImage) -> ContentHeadroom.Found {
    readsScene(source)
      ? ContentHeadroom.Found(headroom: Self.sceneHeadroom, source: "HLG as light of the scene")
      : ContentHeadroom.ofBase(source)
  }

  /// Returns the headroom of all that the file can show.
  func contentHeadroom(ofFile source: SourceImage) -> ContentHeadroom.Found {
    source.gainMap?.metadata.isComplete == true ? ContentHeadroom.ofFile(source) : contentHeadroom(ofBase: source)
  }

  /// Returns the luminance that 1.0 of a source's light stands for, in cd/m².
  func white(of source: SourceImage) -> Double {
    // A reference display shows the luminance that the signal states.
    if display.reference != nil { return ReferenceWhite.nits }
    if case .hdr10(_, _, .some(let scale)) = mastering, case .cicp(_, CICP.Transfer.pq) = source.color.encoding {
      return scale
    }
    return source.light.referenceWhite
  }
}
