/// The light around the screen that the picture was made for (H.265 D.2.39 and HEIF `amve`).
package struct AmbientViewing: Sendable, Hashable, Codable {
  /// The illuminance in lux.
  package var illuminance: Double
  package var white: Chromaticity

  package init(illuminance: Double, white: Chromaticity) {
    self.illuminance = illuminance
    self.white = white
  }

  /// The fault in the light that a file states; `nil` if there is none.
  package var fault: String? {
    guard illuminance > 0 else { return "the illuminance is 0, which the standard does not allow" }
    guard illuminance <= 200_000 else { return "the illuminance is \(short(illuminance)) lux" }
    return white.isPossible ? nil : "the light has no colour"
  }
}

/// The reference viewing environment (HEIF `reve`, ISO 22028-5): the surround of the screen, and the room beyond.
/// Luminance is in cd/m².
package struct ReferenceEnvironment: Sendable, Hashable, Codable {
  package var surround: Double
  package var surroundWhite: Chromaticity
  package var periphery: Double
  package var peripheryWhite: Chromaticity

  package init(surround: Double, surroundWhite: Chromaticity, periphery: Double, peripheryWhite: Chromaticity) {
    self.surround = surround
    self.surroundWhite = surroundWhite
    self.periphery = periphery
    self.peripheryWhite = peripheryWhite
  }

  /// The fault in the environment that a file states; `nil` if there is none.
  package var fault: String? {
    for luminance in [surround, periphery] where luminance > 10_000 {
      return "a luminance is \(short(luminance)) cd/m²"
    }
    return surroundWhite.isPossible && peripheryWhite.isPossible ? nil : "the surround has no colour"
  }
}
