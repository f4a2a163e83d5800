import FileParts
import HDRCore
import ImageFiles
import Testing

/// Tests the kept parts of XMP and IPTC. ExifTool checks Exif (ProgramTests).
struct MetadataChoiceTests {
  private static let packet = """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
    <rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/" \
    xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" \
    xmlns:Iptc4xmpCore="http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/" xmlns:odd="http://example.com/odd/" \
    exif:GPSLatitude="48,51.5N" photoshop:City="Paris" photoshop:Credit="Agency" exif:FNumber="28/10" \
    odd:myGpsTrack="yes"><Iptc4xmpCore:Location>Louvre</Iptc4xmpCore:Location>\
    <dc:rights><rdf:Alt><rdf:li xml:lang="x-default">mine</rdf:li></rdf:Alt></dc:rights>\
    <dc:creator><rdf:Seq><rdf:li>A. Author</rdf:li></rdf:Seq></dc:creator>\
    <dc:subject><rdf:Bag><rdf:li>river</rdf:li></rdf:Bag></dc:subject></rdf:Description></rdf:RDF></x:xmpmeta>
    """

  private static func xmp(_ choice: MetadataChoice) -> String? {
    choice.xmp(Array(packet.utf8)).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func placesGoWhateverTheirVocabulary() throws {
    let rest = try #require(Self.xmp(.noLocation))
    for word in ["48,51", "Paris", "Louvre", "yes"] { #expect(!rest.contains(word), "\(word)") }
    for word in ["Agency", "28/10", "mine", "A. Author", "river"] { #expect(rest.contains(word), "\(word)") }
  }

  @Test func rightsAloneStay() throws {
    let rest = try #require(Self.xmp(.copyright))
    for word in ["Agency", "mine", "A. Author"] { #expect(rest.contains(word), "\(word)") }
    for word in ["48,51", "Paris", "Louvre", "28/10", "river", "yes"] { #expect(!rest.contains(word), "\(word)") }
    #expect(MetadataChoice.copyright.xmp(Array(rest.utf8)) != nil, "it can be read again")
  }

  @Test("an RDF in another is a property, which goes whole", arguments: ["", "<dc:rights>outer</dc:rights>"])
  func nestedGraphs(rights: String) {
    let outer = """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dc="http://purl.org/dc/elements/1.1/">\
      text \(Self.packet)<rdf:Description rdf:about="">\(rights)<dc:subject>river</dc:subject></rdf:Description></rdf:RDF>
      """
    let rest = MetadataChoice.copyright.xmp(Array(outer.utf8))
    guard let rest else { return #expect(rights.isEmpty, "what the outer one says of rights stays") }
    let text = String(decoding: rest, as: UTF8.self)
    #expect(text.contains("outer") && !text.contains("A. Author") && !text.contains("river"), "\(text)")
    #expect(MetadataChoice.copyright.xmp(rest) == rest, "a second time nothing changes")
  }

  @Test func allIsEveryByteAndNoneNothing() {
    #expect(Self.xmp(.all) == Self.packet)
    #expect(Self.xmp(.none) == nil)
    #expect(MetadataChoice.noLocation.xmp(Array("<x".utf8)) == nil)
  }

  // MARK: IPTC

  private static func resource(_ id: Int, _ data: [UInt8]) -> [UInt8] {
    Array("8BIM".utf8) + [UInt8(id >> 8), UInt8(id & 255), 0, 0] + [0, 0, 0, UInt8(data.count)] + data
      + (data.count % 2 == 1 ? [0] : [])
  }

  private static func dataSet(_ number: UInt8, _ text: String) -> [UInt8] {
    [0x1C, 2, number, 0, UInt8(text.utf8.count)] + Array(text.utf8)
  }

  private static let resources =
    resource(0x0404, dataSet(0, "\0\u{4}") + dataSet(90, "Paris") + dataSet(116, "mine") + dataSet(25, "river"))
    + resource(0x0425, [UInt8](repeating: 7, count: 16)) + resource(0x040A, [1])

  private static func holds(_ bytes: [UInt8]?, _ text: String) -> Bool {
    bytes.map { String(decoding: $0, as: UTF8.self).contains(text) } ?? false
  }

  @Test func dataSetsOfPlacesGo() {
    let rest = MetadataChoice.noLocation.photoshop(Self.resources)
    #expect(Self.holds(rest, "mine") && Self.holds(rest, "river") && !Self.holds(rest, "Paris"))
    let rights = MetadataChoice.copyright.photoshop(Self.resources)
    #expect(Self.holds(rights, "mine") && !Self.holds(rights, "river") && !Self.holds(rights, "Paris"))
    #expect(MetadataChoice.none.photoshop(Self.resources) == nil)
    #expect(MetadataChoice.all.photoshop(Self.resources) == Self.resources)
    // The digest of what is no more is not kept.
    #expect(!(rest ?? []).contains(7))
  }

  @Test func brokenBlocksLeaveNothing() {
    for count in 0..<Self.resources.count {
      let cut = Array(Self.resources.prefix(count))
      #expect(!Self.holds(MetadataChoice.noLocation.photoshop(cut), "Paris"))
      _ = MetadataChoice.copyright.photoshop(cut)
    }
    for count in 0..<64 { #expect(MetadataChoice.noLocation.exif([UInt8](repeating: 0x49, count: count)) == nil) }
  }

  /// Exif, most significant byte first, of values that fit into their fields; a GPS directory with an altitude's sign.
  private static func exif(_ values: [(tag: Int, type: Int, count: Int, field: [UInt8])], hasPlace: Bool) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    func directory(_ values: [(tag: Int, type: Int, count: Int, field: [UInt8])]) -> [UInt8] {
      number(values.count, 2)
        + values.flatMap { number($0.tag, 2) + number($0.type, 2) + number($0.count, 4) + $0.field } + number(0, 4)
    }
    let length = 8 + 2 + 12 * (values.count + 1) + 4
    let main = values + (hasPlace ? [(tag: 34853, type: 4, count: 1, field: number(length, 4))] : [])
    return [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8] + directory(main)
      + (hasPlace ? directory([(tag: 5, type: 1, count: 1, field: [1, 0, 0, 0])]) : [])
  }

  @Test("beside rows that are kept their orientation stays; what is left stays as it is", arguments: [1, 6, 8])
  func orientation(number: Int) throws {
    let orientation = try #require(Orientation(rawValue: number))
    let lies = (tag: 274, type: 3, count: 1, field: [0, UInt8(number), 0, 0])
    let artist = (tag: 315, type: 2, count: 2, field: [UInt8(ascii: "A"), 0, 0, 0])
    for choice in [MetadataChoice.all, .noLocation, .copyright, .none] {
      for (values, hasPlace) in [([lies], false), ([lies], true), ([lies, artist], true)] {
        let kept = choice.exif(Self.exif(values, hasPlace: hasPlace), keeping: orientation)
        var warnings: [Warning] = []
        let found = kept.flatMap { Exif($0, warnings: &warnings) }
        #expect((found?.orientation ?? .up) == orientation && warnings.isEmpty)
        #expect(choice.exif(kept, keeping: orientation) == kept)
        #expect(choice == .all || kept?.contains(0x88) != true)
        #expect((kept?.contains(UInt8(ascii: "A")) == true) == (values.count == 2 && choice != .none))
      }
      #expect(choice.exif(nil, keeping: .up) == nil)
    }
    #expect(MetadataChoice.noLocation.exif(Self.exif([lies], hasPlace: true)) == nil)
  }
}
