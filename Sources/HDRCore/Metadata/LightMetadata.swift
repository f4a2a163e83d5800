/// Light metadata of a picture, one field a box, chunk or message; absent where the file has none that can be used.
/// Luminance in cd/m².
public struct LightMetadata: Sendable, Hashable {
  /// By the names of their boxes.
  public enum Field: String, Sendable, Hashable, CaseIterable {
    case clli, mdcv, cclv, amve, reve, ndwt
    case toneMetadata = "st2094-50"
  }

  /// Where a file says something, in the order in which places are believed.
  public enum Place: String, Sendable, Hashable, CaseIterable {
    /// An item property of HEIF, or a chunk of PNG.
    case box
    /// A message in the coded picture: SEI of HEVC, metadata OBU of AV1.
    case message
    /// The ICC profile.
    case profile
    /// Not the file: a setting.
    case setting
  }

  public var clli: ContentLightLevel?
  public var mdcv: MasteringDisplay?
  public var cclv: ContentColorVolume?
  public var amve: AmbientViewing?
  public var reve: ReferenceEnvironment?
  /// Diffuse white (`ndwt`); `nil` stands for 203 cd/m².
  public var diffuseWhite: Double?
  /// Payload of SMPTE ST 2094-50 metadata, as `HeadroomAdaptiveMetadata` reads it.
  public var toneMetadata: [UInt8]?
  /// HLG samples are light of the scene: the profile says so (ICC.1:2022 clause 9.2.13, ISO 22028-5).
  public var isSceneReferred = false
  /// Where each field that is there was read from.
  public var places: [Field: Place] = [:]
  public init() {}

  public init(clli: ContentLightLevel?, mdcv: MasteringDisplay? = nil) {
    (self.clli, self.mdcv) = (clli, mdcv)
  }
}

extension LightMetadata {
  /// `toneMetadata`, parsed; `nil` if there is none or it cannot be read.
  public var headroomAdaptive: HeadroomAdaptiveMetadata? {
    toneMetadata.flatMap { try? HeadroomAdaptiveMetadata(parsing: $0) }
  }

  /// What 1.0 of the light stands for in cd/m²: the reference white of ST 2094-50 metadata, whose curves start from it,
  /// else the diffuse white, else 203.
  public var referenceWhite: Double { headroomAdaptive?.referenceWhite ?? diffuseWhite ?? ReferenceWhite.nits }
}

extension LightMetadata {
  public func has(_ field: Field) -> Bool {
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

  /// Fields that are there.
  public var fields: [Field] { Field.allCases.filter { has($0) } }

  /// Takes fields that this lacks from metadata that another place holds.
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

  /// A warning where fields contradict each other. The light level decides then: it is of this picture, and the display
  /// may have served many.
  package var conflict: Warning? {
    guard let clli, let mdcv, clli.maxCLL > mdcv.maxLuminance else { return nil }
    return Warning(
      "light.conflict",
      "MaxCLL \(short(clli.maxCLL)) exceeds the \(short(mdcv.maxLuminance)) cd/m² of the mastering display; MaxCLL counts"
    )
  }
}
