/// A style names a transform that OpenColorIO has built in, as `ACEScct_to_ACES2065-1`.
package struct BuiltinStyle: Sendable, Hashable {
  /// The name as OpenColorIO spells it; configs may spell it in other cases.
  package let name: String
  /// The version of configs from which it may be used.
  package let since: ConfigVersion
}

extension BuiltinStyle {
  /// All styles of OpenColorIO 2.6, by what they are for.
  package static let all =
    [
      styles(
        0,
        [
          "IDENTITY", "UTILITY - ACES-AP0_to_CIE-XYZ-D65_BFD", "UTILITY - ACES-AP1_to_CIE-XYZ-D65_BFD",
          "UTILITY - ACES-AP1_to_LINEAR-REC709_BFD", "CURVE - ACEScct-LOG_to_LINEAR", "CURVE - ST-2084_to_LINEAR",
          "CURVE - LINEAR_to_ST-2084", "ACES-LMT - BLUE_LIGHT_ARTIFACT_FIX",
        ]),
      styles(1, ["ACES-LMT - ACES 1.3 Reference Gamut Compression"]),
      styles(2, ["CURVE - CANON_CLOG2_to_LINEAR", "CURVE - CANON_CLOG3_to_LINEAR"]),
      styles(4, ["CURVE - APPLE_LOG_to_LINEAR", "CURVE - HLG-OETF-INVERSE", "CURVE - HLG-OETF"]),
      styles(
        0,
        [
          "ACEScct", "ACEScc", "ACEScg", "ACESproxy10i", "ADX10", "ADX16", "ARRI_ALEXA-LOGC-EI800-AWG",
          "CANON_CLOG2-CGAMUT", "CANON_CLOG3-CGAMUT", "PANASONIC_VLOG-VGAMUT", "RED_REDLOGFILM-RWG", "RED_LOG3G10-RWG",
          "SONY_SLOG3-SGAMUT3", "SONY_SLOG3-SGAMUT3.CINE", "SONY_SLOG3-SGAMUT3-VENICE",
          "SONY_SLOG3-SGAMUT3.CINE-VENICE",
        ], after: "_to_ACES2065-1"),
      styles(2, ["ARRI_LOGC4"], after: "_to_ACES2065-1"),
      styles(4, ["APPLE_LOG"], after: "_to_ACES2065-1"),
      styles(6, ["APPLE_LOG-APPLEWG"], after: "_to_ACES2065-1"),
      styles(0, aces1, before: output), styles(4, aces2, before: output),
      styles(
        0,
        [
          "REC.1886-REC.709", "REC.1886-REC.2020", "G2.2-REC.709", "sRGB", "G2.6-P3-DCI-BFD", "G2.6-P3-D65",
          "G2.6-P3-D60-BFD", "REC.2100-PQ", "ST2084-P3-D65", "REC.2100-HLG-1000nit",
        ], before: display),
      styles(3, ["DisplayP3"], before: display),
      styles(4, ["DCDM-D65", "DisplayP3-HDR", "ST2084-DCDM-D65"], before: display),
      styles(
        5, ["REC.1886-REC.709", "REC.1886-REC.2020", "G2.2-REC.709", "sRGB", "G2.6-P3-D65"], before: display,
        after: " - MIRROR NEGS"),
    ].flatMap { $0 }

  private static let output = "ACES-OUTPUT - ACES2065-1_to_CIE-XYZ-D65 - ", display = "DISPLAY - CIE-XYZ-D65_to_"

  private static let aces1 =
    [
      "SDR-CINEMA_1.0", "SDR-VIDEO_1.0", "SDR-CINEMA-REC709lim_1.1", "SDR-VIDEO-REC709lim_1.1", "SDR-VIDEO-P3lim_1.1",
      "SDR-CINEMA-D60sim-D65_1.1", "SDR-VIDEO-D60sim-D65_1.0", "SDR-CINEMA-D60sim-DCI_1.0",
      "SDR-CINEMA-D65sim-DCI_1.1", "HDR-CINEMA-108nit-7.2nit-P3lim_1.1",
    ]
    + ["1000", "2000", "4000"].flatMap {
      ["HDR-VIDEO-\($0)nit-15nit-REC2020lim_1.1", "HDR-VIDEO-\($0)nit-15nit-P3lim_1.1"]
    }

  private static let aces2 =
    [
      "SDR-100nit-REC709", "SDR-100nit-P3-D65", "HDR-108nit-P3-D65", "HDR-300nit-P3-D65",
      "SDR-100nit-REC709-D60-in-REC709-D65", "SDR-100nit-REC709-D60-in-P3-D65", "SDR-100nit-REC709-D60-in-REC2020-D65",
      "SDR-100nit-P3-D60-in-P3-D65", "SDR-100nit-P3-D60-in-XYZ-E", "HDR-108nit-P3-D60-in-P3-D65",
      "HDR-300nit-P3-D60-in-XYZ-E",
    ].map { $0 + "_2.0" }
    + ["500", "1000", "2000", "4000"].flatMap { peak in
      ["P3-D65", "REC2020", "P3-D60-in-P3-D65", "P3-D60-in-REC2020-D65", "REC2020-D60-in-REC2020-D65"].map {
        "HDR-\(peak)nit-\($0)_2.0"
      }
    }

  private static func styles(
    _ minor: Int, _ names: [String], before: String = "", after: String = ""
  ) -> [BuiltinStyle] {
    names.map { BuiltinStyle(name: before + $0 + after, since: ConfigVersion(2, minor)) }
  }

  private static let byName = Dictionary(all.map { ($0.name.lowercased(), $0) }) { first, _ in first }

  /// Returns a style by its name; upper and lower case are the same.
  package static func named(_ name: String) -> BuiltinStyle? { byName[name.lowercased()] }
}
