import HDRPlan
import HDRCore
import PlainData

/// Settings for the light of the content and of the display, and for the mapping between them.
package struct LightSettings: SettingGroup {
  package var title: String { "Light" }
  package var scope: Setting.Scope { .recipe }

  package let headroom = SettingKey(
    "headroom", .headroom, assumed: "1 for sdr-*, else the content's own",
    on: "pq-* hlg-* sdr-* linear-* *dpx* exr hdr pfm rgba16f",
    because: serveAll, like: "display headroom",
    "Display headroom: peak over reference white, as a factor (4) or in stops (2ev).")
  package let dynamicRange = SettingKey(
    "dynamic-range", .choice(DynamicRange.self, "range"), on: "pq-* hlg-* sdr-* linear-* *dpx* exr hdr pfm rgba16f",
    because: serveAll,
    """
    How much of the display the content may use: standard = 1, constrained-high = up to --constrained-limit, high = all. \
    Without a display, the content's own headroom bounds it.
    """)
  package let constrainedLimit = SettingKey(
    "constrained-limit", .headroom, standard: .constrainedHigh,
    on: "pq-* hlg-* sdr-* linear-* *dpx* exr hdr pfm rgba16f",
    because: serveAll,
    rare: true, "Headroom of --dynamic-range constrained-high.")
  package let beyond = SettingKey(
    "beyond", .choice(BeyondChoice.self, "rule"), standard: .automatic,
    on: "pq-* hlg-* linear-* dpx-log exr hdr pfm rgba16f",
    because: serveAll,
    rare: true,
    """
    Light above the display's headroom, in the end: clip cuts R, G and B there, keep leaves them; auto is clip where \
    --headroom, --display or --dynamic-range state a display, else keep.
    """)
  package let display = SettingKey(
    "display", .display, on: "pq-* hlg-* sdr-* linear-* *dpx* exr hdr pfm rgba16f", because: serveAll,
    like: "display headroom",
    "The display, as PEAK:WHITE in cd/m² (1000:100) or by name: "
      + DisplayPreset.all.map { "\($0.name) (\(shortest($0.display.peak)):\(shortest($0.display.white)))" }
      .joined(separator: ", ")
      + ". Its headroom is PEAK/WHITE; reference-mode shows PQ, HLG and SDR at the luminances that they say.")
  package let sdrBelow = SettingKey(
    "sdr-below", .headroom, standard: .sdr, on: "pq-* hlg-* linear-* dpx-log exr hdr pfm rgba16f", because: serveAll,
    rare: true,
    "Displays of less headroom than this get what an SDR display gets: the SDR rendition or the SDR operator.")
  package let contentHeadroom = SettingKey(
    "content-headroom", .contentHeadroom, assumed: "what the file says, else measured", like: "content headroom",
    """
    Headroom of the content: factor, stops, measured (the largest of R, G, B) or p99.99 (the light that 99.99 % of the \
    pixels stay below).
    """)
  package let hdr10 = SettingKey(
    "hdr10", .mastering, like: "content headroom", rare: true,
    """
    What the content was made for: hlg; black:peak of HDR10 in cd/m², or black:peak:scale, where scale is what 1.0 of \
    linear samples, or of the light of PQ samples, stands for (203 if left out); or file, its mdcv and clli. auto takes \
    hlg-ootf or bt2390 then.
    """)
  package let hlg = SettingKey(
    "hlg", .choice(HLGLight.self, "light"), standard: .automatic, rare: true,
    """
    What HLG signals stand for, read and written: light of a display of 1000 cd/m², or of the scene, without OOTF; auto \
    is display but for pictures whose profile says scene.
    """)
  package let toneMap = SettingKey(
    "tone-map", .tone, standard: .auto,
    """
    Tone operator: auto follows a gain map where there is one, else takes reference-white where the content exceeds the \
    display; a name takes that operator, with parameters as in bt2390:knee=1,display-black=0.1; none clips.
    """)
  package let toneMetadata = SettingKey(
    "tone-metadata", .path(), rare: true,
    """
    SMPTE ST 2094-50 metadata (a binary payload, with or without its T.35 header) for every picture, instead of what \
    the file brings along; auto follows them.
    """)
  package let appleMapTransfer = SettingKey(
    "apple-map-transfer", .choice(AppleMapTransfer.self, "curve"), standard: .bt709, rare: true,
    "How the values of Apple's gain maps become gains; Apple says bt709.")
  package let applePartialHeadroom = SettingKey(
    "apple-partial-headroom", .choice(ApplePartialHeadroom.self, "rule"), standard: .capped, rare: true,
    "Apple's gain maps between SDR and full headroom: the headroom capped, or a share of all stops.")
  package let appleHeadroomCap = SettingKey(
    "apple-headroom-cap", .headroom, assumed: "none", rare: true,
    """
    The largest headroom of Apple's gain maps, a factor (4) or stops (2ev): brighter maps are read as if they stated this \
    one, as some programs do. Maps of ISO 21496-1 stay.
    """)

  package let clli = SettingKey(
    "clli", .lightLevel, standard: .measured, on: "pq-png pq-heic pq-avif hlg-heic hlg-avif", because: noPlace,
    rare: true,
    "The light level that is written, MaxCLL:MaxFALL in cd/m²; auto measures it in the output.")
  package let mdcv = SettingKey(
    "mdcv", .masteringDisplay, standard: .automatic, on: "pq-png pq-heic pq-avif hlg-heic hlg-avif", because: noPlace,
    rare: true,
    """
    The mastering display that is written: primaries:min:max in cd/m² (p3:0.005:1000), or x265's \
    G(x,y)B(x,y)R(x,y)WP(x,y)L(max,min) in units of the file; file is the file's own; auto is that where the output \
    still fits it, else one that shows all there is.
    """)
  package let writeToneMetadata = SettingKey(
    "write-tone-metadata", .choice(LightStatements.Tone.self, "rule"), standard: .automatic,
    on: "pq-heic hlg-heic pq-avif hlg-avif", because: noPlace, rare: true,
    """
    SMPTE ST 2094-50 metadata that are written: keep those of the file (or of --tone-metadata); reference-white for \
    that operator; auto keeps them where the light is unchanged.
    """)
  package let iccHAGC = SettingKey(
    "icc-hagc", .profileTone,
    on: "pq-png hlg-png pq-heic hlg-heic pq-avif hlg-avif pq-jxl hlg-jxl linear-jxl pq-tiff hlg-tiff linear-tiff",
    because: "its curves are for PQ, HLG or linear light in a format with an ICC profile", rare: true,
    """
    SMPTE ST 2094-50 metadata in the tag HAGC of the ICC profile, which say how SDR displays show the picture: auto keeps \
    those of the file where the light is unchanged, else fits curves to the SDR rendition of a gain map, else takes \
    reference-white, that operator's; fit fits them to the SDR rendition in any case, and force-fit even where they \
    are far off; FILE takes a payload.
    """)
  package let only = SettingKey(
    "only", .choice(PictureKind.self, "kind"), assumed: "all",
    "Leaves out pictures of other kinds: hdr by curve or gain map, sdr without either, adaptive with a gain map.")

  private static let noPlace = "the format has no place for it"
  private static let serveAll = "adaptive-* files serve every display headroom"
}

/// The kind of a picture by its light.
package enum PictureKind: String, Sendable, Hashable, CaseIterable {
  /// An HDR transfer curve or a gain map that can be applied.
  case hdr
  case sdr
  /// A gain map that can be applied.
  case adaptive
}
