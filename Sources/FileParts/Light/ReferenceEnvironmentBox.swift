import HDRCore

/// `reve`, a FullBox: luminance of the surround in units of 0.0001 cd/m² and its chromaticity in units of 0.0001, then
/// those of the periphery. Some writers leave out version and flags, which the size shows.
package enum ReferenceEnvironmentBox: LightBox {
  package static let field = LightMetadata.Field.reve
  package static let type: FourCC = "reve"
  package static let message: Int? = nil

  package static func read(
    _ reader: inout ByteReader, range: Double?, into light: inout LightMetadata
  ) throws(DecodeError) {
    try reader.skipVersion(ofPayload: 16)
    let environment = ReferenceEnvironment(
      surround: Double(try reader.u32()) / 10_000, surroundWhite: try reader.chromaticity(units: 10_000),
      periphery: Double(try reader.u32()) / 10_000, peripheryWhite: try reader.chromaticity(units: 10_000))
    if let fault = environment.fault { throw malformed(fault) }
    light.reve = environment
  }

  package static func payload(_ light: LightMetadata, range: Double?) -> [UInt8]? {
    guard let environment = light.reve else { return nil }
    var data = ByteSink()
    data.u32(0)
    data.units(environment.surround, per: 10_000, bytes: 4)
    data.chromaticity(environment.surroundWhite, units: 10_000)
    data.units(environment.periphery, per: 10_000, bytes: 4)
    data.chromaticity(environment.peripheryWhite, units: 10_000)
    return data.bytes
  }
}
