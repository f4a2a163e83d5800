/// A CIE 1931 chromaticity.
package struct Chromaticity: Sendable, Hashable, Codable {
  package var x: Double
  package var y: Double
  package init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }
}

/// The mastering display colour volume (SMPTE ST 2086; HEIF `mdcv`, PNG `mDCV`). Luminance is in cd/m².
package struct MasteringDisplay: Sendable, Hashable, Codable {
  /// The primaries R, G, B and white; `nil` if the file's values cannot be told apart or are all zero.
  package var primaries: [Chromaticity]?
  package var maxLuminance: Double
  package var minLuminance: Double
  package init(primaries: [Chromaticity]?, maxLuminance: Double, minLuminance: Double) {
    self.primaries = primaries
    self.maxLuminance = maxLuminance
    self.minLuminance = minLuminance
  }
}

extension Chromaticity {
  /// True if the point lies in the triangle that holds all of x, y and 1 - x - y, with some luminance.
  package var isPossible: Bool { x >= 0 && y > 0 && x + y <= 1 + 1e-4 }
}

extension MasteringDisplay {
  /// The fault in the luminances that a file states; `nil` if there is none.
  package var fault: String? {
    guard maxLuminance > 0 else { return "the maximum is 0" }
    guard maxLuminance <= 10_000 else { return "the maximum is \(short(maxLuminance)) cd/m²" }
    guard minLuminance < maxLuminance else {
      return "the minimum of \(short(minLuminance)) cd/m² is not below the maximum of \(short(maxLuminance))"
    }
    return nil
  }
}
