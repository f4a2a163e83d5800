import HDRCore

/// `cclv`: flags, then the fields that they name: chromaticities of G, B, R in units of 0.00002; minimum, maximum and
/// average luminance in 10^-7 of the range of the transfer function (H.265 D.2.40 and D.3.40).
package enum ContentColorVolumeBox: LightBox {
  package static let field = LightMetadata.Field.cclv
  package static let type: FourCC = "cclv"
  package static let message: Int? = 149

  private static let isCancelled = 0x80, hasPrimaries = 0x20, hasMinimum = 0x10, hasMaximum = 0x08, hasAverage = 0x04

  package static func read(
    _ reader: inout ByteReader, range: Double?, into light: inout LightMetadata
  ) throws(DecodeError) {
    let flags = Int(try reader.u8())
    if flags & isCancelled != 0 { throw malformed("it cancels what is said of the picture") }
    var volume = ContentColorVolume()
    if flags & hasPrimaries != 0 {
      var points: [Chromaticity] = []
      for _ in 0..<3 {
        points.append(Chromaticity(Double(try reader.i32()) / 50_000, Double(try reader.i32()) / 50_000))
      }
      volume.primaries = sortedPrimaries(points)
    }
    func luminance(_ flag: Int) throws(DecodeError) -> Double? {
      guard flags & flag != 0 else { return nil }
      let units = Double(try reader.u32())
      return range.map { units * $0 / 1e7 }
    }
    volume.minLuminance = try luminance(hasMinimum)
    volume.maxLuminance = try luminance(hasMaximum)
    volume.averageLuminance = try luminance(hasAverage)
    guard range != nil else { throw malformed("shares of a range, and the picture is neither PQ nor HLG") }
    if let fault = volume.fault { throw malformed(fault) }
    light.cclv = volume
  }

  package static func payload(_ light: LightMetadata, range: Double?) -> [UInt8]? {
    guard let volume = light.cclv, let range else { return nil }
    let numbers = [volume.minLuminance, volume.maxLuminance, volume.averageLuminance]
    var flags = volume.primaries == nil ? 0 : hasPrimaries
    for (number, flag) in zip(numbers, [hasMinimum, hasMaximum, hasAverage]) where number != nil { flags |= flag }
    guard flags != 0 else { return nil }
    var data = ByteSink()
    data.u8(flags)
    if let points = volume.primaries, points.count == 3 {
      for index in [1, 2, 0] {
        for value in [points[index].x, points[index].y] { data.u32(Int((value * 50_000).rounded())) }
      }
    }
    for case .some(let number) in numbers { data.units(number, per: 1e7 / range, bytes: 4) }
    return data.bytes
  }
}
