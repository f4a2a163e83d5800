import HDRCore
import ImageFiles
import Testing

/// What stays of XMP and IPTC. Exif is looked at by ExifTool (BatchEngineTests).
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
}
