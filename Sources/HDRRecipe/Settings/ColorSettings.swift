import HDRCore
import HDRPlan

/// Settings for the colours of the output and for LUTs.
package struct ColorSettings: SettingGroup {
  package var title: String { "Colour" }
  package var scope: Setting.Scope { .recipe }

  package let primaries = SettingKey(
    "primaries", .outputSpace,
    assumed:
      "bt2020 for HDR kinds, srgb for hdr, pfm, dpx and dpx-log; for sdr-* p3 when the source is wider than sRGB, else srgb",
    like: "output's space",
    "Primaries of the output; of linear outputs also a linear space by name, as with --to-space.")
  package let toSpace = SettingKey(
    "to-space", .spaceName, on: "exr hdr pfm linear-* rgba16f", because: "others have a curve", like: "output's space",
    """
    Linear space of the output, by name: ACEScg, ACES2065-1, Linear ARRI Wide Gamut 4 and others that hdrbatch spaces \
    lists. OpenEXR states chromaticities and colorInteropID, Radiance primaries, others a profile, rgba16f its name in \
    the sidecar.
    """)
  package let iccOutput = SettingKey(
    "icc-output", .path(), on: "sdr-*", because: "HDR and gain maps have spaces of their own", like: "output's space",
    "An RGB ICC profile as the output's space; the file gets it as it is.")
  package let gamut = SettingKey(
    "gamut", .choice(GamutChoice.self, "rule"), standard: .automatic,
    "Colours outside the output's gamut: mix with grey, clip, or leave them; auto is compress, for exr and rgba16f none."
  )
  package let dither = SettingKey(
    "dither", .number(0...16, "codes"), standard: 0, "Dither before quantising, in output codes; 0 is none.")
  package let lut = SettingKey(
    "lut", listOf: .path(),
    """
    A LUT or a colour transform, applied before the tone operator: .cube, .3dl, .clf, .ctf, .csp, .spi1d, .spi3d, \
    .spimtx, .lut, .vf, .cub, .itx, .cdl, .cc, .ccc (with #ID of one correction); several in their order.
    """)
  package let lutSpace = SettingKey(
    "lut-space", listOf: .lutSpace, assumed: "srgb for SDR inputs; needed for HDR ones",
    """
    Space of the LUT's input and output: a curve, with primaries after a hyphen (pq-p3; p3 is srgb-p3) or else bt2020 \
    for pq and hlg, srgb for others; or a space by name, as ACEScct. One for all LUTs, or one each.
    """)
  package let lutRange = SettingKey(
    "lut-range", .choice(LUTRange.self, "rule"), assumed: "extrapolate", rare: true,
    "Outside the LUT's domain: extrapolate linearly, or clamp.")
  package let lutInterpolation = SettingKey(
    "lut-interpolation", .choice(LUTChoice.Interpolation.self, "rule"), assumed: "tetrahedral", rare: true,
    "Between the nodes of 3D LUTs; nearest takes the value of one node, in 1D LUTs too.")
}

/// The handling of values outside a LUT's domain.
package enum LUTRange: String, Sendable, Hashable, CaseIterable {
  case extrapolate, clamp
}
