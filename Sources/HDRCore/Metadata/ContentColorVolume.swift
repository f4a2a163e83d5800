/// The colour volume of the content (H.265 D.2.40 and HEIF `cclv`). Luminance is in cd/m².
package struct ContentColorVolume: Sendable, Hashable, Codable {
  /// The primaries R, G, B; `nil` if the file states none.
  package var primaries: [Chromaticity]?
  package var minLuminance: Double?
  package var maxLuminance: Double?
  package var averageLuminance: Double?

  package init(
    primaries: [Chromaticity]? = nil, minLuminance: Double? = nil, maxLuminance: Double? = nil,
    averageLuminance: Double? = nil
  ) {
    self.primaries = primaries
    self.minLuminance = minLuminance
    self.maxLuminance = maxLuminance
    self.averageLuminance = averageLuminance
  }

  /// The fault in the volume that a file states; `nil` if there is none.
  package var fault: String? {
    if let maxLuminance, !(1...10_000).contains(maxLuminance) { return "the maximum is \(short(maxLuminance)) cd/m²" }
    let ascending = [minLuminance, averageLuminance, maxLuminance].compactMap { $0 }
    guard ascending == ascending.sorted() else { return "minimum, average and maximum are out of order" }
    if let primaries, !primaries.allSatisfy(\.isPossible) { return "a primary is no colour" }
    return primaries == nil && ascending.isEmpty ? "it states nothing" : nil
  }
}
