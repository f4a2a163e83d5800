import HDRCore
import ImageFiles
import TestFiles
import Testing

/// `lsel`: which layer of an item is its picture (ISO/IEC 23008-12 clause 6.5.11).
struct LayerTests {
  typealias B = HEIFBuilder

  static func lsel(_ layer: Int) -> [UInt8] { B.box("lsel", B.u16(layer)) }

  @Test("a layer is refused by name where there are none")
  func otherItems() throws {
    var builder = UncompressedFile([4, 5, 6], bits: 8).builder
    builder.items[0].properties.append(Self.lsel(0xFFFF))
    #expect(throws: Never.self) { try decodeImage(builder.bytes) }
    builder.items[0].properties[3] = Self.lsel(0)
    #expect(throws: DecodeError.unsupported(feature: "layer of an item of type unci", found: "layer 0")) {
      try decodeImage(builder.bytes)
    }
    builder.items[0].type = "hvc1"
    builder.items[0].properties = [B.ispe(8, 8), Self.lsel(1)]
    #expect(throws: DecodeError.unsupported(feature: "layer of an item of type hvc1", found: "layer 1")) {
      try decodeImage(builder.bytes)
    }
    // The base layer is what is decoded anyway; here only its configuration is missing.
    builder.items[0].properties[1] = Self.lsel(0)
    #expect(throws: DecodeError.malformed(where: "hvcC box", what: "item 1 has none")) {
      try decodeImage(builder.bytes)
    }
    builder.items[0].properties[1] = B.box("lsel", [0])
    #expect(throws: DecodeError.truncated(where: "lsel box")) { try decodeImage(builder.bytes) }
  }

  /// Two layers of grey, 16x8 and 32x16 pixels, by avifenc 1.4.2 (`--layered --scaling-mode 1/2`).
  static let layered =
    "12000a0e0013010080810ffe7ffc1808683532111201ef001f000f7903ffc4000331557d340a0e0013010080810ffe7ffc18"
    + "08683536085410009a0041081ab5bdf6dfe79eb8be21dda0120ea94e6d133b7897e18e339e8536dcd08bfa0474d50e6cddeb"
    + "2ed48274867fb8fb79bd9002aae73fde0499baf80ebd102ee9d1837f623ad7aaa07a0971f30eb080"

  /// Hashes of what avifdec 1.4.2 makes of these files.
  @Test(
    "the layer that lsel names is the picture",
    arguments: [
      (nil, 32, 16, 0x8517_5FE1_3513_90DD), (0xFFFF, 32, 16, 0x8517_5FE1_3513_90DD),
      (1, 32, 16, 0x8517_5FE1_3513_90DD), (0, 16, 8, 0x3AE3_6FB1_F417_F65F),
    ] as [(Int?, Int, Int, UInt64)])
  func layersOfAV1(layer: Int?, width: Int, height: Int, hash: UInt64) throws {
    #expect(try decodeImage(Self.file(layer, width, height)).image.hash == hash)
  }

  @Test("layers that are not there, or of another size, are errors")
  func missingLayers() {
    #expect(throws: DecodeError.malformed(where: "data of item 1", what: "no layer 2 inside")) {
      try decodeImage(Self.file(2, 32, 16))
    }
    #expect(throws: DecodeError.malformed(where: "data of item 1", what: "coded size 16x8, ispe says 32x16")) {
      try decodeImage(Self.file(0, 32, 16))
    }
    #expect(throws: DecodeError.self) { try decodeImage(Self.file(nil, 16, 8)) }
  }

  private static func file(_ layer: Int?, _ width: Int, _ height: Int) -> [UInt8] {
    let digits = Array(layered)
    let data = stride(from: 0, to: digits.count, by: 2).map { UInt8(String(digits[$0...($0 + 1)]), radix: 16) ?? 0 }
    var builder = HEIFBuilder()
    builder.brands = ["avif", "mif1"]
    let av1C = B.box("av1C", [0x81, 0x00, 0x1C, 0x00])
    builder.items = [
      .init(
        id: 1, type: "av01", data: data,
        properties: [B.ispe(width, height), av1C] + (layer.map { [lsel($0)] } ?? []))
    ]
    return builder.bytes
  }
}
