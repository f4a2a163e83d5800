import FileParts
import HDRCore

/// The meaning of the codes of a DPX file, by its transfer and colorimetric characteristics.
///
/// Logarithms are Cineon's. Linear codes are light in proportion, as the references say. Video is decoded as other SDR
/// video. The standard has no numbers of PQ and HLG, so that a caller must state them.
struct DPXColor {
  private(set) var color: SourceColor
  /// Set for linear codes: light is made of them.
  private(set) var light: FilmRows.Proportion?
  private(set) var warnings: [Warning] = []

  /// The names of the transfer characteristics of SMPTE 268M, for reports.
  static let transfers = [
    "user defined", "printing density", "linear", "logarithmic", "unspecified video", "SMPTE 274M", "BT.709",
    "BT.601 625", "BT.601 525", "NTSC", "PAL", "depth", "depth",
  ]

  init(_ header: DPXHeader, _ reading: ReadingOptions) throws(DecodeError) {
    let model: ColorModel = header.descriptor == .luma ? .grey : .rgb
    let isFull = reading.fullRange ?? reading.raw?.fullRange ?? !header.statesLimitedRange
    color = SourceColor(
      matrix: CICP.Matrix.identity, fullRange: isFull,
      encoding: .cicp(primaries: CICP.Primaries.bt709, transfer: CICP.Transfer.sRGB))
    if let stated = try reading.statedColor(inPlaceOf: color, model) {
      color = stated
      return
    }
    if reading.space != nil { return }
    guard ![11, 12].contains(header.transfer) else {
      throw .unsupported(feature: "a DPX picture of depth", found: "transfer \(header.transfer)")
    }
    let primaries = takePrimaries(header)
    switch header.transfer {
    case 1, 3: color = SourceColor(film: reading.plain.log)
    case 2:
      light = Self.proportion(header)
      color = .linear(Primaries(code: primaries) ?? .bt709, isStated: true)
    case 5, 6: state(primaries, 1)
    case 7...10: state(primaries, 6)
    default:
      color.encoding = .cicp(primaries: primaries, transfer: CICP.Transfer.sRGB)
      let name = header.transfer < Self.transfers.count ? " (\(Self.transfers[header.transfer]))" : ""
      assume("transfer \(header.transfer)\(name) says no curve; sRGB is assumed")
    }
  }

  private mutating func state(_ primaries: Int, _ transfer: Int) {
    color.encoding = .cicp(primaries: primaries, transfer: transfer)
    color.cicp = CICP(primaries, transfer, CICP.Matrix.identity, full: color.fullRange)
  }

  private mutating func takePrimaries(_ header: DPXHeader) -> Int {
    switch header.colorimetric {
    case 0, 2, 4, 5, 6: return CICP.Primaries.bt709
    case 7: return 5
    case 8, 9: return 6
    case 1, 3: assume("colorimetric \(header.colorimetric) means a film; BT.709 is assumed")
    default: assume("colorimetric \(header.colorimetric) says no primaries; BT.709 is assumed")
    }
    return CICP.Primaries.bt709
  }

  private mutating func assume(_ what: String) {
    warnings.append(
      Warning("colour.assumed", "\(what): \(setting: "cicp") or \(setting: "from-space") says which it is"))
  }

  /// Returns light by the references of the header, where these make sense.
  private static func proportion(_ header: DPXHeader) -> FilmRows.Proportion {
    let largest = 1 << header.rows.bits - 1
    guard let low = header.lowCode, let high = header.highCode, low < high, high <= largest,
      let quantity = header.highQuantity, (1e-6...1e6).contains(quantity)
    else { return FilmRows.Proportion(black: 0, step: 1 / Double(largest)) }
    return FilmRows.Proportion(black: Double(low), step: quantity / Double(high - low))
  }
}

extension DPXHeader {
  /// True if the references are black and white of the limited range.
  fileprivate var statesLimitedRange: Bool {
    let shift = rows.bits - 8
    return lowCode == 16 << shift && highCode == 235 << shift
  }
}

extension SourceColor {
  /// Makes the colour of a film scan's logarithm.
  init(film log: FilmLog) {
    self.init(matrix: CICP.Matrix.identity, fullRange: true, encoding: log.space.encoding)
  }
}
