import HDRCore
import PlainData

/// A statement that Exif, XMP or IPTC makes about a photo, as text, for comparing two files.
package struct MetadataStatement: Sendable, Hashable {
  /// The name, which tells what is stated from all else in a block.
  package var name: String
  package var text: String
  /// True for what says where the photo was taken.
  package var isPlace = false

  /// The most statements of a block, and the most characters of a text; longer ones are told by their digest.
  private static let most = 1024, longest = 120

  private init(_ name: String, _ bytes: ArraySlice<UInt8>, _ text: String?, isPlace: Bool) {
    let brief = text.flatMap { $0.count <= Self.longest ? $0 : nil }
    self.text = brief ?? "\(bytes.count) bytes, \(MD5.hexadecimal(Array(bytes)).prefix(12))"
    (self.name, self.isPlace) = (name, isPlace)
  }

  /// Returns what Exif states, but for orientation and size, which are of the rows; `nil` for a block that cannot be
  /// read or states more than `most`.
  ///
  /// - Parameter bytes: the TIFF structure from `II*\0` or `MM\0*` on; untrusted.
  package static func exif(_ bytes: [UInt8]) -> [MetadataStatement]? {
    guard let values = ExifValues(bytes, wantsPhoto: false)?.littleEndian else { return nil }
    let groups = [("exif", values.main + values.exif, false), ("gps", values.gps, true)]
    let all = groups.flatMap { group, values, isPlace in
      values.filter { !ExifNames.ofRows.contains($0.tag) }.map {
        let name = ExifNames.name($0.tag, isPlace: isPlace)
        return MetadataStatement("\(group) \(name)", $0.bytes[...], $0.text, isPlace: isPlace)
      }
    }
    return limited(all)
  }

  /// Returns the properties of an XMP packet; `nil` as for Exif.
  package static func xmp(_ packet: [UInt8]) -> [MetadataStatement]? {
    guard let elements = try? XMLScanner(packet).elements else { return nil }
    var all: [MetadataStatement] = []
    func add(_ name: XMLName, _ text: String, _ bytes: Range<Int>) {
      guard !["", XMPNamespace.rdf].contains(name.namespace) else { return }
      all.append(
        MetadataStatement("xmp \(name.display)", packet[bytes], text, isPlace: MetadataChoice.isPlace(name)))
    }
    let graphs = elements.filter { $0.name == XMLName(XMPNamespace.rdf, "RDF") }
    if graphs.isEmpty { return nil }
    for graph in graphs {
      for description in graph.children.map({ elements[$0] }) {
        for attribute in description.attributes where attribute.declaredNamespace == nil {
          add(attribute.name, attribute.value, attribute.bytes)
        }
        for child in description.children.map({ elements[$0] }) { add(child.name, text(child, elements), child.bytes) }
      }
    }
    return limited(all)
  }

  /// Returns the texts of a property, and of what is in it, in order.
  private static func text(_ property: XMLElement, _ elements: [XMLElement]) -> String {
    var parts: [String] = [], open = [property], length = 0
    while let element = open.popLast(), length <= longest {
      let values = element.attributes.filter { $0.declaredNamespace == nil }.map(\.value) + [element.text]
      let found = values.map { String($0.drop(while: \.isWhitespace)) }.filter { !$0.isEmpty }
      parts += found
      length += found.reduce(0) { $0 + $1.count }
      open += element.children.reversed().map { elements[$0] }
    }
    return parts.joined(separator: ", ")
  }

  /// Returns the data sets of IPTC-IIM; `nil` as for Exif.
  ///
  /// - Parameter resources: Photoshop's image resources; untrusted.
  package static func iptc(_ resources: [UInt8]) -> [MetadataStatement]? {
    guard let blocks = PhotoshopResources.blocks(resources) else { return nil }
    let all = blocks.filter { $0.id == PhotoshopResources.iptc }.flatMap { block in
      PhotoshopResources.dataSets(resources[block.data]).map { set in
        let bytes = resources[set.data], text = String(validating: bytes, as: UTF8.self)
        return MetadataStatement(
          "iptc \(set.record):\(set.number)", bytes, text,
          isPlace: set.record == 2 && MetadataChoice.placesInIPTC.contains(set.number))
      }
    }
    return limited(all)
  }

  private static func limited(_ all: [MetadataStatement]) -> [MetadataStatement]? {
    all.count > most ? nil : all
  }
}

extension XMLName {
  /// The name behind the last word of its namespace, which is not a version.
  fileprivate var display: String {
    let words = namespace.split { "/#:".contains($0) }, word = words.last { $0.contains(where: \.isLetter) }
    return "\(word.map(String.init) ?? namespace):\(local)"
  }
}
