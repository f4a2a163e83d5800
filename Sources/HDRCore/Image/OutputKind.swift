/// The curve of coded samples.
package enum SignalCurve: String, Sendable, Hashable {
  /// Linear light, 1.0 = reference white.
  case linear
  case pq
  case hlg
  /// The sRGB curve, 1.0 = SDR white.
  case sdr
}

/// A kind of output file with one picture: `--to` on the command line. `allCases` has one row per kind; command line,
/// recipes, planner, names and encoders read it.
package struct OutputKind: Sendable, Hashable, CaseIterable, RawRepresentable {
  /// The layout of samples for an encoder; alpha is straight unless `takesPremultiplied`.
  package enum Layout: Sendable, Hashable {
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
  package let rawValue: String
  /// The `SourceImage.format` that reading the file gives.
  package let format: FileFormat
  package let fileExtension: String
  package let curve: SignalCurve
  package let layout: Layout
  /// The possible bits of a sample; the first is the default.
  package let bitDepths: [Int]
  /// True if the format has no alpha.
  package let isOpaque: Bool
  /// True if the file states the measured light level.
  package let statesLightLevel: Bool
  /// True if colour is multiplied by alpha.
  package let takesPremultiplied: Bool
  /// True if a JSON file beside the output states what the format cannot hold.
  package let hasSidecar: Bool
  /// The packing of samples, if a caller chooses it.
  package let raw: RawFormat?
  /// The code of the primaries that files have unless a caller says otherwise; `nil`: the curve's.
  package let primaries: Int?
  /// The code of an SDR signal's curve; `nil`: sRGB's.
  package let transfer: Int?
  /// True if the encoder takes light as planes of `float32`, whatever the depth of the file is.
  package let takesFloats: Bool

  private init(
    _ name: String, _ format: FileFormat, extension fileExtension: String, _ curve: SignalCurve, _ layout: Layout,
    bitDepths: [Int]? = nil, isOpaque: Bool = false, statesLightLevel: Bool = false,
    takesPremultiplied: Bool = false, hasSidecar: Bool = false, raw: RawFormat? = nil, primaries: Int? = nil,
    transfer: Int? = nil, takesFloats: Bool = false
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
    self.primaries = primaries
    self.transfer = transfer
    self.takesFloats = takesFloats
  }

  /// True if code values have the full range by default. Y'CbCr of raw and Y4M files has the limited one, which video
  /// programs assume; grey is full range for them.
  package var isFullRange: Bool { raw?.model != .ycc }

  /// True for linear kinds that state a space of the list by an ICC profile.
  package var statesSpaceByProfile: Bool { format == .tiff || format == .jxl }

  package init?(rawValue: String) {
    guard let kind = (Self.allCases + Self.packed).first(where: { $0.rawValue == rawValue }) else { return nil }
    self = kind
  }

  package static func == (left: OutputKind, right: OutputKind) -> Bool { left.rawValue == right.rawValue }
  package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

  // PNG has a light level in HLG too, but by policy we write none (docs/colour-formulas.md#metadata-layouts).
  package static let pqPNG = OutputKind("pq-png", .png, extension: "png", .pq, .rgba16, statesLightLevel: true)
  package static let hlgPNG = OutputKind("hlg-png", .png, extension: "png", .hlg, .rgba16)
  package static let sdrPNG = OutputKind("sdr-png", .png, extension: "png", .sdr, .rgba8)
  package static let sdrJPEG = OutputKind("sdr-jpeg", .jpeg, extension: "jpg", .sdr, .rgba8, isOpaque: true)
  package static let pqHEIC = OutputKind(
    "pq-heic", .heic, extension: "heic", .pq, .planarYCC, statesLightLevel: true)
  package static let hlgHEIC = OutputKind(
    "hlg-heic", .heic, extension: "heic", .hlg, .planarYCC, statesLightLevel: true)
  package static let pqAVIF = OutputKind(
    "pq-avif", .avif, extension: "avif", .pq, .planarYCC, statesLightLevel: true)
  package static let hlgAVIF = OutputKind(
    "hlg-avif", .avif, extension: "avif", .hlg, .planarYCC, statesLightLevel: true)
  package static let sdrAVIF = OutputKind(
    "sdr-avif", .avif, extension: "avif", .sdr, .planarYCC, bitDepths: [8, 10, 12])
  package static let exr = OutputKind(
    "exr", .exr, extension: "exr", .linear, .rgba16f, takesPremultiplied: true)
  package static let pqTIFF = OutputKind("pq-tiff", .tiff, extension: "tif", .pq, .rgba16)
  package static let hlgTIFF = OutputKind("hlg-tiff", .tiff, extension: "tif", .hlg, .rgba16)
  package static let sdrTIFF = OutputKind("sdr-tiff", .tiff, extension: "tif", .sdr, .rgba16)
  package static let linearTIFF = OutputKind(
    "linear-tiff", .tiff, extension: "tif", .linear, .rgba16f, bitDepths: [16, 32])
  package static let pqJXL = OutputKind("pq-jxl", .jxl, extension: "jxl", .pq, .rgba16, statesLightLevel: true)
  package static let hlgJXL = OutputKind("hlg-jxl", .jxl, extension: "jxl", .hlg, .rgba16)
  package static let sdrJXL = OutputKind("sdr-jxl", .jxl, extension: "jxl", .sdr, .rgba8)
  package static let linearJXL = OutputKind("linear-jxl", .jxl, extension: "jxl", .linear, .rgba16f)
  package static let hdr = OutputKind(
    "hdr", .hdr, extension: "hdr", .linear, .rgba16f, bitDepths: [32], isOpaque: true, primaries: CICP.Primaries.bt709)
  package static let pfm = OutputKind(
    "pfm", .pfm, extension: "pfm", .linear, .rgba16f, bitDepths: [32], isOpaque: true, primaries: CICP.Primaries.bt709)
  package static let dpx = OutputKind(
    "dpx", .dpx, extension: "dpx", .sdr, .rgba16, bitDepths: [10, 16], isOpaque: true, primaries: CICP.Primaries.bt709,
    transfer: 1)
  package static let dpxLog = OutputKind(
    "dpx-log", .dpx, extension: "dpx", .linear, .rgba16f, bitDepths: [10, 16], isOpaque: true,
    primaries: CICP.Primaries.bt709, takesFloats: true)
  package static let pqDPX = OutputKind(
    "pq-dpx", .dpx, extension: "dpx", .pq, .rgba16, bitDepths: [10, 16], isOpaque: true, hasSidecar: true)
  package static let hlgDPX = OutputKind(
    "hlg-dpx", .dpx, extension: "dpx", .hlg, .rgba16, bitDepths: [10, 16], isOpaque: true, hasSidecar: true)
  package static let rgba16f = OutputKind(
    "rgba16f", .rgba16f, extension: "rgba16f", .linear, .rgba16f, hasSidecar: true)

  package static let allCases = [
    pqPNG, hlgPNG, sdrPNG, sdrJPEG,
    pqHEIC, hlgHEIC, pqAVIF, hlgAVIF, sdrAVIF,
    exr,
    pqJXL, hlgJXL, sdrJXL, linearJXL,
    pqTIFF, hlgTIFF, sdrTIFF, linearTIFF,
    rgba16f,
    hdr, pfm, dpx, dpxLog, pqDPX, hlgDPX,
  ]

  /// Kinds with a `RawFormat` after a colon, `pq-raw:p010`: every curve with every format that it fits.
  package static let packed = RawFormat.allCases.flatMap { format -> [OutputKind] in
    let curves: [SignalCurve] = format.sample.isInteger ? [.pq, .hlg, .sdr] : [.linear]
    return curves.flatMap { curve in
      let raw = OutputKind(curve, .raw, format)
      return format.y4m == nil ? [raw] : [raw, OutputKind(curve, .y4m, format)]
    }
  }

  /// Returns the kind of SDR frames of a clip: BT.709 with the curve of displays (BT.1886), where files of `sdr-raw` have
  /// sRGB's.
  package static func sdrVideo(_ format: RawFormat) -> OutputKind {
    OutputKind(
      "sdr-video:\(format.name)", .raw, extension: FileFormat.raw.rawValue, .sdr, .planarYCC,
      bitDepths: [format.bitDepth], isOpaque: true, raw: format, primaries: CICP.Primaries.bt709,
      transfer: CICP.Transfer.bt709)
  }

  private init(_ curve: SignalCurve, _ container: FileFormat, _ format: RawFormat) {
    let layout: Layout = format.model != .rgb ? .planarYCC : format.sample.isInteger ? .rgba16 : .rgba16f
    self.init(
      "\(curve.rawValue)-\(container.rawValue):\(format.name)", container, extension: container.rawValue, curve, layout,
      bitDepths: layout == .planarYCC ? [format.bitDepth] : nil, isOpaque: !format.hasAlpha,
      hasSidecar: container == .raw, raw: format)
  }
}
