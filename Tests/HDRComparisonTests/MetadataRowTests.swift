import FileParts
import HDRComparison
import HDRCore
import Testing

/// The rows of what two files state about themselves.
@Suite struct MetadataRowTests {
  private func source(
    exif: ExifValues? = nil, xmp: String? = nil, iptc: [(Int, String)]? = nil
  ) -> SourceImage {
    var source = SourceImage(
      format: .memory,
      image: SampleImage.interleaved(width: 1, height: 1, channelCount: 3, format: .uint8, bitDepth: 8),
      color: SourceColor(matrix: CICP.Matrix.identity, fullRange: true, encoding: .cicp(primaries: 1, transfer: 13)),
      geometry: Geometry(width: 1, height: 1))
    source.exif = exif?.serialized
    source.xmp = xmp.map {
      Array(
        """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="\(XMPNamespace.rdf)"><rdf:Description
          xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:photoshop="\(XMPNamespace.photoshop)"
          \($0)</rdf:Description></rdf:RDF></x:xmpmeta>
        """.utf8)
    }
    source.photoshop = iptc.flatMap { sets in
      PhotoshopResources.joined(
        nil, iptc: sets.flatMap { [0x1C, 2, UInt8($0), 0, UInt8($1.utf8.count)] + Array($1.utf8) })
    }
    return source
  }

  private func values(
    _ number: Int, model: String = "Camera", isLittleEndian: Bool = true, latitude: [Int]? = nil
  ) -> ExifValues {
    var values = ExifValues(isLittleEndian: isLittleEndian)
    func longs(_ numbers: [Int]) -> [UInt8] { numbers.flatMap { TIFFValue.bytes($0, 4, isLittleEndian) } }
    values.main = [
      TIFFValue(272, type: 2, Array((model + "\0").utf8)), TIFFValue(274, shorts: [1], isLittleEndian: isLittleEndian),
    ]
    values.exif = [
      TIFFValue(0x829D, type: 5, count: 1, bytes: longs([number, 10])),
      TIFFValue(0x9000, Array("0232".utf8)),
      TIFFValue(0xA002, shorts: [number], isLittleEndian: isLittleEndian),
    ]
    values.gps = latitude.map { [TIFFValue(2, type: 5, count: 3, bytes: longs($0.flatMap { [$0, 1] }))] } ?? []
    return values
  }

  /// The rows but for those of the picture, as "group: name, verdict, A, B".
  private func rows(_ a: SourceImage, _ b: SourceImage) -> [String] {
    MetadataRow.rows(a, b).filter { [.exif, .xmp, .iptc, .location].contains($0.group) }.map {
      "\($0.group): \($0.name), \($0.verdict), \($0.a ?? "-"), \($0.b ?? "-")"
    }
  }

  @Test("Exif has a row for each tag that differs, with places in a group of their own")
  func tagsAreCompared() {
    let a = source(exif: values(28, latitude: [52, 31, 12]))
    #expect(
      rows(a, source(exif: values(40, latitude: [52, 31, 13]))) == [
        "exif: exif FNumber, differs, 14/5, 4", "location: gps GPSLatitude, differs, 52 31 12, 52 31 13",
      ])
    #expect(
      rows(a, source(exif: values(28, model: "Other"))) == [
        "exif: exif Model, differs, Camera, Other", "location: gps GPSLatitude, only A, 52 31 12, -",
      ])
    // The same in the other byte order, and no Exif.
    #expect(
      rows(a, source(exif: values(28, isLittleEndian: false, latitude: [52, 31, 12]))) == [
        "exif: exif, same, 4 statements, 4 statements"
      ])
    #expect(
      rows(a, source()).map { $0.prefix { $0 != "," } } == [
        "exif: exif Model", "exif: exif FNumber", "exif: exif ExifVersion", "location: gps GPSLatitude",
      ])
    #expect(rows(source(), source()) == [])
  }

  @Test("the same bytes and bytes that cannot be read are one row")
  func blocksAreRows() {
    let a = source(exif: values(28))
    #expect(rows(a, a).count == 1 && rows(a, a)[0].contains("exif: exif, same,"))
    var broken = a
    broken.exif = [1, 2, 3]
    #expect(rows(a, broken).count == 1 && rows(a, broken)[0].contains("exif: exif, differs,"))
  }

  @Test("XMP and IPTC have a row for each property and data set that differs")
  func propertiesAreCompared() {
    let title = "<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">%</rdf:li></rdf:Alt></dc:title>"
    func packet(_ text: String, city: String) -> String {
      "photoshop:City=\"\(city)\">" + title.split(separator: "%").joined(separator: text)
    }
    let a = source(xmp: packet("Dawn", city: "Ulm"), iptc: [(5, "Dawn"), (25, "a"), (25, "b"), (90, "Ulm")])
    let b = source(xmp: packet("Dusk", city: "Bonn"), iptc: [(5, "Dusk"), (25, "a"), (90, "Bonn")])
    let found = rows(a, b)
    #expect(found.count == 5, "\(found)")
    #expect(found.contains { $0.hasPrefix("xmp: xmp elements:title, differs") && $0.contains("Dawn") }, "\(found)")
    #expect(found.contains("location: xmp photoshop:City, differs, Ulm, Bonn"), "\(found)")
    #expect(found.contains("iptc: iptc 2:5, differs, Dawn, Dusk"), "\(found)")
    #expect(found.contains("iptc: iptc 2:25, differs, a; b, a"), "\(found)")
    #expect(found.contains("location: iptc 2:90, differs, Ulm, Bonn"), "\(found)")
  }
}
