/// The light metadata of a picture, a field per box, chunk or message; absent if the file has none that can be used.
/// Luminance is in cd/m².
package struct LightMetadata: Sendable, Hashable {
  /// The fields, by the names of their boxes.
  package enum Field: String, Sendable, Hashable, CaseIterable {
    case clli, mdcv, cclv, amve, reve, ndwt
    case toneMetadata = "st2094-50"
  }

  /// The place of a statement; places are in order of precedence.
  package enum Place: String, Sendable, Hashable, CaseIterable {
    /// An item property of HEIF, or a chunk of PNG.
    case box
    /// A message in the coded picture: SEI of HEVC, metadata OBU of AV1.
    case message
    /// The ICC profile.
    case profile
    /// A setting, not the file.
    case setting
  }

  package var clli: ContentLightLevel?
  package var mdcv: MasteringDisplay?
  package var cclv: ContentColorVolume?
  package var amve: AmbientViewing?
  package var reve: ReferenceEnvironment?
  /// The diffuse white (`ndwt`); `nil` stands for 203 cd/m².
  package var diffuseWhite: Double?
  /// The payload of SMPTE ST 2094-50 metadata, as `HeadroomAdaptiveMetadata` reads it.
  package var toneMetadata: [UInt8]?
  /// True if HLG samples are scene light, as the profile states (ICC.1:2022 clause 9.2.13, ISO 22028-5).
  package var isSceneReferred = false
  /// The place that each present field was read from.
  package var places: [Field: Place] = [:]
  package init() {}

  package init(clli: ContentLightLevel?, mdcv: MasteringDisplay? = nil) {
    (self.clli, self.mdcv) = (clli, mdcv)
  }
}

extension LightMetadata {
  /// The parsed `toneMetadata`; `nil` if there is none or it cannot be read.
  package var headroomAdaptive: HeadroomAdaptiveMetadata? {
    toneMetadata.flatMap { try? HeadroomAdaptiveMetadata(parsing: $0) }
  }

  /// The luminance of light 1.0 in cd/m²: the reference white of ST 2094-50 metadata, whose curves start from it, else
  /// the diffuse white, else 203.
  package var referenceWhite: Double { headroomAdaptive?.referenceWhite ?? diffuseWhite ?? ReferenceWhite.nits }
}

extension LightMetadata {
  package func has(_ field: Field) -> Bool {
    switch field {
    case .clli: clli != nil
    case .mdcv: mdcv != nil
    case .cclv: cclv != nil
    case .amve: amve != nil
    case .reve: reve != nil
    case .ndwt: diffuseWhite != nil
    case .toneMetadata: toneMetadata != nil
    }
  }

  /// The fields that are present.
  package var fields: [Field] { Field.allCases.filter { has($0) } }

  /// Takes missing fields from the metadata of another place.
  package mutating func fill(from other: LightMetadata) {
    isSceneReferred = isSceneReferred || other.isSceneReferred
    for field in other.fields where !has(field) {
      places[field] = other.places[field]
      switch field {
      case .clli: clli = other.clli
      case .mdcv: mdcv = other.mdcv
      case .cclv: cclv = other.cclv
      case .amve: amve = other.amve
      case .reve: reve = other.reve
      case .ndwt: diffuseWhite = other.diffuseWhite
      case .toneMetadata: toneMetadata = other.toneMetadata
      }
    }
  }

  /// A warning if fields contradict each other. The light level decides then: it belongs to this picture, but the
  /// display may have served many.
  package var conflict: Warning? {
    guard let clli, let mdcv, clli.maxCLL > mdcv.maxLuminance else { return nil }
    return Warning(
      "light.conflict",
      "MaxCLL \(short(clli.maxCLL)) exceeds the \(short(mdcv.maxLuminance)) cd/m² of the mastering display; MaxCLL counts"
    )
  }
}
