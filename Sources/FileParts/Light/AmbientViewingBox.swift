import HDRCore

/// `amve`: illuminance in units of 0.0001 lux, chromaticity in units of 0.00002.
package enum AmbientViewingBox: LightBox {
  package static let field = LightMetadata.Field.amve
  package static let type: FourCC = "amve"
  package static let message: Int? = 148

  package static func read(
    _ reader: inout ByteReader, range: Double?, into light: inout LightMetadata
  ) throws(DecodeError) {
    let ambient = AmbientViewing(
      illuminance: Double(try reader.u32()) / 10_000, white: try reader.chromaticity(units: 50_000))
    if let fault = ambient.fault { throw malformed(fault) }
    light.amve = ambient
  }

  package static func payload(_ light: LightMetadata, range: Double?) -> [UInt8]? {
    guard let ambient = light.amve else { return nil }
    var data = ByteSink()
    data.units(ambient.illuminance, per: 10_000, bytes: 4)
    data.chromaticity(ambient.white, units: 50_000)
    return data.bytes
  }
}
