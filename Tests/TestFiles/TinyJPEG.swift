import HDRCore

/// JPEG files of 9x5 pixels, written by Pillow (libjpeg-turbo) at quality 90, and the samples that Pillow reads back.
package enum TinyJPEG {
  package static let grey = hexBytes(
    """
    ffd8ffe000104a46494600010100000100010000ffdb0043000302020302020303030304030304050805050404050a070706080c0a0c0c
    0b0a0b0b0d0e12100d0e110e0b0b1016101113141515150c0f171816141812141514ffc0000b080005000901011100ffc4001500010100
    000000000000000000000000000708ffc4001d1000010207000000000000000000000000000551060816212442a2ffda0008010100003f
    003594980d3f0acda9785069edc9ffd9
    """)

  package static let color444 = hexBytes(tables + frame444)
  package static let color422 = hexBytes(tables + frame422)
  package static let color420 = hexBytes(tables + frame420)

  /// Adobe segment with transform 0: stored as R, G, B.
  package static let rgb = hexBytes(
    """
    ffd8ffee000e41646f626500640000000000ffdb0043000302020302020303030304030304050805050404050a070706080c0a0c0c0b0a
    0b0b0d0e12100d0e110e0b0b1016101113141515150c0f171816141812141514ffc00011080005000903521100471100421100ffc40017
    000003010000000000000000000000000000070905ffc4001d10000102070000000000000000000000000002070819455382a3d1ffda00
    0c03520047004200003f0049c0dd3f13665dcdadad09e8e98e4a86452c097736b6b427a4d33fffd9
    """)

  /// Four components, 8x8.
  package static let cmyk = hexBytes(
    """
    ffd8ffee000e41646f626500640000000000ffdb004300100b0c0e0c0a100e0d0e1211101318281a181616183123251d283a333d3c3933
    383740485c4e404457453738506d51575f626768673e4d71797064785c656763ffc000140800080008044311004d11005911004b1100ff
    c40014000100000000000000000000000000000007ffc40014100100000000000000000000000000000000ffda000e0443004d0059004b
    00003f00402010080fffd9
    """)

  package static let greySamples = [
    1, 19, 41, 60, 80, 99, 121, 140, 160, 12, 30, 52, 71, 91, 110, 132, 151, 171, 22, 41, 63, 82, 102, 121, 143,
    162, 182, 33, 52, 74, 93, 113, 132, 154, 172, 193, 44, 63, 84, 104, 123, 143, 164, 183, 203,
  ]
  package static let luma = [
    30, 34, 39, 44, 48, 52, 58, 61, 66, 58, 62, 67, 72, 76, 81, 86, 90, 94, 89, 93, 98, 103, 107, 112, 117, 121,
    125, 117, 121, 126, 131, 135, 140, 145, 149, 153, 148, 152, 157, 162, 166, 171, 176, 180, 184,
  ]
  package static let cb444 = [
    255, 241, 222, 205, 191, 174, 155, 140, 123, 237, 222, 203, 186, 172, 155, 136, 121, 104, 221, 206, 187, 170,
    156, 139, 120, 105, 88, 205, 191, 171, 154, 140, 124, 104, 89, 72, 189, 174, 154, 138, 124, 107, 87, 73, 55,
  ]

  private static let tables =
    """
    ffd8ffe000104a46494600010100000100010000ffdb0043000302020302020303030304030304050805050404050a070706080c0a0c0c
    0b0a0b0b0d0e12100d0e110e0b0b1016101113141515150c0f171816141812141514ffdb00430103040405040509050509140d0b0d1414
    141414141414141414141414141414141414141414141414141414141414141414141414141414141414141414141414
    """
  private static let frame444 =
    """
    ffc00011080005000903011100021101031101ffc4001500010100000000000000000000000000000306ffc4001c100000060300000000
    000000000000000000010622a3d1081852ffc400160101010100000000000000000000000000080607ffc4001e11000102070100000000
    000000000000000004a10506071621225123ffda000c03010002110311003f0024ae2fa4d8c8cac5f54c9b57fa65ccda9ecf313d32e5b6
    afa4f88cac0daee5fd715f7cc4fae7ffd9
    """
  private static let frame422 =
    """
    ffc00011080005000903012100021101031101ffc4001500010100000000000000000000000000000306ffc4001c100000060300000000
    000000000000000000010622a3d1081852ffc4001501010100000000000000000000000000000406ffc4001d1100000603010000000000
    00000000000000020607152104415105ffda000c03010002110311003f0024ae2fa4d8c8cac5b6afa4f88cac4cba8adcf9e35f761cdb2e
    7d3852df363fffd9
    """
  private static let frame420 =
    """
    ffc00011080005000903012200021101031101ffc400160001010100000000000000000000000000000306ffc4001c1000010403010000
    00000000000000000000010622a30818d152ffc4001501010100000000000000000000000000000507ffc4001d11000104020300000000
    0000000000000002000507410615232461ffda000c03010002110311003f00935717da708569d36dabed3f15a74027b2a3e396f8b9caef
    d45c6d91bbe947b2556bffd9
    """

  // MARK: Gain map files

  package static let isoIdentifier = Array("urn:iso:std:iso:ts:21496:-1\0".utf8)

  package static func hdrgmPacket(max: String) -> String {
    """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
    <rdf:Description rdf:about="" xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0" \
    hdrgm:GainMapMax="\(max)" hdrgm:HDRCapacityMax="\(max)"/></rdf:RDF></x:xmpmeta>
    """
  }

  package static func hdrgmSegment(max: String) -> [UInt8] {
    segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(hdrgmPacket(max: max).utf8))
  }

  /// A 4:4:4 primary with MPF index and container directory, and a grey map with ISO (2 stops) and XMP (3 stops).
  package static let withGainMap: [UInt8] = {
    let one = Rational32(1, 1), zero = Rational32(0, 1), offset = Rational32(1, 64)
    let iso = ISO21496(
      baseHeadroom: zero, alternateHeadroom: Rational32(2, 1),
      channels: [
        .init(min: zero, max: Rational32(2, 1), gamma: one, baseOffset: offset, alternateOffset: offset)
      ], usesBaseColorSpace: true)
    let map = splice(
      hdrgmSegment(max: "3") + segment(0xE2, isoIdentifier + iso.serialized(for: .jpeg)), into: grey)
    let directory = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
      <rdf:Description xmlns:C="http://ns.google.com/photos/1.0/container/" \
      xmlns:I="http://ns.google.com/photos/1.0/container/item/"><C:Directory><rdf:Seq>\
      <rdf:li rdf:parseType="Resource"><C:Item I:Semantic="Primary" I:Mime="image/jpeg"/></rdf:li>\
      <rdf:li rdf:parseType="Resource"><C:Item I:Semantic="GainMap" I:Mime="image/jpeg" I:Length="\(map.count)"/>\
      </rdf:li></rdf:Seq></C:Directory></rdf:Description></rdf:RDF></x:xmpmeta>
      """
    let xmp = segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(directory.utf8))
    let version = segment(0xE2, isoIdentifier + [0, 0, 0, 0])
    // 90 bytes of MPF: marker, length, identifier, then the TIFF block from which the offset counts.
    let primaryLength = color444.count + xmp.count + version.count + 90
    let origin = 2 + xmp.count + version.count + 8
    func word(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
    var mpf = hexBytes("4d5046004d4d002a000000080003b00000070000000430313030b00100040000000100000002b002000700000020")
    mpf += word(50) + word(0) + word(0x20030000) + word(primaryLength) + word(0) + word(0)
    mpf += word(0) + word(map.count) + word(primaryLength - origin) + word(0)
    return splice(xmp + version + segment(0xE2, mpf), into: color444) + map
  }()
}

/// Reads hexadecimal digits; blanks and line breaks between them count for nothing.
package func hexBytes(_ text: String) -> [UInt8] {
  let digits = Array(text.utf8).filter { $0 > 32 }
  return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
    UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
  }
}

/// Returns a JPEG segment.
package func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
  [0xFF, marker, UInt8((payload.count + 2) >> 8), UInt8((payload.count + 2) & 255)] + payload
}

/// Puts segments directly after SOI.
package func splice(_ segments: [UInt8], into jpeg: [UInt8]) -> [UInt8] {
  Array(jpeg[..<2]) + segments + Array(jpeg[2...])
}
