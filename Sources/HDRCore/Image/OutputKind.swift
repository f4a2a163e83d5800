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
    /// Planes Y, Cb, Cr `uint16`, right-aligned: 10 bits where `raw` does not say otherwise.
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
  /// How samples are packed, where a caller chooses that.
  public let raw: RawFormat?

  private init(
    _ name: String, format: String, extension fileExtension: String, _ curve: SignalCurve, _ layout: Layout,
    isOpaque: Bool = false, statesLightLevel: Bool = false, hasSidecar: Bool = false, raw: RawFormat? = nil
  ) {
    rawValue = name
    self.format = format
    self.fileExtension = fileExtension
    self.curve = curve
    self.layout = layout
    self.isOpaque = isOpaque
    self.statesLightLevel = statesLightLevel
    self.hasSidecar = hasSidecar
    self.raw = raw
  }

  public init?(rawValue: String) {
    guard let kind = (Self.allCases + Self.packed).first(where: { $0.rawValue == rawValue }) else { return nil }
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
  public static let rgba16f = OutputKind(
    "rgba16f", format: "rgba16f", extension: "rgba16f", .linear, .rgba16f, hasSidecar: true)

  public static let allCases = [pqPNG, hlgPNG, sdrPNG, sdrJPEG, pqHEIC, hlgHEIC, rgba16f]

  /// Kinds with a `RawFormat` behind a colon, `pq-raw:p010`: every curve and every format that it is for.
  public static let packed = RawFormat.allCases.flatMap { format -> [OutputKind] in
    let curves: [SignalCurve] = format.sample.isInteger ? [.pq, .hlg, .sdr] : [.linear]
    return curves.flatMap { curve in
      let raw = OutputKind(curve, "raw", format)
      return format.y4m == nil ? [raw] : [raw, OutputKind(curve, "y4m", format)]
    }
  }

  private init(_ curve: SignalCurve, _ container: String, _ format: RawFormat) {
    let layout: Layout = format.model != .rgb ? .planarYCC : format.sample.isInteger ? .rgba16 : .rgba16f
    self.init(
      "\(curve.rawValue)-\(container):\(format.name)", format: container, extension: container, curve, layout,
      isOpaque: !format.hasAlpha, hasSidecar: container == "raw", raw: format)
  }

  /// Bits of a sample as the encoder takes it.
  public var bitDepth: Int { layout == .planarYCC ? raw?.bitDepth ?? layout.bitDepth : layout.bitDepth }
}
