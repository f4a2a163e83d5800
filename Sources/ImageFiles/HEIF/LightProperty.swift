import HDRCore

/// One of the boxes about light (layouts and units: docs/colour-formulas.md#metadata-layouts).
package enum LightProperty: Sendable, Hashable {
  /// `clli`, cd/m².
  case contentLightLevel(maxCLL: Int, maxFALL: Int)
  /// `mdcv`: three points as stored (order not trusted), white, cd/m².
  case masteringDisplay(points: [Chromaticity], white: Chromaticity, maxLuminance: Double, minLuminance: Double)
  /// `cclv`: maximum luminance as a share of the transfer function's range; `nil` when not stated.
  case contentColorVolume(maxShare: Double?)
  /// `amve`, lux.
  case ambient(illuminance: Double)
  /// `ndwt`, cd/m²; 0 stands for the default.
  case diffuseWhite(Double)

  init(_ type: FourCC, _ reader: inout ByteReader) throws(DecodeError) {
    switch type {
    case "clli": self = .contentLightLevel(maxCLL: try reader.u16(), maxFALL: try reader.u16())
    case "mdcv":
      var points: [Chromaticity] = []
      for _ in 0..<4 { points.append(try Self.point(&reader)) }
      self = .masteringDisplay(
        points: Array(points.prefix(3)), white: points[3], maxLuminance: Double(try reader.u32()) / 10_000,
        minLuminance: Double(try reader.u32()) / 10_000)
    case "cclv":
      let flags = try reader.u8()
      if flags & 0x20 != 0 { try reader.skip(24) }
      if flags & 0x10 != 0 { try reader.skip(4) }
      self = .contentColorVolume(maxShare: flags & 0x08 != 0 ? Double(try reader.u32()) * 1e-7 : nil)
    case "amve": self = .ambient(illuminance: Double(try reader.u32()) / 10_000)
    default:
      // `ndwt`: a FullBox for two readers, a plain box for a third; the size tells.
      if reader.remaining >= 8 { try reader.skip(4) }
      self = .diffuseWhite(Double(try reader.u32()) / 10_000)
    }
  }

  private static func point(_ reader: inout ByteReader) throws(DecodeError) -> Chromaticity {
    Chromaticity(Double(try reader.u16()) / 50_000, Double(try reader.u16()) / 50_000)
  }
}

extension LightMetadata {
  /// - Parameter transfer: code point of the picture; it scales `cclv` (10000 cd/m² for PQ, 1000 for HLG).
  package init(_ properties: [LightProperty], transfer: Int) {
    self.init()
    for property in properties {
      switch property {
      case .contentLightLevel(let maxCLL, let maxFALL):
        if maxCLL > 0 { clli = ContentLightLevel(maxCLL: Double(maxCLL), maxFALL: Double(maxFALL)) }
      case .masteringDisplay(let points, let white, let maxLuminance, let minLuminance):
        let primaries = sortedPrimaries(points).map { $0 + [white] }
        if primaries != nil || maxLuminance > 0 {
          mdcv = MasteringDisplay(primaries: primaries, maxLuminance: maxLuminance, minLuminance: minLuminance)
        }
      case .contentColorVolume(let share):
        let ranges = [CICP.Transfer.pq: 10_000.0, CICP.Transfer.hlg: 1000.0], range = ranges[transfer]
        if let share, let range, (1...10_000).contains(share * range) { contentMaxLuminance = share * range }
      case .ambient(let illuminance):
        if illuminance > 0 { ambientIlluminance = illuminance }
      case .diffuseWhite(let luminance):
        if luminance > 0 { diffuseWhite = luminance }
      }
    }
  }
}

/// R, G, B from three points in any order: the largest x is red, the largest y is green
/// (docs/colour-formulas.md#metadata-layouts). `nil` when that does not name three different points.
private func sortedPrimaries(_ points: [Chromaticity]) -> [Chromaticity]? {
  guard points.count == 3, Set(points).count == 3,
    let red = points.indices.max(by: { points[$0].x < points[$1].x }),
    let green = points.indices.max(by: { points[$0].y < points[$1].y }), red != green
  else { return nil }
  return [points[red], points[green], points[3 - red - green]]
}
