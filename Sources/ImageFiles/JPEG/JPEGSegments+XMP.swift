import FileParts
import HDRCore

extension JPEGSegments {
  /// Appends a source's packet with a statement of the writer; as extended XMP if one segment is too short.
  ///
  /// - Parameter description: makes the statement of the identifier of extended XMP and of the packet's resource;
  ///   `nil`: there is none to make.
  mutating func append(
    xmp travelling: [UInt8]?, stating description: ((_ extended: String?, _ about: String) -> String)?,
    warnings: inout [Warning]
  ) {
    var packet: [UInt8]?
    if let travelling {
      packet = xmpWithoutPixelDescription(travelling)
      if packet == nil {
        warnings.append(Warning("jpeg.xmp-dropped", "XMP of \(travelling.count) bytes cannot be read and was left out"))
      }
    }
    // A packet without rdf:RDF has no properties to lose.
    let merged = packet.flatMap { kept in
      description.map { make in XMPAssembly.adding({ make(nil, $0) }, to: kept) } ?? kept
    }
    guard let kept = packet, let merged else {
      if let description { _ = append(0xE1, JPEGIdentifier.xmp, XMPAssembly.packet([description(nil, "")])) }
      return
    }
    if append(0xE1, JPEGIdentifier.xmp, merged) { return }
    let long = XMPAssembly.unwrapped(kept) ?? kept, identifier = MD5.hexadecimal(long), about = XMPAssembly.about(kept)
    let standard =
      description?(identifier, about)
      ?? XMPAssembly.primaryDescription(isMarked: false, mapSize: nil, extended: identifier, about: about)
    _ = append(0xE1, JPEGIdentifier.xmp, XMPAssembly.packet([standard]))
    append(extendedXMP: long, identifier: identifier)
  }
}
