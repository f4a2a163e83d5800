/// The light level of the content (CTA-861.3; HEIF `clli`, PNG `cLLI`), in cd/m². It is absent instead of 0.
public struct ContentLightLevel: Sendable, Hashable, Codable {
  public var maxCLL: Double
  public var maxFALL: Double
  package init(maxCLL: Double, maxFALL: Double) {
    self.maxCLL = maxCLL
    self.maxFALL = maxFALL
  }
}

extension ContentLightLevel {
  /// The fault in the levels that a file states; `nil` if there is none.
  package var fault: String? {
    guard maxCLL > 0 else { return "the maximum is 0, which stands for unknown" }
    guard maxCLL <= 65_535 else { return "the maximum is \(short(maxCLL)) cd/m²" }
    guard maxFALL <= maxCLL else {
      return "the average of \(short(maxFALL)) cd/m² is above the maximum of \(short(maxCLL))"
    }
    return nil
  }
}
