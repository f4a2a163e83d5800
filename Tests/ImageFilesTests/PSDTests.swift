import FileParts
import HDRCore
import ImageFiles
import TestFiles
import Testing

/// The merged picture of Photoshop files.
@Suite struct PSDTests {
  private func noise(_ count: Int, bits: Int, seed: Int) -> [UInt64] {
    var noise = Writer.Noise(seed)
    // Runs and literals.
    return (0..<count).map { index in index % 7 < 4 ? 5 : noise.next() >> (64 - UInt64(bits)) }
  }

  private func builder(
    _ channels: Int, bits: Int, _ change: (inout PSDBuilder) -> Void = { _ in }
  ) -> PSDBuilder {
    var builder = PSDBuilder(
      width: 19, height: 7, planes: (0..<channels).map { noise(19 * 7, bits: bits == 32 ? 30 : bits, seed: $0 + bits) })
    builder.bits = bits
    builder.mode = channels < 3 ? 1 : 3
    change(&builder)
    return builder
  }

  private func failure(_ builder: PSDBuilder) -> String { failure(builder.bytes) }

  private func failure(_ bytes: [UInt8]) -> String {
    do {
      _ = try decodeImage(bytes)
      return "read"
    } catch { return "\(error.code) \(error)" }
  }

  @Test("samples are read as they are, plain and packed, in PSD and PSB", arguments: [8, 16, 32])
  func samples(bits: Int) throws {
    for variant in 0..<8 {
      let builder = builder(variant & 4 == 0 ? 3 : 1, bits: bits) {
        $0.compression = variant & 1
        $0.isBig = variant & 2 != 0
        if bits == 32 { $0.planes = $0.planes.map { $0.map { UInt64(Float($0 % 4096).bitPattern) } } }
      }
      for request in [DecodeRequest.metadata, .pixels] {
        let source = try decodeImage(builder.bytes, request: request), image = source.image
        #expect(source.format == .psd && source.warnings.isEmpty && image.alpha == nil)
        #expect(image.width == 19 && image.height == 7 && image.bitDepth == bits)
        #expect(image.model == (builder.planes.count == 1 ? .grey : .rgb))
        #expect(source.color.encoding == .cicp(primaries: 1, transfer: bits == 32 ? 8 : 13))
        guard request == .pixels else { continue }
        let expected = (0..<19 * 7).flatMap { (at: Int) -> [UInt64] in builder.planes.map { $0[at] } }
        #expect(TIFFTests.codes(image) == expected, "variant \(variant)")
      }
    }
  }

