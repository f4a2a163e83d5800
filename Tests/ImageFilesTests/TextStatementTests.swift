import FileParts
import HDRCore
import ImageFiles
import TestFiles
import Testing

/// Tests texts beside Exif and XMP, and parts that nothing reads: each is moved into XMP, or listed.
@Suite struct TextStatementTests {
  private func read(_ bytes: [UInt8]) throws -> (xmp: XMPPacket?, left: [FileTrailer.Kind: [String]]) {
    var warnings: [Warning] = []
    let source = try decodeImage(bytes, request: .metadata)
    let left = source.extras.trailers.map { ($0.kind, $0.names) }
    return (
      source.xmp.flatMap { XMPPacket($0, warnings: &warnings) }, Dictionary(left) { first, second in first + second }
    )
  }

  private static let core = "http://purl.org/dc/elements/1.1/"

  // MARK: PNG

  private func png(_ chunks: [UInt8]...) -> [UInt8] {
    TinyPNG.file(width: 1, height: 1, depth: 8, type: 2, chunks: chunks.flatMap { $0 }, rows: [[1, 2, 3]])
  }

  private func text(_ keyword: String, _ value: [UInt8]) -> [UInt8] {
    TinyPNG.chunk("tEXt", Array(keyword.utf8) + [0] + value)
  }

  @Test func textsOfPNGMoveIntoXMP() throws {
    let packed = Array("Description".utf8) + [0, 0] + TinyPNG.stored(Array("a <b> & c".utf8))
    let international = Array("Copyright".utf8) + [0, 0, 0] + Array("de".utf8) + [0, 0] + Array("© Zoë".utf8)
    let found = try read(
      png(
        text("Title", Array("Sea".utf8)), text("Author", [0x5A, 0x6F, 0xEB]), text("Software", Array("Tool 1".utf8)),
        text("Comment", Array("by hand".utf8)), TinyPNG.chunk("zTXt", packed), TinyPNG.chunk("iTXt", international),
        text("date:create", Array("2026-11-27".utf8))))
    let xmp = try #require(found.xmp)
    #expect(xmp.value(Self.core, "title") == "Sea")
    // tEXt is ISO 8859-1.
    #expect(xmp.value(Self.core, "creator") == "Zoë")
    #expect(xmp.value(Self.core, "description") == "a <b> & c")
    #expect(xmp.value(Self.core, "rights") == "© Zoë")
    #expect(xmp.value("http://ns.adobe.com/xap/1.0/", "CreatorTool") == "Tool 1")
    #expect(xmp.value(XMPNamespace.exif, "UserComment") == "by hand")
    #expect(found.left.isEmpty)
  }

  @Test func othersOfPNGAreListed() throws {
    let packet = XMPAssembly.packet([
      "<rdf:Description rdf:about=\"\" xmlns:dc=\"\(Self.core)\"><dc:title>Sea</dc:title></rdf:Description>"
    ])
    let xmp = TinyPNG.chunk("iTXt", Array("XML:com.adobe.xmp".utf8) + [0, 0, 0, 0, 0] + packet)
    let found = try read(
      png(
        xmp, text("Title", Array("Sea".utf8)), text("Title", Array("Land".utf8)), text("parameters", Array("x".utf8)),
        text("Comment", [1, 2]), TinyPNG.chunk("zTXt", Array("Author".utf8) + [0, 0, 7]),
        TinyPNG.chunk("oFFs", [UInt8](repeating: 0, count: 9)), TinyPNG.chunk("tIME", [7, 0, 1, 1, 0, 0, 0])))
    #expect(found.xmp?.value(Self.core, "title") == "Sea")
    #expect(found.left == [.parts: ["oFFs"], .text: ["parameters", "Comment", "Author", "Title"]])
  }

  @Test("a text that is inflated has a bound, and so has their number")
  func hugeTextsAreListed() throws {
    let bomb = TinyPNG.stored([UInt8](repeating: 65, count: TextStatements.mostBytes + 1))
    let many = (0..<200).flatMap { text("Title", Array("\($0)".utf8)) }
    let found = try read(png(TinyPNG.chunk("zTXt", Array("Comment".utf8) + [0, 0] + bomb), many))
    #expect(found.xmp?.value(Self.core, "title") == "0")
    #expect(found.xmp?.value(XMPNamespace.exif, "UserComment") == nil)
    #expect(found.left == [.text: ["Comment", "Title"]])
  }

