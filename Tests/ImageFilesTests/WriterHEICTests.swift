import FileParts
import HDRCore
import ImageFiles
import Testing

/// HEIC outputs: box bytes of ISO/IEC 23008-12, planes through libde265, the same bytes for any thread count.
@Suite struct WriterHEICTests {
  @Test(arguments: [(1, 1), (2, 70), (63, 65), (64, 64), (101, 67), (192, 128)], [ChromaSubsampling.s420, .s444])
  func picturesOfAnySizeReadBack(size: (Int, Int), chroma: ChromaSubsampling) throws {
    let image = Writer.planar(size.0, size.1, chroma)
    var request = Writer.request(.pqHEIC, image)
    request.coding.quality = 95
    let files = try encodeImage(request)
    try verifyEncoded(files, request)
    let read = try decodeImage(files.main)
    #expect(read.geometry.outputWidth == size.0 && read.geometry.outputHeight == size.1)
    #expect(read.geometry.crop.x == 0 && read.geometry.crop.y == 0)
    // Quality 95 is CRF 6.5: about one 10-bit code on a soft picture, a little more (1.2) on two columns with an edge
    // beside them. The padding repeats edges, so that the cut does not show in the last column.
    let difference = Writer.difference(image, read.image)
    #expect(difference.mean <= 1.5)
    #expect(difference.worst <= 8)
  }

  @Test(arguments: [ChromaSubsampling.s420, .s444])
  func samplesReachTheEncoderUntouched(chroma: ChromaSubsampling) throws {
    let image = Writer.planar(130, 75, chroma)
    let coded = try HEVCEncoder.encode(
      image, cicp: CICP(9, 16, 9, full: true), settings: HEVCEncoder.Settings(quality: 50, isLossless: true))
    var muxer = HEIFMuxer(brands: ["heix", "mif1"])
    let item = muxer.addItem("hvc1", data: coded.data)
    muxer.setProperty(HEIFBox.hvcC(coded.configuration), essential: true, of: item)
    muxer.setProperty(HEIFBox.ispe(width: coded.width, height: coded.height), essential: false, of: item)
    let read = try decodeImage(muxer.fileBytes()).image
    #expect(Writer.difference(image, read).worst == 0)
  }

