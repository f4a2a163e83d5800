import FileParts
import HDRCore

extension HEIFBox {
  /// Makes an `auxC` box, which names the type of an auxiliary picture (ISO/IEC 23008-12, 6.5.8).
  static func auxC(_ urn: String) -> [UInt8] {
    full("auxC") { box in
      box.ascii(urn)
      box.u8(0)
    }
  }
}

extension AppleMapItem {
  /// Returns XMP of version 2, which states the headroom itself (a factor).
  package static func xmp(headroom: Double) -> [UInt8] {
    XMPAssembly.packet([
      "<rdf:Description rdf:about=\"\" xmlns:HDRGainMap=\"\(AppleGainMap.namespace)\">"
        + "<HDRGainMap:HDRGainMapVersion>131072</HDRGainMap:HDRGainMapVersion>"
        + "<HDRGainMap:HDRGainMapHeadroom>\(plainDecimal(headroom))</HDRGainMap:HDRGainMapHeadroom></rdf:Description>"
    ])
  }
}
