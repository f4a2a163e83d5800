/// The rows of the list. A new space is one row, and its primaries and curve where no other space has them.
extension NamedSpace {
  /// Every space once: those of ACES, cameras, film, pictures and textures, displays.
  package static let all = ofACES + ofCameras + ofFilm + ofPictures + ofDisplays

  /// True for a camera's logarithm, which many cameras record in the limited range; also for one of a config that no row
  /// names.
  package var isOfCamera: Bool {
    kind == .log && (Self.named(name).map { Self.ofCameras.contains($0) } ?? true)
  }

  private static let ofACES: [NamedSpace] = [
    space("ACES2065-1", id: "lin_ap0_scene", ["aces2065_1", "aces", "ACES - ACES2065-1", "lin_ap0"], .linear, .aces),
    space("ACEScg", id: "lin_ap1_scene", ["ACES - ACEScg", "lin_ap1"], .linear, .acesWorking),
    space("ACEScct", id: "ocio:acescct_ap1_scene", ["ACES - ACEScct", "acescct_ap1"], .log, .acesWorking, .acesCCT),
    space(
      "ACEScc", id: "ocio:acescc_ap1_scene", ["ACES - ACEScc", "acescc_ap1"], .log, .acesWorking, .acesCC, clamps: true),
    space("ACESproxy", ["acesproxy10i"], .log, .acesWorking, .acesProxy),
  ]