  /// The chunk of a profile as ImageMagick writes it.
  private func raw(_ kind: String, _ content: [UInt8], stating count: Int? = nil) -> [UInt8] {
    let names = Array("0123456789abcdef".utf8), digits = content.flatMap { [names[Int($0 >> 4)], names[Int($0 & 15)]] }
    let lines = stride(from: 0, to: digits.count, by: 72).flatMap { [0x0A] + digits[$0..<min($0 + 72, digits.count)] }
    let body = Array("\n\(kind)\n    \(count ?? content.count)".utf8) + lines + [0x0A]
    return TinyPNG.chunk("zTXt", Array("Raw profile type \(kind)".utf8) + [0, 0] + TinyPNG.stored(body))
  }

  private static let exif = TinyExif.orientation(6, littleEndian: true)
  private static let packet = XMPAssembly.packet([
    "<rdf:Description rdf:about=\"\" xmlns:dc=\"\(core)\"><dc:title>Sea</dc:title></rdf:Description>"
  ])

  @Test("raw profiles in texts of PNG are the metadata that they hold")
  func rawProfilesOfPNGAreRead() throws {
    let iptc: [UInt8] = [0x1C, 2, 5, 0, 1, 65]
    let file = png(
      raw("exif", Array("Exif\0\0".utf8) + Self.exif), raw("xmp", Self.packet), raw("iptc", iptc),
      raw("icc", TinyICC.adobe))
    let source = try decodeImage(file, request: .metadata), found = try read(file)
    #expect(source.exif == Self.exif && source.geometry.orientation == .right)
    #expect(source.color.icc == TinyICC.adobe && found.xmp?.value(Self.core, "title") == "Sea")
    #expect(source.photoshop?.suffix(6) == iptc[...] && found.left.isEmpty)
    let application = try decodeImage(
      png(raw("APP1", Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Self.packet)), request: .metadata)
    #expect(application.xmp == Self.packet)
  }

  @Test("raw profiles that are damaged, unknown or contrary to a chunk are listed, and equal ones are not")
  func otherRawProfilesAreListed() throws {
    let own = TinyPNG.chunk("eXIf", Self.exif), other = TinyExif.orientation(3, littleEndian: true)
    #expect(try read(png(own, raw("exif", Self.exif), text("exif:Orientation", [0x36]))).left.isEmpty)
    #expect(try read(png(text("exif:Orientation", [0x36]))).left == [.text: ["exif:Orientation"]])
    #expect(try read(png(own, raw("exif", other))).left == [.text: ["Raw profile type exif"]])
    #expect(try read(png(raw("exif", Self.exif, stating: 9))).left == [.text: ["Raw profile type exif"]])
    #expect(try read(png(raw("exif", [1, 2, 3]))).left == [.text: ["Raw profile type exif"]])
    #expect(try read(png(raw("generic", [1]))).left == [.text: ["Raw profile type generic"]])
    let stated = png(TinyPNG.chunk("sRGB", [0]), raw("icc", TinyICC.adobe))
    #expect(try decodeImage(stated, request: .metadata).color.icc == nil)
    #expect(try read(stated).left == [.text: ["Raw profile type icc"]])
    var limits = DecodeLimits()
    limits.maxICCBytes = TinyICC.adobe.count - 1
    #expect(try decodeImage(png(raw("icc", TinyICC.adobe)), request: .metadata, limits: limits).color.icc == nil)
  }

  // MARK: JPEG

  @Test func commentsOfJPEGMoveAndSegmentsAreListed() throws {
    let found = try read(
      splice(
        segment(0xFE, Array("hello".utf8)) + segment(0xE5, Array("Vendor\0data".utf8)) + segment(0xEF, [1, 2, 3])
          + segment(0xEC, Array("Ducky\0\u{1}".utf8)), into: TinyJPEG.color444))
    #expect(found.xmp?.value(XMPNamespace.exif, "UserComment") == "hello")
    #expect(found.left == [.parts: ["APP5 Vendor", "APP15"]])
    #expect(try read(TinyJPEG.color444).left.isEmpty)
  }