  @Test("the first channel behind the colours is alpha where the layers say so, and white is taken off")
  func alpha() throws {
    for hasBlock in [false, true] {
      let builder = builder(5, bits: 16) {
        $0.layers = -2
        $0.hasLayerBlock = hasBlock
        $0.planes[3] = (0..<19 * 7).map { [0, 1, 20_000, 65_535][$0 % 4] }
        // Mixed with white.
        let shares = $0.planes[3].map { Double($0) / 65_535 }
        for c in 0..<3 {
          $0.planes[c] = zip($0.planes[c], shares).map { (color: UInt64, share: Double) -> UInt64 in
            let light = Double(color) * share + 65_535 * (1 - share)
            return UInt64(light.rounded())
          }
        }
      }
      let source = try decodeImage(builder.bytes), image = source.image
      let codes = source.warnings.map(\.code)
      #expect(codes == ["psd.layers", "psd.channels"])
      let alpha = try #require(image.alpha)
      #expect(!image.alphaIsPremultiplied)
      let original = self.builder(5, bits: 16).planes
      for at in 0..<19 * 7 where builder.planes[3][at] >= 20_000 {
        let share = UInt64(alpha.value(at % 19, at / 19))
        #expect(share == builder.planes[3][at])
        for c in 0..<3 {
          let found = image.channels[c].value(at % 19, at / 19), wanted = Int(original[c][at])
          #expect(abs(found - wanted) <= 2, "\(at)")
        }
      }
      for at in stride(from: 0, to: 19 * 7, by: 4) { #expect(image.channels[0].value(at % 19, at / 19) == 0) }
    }
    let without = try decodeImage(builder(4, bits: 8) { $0.layers = 2 }.bytes)
    #expect(without.image.alpha == nil && without.warnings.map(\.code) == ["psd.layers", "psd.channels"])
  }

  @Test("profile, Exif, XMP and IPTC are read; floats are light whatever the profile's curves")
  func metadata() throws {
    let profile = try #require(ICCProfileWriter.profile(primaries: 12, transfer: 13))
    let exif = TinyApple.exif(note: TinyApple.note(tag33: (1, 1), tag48: (0, 1)))
    let xmp = Array(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></x:xmpmeta>
      """.utf8)
    for bits in [8, 32] {
      let builder = builder(3, bits: bits) {
        $0.resources = [(1028, [28, 2, 0, 0, 1, 7]), (1039, profile), (1058, exif), (1060, xmp), (1033, [1, 2, 3])]
        if bits == 32 { $0.planes = $0.planes.map { $0.map { _ in 0 } } }
      }
      let source = try decodeImage(builder.bytes)
      #expect(source.color.icc == profile && source.exif == exif && source.xmp == xmp)
      #expect(source.color.encoding == .cicp(primaries: 12, transfer: bits == 32 ? 8 : 13))
      // No thumbnail.
      #expect(PhotoshopResources.blocks(source.photoshop ?? [])?.map(\.id) == [1028])
    }
  }

  @Test("floats that are no light become finite, and code points may be stated")
  func floats() throws {
    let values: [Float] = [.nan, .infinity, -1, 1e-12, 0.25, 70_000]
    var builder = PSDBuilder(width: 6, height: 1, planes: [values.map { UInt64($0.bitPattern) }])
    (builder.bits, builder.mode) = (32, 1)
    let image = try decodeImage(builder.bytes).image
    let found = TIFFTests.codes(image).map { (code: UInt64) -> Float in Float(bitPattern: UInt32(code)) }
    #expect(image.madeFinite == 2)
    #expect(found == [0, 65_504, -1, 0, 0.25, 65_504])
    var limits = DecodeLimits()
    limits.reading.raw = RawDescription(primaries: 9, transfer: 16, matrix: 0)
    let stated = try decodeImage(self.builder(3, bits: 16).bytes, request: .metadata, limits: limits)
    #expect(stated.color.encoding == .cicp(primaries: 9, transfer: 16))
  }

  @Test("what is not read is refused by its name")
  func refusals() {
    for (mode, name) in [(0, "bitmap"), (2, "indexed"), (4, "CMYK"), (7, "multichannel"), (9, "Lab"), (77, "mode 77")] {
      #expect(failure(builder(4, bits: 8) { $0.mode = mode }).contains(name))
    }
    #expect(failure(builder(3, bits: 8) { $0.compression = 2 }).contains("ZIP"))
    #expect(
      failure(builder(3, bits: 8) { $0.resources = [(1057, [0, 0, 0, 1, 0])] }).contains("without its merged picture"))
    #expect(failure(builder(3, bits: 8) { $0.resources = [(1057, [0, 0, 0, 1, 1])] }) == "read")
  }

  @Test("broken files are errors before memory is asked for")
  func broken() {
    let packed = builder(3, bits: 8) { $0.compression = 1 }, bytes = packed.bytes
    for count in 0..<bytes.count { #expect(failure(Array(bytes[..<count])) != "read", "\(count)") }
    for count in stride(from: 0, to: builder(3, bits: 16).bytes.count, by: 3) {
      #expect(failure(Array(builder(3, bits: 16).bytes[..<count])) != "read", "\(count)")
    }
    func changed(_ at: Int, _ values: [UInt8]) -> String {
      var bytes = bytes
      bytes.replaceSubrange(at..<at + values.count, with: values)
      return failure(bytes)
    }
    // Version, channels, height, width, depth; length of resources and of layers.
    #expect(changed(4, [0, 3]).hasPrefix("decode.unsupported"))
    #expect(changed(12, [0, 0]).hasPrefix("decode.malformed") && changed(12, [0, 57]).hasPrefix("decode.limit"))
    #expect(changed(14, [255, 255, 255, 255]).hasPrefix("decode.limit") && changed(18, [0, 0, 0, 0]) != "read")
    #expect(changed(14, [0, 0, 128, 0, 0, 0, 16, 0]).hasPrefix("decode.truncated"))
    #expect(changed(22, [0, 1]).hasPrefix("decode.unsupported"))
    #expect(changed(30, [127, 255, 255, 255]).hasPrefix("decode.truncated"))
    #expect(changed(34, [127, 255, 255, 255]).hasPrefix("decode.truncated"))
    // The length of the first line, then its first run.
    #expect(
      changed(40, [0, 0]).contains("cannot hold a line") && changed(40, [255, 255]).hasPrefix("decode.truncated"))
    #expect(changed(40 + 2 * 3 * 7, [0x81]).contains("a run beyond its end"))
  }

  @Test("damaged resources and layers do not hide the picture")
  func damagedSections() throws {
    var bytes = builder(3, bits: 8) { $0.resources = [(1039, [1, 2, 3, 4])] }.bytes
    bytes[34] = 0
    #expect(try decodeImage(bytes).warnings.map(\.code) == ["psd.resources"])
    var layers = builder(4, bits: 8) { $0.layers = -1 }.bytes
    // The layer info claims more than its section.
    layers.replaceSubrange(38..<42, with: [0, 1, 0, 0])
    #expect(try decodeImage(layers).image.alpha == nil)
  }
}
