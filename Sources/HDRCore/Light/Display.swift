/// A display by two luminances in cd/m²: the largest it shows, and that of SDR white at its brightness setting. 1.0 of
/// linear light made for it is its SDR white.
public struct Display: Sendable, Hashable {
  public var peak: Double
  public var white: Double
  /// True if PQ and HLG are shown at their own luminances, and SDR white at `white`: there is no adaptation to the
  /// viewer's brightness and no tone mapping, and all colours lie within P3.
  public var isReference: Bool

  /// - Parameters:
  ///   - peak, white: cd/m², `white` at most `peak`.
  public init(peak: Double, white: Double, isReference: Bool = false) {
    self.peak = peak
    self.white = white
    self.isReference = isReference
  }

  /// The largest headroom that the display can show over SDR white.
  package var potentialHeadroom: Headroom { Headroom(factor: max(1, peak / white)) }

  /// Parses `1000:100`, peak and white in cd/m²; `nil` for anything else, and outside 1...10 000.
  package init?(argument: String) {
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
    guard parts.count == 2, parts.allSatisfy({ (1...10_000).contains($0) }), parts[1] <= parts[0] else { return nil }
    self.init(peak: parts[0], white: parts[1])
  }
}

/// A named display, with numbers from its vendor's talks at usual brightness (WWDC22 10113 and 10114, WWDC23 10181).
package struct DisplayPreset: Sendable, Hashable {
  package var name: String
  package var display: Display
  package var note: String

  init(_ name: String, _ peak: Double, _ white: Double, isReference: Bool = false, _ note: String) {
    self.name = name
    display = Display(peak: peak, white: white, isReference: isReference)
    self.note = note
  }

  package static let all: [DisplayPreset] = [
    DisplayPreset("sdr", 100, 100, "any SDR display or file"),
    DisplayPreset("generic", 400, 200, "most other displays"),
    DisplayPreset("iphone-14", 1600, 200, "at half brightness"),
    DisplayPreset("ipad-pro-12.9", 1600, 100, "at usual brightness"),
    DisplayPreset("macbook-pro-xdr", 1600, 100, "at usual brightness"),
    DisplayPreset(
      "reference-mode", 1000, 100, isReference: true, "fixed brightness: PQ, HLG and SDR at their own luminances"),
    DisplayPreset("pro-display-xdr", 1600, 4, "at its dimmest: the largest headroom reported"),
  ]

  package static func named(_ name: String) -> DisplayPreset? { all.first { $0.name == name.lowercased() } }
}