  @Test("extended XMP joins its packet, with the namespaces around it and without what the packet has")
  func extendedXMPJoins() throws {
    let text = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/" xmlns:q="urn:q"><r:RDF xmlns:r="\(XMPNamespace.rdf)" xmlns:d="\(Self.core)">\
      <r:Description r:about="" d:format="image/jpeg" q:a="1"><d:title>other</d:title><q:b>2</q:b></r:Description>\
      <r:Description r:about="" xmlns:q="urn:inner"><q:c>3</q:c></r:Description></r:RDF></x:xmpmeta>
      """
    let standard = XMPAssembly.packet([
      """
      <rdf:Description rdf:about="" xmlns:n="\(XMPNamespace.note)" n:HasExtendedXMP="1" xmlns:dc="\(Self.core)">\
      <dc:title>Sea</dc:title></rdf:Description>
      """
    ])
    let merged = try #require(XMPAssembly.merging(Array(text.utf8), into: standard))
    var warnings: [Warning] = []
    let packet = try #require(XMPPacket(merged, warnings: &warnings))
    #expect(packet.value(Self.core, "title") == "Sea" && packet.value(Self.core, "format") == "image/jpeg")
    #expect(packet.value("urn:q", "a") == "1" && packet.value("urn:q", "b") == "2")
    #expect(packet.value("urn:inner", "c") == "3" && packet.value("urn:inner", "b") == nil)
    #expect(packet.value(XMPNamespace.note, "HasExtendedXMP") == nil)
    let all = String(decoding: merged, as: UTF8.self)
    #expect(!all.contains("other") && warnings.isEmpty)
    #expect(XMPAssembly.merging(Array("<a/>".utf8), into: standard) == nil)
    #expect(XMPAssembly.merging([UInt8](repeating: 32, count: 8 << 20), into: standard) == nil)
  }

  @Test func partsThatXMPHoldsAreListed() throws {
    let packet = XMPAssembly.packet([
      "<rdf:Description rdf:about=\"\" xmlns:GImage=\"\(XMPNamespace.googleImage)\" GImage:Mime=\"image/jpeg\" "
        + "GImage:Data=\"AAAA\" xmlns:GAudio=\"\(XMPNamespace.googleAudio)\" GAudio:Data=\"AAAA\"/>"
    ])
    let file = splice(segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + packet), into: TinyJPEG.color444)
    #expect(try decodeImage(file, request: .metadata).extras.auxiliaries.map(\.kind) == ["image", "sound"])
  }

  // MARK: Others

  @Test func tagsOfTIFFAreMovedOrListed() throws {
    var file = TIFFBuilder()
    (file.width, file.height, file.samples) = (2, 1, [1, 2])
    func ascii(_ text: String) -> [UInt64] { (Array(text.utf8) + [0]).map(UInt64.init) }
    file.extra = [
      (269, 2, ascii("page 7")), (285, 2, ascii("left")), (297, 3, [0, 1]), (33550, 4, [1, 2, 3]), (50838, 4, [12]),
    ]
    let found = try read(file.bytes)
    #expect(found.xmp?.value(Self.core, "title") == "page 7")
    #expect(found.left == [.parts: ["tag 285", "tag 33550", "tag 50838"]])
  }

  @Test func tagsAndPicturesOfJPEGXRAreMovedOrListed() throws {
    var file = TinyJXR()
    file.blocks = [
      (269, 2, Array("page 7\0".utf8)), (285, 2, Array("left\0".utf8)), (0xABCD, 1, [1, 2, 3, 4, 5]),
      (0xEA1C, 7, [0, 0, 0, 0, 0]),
    ]
    #expect(try read(file.bytes).xmp?.value(Self.core, "title") == "page 7")
    #expect(try read(file.bytes).left == [.parts: ["tag 285", "tag 43981"]])
    // A directory of a further picture, and one of a preview.
    for (kind, names) in [(2, ["tag 285", "tag 43981", "picture 2"]), (1, ["tag 285", "tag 43981"])] {
      file.next = file.bytes.count
      let directory: [UInt8] = [1, 0, 0x04, 0xBC, 4, 0, 1, 0, 0, 0, UInt8(kind), 0, 0, 0, 0, 0, 0, 0]
      #expect(try read(file.bytes + directory).left == [.parts: names])
    }
  }

  @Test func boxesAndCommentsOfJPEG2000AreMovedOrListed() throws {
    typealias Made = JPEG2000Tests.Made
    var file = Made()
    file.boxes = [Made.space(16), Made.box("res ", []), Made.box("own ", [1])]
    func identified(_ identifier: String, _ payload: [UInt8]) -> [UInt8] {
      Made.box("uuid", hexBytes(identifier) + payload)
    }
    let iptc: [UInt8] = [0x1C, 2, 5, 0, 1, 65]
    file.comments = [[0, 1] + Array("by hand".utf8), [0, 1] + Array("Created by OpenJPEG version 2.5.4".utf8)]
    file.behind = [
      identified("0537cdab9d0c4431a72afa561f2a113e", Self.exif),
      identified("33c7a4d2b81d4723a0baf1a3e097ad38", iptc),
      identified("0102030405060708090a0b0c0d0e0f10", [1, 2]), Made.box("xml ", [3]), Made.box("jp2c", [4]),
    ]
    let source = try decodeImage(file.bytes, request: .metadata), found = try read(file.bytes)
    #expect(source.exif == Self.exif && source.geometry.orientation == .right)
    #expect(source.photoshop?.suffix(6) == iptc[...])
    #expect(found.xmp?.value(XMPNamespace.exif, "UserComment") == "by hand")
    #expect(found.left == [.parts: ["uuid 01020304", "xml ", "jp2c", "own "]])
    (file.comments, file.isBare) = ([[0, 0, 7, 7]], true)
    #expect(try read(file.bytes).left == [.text: ["Comment"]])
  }

  @Test func linesOfRadianceAreMovedOrListed() throws {
    let found = try read(
      RadianceTests.file([
        "# by hand", "SOFTWARE= Tool 1", "#and more", "pfilt -x 512", "VIEW= -vtv", "CAPDATE=2026:11:27 12:00:00",
        "FORMAT=32-bit_rle_rgbe",
      ]))
    #expect(found.xmp?.value("http://ns.adobe.com/xap/1.0/", "CreatorTool") == "Tool 1")
    #expect(found.xmp?.value(XMPNamespace.exif, "UserComment") == "by hand\nand more")
    #expect(found.left == [.parts: ["command", "VIEW", "CAPDATE"]])
    #expect(try read(RadianceTests.file()).left.isEmpty)
  }

  @Test func commentsOfPFMAndPNMMove() throws {
    let light = PFMTests.file("PF\n# by hand\r\n1 1\n#again\n-1\n", [1, 2, 3])
    for file in [light, Array("P6 # by hand\n1 #again\r1 255 ".utf8) + [1, 2, 3]] {
      #expect(try read(file).xmp?.value(XMPNamespace.exif, "UserComment") == "by hand\nagain")
    }
    #expect(Plain.stored(try Plain.read(light), 0, 0) == [1, 2, 3])
    let endless = Array("PF\n#".utf8) + [UInt8](repeating: 0x41, count: 1 << 17)
    #expect(Plain.error(endless)?.code == "decode.malformed")
  }

  @Test func fieldsOfCineonAreListed() throws {
    let file = DPXTests.cineon {
      $0.replaceSubrange(452..<457, with: "plate".utf8)
      $0.replaceSubrange(844..<848, with: "scan".utf8)
    }
    #expect(try read(file).left == [.parts: ["label", "input device"]])
    #expect(try read(DPXTests.cineon()).left.isEmpty)
  }

  @Test func itemsOfHEIFAreListed() throws {
    typealias B = HEIFBuilder
    var builder = HEIFGainMapTests.file()
    #expect(try read(builder.bytes).left.isEmpty)
    builder.items += [
      B.Item(id: 8, type: "mime", data: [1, 2, 3], contentType: "text/plain"), B.Item(id: 9, type: "own1", data: [4]),
    ]
    let trailers = try decodeImage(builder.bytes, request: .metadata).extras.trailers
    #expect(trailers == [FileTrailer(.unknown, byteCount: 4, names: ["text/plain", "own1"])])
  }

  @Test func descriptionsOfHEIFMove() throws {
    var builder = HEIFGainMapTests.file()
    func words(_ list: String...) -> [UInt8] { list.flatMap { Array($0.utf8) + [0] } }
    builder.items[0].properties += [
      HEIFBuilder.fullBox("udes", words("en", "Sea", "ein Böötchen", "boat,blue")), HEIFBuilder.fullBox("altt", [0x41]),
      HEIFBuilder.fullBox("altt", words("a red boat", "en")),
    ]
    let found = try read(builder.bytes)
    #expect(found.xmp?.value(Self.core, "title") == "Sea")
    #expect(found.xmp?.value(Self.core, "description") == "ein Böötchen")
    #expect(found.left == [.text: ["tags", "alternative text"]])
  }

  @Test func pathsOfPhotoshopAreListed() throws {
    var file = PSDBuilder(width: 1, height: 1, planes: [[1], [2], [3]])
    file.resources = [(2000, [UInt8](repeating: 0, count: 26)), (0x0404, [0x1C, 2, 5, 0, 1, 65])]
    #expect(try read(file.bytes).left == [.parts: ["Photoshop paths"]])
  }

  @Test func fieldsOfDPXAreMovedOrListed() throws {
    var bytes = DPXBuilder().bytes
    func put(_ text: String, _ at: Int) { bytes.replaceSubrange(at..<at + text.utf8.count, with: text.utf8) }
    put("Scanner 2", 160)
    put("ACME", 460)
    put("feature", 260)
    put("\u{1}\u{2}\u{3}\u{4}", 1920)
    let found = try read(bytes)
    #expect(found.xmp?.value("http://ns.adobe.com/xap/1.0/", "CreatorTool") == "Scanner 2")
    #expect(found.xmp?.value(Self.core, "rights") == "ACME")
    #expect(found.left == [.parts: ["project", "time code"]])
    #expect(try read(DPXBuilder().bytes).left.isEmpty)
  }
}
