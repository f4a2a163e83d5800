/// A view: an output transform of ACES 2.0 or of ACES 1, from scene light to the light of a display.
package enum ACESView: Sendable, Hashable {
  case aces2(ACESOutput)
  case aces1(ACES1Output)

  package static let all = ACESOutput.all.map(Self.aces2) + ACES1Output.all.map(Self.aces1)

  /// The names that are most in use: those of D65, and the main ones of ACES 1.
  package static let usualNames =
    ACESOutput.all.filter { $0.limit.white == Primaries.d65 }.map(\.view)
    + ["aces1-sdr", "aces1-hdr1000", "aces1-hdr2000", "aces1-hdr4000"]

  /// The short name: `sdr-709`, `hdr1000-p3`, `aces1-sdr`.
  package var name: String {
    switch self {
    case .aces2(let output): output.view
    case .aces1(let output): output.view
    }
  }

  /// The name of the style in OpenColorIO, without what all styles begin with: `HDR-1000nit-P3-D65_2.0`.
  package var style: String {
    switch self {
    case .aces2(let output): output.name + "_2.0"
    case .aces1(let output): output.name
    }
  }

  /// The name in configurations of OpenColorIO: `ACES 2.0 - HDR 1000 nits (P3 D65)`.
  package var title: String {
    switch self {
    case .aces2(let output): output.title
    case .aces1(let output): output.title
    }
  }

  /// Finds a view by its short name, its style or its title, in any case of letters.
  package static func named(_ text: String) -> ACESView? {
    let lower = text.lowercased()
    return all.first { [$0.name, $0.style, $0.title].contains { $0.lowercased() == lower } }
  }

  /// The luminance of the brightest white in cd/m²; 100 for SDR.
  package var peak: Double {
    switch self {
    case .aces2(let output): output.peak * output.linearScale
    case .aces1(let output): output.peak
    }
  }

  package var isSDR: Bool { peak == 100 }

  /// The cd/m² that are reference white: the white of SDR, and that of HDR as in BT.2408.
  package var referenceWhite: Double { isSDR ? 100 : ReferenceWhite.nits }

  /// The gamut that colours are brought into or cut to; that of the display where there is none.
  package var limit: Primaries {
    switch self {
    case .aces2(let output): output.limit
    case .aces1(let output): output.limit ?? Primaries(code: primaries)!
    }
  }

  /// The H.273 code of the narrowest display primaries that hold the view: 1, 12 or 9.
  package var primaries: Int {
    switch self {
    case .aces2(let output):
      let shown = output.encoding ?? output.limit
      return Self.code(of: shown)
    case .aces1(let output): return output.limit.map(Self.code) ?? (output.isVideo ? 1 : 12)
    }
  }

  /// Returns the code of primaries, whatever their white; P3 for XYZ.
  private static func code(of primaries: Primaries) -> Int {
    [1, 9].first { Primaries(code: $0)?.red == primaries.red } ?? 12
  }

  /// Returns the luminance over 100 cd/m² of a grey of the scene.
  package func luminance(ofGrey light: Double) -> Double {
    switch self {
    // Whites are adapted, so the luminance of a grey is that of its tones.
    case .aces2(let output):
      ACESTones(peak: output.peak).toned(100 * light) / 100 * output.whiteScale * output.linearScale
    case .aces1(let output): output([light, light, light])[1]
    }
  }
}
