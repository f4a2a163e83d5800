import HDRCore
import PlainData

extension XMPAssembly {
  /// Returns one packet with the properties of a packet and of its extended XMP (XMP specification part 3, 1.1.3.1).
  ///
  /// Descriptions of the extension come last, with the namespaces that the elements around them declare. Properties that
  /// the packet has too are left out of them: a name stands once in a description of a resource. The pointer to extended
  /// XMP goes.
  /// - Returns: `nil` if one of the two cannot be read or has no `rdf:RDF`, or if both together pass the limits of a
  ///   packet.
  package static func merging(_ extended: [UInt8], into packet: [UInt8]) -> [UInt8]? {
    guard packet.count + extended.count <= XMLScanner.maxBytes, let elements = try? XMLScanner(packet).elements,
      let others = try? XMLScanner(extended).elements,
      let rdf = others.firstIndex(where: { $0.name == XMLName(XMPNamespace.rdf, "RDF") })
    else { return nil }
    let known = Set(properties(elements))
    // Declarations of the elements around the descriptions hold in them.
    let around = others[...rdf].filter { $0.bytes.contains(others[rdf].bytes.lowerBound) }
    let declarations = around.flatMap(\.attributes).filter { $0.declaredNamespace != nil }.map { extended[$0.bytes] }
    var text: [UInt8] = []
    for child in others[rdf].children.map({ others[$0] }) {
      let own = child.attributes.filter { $0.declaredNamespace != nil }.map { name(of: extended[$0.bytes]) }
      var seen = Set(own)
      // The inner one of two declarations of a prefix is the last one.
      let needed = declarations.reversed().filter { seen.insert(name(of: $0)).inserted }
      let cuts =
        child.attributes.filter { $0.declaredNamespace == nil && known.contains($0.name) && !isAbout($0.name) }
        .map(\.bytes) + child.children.map { others[$0] }.filter { known.contains($0.name) }.map(\.bytes)
      let kept = extended.without(
        cuts + [0..<child.bytes.lowerBound, child.bytes.upperBound..<extended.count])
      let head = kept.firstIndex { " \t\r\n/>".utf8.contains($0) } ?? kept.endIndex
      text += kept[..<head] + needed.flatMap { [UInt8(ascii: " ")] + $0 } + kept[head...]
    }
    let pointer = XMLName(XMPNamespace.note, "HasExtendedXMP")
    let standard = packet.cut(elements) { $0 == pointer }
    guard let merged = adding({ _ in String(decoding: text, as: UTF8.self) }, to: standard),
      (try? XMLScanner(merged)) != nil
    else { return nil }
    return merged
  }

  /// Returns the names of the properties of a packet.
  private static func properties(_ elements: [XMLElement]) -> [XMLName] {
    elements.filter { $0.name == XMLName(XMPNamespace.rdf, "RDF") }.flatMap(\.children).map { elements[$0] }.flatMap {
      $0.attributes.filter { $0.declaredNamespace == nil }.map(\.name) + $0.children.map { elements[$0].name }
    }
  }

  private static func isAbout(_ name: XMLName) -> Bool {
    name.local == "about" && ["", XMPNamespace.rdf].contains(name.namespace)
  }

  /// Returns the name in the text of an attribute.
  private static func name(of attribute: ArraySlice<UInt8>) -> [UInt8] {
    Array(attribute.prefix { !" \t\r\n=".utf8.contains($0) })
  }
}
