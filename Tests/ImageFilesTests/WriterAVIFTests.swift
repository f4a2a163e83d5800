import FileParts
import HDRCore
import ImageFiles
import Testing

/// AVIF outputs: `av1C` and boxes, planes through dav1d, what the bit stream says.
@Suite struct WriterAVIFTests {
  static let kinds: [(OutputKind, Int)] = OutputKind.allCases.filter { $0.format == .avif }.flatMap { kind in
    kind.bitDepths.map { (kind, $0) }
  }

  @Test(arguments: kinds, [ChromaSubsampling.s420, .s444])
  func picturesReadBack(kind: (OutputKind, Int), chroma: ChromaSubsampling) throws {
    for (width, height) in [(1, 1), (101, 67)] {
      let image = Writer.planar(width, height, chroma, bits: kind.1)
      var request = Writer.request(kind.0, image)
      request.coding.quality = 95
      let files = try encodeImage(request)
      try verifyEncoded(files, request)
      let read = try decodeImage(files.main)
      #expect(read.image.width == width && read.image.height == height && read.image.bitDepth == kind.1)
      #expect(read.image.chroma == chroma && read.color.cicp == request.cicp)
      // Quantiser 3 of 63: a code of 8 bits or two on average.
      #expect(Writer.difference(image, read.image).mean <= Double(1 << (kind.1 - 8)) * 1.5)
    }
  }

  @Test(arguments: kinds, [ChromaSubsampling.s420, .s444])
  func configurationSaysTheProfile(kind: (OutputKind, Int), chroma: ChromaSubsampling) throws {
    let avif = try encodeImage(Writer.request(kind.0, Writer.planar(64, 64, chroma, bits: kind.1))).main
    let av1C = try #require(Writer.position(of: Array("av1C".utf8), in: avif))
    // AV1 6.4.1: 0 is Main, 1 High (4:4:4), 2 Professional (12 bits).
    #expect(avif[av1C + 4] == 0x81)
    #expect(Int(avif[av1C + 5] >> 5) == (kind.1 == 12 ? 2 : (chroma == .s444 ? 1 : 0)))
    #expect(avif[av1C + 6] & 0x60 == [8: 0, 10: 0x40, 12: 0x60][kind.1])
    #expect(avif[av1C + 6] & 0x0C == (chroma == .s444 ? 0 : 0x0C))
    let depth = UInt8(kind.1)
    let pixi = try #require(Writer.position(of: Array("pixi".utf8), in: avif))
    #expect(Array(avif[pixi + 4..<pixi + 12]) == [0, 0, 0, 0, 3, depth, depth, depth])
  }

  /// The reader falls back on the sequence header if the colr box is hidden.
  @Test(arguments: [CICP(9, 16, 9, full: true), CICP(9, 18, 9, full: false), CICP(12, 16, 1, full: true)])
  func bitstreamSaysTheSameAsTheBox(cicp: CICP) throws {
    var request = Writer.request(.pqAVIF, Writer.planar(66, 64, .s420))
    request.cicp = cicp
    var avif = try encodeImage(request).main
    #expect(try decodeImage(avif, request: .metadata).color.cicp == cicp)
    let colr = try #require(Writer.position(of: Array("colrnclx".utf8), in: avif))
    avif.replaceSubrange(colr..<colr + 4, with: Array("free".utf8))
    #expect(try decodeImage(avif, request: .metadata).color.cicp == cicp)
  }

  @Test func lightIsThatOfHEIC() throws {
    for kind in [OutputKind.pqHEIC, .pqAVIF] where kind.isAvailable {
      var request = Writer.request(kind, Writer.planar(64, 64, .s420))
      request.light = LightBoxTests.all
      request.exif = TinyExif.orientation(3, littleEndian: true)
      request.xmp = Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'></x:xmpmeta>".utf8)
      let read = try decodeImage(encodeImage(request).main, request: .metadata)
      #expect(read.light.boxes(transfer: 16) == LightBoxTests.all.boxes(transfer: 16), "\(kind.rawValue)")
      #expect(read.exif == TinyExif.orientation(1, littleEndian: true) && read.xmp == request.xmp)
    }
  }

  @Test func toneMetadataStandInTheStream() throws {
    var request = Writer.request(.pqAVIF, Writer.planar(64, 64, .s420))
    request.light.toneMetadata = HeadroomAdaptiveMetadata.referenceWhitePayload(for: Headroom(factor: 4))
    let files = try encodeImage(request)
    #expect(files.warnings.isEmpty)
    let read = try decodeImage(files.main)
    #expect(read.light.toneMetadata == request.light.toneMetadata && read.light.places[.toneMetadata] == .message)
  }

  @Test func profilesStandBesideCodePoints() throws {
    var request = Writer.request(.sdrAVIF, Writer.planar(64, 64, .s420, bits: 8))
    request.icc = ICCProfileWriter.profile(primaries: 12, transfer: 13)
    request.cicp = CICP(2, 2, 1, full: true)
    let files = try encodeImage(request)
    try verifyEncoded(files, request)
    let color = try decodeImage(files.main, request: .metadata).color
    #expect(color.icc == request.icc && color.matrix == 1 && color.fullRange)
  }

  @Test func bytesDoNotDependOnThreads() throws {
    var request = Writer.request(.hlgAVIF, Writer.planar(300, 257, .s420))
    let first = try encodeImage(request).main
    request.threads = 5
    #expect(try encodeImage(request).main == first)
  }
}