  private static let ofCameras: [NamedSpace] =
    [
      space("ARRI LogC4", id: "ocio:arrilogc4_awg4_scene", ["arri_logc4"], .log, .arriWide4, .arriLogC4),
      space(
        "Linear ARRI Wide Gamut 4", id: "ocio:lin_awg4_scene", ["lin_arri_wide_gamut_4", "lin_awg4"], .linear,
        .arriWide4),
      space(
        "ARRI LogC3 (EI800)", id: "ocio:arrilogc3_awg3_scene",
        ["arri_logc3_ei800", "logc3ei800_alexawide", "Input - ARRI - V3 LogC (EI800) - Wide Gamut"], .log, .arriWide3,
        .arriLogC3),
      space(
        "Linear ARRI Wide Gamut 3", id: "ocio:lin_awg3_scene",
        ["lin_arri_wide_gamut_3", "lin_alexawide", "Input - ARRI - Linear - ALEXA Wide Gamut"], .linear, .arriWide3),
      space(
        "S-Log3 S-Gamut3", id: "ocio:slog3_sgamut3_scene", ["slog3_sgamut3", "Input - Sony - S-Log3 - S-Gamut3"], .log,
        .sGamut3, .sLog3),
      space(
        "S-Log3 S-Gamut3.Cine", id: "ocio:slog3_sgamut3cine_scene",
        ["slog3_sgamut3cine", "slog3_sgamutcine", "Input - Sony - S-Log3 - S-Gamut3.Cine"], .log, .sGamut3Cine, .sLog3),
      space(
        "S-Log3 Venice S-Gamut3", id: "ocio:slog3_sgamut3venice_scene",
        ["slog3_venice_sgamut3", "Input - Sony - S-Log3 - Venice S-Gamut3"], .log, .veniceSGamut3, .sLog3),
      space(
        "S-Log3 Venice S-Gamut3.Cine", id: "ocio:slog3_sgamut3cinevenice_scene",
        ["slog3_venice_sgamut3cine", "slog3_venice_sgamutcine", "Input - Sony - S-Log3 - Venice S-Gamut3.Cine"], .log,
        .veniceSGamut3Cine, .sLog3),
      space(
        "Linear S-Gamut3", id: "ocio:lin_sgamut3_scene", ["lin_sgamut3", "Input - Sony - Linear - S-Gamut3"], .linear,
        .sGamut3),
      space(
        "Linear S-Gamut3.Cine", id: "ocio:lin_sgamut3cine_scene",
        ["lin_sgamut3cine", "Input - Sony - Linear - S-Gamut3.Cine"], .linear, .sGamut3Cine),
      space(
        "Linear Venice S-Gamut3", id: "ocio:lin_sgamut3venice_scene",
        ["lin_venice_sgamut3", "Input - Sony - Linear - Venice S-Gamut3"], .linear, .veniceSGamut3),
      space(
        "Linear Venice S-Gamut3.Cine", id: "ocio:lin_sgamut3cinevenice_scene",
        ["lin_venice_sgamut3cine", "Input - Sony - Linear - Venice S-Gamut3.Cine"], .linear, .veniceSGamut3Cine),
      space(
        "V-Log V-Gamut", id: "ocio:vlog_vgamut_scene", ["vlog_vgamut", "Input - Panasonic - V-Log - V-Gamut"], .log,
        .vGamut, .vLog),
      space(
        "Linear V-Gamut", id: "ocio:lin_vgamut_scene", ["lin_vgamut", "Input - Panasonic - Linear - V-Gamut"], .linear,
        .vGamut),
      space(
        "Log3G10 REDWideGamutRGB", id: "ocio:redlog3g10_rwg_scene",
        ["log3g10_redwidegamutrgb", "rl3g10_rwg", "Input - RED - REDLog3G10 - REDWideGamutRGB"], .log, .redWide,
        .log3G10),
      space("REDLogFilm REDWideGamutRGB", ["redlogfilm_rwg"], .log, .redWide, .redLogFilm),
      space(
        "Linear REDWideGamutRGB", id: "ocio:lin_rwg_scene",
        ["lin_redwidegamutrgb", "lin_rwg", "Input - RED - Linear - REDWideGamutRGB"], .linear, .redWide),
      space(
        "CanonLog2 CinemaGamut D55", id: "ocio:canonlog2_cgamutd55_scene",
        ["canonlog2_cinemagamut_d55", "canonlog2_cgamutday", "Input - Canon - Canon-Log2 - Cinema Gamut Daylight"],
        .log, .cinemaGamut, .canonLog2),
      space(
        "CanonLog3 CinemaGamut D55", id: "ocio:canonlog3_cgamutd55_scene",
        ["canonlog3_cinemagamut_d55", "canonlog3_cgamutday", "Input - Canon - Canon-Log3 - Cinema Gamut Daylight"],
        .log, .cinemaGamut, .canonLog3),
      space(
        "Linear CinemaGamut D55", id: "ocio:lin_cgamutd55_scene",
        ["lin_cinemagamut_d55", "lin_canoncgamutday", "Input - Canon - Linear - Canon Cinema Gamut Daylight"], .linear,
        .cinemaGamut),
      space("D-Log D-Gamut", id: "ocio:djilog_dgamut_scene", ["dlog_dgamut"], .log, .dGamut, .dLog),
      space("Linear D-Gamut", id: "ocio:lin_dgamut_scene", ["lin_dgamut"], .linear, .dGamut),
      space(
        "BMDFilm WideGamut Gen5", id: "ocio:bmdfilm5_wg5_scene", ["bmdfilm_widegamut_gen5"], .log, .blackmagicWide5,
        .blackmagicFilm5),
      space(
        "Linear BMD WideGamut Gen5", id: "ocio:lin_bmdwg5_scene", ["lin_bmd_widegamut_gen5"], .linear, .blackmagicWide5),
      space(
        "DaVinci Intermediate WideGamut", id: "ocio:davinci_dwg_scene", ["davinci_intermediate_widegamut"], .log,
        .davinciWide, .davinciIntermediate),
      space("Linear DaVinci WideGamut", id: "ocio:lin_dwg_scene", ["lin_davinci_widegamut"], .linear, .davinciWide),
      space("Apple Log", id: "ocio:applelog_rec2020_scene", ["apple_log"], .log, .rec2020, .appleLog),
      space("Apple Log 2", id: "ocio:applelog_applewg_scene", ["apple_log_2"], .log, .appleWide, .appleLog),
      space("Linear Apple Wide Gamut", id: "ocio:lin_applewg_scene", ["lin_apple_wide_gamut"], .linear, .appleWide),
      space("F-Log2 F-Gamut", ["flog2_fgamut"], .log, .rec2020Camera, .fLog2),
      space("F-Log2C F-Gamut C", ["flog2c_fgamutc"], .log, .fGamutC, .fLog2),
      space("F-Log F-Gamut", ["flog_fgamut"], .log, .rec2020Camera, .fLog),
      space("N-Log Rec.2020", ["nlog_rec2020"], .log, .rec2020Camera, .nikonNLog),
      space("Protune GoPro", ["protune_gopro"], .log, .protune, .protune),
    ] + exposureIndices

  private static let ofFilm: [NamedSpace] = [
    space("Cineon Rec.709", ["cineon_rec709"], .log, .rec709, .cineon),
    density(
      "ADX10", id: "ocio:adx10_apd_scene", ["Input - ADX - ADX10"], .affine(scale: 1023 / 500, offset: -95 / 500)),
    density(
      "ADX16", id: "ocio:adx16_apd_scene", ["Input - ADX - ADX16"], .affine(scale: 65_535 / 8000, offset: -1520 / 8000)),
  ]