  @Test("a PQ HEIC has nclx, pixi, clli and mdcv")
  func boxesOfPQ() throws {
    var request = Writer.request(.pqHEIC, Writer.planar(64, 64, .s420))
    request.clli = Writer.hdr10Light
    request.mdcv = Writer.p3Mastering
    let files = try encodeImage(request)
    try verifyEncoded(files, request)
    for box in [
      "00000013 636F6C72 6E636C78 0009 0010 0009 80",
      "00000010 70697869 00000000 03 0A0A0A",
      "0000000C 636C6C69 03E8 0190",
      "00000020 6D646376 33C286C4 1D4C0BB8 84D03E80 3D134042 00989680 00000032",
      "00000014 69737065 00000000 00000040 00000040",
      "66747970 68656978 00000000 68656978 6D696631 6D696166",
    ] { #expect(Writer.contains(files.main, box), "\(box)") }
    let file = try HEIFFile(files.main)
    let essential = (file.associations[file.primaryID] ?? []).filter(\.isEssential)
    #expect(essential.count == 1)
    #expect(try decodeImage(files.main, request: .metadata).color.icc == nil)
  }

  /// The reader falls back on the bitstream's own VUI if the colr box is hidden.
  @Test(arguments: [CICP(9, 16, 9, full: true), CICP(9, 18, 9, full: false), CICP(12, 16, 6, full: true)])
  func bitstreamSaysTheSameAsTheBox(cicp: CICP) throws {
    var request = Writer.request(.pqHEIC, Writer.planar(66, 64, .s420))
    request.cicp = cicp
    var heic = try encodeImage(request).main
    #expect(try decodeImage(heic, request: .metadata).color.cicp == cicp)
    let colr = try #require(Writer.position(of: Array("colrnclx".utf8), in: heic))
    heic.replaceSubrange(colr..<colr + 4, with: Array("free".utf8))
    #expect(try decodeImage(heic, request: .metadata).color.cicp == cicp)
  }

  @Test func tenBit420IsMain10() throws {
    let heic = try encodeImage(Writer.request(.pqHEIC, Writer.planar(64, 64, .s420))).main
    let hvcC = try #require(Writer.position(of: Array("hvcC".utf8), in: heic))
    // Version 1; profile 2 with its flag only; progressive, frame-only, one picture.
    #expect(heic[hvcC + 4] == 1 && heic[hvcC + 5] & 31 == 2)
    #expect(Array(heic[hvcC + 6..<hvcC + 10]) == [0x20, 0, 0, 0])
    #expect(heic[hvcC + 10] & 0x0F == 0 && heic[hvcC + 11] == 0x10)
    let file = try HEIFFile(heic)
    #expect(try file.properties(of: file.primaryID).hevc?.nalUnits.count == 3)
  }

  @Test(arguments: [ChromaSubsampling.s420, .s444])
  func bytesDoNotDependOnThreads(chroma: ChromaSubsampling) throws {
    var request = Writer.request(.hlgHEIC, Writer.planar(300, 257, chroma))
    let first = try encodeImage(request).main
    #expect(try encodeImage(request).main == first)
    for threads in [2, 5] {
      request.threads = threads
      #expect(try encodeImage(request).main == first)
    }
  }

  @Test func qualityOrdersSizes() throws {
    let sizes = try [0, 30, 60, 90, 100].map { quality in
      var request = Writer.request(.hlgHEIC, Writer.planar(256, 256, .s420))
      request.coding.quality = quality
      return try encodeImage(request).main.count
    }
    #expect(sizes == sizes.sorted() && Set(sizes).count == 5)
  }

  @Test("Exif and XMP go into a HEIC with orientation reset")
  func metadataTravels() throws {
    var request = Writer.request(.hlgHEIC, Writer.planar(64, 64, .s420))
    request.exif = TinyExif.orientation(3, littleEndian: true)
    request.xmp = Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'></x:xmpmeta>".utf8)
    request.clli = Writer.hdr10Light
    let files = try encodeImage(request)
    try verifyEncoded(files, request)
    let read = try decodeImage(files.main, request: .metadata)
    #expect(read.exif == TinyExif.orientation(1, littleEndian: true))
    #expect(read.xmp == request.xmp)
    #expect(read.light.clli == Writer.hdr10Light && read.light.mdcv == nil)
    let file = try HEIFFile(files.main)
    #expect(file.sources("cdsc", to: file.primaryID) == [2, 3])
  }

  @Test(arguments: [OutputKind.pqHEIC, .hlgAVIF], [(64, 64), (101, 67)])
  func alphaIsAPictureBesideIt(kind: OutputKind, size: (Int, Int)) throws {
    let image = Writer.planar(size.0, size.1, .s420, hasAlpha: true)
    let request = Writer.request(kind, image, hasAlpha: true)
    let files = try encodeImage(request)
    try verifyEncoded(files, request)
    #expect(files.warnings.isEmpty)
    let read = try decodeImage(files.main)
    #expect(read.warnings.isEmpty, "\(read.warnings)")
    let alpha = try #require(read.image.alpha), written = try #require(image.alpha)
    #expect(read.image.alphaBitDepth == 10 && !read.image.alphaIsPremultiplied)
    for y in 0..<size.1 {
      for x in 0..<size.0 where alpha.value(x, y) != written.value(x, y) { Issue.record("\(x), \(y)") }
    }
    var opaque = request
    opaque.hasAlpha = false
    #expect(try decodeImage(encodeImage(opaque).main).image.alpha == nil)
  }

  @Test func wrongLayoutsAreRefused() throws {
    #expect(throws: EncodeError.self) { try encodeImage(Writer.request(.pqHEIC, Writer.rgba(64, 64, .uint16))) }
    #expect(throws: EncodeError.self) { try encodeImage(Writer.request(.pqHEIC, Writer.planar(64, 64, .s422))) }
  }

  @Test(.enabled(if: Writer.tool("heif-info") != nil, "skipped: no heif-info"))
  func libheifReadsTheSame() throws {
    var request = Writer.request(.pqHEIC, Writer.planar(101, 67, .s420))
    request.clli = Writer.hdr10Light
    request.mdcv = Writer.p3Mastering
    let text = try Writer.run(
      try #require(Writer.tool("heif-info")), ["%"], on: encodeImage(request).main, suffix: "heic")
    #expect(text.contains("101x67"))
    #expect(text.contains("color profile: nclx"))
    #expect(text.contains("max content light level: 1000"))
    #expect(text.contains("max pic average light level: 400"))
  }
}
