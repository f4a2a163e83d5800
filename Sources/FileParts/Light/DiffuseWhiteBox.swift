import HDRCore

/// `ndwt`: diffuse white in units of 0.0001 cd/m²; 0 means the default of ISO 22028-5. Two readers take it for a
/// FullBox, a third for a plain box.
package enum DiffuseWhiteBox: LightBox {
  package static let field = LightMetadata.Field.ndwt
  package static let type: FourCC = "ndwt"
  package static let message: Int? = nil

  package static func read(
    _ reader: inout ByteReader, range: Double?, into light: inout LightMetadata
  ) throws(DecodeError) {
    try reader.skipVersion(ofPayload: 4)
    let luminance = Double(try reader.u32()) / 10_000
    if luminance == 0 { return }
    guard (1...10_000).contains(luminance) else { throw malformed("diffuse white is \(short(luminance)) cd/m²") }
    light.diffuseWhite = luminance
  }

  package static func payload(_ light: LightMetadata, range: Double?) -> [UInt8]? {
    guard let luminance = light.diffuseWhite else { return nil }
    var data = ByteSink()
    data.u32(0)
    data.units(luminance, per: 10_000, bytes: 4)
    return data.bytes
  }
}