  private static let ofPictures: [NamedSpace] = [
    space(
      "Linear Rec.709 (sRGB)", id: "lin_rec709_scene",
      ["lin_rec709_srgb", "lin_rec709", "lin_srgb", "Utility - Linear - sRGB", "Utility - Linear - Rec.709"], .linear,
      .rec709),
    space(
      "Linear P3-D65", id: "lin_p3d65_scene",
      ["lin_p3d65", "lin_displayp3", "Utility - Linear - P3-D65", "Linear Display P3"], .linear, .p3),
    space(
      "Linear Rec.2020", id: "lin_rec2020_scene", ["lin_rec2020", "Utility - Linear - Rec.2020"], .linear, .rec2020),
    space(
      "Linear AdobeRGB", id: "lin_adobergb_scene", ["lin_adobergb", "Utility - Linear - Adobe RGB"], .linear, .adobe),
    space("CIE XYZ-D65 - Scene-referred", id: "lin_ciexyzd65_scene", ["cie_xyz_d65_scene"], .linear, .xyz),
    space(
      "sRGB Encoded Rec.709 (sRGB)", id: "srgb_rec709_scene",
      [
        "srgb_encoded_rec709_srgb", "srgb_texture", "Utility - sRGB - Texture", "Input - Generic - sRGB - Texture",
        "sRGB - Texture", "srgb_tx",
      ], .video, .rec709, .lineAndPower(gamma: 2.4, offset: 0.055)),
    space(
      "sRGB Encoded P3-D65", id: "srgb_p3d65_scene",
      ["srgb_encoded_p3d65", "srgb_p3d65", "srgb_displayp3", "sRGB Encoded P3-D65 - Texture", "srgb_encoded_p3d65_tx"],
      .video, .p3, .lineAndPower(gamma: 2.4, offset: 0.055)),
    space(
      "sRGB Encoded AP1", id: "srgb_ap1_scene",
      ["srgb_encoded_ap1", "srgb_ap1", "sRGB Encoded AP1 - Texture", "srgb_encoded_ap1_tx"], .video, .acesWorking,
      .lineAndPower(gamma: 2.4, offset: 0.055)),
    space(
      "Gamma 1.8 Encoded Rec.709", id: "g18_rec709_scene",
      [
        "g18_encoded_rec709", "g18_rec709", "Utility - Gamma 1.8 - Rec.709 - Texture", "Gamma 1.8 Rec.709 - Texture",
        "g18_rec709_tx",
      ], .video, .rec709, .power(1.8)),
    space(
      "Gamma 2.2 Encoded Rec.709", id: "g22_rec709_scene",
      [
        "g22_encoded_rec709", "g22_rec709", "Utility - Gamma 2.2 - Rec.709 - Texture", "Gamma 2.2 Rec.709 - Texture",
        "g22_rec709_tx",
      ], .video, .rec709, .power(2.2)),
    space(
      "Gamma 2.4 Encoded Rec.709", id: "g24_rec709_scene",
      [
        "g24_encoded_rec709", "g24_rec709", "rec709_display", "Utility - Rec.709 - Display",
        "Gamma 2.4 Rec.709 - Texture", "g24_rec709_tx", "ocio:g24_rec709_scene",
      ], .video, .rec709, .power(2.4)),
    space(
      "Gamma 2.2 Encoded AdobeRGB", id: "g22_adobergb_scene", ["g22_encoded_adobergb", "adobergb"], .video, .adobe,
      .power(2.19921875)),
    space(
      "Gamma 2.2 Encoded AP1", id: "g22_ap1_scene",
      ["g22_encoded_ap1", "g22_ap1", "Gamma 2.2 AP1 - Texture", "g22_ap1_tx"], .video, .acesWorking, .power(2.2)),
    space(
      "Camera Rec.709", id: "ocio:itu709_rec709_scene",
      ["camera_rec709", "rec709_camera", "Utility - Rec.709 - Camera"], .video, .rec709,
      .lineAndPower(gamma: 1 / 0.45, offset: 0.099)),
  ]

  private static let ofDisplays: [NamedSpace] = [
    display("sRGB - Display", id: "srgb_rec709_display", ["srgb_display"], .rec709, .sRGB),
    display("Gamma 2.2 Rec.709 - Display", id: "g22_rec709_display", [], .rec709, .gamma(2.2)),
    display("Rec.1886 Rec.709 - Display", id: "g24_rec709_display", ["rec1886_rec709_display"], .rec709, .gamma(2.4)),
    display(
      "Gamma 2.6 P3-D65 - Display", id: "g26_p3d65_display", ["P3-D65 - Display", "p3d65_display"], .p3, .gamma(2.6)),
    display("Display P3 - Display", id: "srgb_p3d65_display", ["displayp3_display"], .p3, .sRGB),
    display("Display P3 HDR - Display", id: "srgbe_p3d65_display", ["displayp3_hdr_display"], .p3, .sRGB),
    display("Rec.2100-PQ - Display", id: "pq_rec2020_display", ["rec2100_pq_display"], .rec2020, .pq),
    display("ST2084-P3-D65 - Display", id: "pq_p3d65_display", ["st2084_p3d65_display"], .p3, .pq),
    display("Rec.2100-HLG - Display", id: "hlg_rec2020_display", ["rec2100_hlg_display"], .rec2020, .hlg),
  ]
}
