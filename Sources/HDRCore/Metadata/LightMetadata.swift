/// Light level of the content (CTA-861.3; HEIF `clli`, PNG `cLLI`), in cd/m². Absent instead of 0.
public struct ContentLightLevel: Sendable, Hashable, Codable {
  public var maxCLL: Double
  public var maxFALL: Double
  public init(maxCLL: Double, maxFALL: Double) {
    self.maxCLL = maxCLL
    self.maxFALL = maxFALL
  }
}

/// CIE 1931 chromaticity.
public struct Chromaticity: Sendable, Hashable, Codable {
  public var x: Double
  public var y: Double
  public init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }
}

/// Mastering display colour volume (SMPTE ST 2086; HEIF `mdcv`, PNG `mDCV`). Luminance in cd/m².
public struct MasteringDisplay: Sendable, Hashable, Codable {
  /// R, G, B, white; `nil` when the file's values cannot be told apart or are all zero.
  public var primaries: [Chromaticity]?
  public var maxLuminance: Double
  public var minLuminance: Double
  public init(primaries: [Chromaticity]?, maxLuminance: Double, minLuminance: Double) {
    self.primaries = primaries
    self.maxLuminance = maxLuminance
    self.minLuminance = minLuminance
  }
}

/// Light metadata of a file, one field a box or chunk; absent when the file has none. Luminance in cd/m².
public struct LightMetadata: Sendable, Hashable {
  public var clli: ContentLightLevel?
  public var mdcv: MasteringDisplay?
  /// Maximum luminance of the content colour volume (`cclv`).
  public var contentMaxLuminance: Double?
  /// Diffuse white (`ndwt`); `nil` stands for 203 cd/m².
  public var diffuseWhite: Double?
  /// Ambient illuminance in lux (`amve`).
  public var ambientIlluminance: Double?
  /// Payload of SMPTE ST 2094-50 metadata, as `HeadroomAdaptiveMetadata` reads it.
  public var toneMetadata: [UInt8]?
  public init() {}
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

/// A problem that did not stop the item. `code` is stable and short; `message` is one line.
public struct Warning: Sendable, Hashable, Codable {
  public var code: String
  public var message: String
  public init(_ code: String, _ message: String) {
    self.code = code
    self.message = message
  }
}
