import FileParts
import HDRCore
import HDRPlan
import ImageFiles
import TestFiles
import Testing

/// Small files that ask for much work: each is refused, or cut with a warning, in under a second.
@Suite(.serialized) struct HostileStructureTests {
  /// Runs it alone; other suites may keep the machine busy, so the bound has room. What is tested took minutes.
  private func soon(_ what: String, _ work: () throws -> Void) rethrows {
    let elapsed = try ContinuousClock().measure(work)
    #expect(elapsed < .seconds(2), "\(what) took \(elapsed)")
  }

  /// A picture, `count` items of `type` with data, and references of all of them to the picture and of one to all.
  private func heif(_ count: Int, type: String, reference: String, data: [UInt8] = []) -> HEIFBuilder {
    var file = HEIFBuilder()
    file.brands = ["heic", "mif1", "tmap"]
    file.isWide = true
    let map = HEIFBuilder.fullBox("auxC", Array("urn:com:apple:photo:2020:aux:hdrgainmap\0".utf8))
    file.items = [.init(id: 1, type: "hvc1", properties: [HEIFBuilder.ispe(64, 64), map])]
    for id in 2..<(count + 2) {
      file.items.append(
        .init(id: id, type: type, data: data, contentType: type == "mime" ? "application/rdf+xml" : nil))
      file.references.append((reference, id, [1, 1]))
      if reference != "cdsc" { file.references.append(("cdsc", id, [1, id])) }
    }
    return file
  }

  @Test(arguments: [("tmap", "dimg"), ("mime", "cdsc"), ("Exif", "cdsc"), ("hvc1", "auxl")])
  func thousandsOfItemsAroundOnePictureEndSoon(type: String, reference: String) throws {
    let count = reference == "cdsc" ? 9_990 : 4_990
    let file = try HEIFFile(heif(count, type: type, reference: reference, data: [1, 2, 3, 4, 5, 6, 7, 8]).bytes)
    #expect(file.items.count == count + 1)
    soon("\(type) with \(reference)") {
      var warnings: [Warning] = []
      #expect(file.auxiliaries(of: 1, warnings: &warnings).count <= BoxLimits.auxiliaries)
      #expect(warnings.count <= BoxLimits.auxiliaries + 1 || type == "hvc1")
    }
    let bytes = heif(count, type: type, reference: reference, data: [1, 2, 3, 4, 5, 6, 7, 8]).bytes
    soon("decoding \(type) with \(reference)") {
      #expect(throws: DecodeError.self) { try decodeImage(bytes, request: .metadata) }
    }
  }

  @Test func referencesAreBounded() {
    var file = HEIFBuilder()
    file.items = [.init(id: 1, type: "hvc1", properties: [HEIFBuilder.ispe(64, 64)])]
    let many = [Int](repeating: 1, count: 65_535)
    file.references = (0..<4).map { _ in ("cdsc", 1, many) }
    #expect(throws: Never.self) { try HEIFFile(file.bytes) }
    file.references.append(("cdsc", 1, many))
    #expect(throws: DecodeError.self) { try HEIFFile(file.bytes) }
  }

