/// Light around the screen that the picture was made for (H.265 D.2.39 and HEIF `amve`).
public struct AmbientViewing: Sendable, Hashable, Codable {
  /// In lux.
  public var illuminance: Double
  public var white: Chromaticity

  public init(illuminance: Double, white: Chromaticity) {
    self.illuminance = illuminance
    self.white = white
  }

  /// What is wrong with the light of a file; `nil`: nothing.
  package var fault: String? {
    guard illuminance > 0 else { return "the illuminance is 0, which the standard does not allow" }
    guard illuminance <= 200_000 else { return "the illuminance is \(short(illuminance)) lux" }
    return white.isPossible ? nil : "the light has no colour"
  }
}

/// Reference viewing environment (HEIF `reve`, ISO 22028-5): what surrounds the screen, and the room beyond. Luminance in
/// cd/m².
public struct ReferenceEnvironment: Sendable, Hashable, Codable {
  public var surround: Double
  public var surroundWhite: Chromaticity
  public var periphery: Double
  public var peripheryWhite: Chromaticity

  public init(surround: Double, surroundWhite: Chromaticity, periphery: Double, peripheryWhite: Chromaticity) {
    self.surround = surround
    self.surroundWhite = surroundWhite
    self.periphery = periphery
    self.peripheryWhite = peripheryWhite
  }

  /// What is wrong with the environment of a file; `nil`: nothing.
  package var fault: String? {
    for luminance in [surround, periphery] where luminance > 10_000 {
      return "a luminance is \(short(luminance)) cd/m²"
    }
    return surroundWhite.isPossible && peripheryWhite.isPossible ? nil : "the surround has no colour"
  }
}
