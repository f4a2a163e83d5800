import HDRCore
import OCIOConfig

/// The signal of a display of a config: what kind of file takes its light.
package struct DisplaySignal: Sendable, Hashable {
  package enum Curve: Sendable, Hashable {
    /// 1.0 is the display's white, and nothing is brighter.
    case sdr
    case pq, hlg
    /// A curve of SDR that goes on above white, as of EDR displays.
    case extended
  }
  package var curve: Curve
  /// The H.273 code of the narrowest display primaries that hold the signal: 1, 12 or 9.
  package var primaries: Int

  package init(_ curve: Curve, _ primaries: Int) { (self.curve, self.primaries) = (curve, primaries) }

  /// True for a display that shows no light above its white.
  package var isSDR: Bool { curve == .sdr }

  /// Returns the signal that a built-in style makes: `DISPLAY - CIE-XYZ-D65_to_sRGB`; `nil` for other styles.
  package init?(style: String) {
    let start = "DISPLAY - CIE-XYZ-D65_to_", end = " - MIRROR NEGS"
    guard style.hasPrefix(start) else { return nil }
    let name = String(style.dropFirst(start.count)),
      plain = name.hasSuffix(end) ? String(name.dropLast(end.count)) : name
    guard let signal = Self.styles[plain] else { return nil }
    self = signal
  }

  /// Returns the signal of a display's identifier (ASWF Color Interop Forum); `nil` for unknown ones.
  package init?(interopID: String) {
    guard let signal = Self.identifiers[interopID] else { return nil }
    self = signal
  }

  private static let styles: [String: DisplaySignal] = [
    "sRGB": DisplaySignal(.sdr, 1), "REC.1886-REC.709": DisplaySignal(.sdr, 1), "G2.2-REC.709": DisplaySignal(.sdr, 1),
    "REC.1886-REC.2020": DisplaySignal(.sdr, 9), "G2.6-P3-DCI-BFD": DisplaySignal(.sdr, 12),
    "G2.6-P3-D65": DisplaySignal(.sdr, 12), "G2.6-P3-D60-BFD": DisplaySignal(.sdr, 12),
    "DCDM-D65": DisplaySignal(.sdr, 12), "DisplayP3": DisplaySignal(.sdr, 12),
    "DisplayP3-HDR": DisplaySignal(.extended, 12), "REC.2100-PQ": DisplaySignal(.pq, 9),
    "ST2084-P3-D65": DisplaySignal(.pq, 12), "ST2084-DCDM-D65": DisplaySignal(.pq, 9),
    "REC.2100-HLG-1000nit": DisplaySignal(.hlg, 9),
  ]

  private static let identifiers: [String: DisplaySignal] = [
    "srgb_rec709_display": DisplaySignal(.sdr, 1), "g22_rec709_display": DisplaySignal(.sdr, 1),
    "g24_rec709_display": DisplaySignal(.sdr, 1), "g24_rec2020_display": DisplaySignal(.sdr, 9),
    "srgb_p3d65_display": DisplaySignal(.sdr, 12), "g26_p3d65_display": DisplaySignal(.sdr, 12),
    "srgbe_p3d65_display": DisplaySignal(.extended, 12), "pq_rec2020_display": DisplaySignal(.pq, 9),
    "pq_p3d65_display": DisplaySignal(.pq, 12), "hlg_rec2020_display": DisplaySignal(.hlg, 9),
  ]
}

extension DisplaySignal {
  /// Returns the signal of a view's codes: by the built-in style that makes them, the identifier of their space, its
  /// encoding; `nil` if none says what they are.
  package init?(_ codes: [ConfigOperation], _ space: Config.Space?) {
    for operation in codes {
      if case .builtin(let style) = operation.kind, let signal = DisplaySignal(style: style.name) {
        self = signal
        return
      }
    }
    guard let space else { return nil }
    for name in [space.interopID].compactMap(\.self) + space.aliases {
      if let signal = DisplaySignal(interopID: name) {
        self = signal
        return
      }
    }
    switch space.encoding {
    case "sdr-video": self.init(.sdr, 1)
    case "hdr-video": self.init(.pq, 9)
    case "edr-video": self.init(.extended, 12)
    default: return nil
    }
  }

  /// The kinds of outputs that take the signal's light, in words.
  package var kinds: String {
    switch curve {
    case .sdr: "sdr-*, adaptive-* (SDR)"
    case .pq: "pq-*, adaptive-* (HDR)"
    case .hlg: "hlg-*, adaptive-* (HDR)"
    case .extended: "exr, rgba16f, linear-*, adaptive-* (HDR)"
    }
  }

  /// Returns true if files of a curve take the display's light: as it is, or linear.
  package func fits(_ encoding: SignalCurve) -> Bool {
    switch encoding {
    case .sdr: curve == .sdr
    case .pq: curve == .pq
    case .hlg: curve == .hlg
    case .linear: true
    }
  }
}
