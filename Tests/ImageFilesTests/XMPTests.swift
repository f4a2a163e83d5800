import FileParts
import HDRCore
import HDRPlan
import ImageFiles
import TestFiles
import TestSupport
import Testing

/// The XMP scanner: what it reads, what it refuses.
@Suite struct XMPTests {
  private func packet(_ body: String, attributes: String = "") -> [UInt8] {
    Array(
      """
      <?xpacket begin="\u{FEFF}"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><!-- c -->\
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
      <rdf:Description rdf:about="" xmlns:a="urn:a/" \(attributes)>\(body)</rdf:Description></rdf:RDF></x:xmpmeta>\n \0
      """.utf8)
  }

  private func refusal(_ bytes: [UInt8]) -> String? {
    var warnings: [Warning] = []
    return XMPPacket(bytes, warnings: &warnings) == nil ? warnings.first?.code : nil
  }

  @Test func allThreeFormsOfAPropertyAreRead() throws {
    var warnings: [Warning] = []
    let found = try #require(
      XMPPacket(
        packet(
          "<a:text>1 &lt; 2 &#x41;&#66;</a:text><a:list><rdf:Seq><rdf:li>x</rdf:li><rdf:li>y</rdf:li></rdf:Seq></a:list>"
            + "<other:text xmlns:other=\"urn:b/\"><![CDATA[<&>]]></other:text>",
          attributes: "a:short='v&quot;w'"), warnings: &warnings))
    #expect(found.properties["urn:a/"] == ["text": ["1 < 2 AB"], "list": ["x", "y"], "short": ["v\"w"]])
    #expect(found.properties["urn:b/"] == ["text": ["<&>"]])
    #expect(warnings.isEmpty)
  }

  @Test func prefixesFollowTheirScope() throws {
    var warnings: [Warning] = []
    let found = try #require(
      XMPPacket(packet("<a:one xmlns:a=\"urn:inner/\">1</a:one><a:two>2</a:two>"), warnings: &warnings))
    #expect(found.value("urn:inner/", "one") == "1" && found.value("urn:a/", "two") == "2")
  }

  @Test func aDirectoryIsReadInBothForms() throws {
    let namespaces =
      "xmlns:C='http://ns.google.com/photos/1.0/container/' xmlns:I='http://ns.google.com/photos/1.0/container/item/'"
    let directory = """
      <C:Directory><rdf:Seq><rdf:li rdf:parseType="Resource"><C:Item I:Semantic="Primary" I:Mime="image/jpeg" \
      I:Padding="6"/></rdf:li><rdf:li rdf:parseType="Resource"><C:Item><I:Semantic>GainMap</I:Semantic>\
      <I:Length>28410</I:Length></C:Item></rdf:li><rdf:li><C:Item I:Semantic="X" I:Length="99999999999999999999"/>\
      </rdf:li></rdf:Seq></C:Directory>
      """
    var warnings: [Warning] = []
    let items = try #require(XMPPacket(packet(directory, attributes: namespaces), warnings: &warnings)).containerItems
    #expect(items.map(\.semantic) == ["Primary", "GainMap", "X"] && items.map(\.length) == [0, 28410, 0])
    #expect(containerPositions(items, primaryLength: 1000).map(\.position) == [1006, 29416])
  }

  @Test(arguments: [
    "<!DOCTYPE x [<!ENTITY a \"b\">]>": "xmp.doctype", "<a>&b;</a>": "xmp.malformed", "<a>": "xmp.malformed",
    "<a></b>": "xmp.malformed", "<a b=c/>": "xmp.malformed", "<a b='<'/>": "xmp.malformed", "": "xmp.malformed",
    "<a/><b/>": "xmp.malformed", "<a b='1'c='2'/>": "xmp.malformed", "<a>&#0;</a>": "xmp.malformed",
    "<a>&#xFFFFFFFFF;</a>": "xmp.malformed", "<!-- ": "xmp.malformed", "text": "xmp.malformed", "<": "xmp.malformed",
  ])
  func brokenPacketsAndDoctypesAreRefused(text: String, code: String) {
    #expect(refusal(Array(text.utf8)) == code)
  }

  @Test("XMP beyond a limit is refused, within it read")
  func limits() {
    let nested = String(repeating: "<a>", count: 65) + String(repeating: "</a>", count: 65)
    #expect(refusal(Array(nested.utf8)) == "xmp.limit")
    let legal = String(repeating: "<a>", count: 64) + String(repeating: "</a>", count: 64)
    #expect(refusal(Array(legal.utf8)) == nil)
    let attributes = (0..<4097).map { "a\($0)=''" }.joined(separator: " ")
    #expect(refusal(Array("<a \(attributes)/>".utf8)) == "xmp.limit")
    #expect(refusal([UInt8](repeating: 32, count: 8 << 20 | 1)) == "xmp.limit")
  }

  @Test func noPrefixOfAPacketTraps() {
    let whole = Array(TinyJPEG.hdrgmPacket(max: "2").utf8)
    #expect(refusal(whole) == nil)
    for count in 0..<whole.count { #expect(refusal(Array(whole[..<count])) == "xmp.malformed") }
  }

  @Test func pixelDescriptionsAreCutOut() throws {
    let before = packet(
      "<h:GainMapMax xmlns:h=\"http://ns.adobe.com/hdr-gain-map/1.0/\"><rdf:Seq><rdf:li>1</rdf:li></rdf:Seq>"
        + "</h:GainMapMax><a:keep>me</a:keep>",
      attributes: "xmlns:g='http://ns.adobe.com/hdr-gain-map/1.0/' g:Version='1.0' a:short='1'"
        + " xmlns:t='http://ns.adobe.com/tiff/1.0/' t:Orientation='6'")
    let after = try #require(xmpWithoutPixelDescription(before))
    var warnings: [Warning] = []
    let found = try #require(XMPPacket(after, warnings: &warnings))
    #expect(found.properties == ["urn:a/": ["keep": ["me"], "short": ["1"]]])
    #expect(!String(decoding: after, as: UTF8.self).contains("hdr-gain-map"))
    // Nothing to cut: nothing changes.
    #expect(xmpWithoutPixelDescription(after) == after)
    #expect(xmpWithoutPixelDescription(Array("<a>".utf8)) == nil)
  }

  @Test(.enabled(if: SharedData.hasVectors, "skipped: no data"))
  func gainMapPacketsGiveTheValuesOfTheVectors() throws {
    let file = try #require(SharedData.json("specs/gain-map-vectors.json"))
    let vectors = try #require(file["vectors"] as? [[String: Any]]).filter { $0["kind"] as? String == "xmp" }
    #expect(vectors.count == 8)
    for vector in vectors {
      let id = vector["id"] as? String ?? ""
      let text = try #require((vector["in"] as? [String: Any])?["xmp"] as? String)
      let expected = try #require(vector["out"] as? [String: Any])
      var warnings: [Warning] = []
      let properties = try #require(XMPPacket(Array(text.utf8), warnings: &warnings), "\(id)").properties
      let result = HDRGainMapXMP.parse(properties[HDRGainMapXMP.namespace] ?? [:], warnings: &warnings)
      if let error = expected["error"] as? String {
        #expect(result == nil, "\(id)")
        #expect(warnings.map(\.code) == (error == "invalid" ? ["gainmap.invalid"] : []), "\(id)")
        continue
      }
      let metadata = try #require(result, "\(id)")
      func rows(_ name: String) throws -> [Double] {
        let values = try #require(expected[name] as? [Double], "\(id) \(name)")
        return values.count == 1 ? [values[0], values[0], values[0]] : values
      }
      #expect(metadata.baseHeadroom == expected["base_headroom"] as? Double, "\(id)")
      #expect(metadata.alternateHeadroom == expected["alternate_headroom"] as? Double, "\(id)")
      #expect(metadata.min == (try rows("min")), "\(id)")
      #expect(metadata.max == (try rows("max")), "\(id)")
      #expect(metadata.gamma == (try rows("gamma")), "\(id)")
      #expect(metadata.baseOffset == (try rows("base_offset")), "\(id)")
      #expect(metadata.alternateOffset == (try rows("alternate_offset")), "\(id)")
      #expect(metadata.usesBaseColorSpace, "\(id)")
    }
  }
}
