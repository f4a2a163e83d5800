import HDRCore

/// `clli`: two 16-bit numbers in cd/m².
package enum ContentLightLevelBox: LightBox {
  package static let field = LightMetadata.Field.clli
  package static let type: FourCC = "clli"
  package static let message: Int? = 144

  package static func read(
    _ reader: inout ByteReader, range: Double?, into light: inout LightMetadata
  ) throws(DecodeError) {
    let level = ContentLightLevel(maxCLL: Double(try reader.u16()), maxFALL: Double(try reader.u16()))
    if let fault = level.fault { throw malformed(fault) }
    light.clli = level
  }

  package static func payload(_ light: LightMetadata, range: Double?) -> [UInt8]? {
    // 0 means "unknown", and so does a missing box.
    guard let level = light.clli, level.maxCLL > 0 else { return nil }
    var data = ByteSink()
    data.units(level.maxCLL.rounded(.up), per: 1, bytes: 2)
    data.units(level.maxFALL, per: 1, bytes: 2)
    return data.bytes
  }
}
