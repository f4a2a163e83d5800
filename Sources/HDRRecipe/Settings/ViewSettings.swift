import HDRCore
import PlainData

/// Settings for light of a scene, which views show.
package struct ViewSettings: SettingGroup {
  package var title: String { "Views" }
  package var scope: Setting.Scope { .recipe }

  package let view = SettingKey(
    "view", .view, on: "pq-* hlg-* sdr-* linear-* *dpx* exr hdr pfm rgba16f adaptive-*",
    because: "the file is kept as it is",
    """
    How light of a scene (OpenEXR, linear floats) is shown: an output transform of ACES 2.0 or 1, or a view of the config \
    (--ocio) by its name; doctor --views lists all. PQ and HLG get its luminances; SDR, exr and rgba16f have its white \
    at 1.
    """)
  package let hdrView = SettingKey(
    "hdr-view", .view, on: "adaptive-*", because: "a single rendition has one view",
    "The view of the HDR rendition of adaptive-* files, of the same scene; --view is the SDR one's.")
  package let pairWhite = SettingKey(
    "pair-white", .pairWhite, assumed: "100", on: "adaptive-*", because: "a single rendition has one view", rare: true,
    """
    The cd/m² of --hdr-view that are as bright as white of --view: 100, for which SDR views are made; 203; or match, \
    where grey of 18 % is equally bright in both.
    """)
  package let exposure = SettingKey(
    "scene-exposure", .number(-20...20, "stops"), standard: 0,
    on: "pq-* hlg-* sdr-* linear-* *dpx* exr hdr pfm rgba16f adaptive-*", because: "the file is kept as it is",
    rare: true,
    "Stops by which the scene is made brighter before filters, LUTs and --view.")
}

/// The luminance of an HDR view that is as bright as the white of the SDR view beside it.
package enum PairWhite: Sendable, Hashable {
  /// In cd/m².
  case stated(Double)
  /// Middle grey of both views is equally bright.
  case match

  /// Returns the cd/m² of the HDR view that are SDR white; `nil` if that takes a view of which nobody says how bright it is.
  package func level(sdr: ACESView?, hdr: ACESView?) -> Double? {
    if case .stated(let level) = self { return level }
    guard let sdr, let hdr else { return nil }
    return sdr.referenceWhite * hdr.luminance(ofGrey: 0.18) / sdr.luminance(ofGrey: 0.18)
  }
}

extension SettingType where Value == PairWhite {
  static var pairWhite: SettingType {
    SettingType("100|match|203", words: ["100", "match", "203"]) { text throws(SettingFault) in
      if text == "match" { return .match }
      guard let level = decimal(text), (20...1000).contains(level) else {
        throw SettingFault("is match or cd/m², 20...1000, not \(text)")
      }
      return .stated(level)
    } text: {
      if case .stated(let level) = $0 { shortest(level) } else { "match" }
    }
  }
}
