import HDRCore
import PlainData

/// A writer of XMP packets. Source: ISO 16684-1 clause 7, XMP specification part 3 clause 1.1.3.
package enum XMPAssembly {
  /// Makes a packet of `rdf:Description` elements, without `xpacket` wrapper: some gain map readers start at the first
  /// element.
  package static func packet(_ descriptions: [String]) -> [UInt8] {
    Array(
      ("<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"\(XMPNamespace.rdf)\">" + descriptions.joined()
        + "</rdf:RDF></x:xmpmeta>").utf8)
  }

  /// Makes the statement of the primary about its gain map (docs/gain-map-maths.md#xmp) and its video: one
  /// `rdf:Description`.
  ///
  /// - Parameters:
  ///   - mapSize: the size of the map's stream for a container directory; `nil` for none. Readers compute positions by
  ///     it.
  ///   - video: the video behind all pictures, and the place of the primary before it.
  ///   - extended: the identifier of extended XMP in the same file.
  ///   - about: the resource; all descriptions of a packet name the same one.
  package static func primaryDescription(
    isMarked: Bool, mapSize: Int?, video: MotionEntry? = nil, extended: String? = nil, about: String = ""
  ) -> String {
    var text =
      "<rdf:Description xmlns:rdf=\"\(XMPNamespace.rdf)\" rdf:about=\"\(xmlEscaped(about, keeping: [">", "'"]))\""
    if isMarked { text += " xmlns:hdrgm=\"\(HDRGainMapXMP.namespace)\" hdrgm:Version=\"1.0\"" }
    if let extended { text += " xmlns:xmpNote=\"\(XMPNamespace.note)\" xmpNote:HasExtendedXMP=\"\(extended)\"" }
    if let video { text += video.attributes }
    guard mapSize != nil || video != nil else { return text + "/>" }
    func item(_ fields: String) -> String {
      "<rdf:li rdf:parseType=\"Resource\"><Container:Item \(fields)/></rdf:li>"
    }
    text +=
      " xmlns:Container=\"\(XMPNamespace.container)\" xmlns:Item=\"\(XMPNamespace.containerItem)\">"
      + "<Container:Directory><rdf:Seq>"
    text += item(
      "Item:Semantic=\"Primary\" Item:Mime=\"\(video?.primaryType ?? "image/jpeg")\"" + (video?.primary ?? ""))
    if let mapSize { text += item("Item:Semantic=\"GainMap\" Item:Mime=\"image/jpeg\" Item:Length=\"\(mapSize)\"") }
    if let video { text += item(video.fields) }
    return text + "</rdf:Seq></Container:Directory></rdf:Description>"
  }

  /// Returns `packet` with one more description at the end of its `rdf:RDF`, byte for byte otherwise.
  ///
  /// Empty descriptions are removed: they are remains of our earlier ones, and each rewriting of a file would add one.
  /// - Parameter description: makes the element from the packet's own `rdf:about`.
  /// - Returns: `nil` when the packet cannot be read or has no `rdf:RDF`.
  package static func adding(_ description: (_ about: String) -> String, to packet: [UInt8]) -> [UInt8]? {
    guard let elements = try? XMLScanner(packet).elements,
      let rdf = elements.first(where: { $0.name == XMLName(XMPNamespace.rdf, "RDF") })
    else { return nil }
    let new = Array(description(about(rdf, in: elements)).utf8)
    let empty = rdf.children.map { elements[$0] }.filter(saysNothing).map(\.bytes)
    guard empty.isEmpty else {
      var rest: [UInt8] = [], from = 0
      rest.reserveCapacity(packet.count)
      for range in empty {
        rest += packet[from..<range.lowerBound]
        from = range.upperBound
      }
      return adding(description, to: rest + packet[from...])
    }
    let end = rdf.bytes.upperBound
    if packet[end - 2] == UInt8(ascii: "/") {
      // An empty element: `<rdf:RDF .../>` gets an end tag with its own name.
      let start = packet[rdf.bytes].dropFirst()
      let name = start.prefix { !" \t\r\n/>".utf8.contains($0) }
      return packet[..<(end - 2)] + [UInt8(ascii: ">")] + new + "</".utf8 + name + [UInt8(ascii: ">")] + packet[end...]
    }
    // The end tag is the last part of the element.
    guard let endTag = packet[rdf.bytes].lastIndex(of: UInt8(ascii: "<")) else { return nil }
    return packet[..<endTag] + new + packet[endTag...]
  }

  private static func saysNothing(_ element: XMLElement) -> Bool {
    element.name == XMLName(XMPNamespace.rdf, "Description") && element.children.isEmpty
      && element.attributes.allSatisfy { $0.declaredNamespace != nil || $0.name.local == "about" }
  }

  /// Returns the resource that a packet describes; it is usually empty and means the file itself.
  package static func about(_ packet: [UInt8]) -> String {
    guard let elements = try? XMLScanner(packet).elements,
      let rdf = elements.first(where: { $0.name == XMLName(XMPNamespace.rdf, "RDF") })
    else { return "" }
    return about(rdf, in: elements)
  }

  private static func about(_ rdf: XMLElement, in elements: [XMLElement]) -> String {
    let names = [XMLName(XMPNamespace.rdf, "about"), XMLName("", "about")]
    return rdf.children.lazy.flatMap { elements[$0].attributes }.first { names.contains($0.name) }?.value ?? ""
  }

  /// Returns the root element of a packet, without wrapper and padding; `nil` when it cannot be read.
  package static func unwrapped(_ packet: [UInt8]) -> [UInt8]? {
    guard let root = try? XMLScanner(packet).elements.first else { return nil }
    return Array(packet[root.bytes])
  }
}

/// The entry of a video in the statements of its primary picture. Source: "Motion Photo format 1.0".
package struct MotionEntry: Sendable {
  private let video: MotionVideo
  /// The MIME type of the primary picture.
  fileprivate let primaryType: String
  /// The bytes between the pictures and the video: a box's header, or none.
  private let padding: Int

  /// Makes the entry of a video in a file of a format.
  package init(_ video: MotionVideo, in format: FileFormat) {
    self.video = video
    primaryType = "image/\(format.rawValue)"
    padding = format == .jpeg ? 0 : MotionPhoto.boxHeaderBytes
  }

  fileprivate var attributes: String {
    " xmlns:GCamera=\"\(MotionPhoto.namespace)\" GCamera:MotionPhoto=\"1\" GCamera:MotionPhotoVersion=\"1\""
      + " GCamera:MotionPhotoPresentationTimestampUs=\"\(video.moment ?? -1)\""
  }
  fileprivate var primary: String { " Item:Length=\"0\" Item:Padding=\"\(padding)\"" }
  fileprivate var fields: String {
    "Item:Semantic=\"MotionPhoto\" Item:Mime=\"\(video.mimeType)\" Item:Length=\"\(video.range.byteCount)\" "
      + "Item:Padding=\"0\""
  }
}
