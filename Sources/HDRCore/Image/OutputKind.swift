/// Curve of coded samples.
public enum SignalCurve: String, Sendable, Hashable {
  /// Linear light, 1.0 = reference white.
  case linear
  case pq
  case hlg
  /// sRGB curve, 1.0 = SDR white.
  case sdr
}

/// A kind of output file with one picture: `--to` on the command line. One row a kind in `allCases`; command line,
/// recipes, planner, names and encoders read what they need of it.
public struct OutputKind: Sendable, Hashable, CaseIterable, RawRepresentable {
  /// Samples as an encoder takes them; alpha is straight.
  public enum Layout: Sendable, Hashable {
    /// Interleaved R G B A `uint8`.
    case rgba8
    /// Interleaved R G B A `uint16`.
    case rgba16
    /// Interleaved R G B A `float16`.
    case rgba16f
    /// Planes Y, Cb, Cr `uint16`, 10 bits right-aligned.
    case planarYCC

    public var bitDepth: Int {
      switch self {
      case .rgba8: 8
      case .rgba16, .rgba16f: 16
      case .planarYCC: 10
      }
    }
  }

  /// The word after `--to`.
  public let rawValue: String
  /// `SourceImage.format` when it is read again.
  public let format: String
  public let fileExtension: String
  public let curve: SignalCurve
  public let layout: Layout
  /// Whether the format has no alpha.
  public let isOpaque: Bool
  /// Whether the file states the measured light level.
  public let statesLightLevel: Bool
  /// Whether a JSON file with what the format cannot hold goes beside it.
  public let hasSidecar: Bool

  private init(
    _ name: String, format: String, extension fileExtension: String, _ curve: SignalCurve, _ layout: Layout,
    isOpaque: Bool = false, statesLightLevel: Bool = false, hasSidecar: Bool = false
  ) {
    rawValue = name
    self.format = format
    self.fileExtension = fileExtension
    self.curve = curve
    self.layout = layout
    self.isOpaque = isOpaque
    self.statesLightLevel = statesLightLevel
    self.hasSidecar = hasSidecar
  }

  /// Where none is given; JPEG XL is without loss then.
  public var standardQuality: Int { format == "jxl" ? 100 : 90 }

  public init?(rawValue: String) {
    guard let kind = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = kind
  }

  public static func == (left: OutputKind, right: OutputKind) -> Bool { left.rawValue == right.rawValue }
  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

  // PNG has a light level in HLG too, but by policy we write none (docs/colour-formulas.md#metadata-layouts).
  public static let pqPNG = OutputKind("pq-png", format: "png", extension: "png", .pq, .rgba16, statesLightLevel: true)
  public static let hlgPNG = OutputKind("hlg-png", format: "png", extension: "png", .hlg, .rgba16)
  public static let sdrPNG = OutputKind("sdr-png", format: "png", extension: "png", .sdr, .rgba8)
  public static let sdrJPEG = OutputKind("sdr-jpeg", format: "jpeg", extension: "jpg", .sdr, .rgba8, isOpaque: true)
  public static let pqHEIC = OutputKind(
    "pq-heic", format: "heic", extension: "heic", .pq, .planarYCC, isOpaque: true, statesLightLevel: true)
  public static let hlgHEIC = OutputKind(
    "hlg-heic", format: "heic", extension: "heic", .hlg, .planarYCC, isOpaque: true, statesLightLevel: true)
  public static let pqJXL = OutputKind("pq-jxl", format: "jxl", extension: "jxl", .pq, .rgba16, statesLightLevel: true)
  public static let hlgJXL = OutputKind("hlg-jxl", format: "jxl", extension: "jxl", .hlg, .rgba16)
  public static let sdrJXL = OutputKind("sdr-jxl", format: "jxl", extension: "jxl", .sdr, .rgba8)
  public static let linearJXL = OutputKind("linear-jxl", format: "jxl", extension: "jxl", .linear, .rgba16f)
  public static let rgba16f = OutputKind(
    "rgba16f", format: "rgba16f", extension: "rgba16f", .linear, .rgba16f, hasSidecar: true)

  public static let allCases = [
    pqPNG, hlgPNG, sdrPNG, sdrJPEG, pqHEIC, hlgHEIC,
    pqJXL, hlgJXL, sdrJXL, linearJXL,
    rgba16f,
  ]
}
