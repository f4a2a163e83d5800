/// The curve of coded samples.
public enum SignalCurve: String, Sendable, Hashable {
  /// Linear light, 1.0 = reference white.
  case linear
  case pq
  case hlg
  /// The sRGB curve, 1.0 = SDR white.
  case sdr
}

/// A kind of output file with one picture: `--to` on the command line. `allCases` has one row per kind; command line,
/// recipes, planner, names and encoders read it.
public struct OutputKind: Sendable, Hashable, CaseIterable, RawRepresentable {
  /// The layout of samples for an encoder; alpha is straight unless `takesPremultiplied`.
  public enum Layout: Sendable, Hashable {
    /// Interleaved R G B A `uint8`.
    case rgba8
    /// Interleaved R G B A `uint16`.
    case rgba16
    /// Interleaved R G B A `float16`; for 32 bits planes R, G, B, and A if there is any, of `float32`.
    case rgba16f
    /// Planes Y, Cb, Cr, and alpha if there is any, `uint16`, right-aligned.
    case planarYCC

    fileprivate var bitDepths: [Int] {
      switch self {
      case .rgba8: [8]
      case .rgba16, .rgba16f: [16]
      case .planarYCC: [10, 12]
      }
    }
  }

  /// The word after `--to`.
  public let rawValue: String
  /// The `SourceImage.format` that reading the file gives.
  public let format: FileFormat
  public let fileExtension: String
  public let curve: SignalCurve
  public let layout: Layout
  /// The possible bits of a sample; the first is the default.
  public let bitDepths: [Int]
  /// True if the format has no alpha.
  public let isOpaque: Bool
  /// True if the file states the measured light level.
  public let statesLightLevel: Bool
  /// True if colour is multiplied by alpha.
  public let takesPremultiplied: Bool
  /// True if a JSON file beside the output states what the format cannot hold.
  public let hasSidecar: Bool
  /// The packing of samples, if a caller chooses it.
  public let raw: RawFormat?

  private init(
    _ name: String, _ format: FileFormat, extension fileExtension: String, _ curve: SignalCurve, _ layout: Layout,
    bitDepths: [Int]? = nil, isOpaque: Bool = false, statesLightLevel: Bool = false,
    takesPremultiplied: Bool = false, hasSidecar: Bool = false, raw: RawFormat? = nil
  ) {
    rawValue = name
    self.format = format
    self.fileExtension = fileExtension
    self.curve = curve
    self.layout = layout
    self.bitDepths = bitDepths ?? layout.bitDepths
    self.isOpaque = isOpaque
    self.statesLightLevel = statesLightLevel
    self.takesPremultiplied = takesPremultiplied
    self.hasSidecar = hasSidecar
    self.raw = raw
  }

  /// True if code values have the full range by default. Y'CbCr of raw and Y4M files has the limited one, which video
  /// programs assume; grey is full range for them.
  public var isFullRange: Bool { raw?.model != .ycc }

  public init?(rawValue: String) {
    guard let kind = (Self.allCases + Self.packed).first(where: { $0.rawValue == rawValue }) else { return nil }
    self = kind
  }

  public static func == (left: OutputKind, right: OutputKind) -> Bool { left.rawValue == right.rawValue }
  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

  // PNG has a light level in HLG too, but by policy we write none (docs/colour-formulas.md#metadata-layouts).
  public static let pqPNG = OutputKind("pq-png", .png, extension: "png", .pq, .rgba16, statesLightLevel: true)
  public static let hlgPNG = OutputKind("hlg-png", .png, extension: "png", .hlg, .rgba16)
  public static let sdrPNG = OutputKind("sdr-png", .png, extension: "png", .sdr, .rgba8)
  public static let sdrJPEG = OutputKind("sdr-jpeg", .jpeg, extension: "jpg", .sdr, .rgba8, isOpaque: true)
  public static let pqHEIC = OutputKind(
    "pq-heic", .heic, extension: "heic", .pq, .planarYCC, statesLightLevel: true)
  public static let hlgHEIC = OutputKind(
    "hlg-heic", .heic, extension: "heic", .hlg, .planarYCC, statesLightLevel: true)
  public static let pqAVIF = OutputKind(
    "pq-avif", .avif, extension: "avif", .pq, .planarYCC, statesLightLevel: true)
  public static let hlgAVIF = OutputKind(
    "hlg-avif", .avif, extension: "avif", .hlg, .planarYCC, statesLightLevel: true)
  public static let sdrAVIF = OutputKind(
    "sdr-avif", .avif, extension: "avif", .sdr, .planarYCC, bitDepths: [8, 10, 12])
  public static let exr = OutputKind(
    "exr", .exr, extension: "exr", .linear, .rgba16f, takesPremultiplied: true)
  public static let pqTIFF = OutputKind("pq-tiff", .tiff, extension: "tif", .pq, .rgba16)
  public static let hlgTIFF = OutputKind("hlg-tiff", .tiff, extension: "tif", .hlg, .rgba16)
  public static let sdrTIFF = OutputKind("sdr-tiff", .tiff, extension: "tif", .sdr, .rgba16)
  public static let linearTIFF = OutputKind(
    "linear-tiff", .tiff, extension: "tif", .linear, .rgba16f, bitDepths: [16, 32])
  public static let pqJXL = OutputKind("pq-jxl", .jxl, extension: "jxl", .pq, .rgba16, statesLightLevel: true)
  public static let hlgJXL = OutputKind("hlg-jxl", .jxl, extension: "jxl", .hlg, .rgba16)
  public static let sdrJXL = OutputKind("sdr-jxl", .jxl, extension: "jxl", .sdr, .rgba8)
  public static let linearJXL = OutputKind("linear-jxl", .jxl, extension: "jxl", .linear, .rgba16f)
  public static let rgba16f = OutputKind(
    "rgba16f", .rgba16f, extension: "rgba16f", .linear, .rgba16f, hasSidecar: true)

  public static let allCases = [
    pqPNG, hlgPNG, sdrPNG, sdrJPEG,
    pqHEIC, hlgHEIC, pqAVIF, hlgAVIF, sdrAVIF,
    exr,
    pqJXL, hlgJXL, sdrJXL, linearJXL,
    pqTIFF, hlgTIFF, sdrTIFF, linearTIFF,
    rgba16f,
  ]

  /// Kinds with a `RawFormat` after a colon, `pq-raw:p010`: every curve with every format that it fits.
  public static let packed = RawFormat.allCases.flatMap { format -> [OutputKind] in
    let curves: [SignalCurve] = format.sample.isInteger ? [.pq, .hlg, .sdr] : [.linear]
    return curves.flatMap { curve in
      let raw = OutputKind(curve, .raw, format)
      return format.y4m == nil ? [raw] : [raw, OutputKind(curve, .y4m, format)]
    }
  }

  private init(_ curve: SignalCurve, _ container: FileFormat, _ format: RawFormat) {
    let layout: Layout = format.model != .rgb ? .planarYCC : format.sample.isInteger ? .rgba16 : .rgba16f
    self.init(
      "\(curve.rawValue)-\(container.rawValue):\(format.name)", container, extension: container.rawValue, curve, layout,
      bitDepths: layout == .planarYCC ? [format.bitDepth] : nil, isOpaque: !format.hasAlpha,
      hasSidecar: container == .raw, raw: format)
  }
}