  /// Hundreds of directories of 32 768 and more entries, each a pointer to one of them.
  @Test func exifDirectoriesOverEachOtherAreBounded() throws {
    var bytes: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8]
    // The last two bytes of an entry's pointer are the two of the next count: 32 768 + 12 k is both.
    for index in 0..<71_000 {
      bytes += TinyICC.half(32_768 + index * 37 % 2_700 * 12) + [0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0]
    }
    soon("Exif") {
      var warnings: [Warning] = []
      let exif = Exif(bytes, warnings: &warnings)
      #expect(exif != nil && warnings.map(\.code).contains("exif.limit") && warnings.count <= 2)
    }
  }

  @Test func aNamespaceOfMegabytesIsRefusedSoon() {
    let head = "<x:a xmlns:x='urn:\(String(repeating: "n", count: 1 << 20))' "
    let rdf = "xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><r:RDF><r:Description>"
    let body = String(repeating: "<x:b/>", count: 100_000)
    let packet = Array((head + rdf + body + "</r:Description></r:RDF></x:a>").utf8)
    soon("XMP") {
      var warnings: [Warning] = []
      #expect(XMPPacket(packet, warnings: &warnings) == nil && warnings.map(\.code) == ["xmp.limit"])
    }
  }

  /// Swift orders combining marks before it hashes: as text, as references, in pieces, in names.
  @Test(arguments: ["text", "references", "pieces", "value", "name"])
  func combiningMarksInARowAreRefusedSoon(place: String) {
    let marks = String(repeating: "\u{301}\u{323}", count: 100_000)
    let references = String(repeating: "&#x301;&#x323;", count: 50_000)
    let pieces = String(repeating: "\u{301}\u{323}<!---->", count: 50_000)
    let body =
      switch place {
      case "text": "<h:GainMapMax>1\(marks)</h:GainMapMax>"
      case "references": "<h:GainMapMax>1\(references)</h:GainMapMax>"
      case "pieces": "<h:GainMapMax>1\(pieces)</h:GainMapMax>"
      case "value": "<h:A h:b='1\(marks)'/>"
      default: "<h:a\(marks.prefix(200))/>"
      }
    let packet =
      "<r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><r:Description "
      + "xmlns:h='http://ns.adobe.com/hdr-gain-map/1.0/' h:Version='1.0'>\(body)</r:Description></r:RDF>"
    soon(place) {
      var warnings: [Warning] = []
      #expect(XMPPacket(Array(packet.utf8), warnings: &warnings) == nil && warnings.map(\.code) == ["xmp.limit"])
    }
  }

  @Test func ordinaryMarksAreRead() throws {
    let packet =
      "<r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><r:Description xmlns:a='urn:a/' "
      + "a:t='e\u{301}\u{323} \u{e9}\u{5d0}\u{5b8}'/></r:RDF>"
    var warnings: [Warning] = []
    let found = try #require(XMPPacket(Array(packet.utf8), warnings: &warnings))
    #expect(found.value("urn:a/", "t")?.unicodeScalars.count == 7)
  }

  @Test func thousandsOfEmptyDescriptionsAreMergedSoon() throws {
    let rdf = "<r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"
    var request = AdaptiveJPEG.request()
    request.xmp = Array((rdf + String(repeating: "<r:Description/>", count: 100_000) + "</r:RDF>").utf8)
    try soon("putting XMP together") { _ = try encodeAdaptive(request) }
  }

  /// Tables that Little CMS would walk for hours: 15 inputs, 200 elements, 60 000 segments.
  @Test func pipelinesOfProfilesAreBounded() throws {
    func elements(_ list: [[UInt8]]) -> [UInt8] {
      var places: [UInt8] = [], data: [UInt8] = []
      for element in list {
        places += TinyICC.word(16 + 8 * list.count + data.count) + TinyICC.word(element.count)
        data += element
      }
      return Array("mpet".utf8) + TinyICC.word(0) + TinyICC.half(3) + TinyICC.half(3) + TinyICC.word(list.count)
        + places + data
    }
    func table(inputs: Int, grid: Int) -> [UInt8] {
      let sides = (0..<16).map { UInt8($0 < inputs ? grid : 0) }
      return Array("clut".utf8) + TinyICC.word(0) + TinyICC.half(inputs) + TinyICC.half(3) + sides
        + [UInt8](repeating: 0, count: 12 << inputs)
    }
    let curve =
      Array("curf".utf8) + TinyICC.word(0) + TinyICC.half(60_000) + TinyICC.half(0)
      + [UInt8](repeating: 0, count: 64)
    let curves =
      Array("cvst".utf8) + TinyICC.word(0) + TinyICC.half(1) + TinyICC.half(1) + TinyICC.word(20)
      + TinyICC.word(curve.count) + curve
    let one = table(inputs: 3, grid: 2)
    for (what, tag) in [
      ("inputs", elements([table(inputs: 12, grid: 2)])), ("elements", elements(Array(repeating: one, count: 200))),
      ("segments", elements([curves])),
    ] {
      let tags = ["A2B0": TinyICC.linearTable(TinyICC.colorants[1] ?? []), "D2B0": tag]
      let profile = TinyICC.profile(space: "RGB ", tags: tags)
      soon(what) {
        var warnings: [Warning] = []
        #expect(resolveICC(profile, model: .rgb, warnings: &warnings) == nil)
        #expect(warnings.map(\.code) == ["icc.limit"] && warnings[0].message.description.contains(what))
      }
    }
  }
}
