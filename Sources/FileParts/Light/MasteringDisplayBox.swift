import HDRCore

/// `mdcv`: chromaticities of G, B, R and white in units of 0.00002, then maximum and minimum luminance in units of
/// 0.0001 cd/m².
package enum MasteringDisplayBox: LightBox {
  package static let field = LightMetadata.Field.mdcv
  package static let type: FourCC = "mdcv"
  package static let message: Int? = 137

  package static func read(
    _ reader: inout ByteReader, range: Double?, into light: inout LightMetadata
  ) throws(DecodeError) {
    var points: [Chromaticity] = []
    for _ in 0..<4 { points.append(try reader.chromaticity(units: 50_000)) }
    let highest = Double(try reader.u32()) / 10_000, lowest = Double(try reader.u32()) / 10_000
    light.mdcv = try display(points, highest, lowest)
  }

  /// Makes the metadata of a display and checks its values.
  ///
  /// - Parameter points: three primaries in an order that is not trusted, then white.
  package static func display(
    _ points: [Chromaticity], _ highest: Double, _ lowest: Double
  ) throws(DecodeError) -> MasteringDisplay {
    let primaries = sortedPrimaries(points.dropLast()).map { $0 + [points[3]] }
    let display = MasteringDisplay(
      primaries: primaries?.allSatisfy(\.isPossible) == true ? primaries : nil, maxLuminance: highest,
      minLuminance: lowest)
    if let fault = display.fault { throw malformed(fault) }
    return display
  }

  package static func payload(_ light: LightMetadata, range: Double?) -> [UInt8]? {
    light.mdcv?.payload(order: .greenBlueRed)
  }
}

/// Sorts three points in any order to R, G, B: the largest x is red, the largest y is green; of two equal ones, the
/// point nearer to its corner (docs/colour-formulas.md#metadata-layouts). `nil` if this does not give three different
/// points.
package func sortedPrimaries(_ points: some Sequence<Chromaticity>) -> [Chromaticity]? {
  let points = Array(points)
  guard points.count == 3, Set(points).count == 3,
    let red = points.indices.max(by: { (points[$0].x, -points[$0].y) < (points[$1].x, -points[$1].y) }),
    let green = points.indices.max(by: { (points[$0].y, -points[$0].x) < (points[$1].y, -points[$1].x) }), red != green
  else { return nil }
  return [points[red], points[green], points[3 - red - green]]
}
