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
    /// The samples, as the reader measured them.
    case samples
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

  /// The luminance that PQ states for light 1.0 of the picture, in cd/m²: 203, which a file's own white becomes, or the
  /// white that a setting states, as luminances then stay what they are.
  package var signalWhite: Double {
    places[.ndwt] == .setting ? diffuseWhite ?? ReferenceWhite.nits : ReferenceWhite.nits
  }
}

extension LightMetadata.Field {
  /// The two things that are done with a field whatever its type is.
  fileprivate typealias Property = (isIn: (LightMetadata) -> Bool, copy: (inout LightMetadata, LightMetadata) -> Void)

  fileprivate var property: Property {
    func of<Value>(_ path: WritableKeyPath<LightMetadata, Value?>) -> Property {
      ({ $0[keyPath: path] != nil }, { $0[keyPath: path] = $1[keyPath: path] })
    }
    return switch self {
    case .clli: of(\.clli)
    case .mdcv: of(\.mdcv)
    case .cclv: of(\.cclv)
    case .amve: of(\.amve)
    case .reve: of(\.reve)
    case .ndwt: of(\.diffuseWhite)
    case .toneMetadata: of(\.toneMetadata)
    }
  }
}

extension LightMetadata {
  package func has(_ field: Field) -> Bool { field.property.isIn(self) }

  /// The fields that are present.
  package var fields: [Field] { Field.allCases.filter { has($0) } }

  /// Takes missing fields from the metadata of another place.
  package mutating func fill(from other: LightMetadata) {
    isSceneReferred = isSceneReferred || other.isSceneReferred
    for field in other.fields where !has(field) {
      places[field] = other.places[field]
      field.property.copy(&self, other)
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
