import FileParts
import HDRCore
import PlainData

/// The metadata of an IFD.
struct TIFFMetadata {
  var icc: [UInt8]?
  /// A self-contained Exif block, from `II*\0` or `MM\0*` on.
  var exif: [UInt8]?
  /// The XMP packet, unchanged.
  var xmp: [UInt8]?
  var packet: XMPPacket?
  /// The image resources; the file's separate IPTC is added if they lack it.
  var photoshop: [UInt8]?

  /// Reads the metadata.
  ///
  /// - Parameter parent: the IFD that supplies missing metadata.
  init(
    _ structure: TIFFStructure, _ directory: TIFFStructure.Directory, parent: TIFFStructure.Directory? = nil,
    limits: DecodeLimits, warnings: inout [Warning]
  ) {
    func value(_ tag: Int, limit: Int, _ code: String, _ name: String) -> [UInt8]? {
      let own = structure.data(tag, in: directory)
      guard let found = own ?? parent.flatMap({ structure.data(tag, in: $0) }) else { return nil }
      guard found.count <= min(limit, limits.maxMetadataBytes) else {
        warnings.append(Warning("\(code).limit", "\(name) of \(found.count) bytes is ignored"))
        return nil
      }
      return Array(found)
    }
    icc = value(TIFFTag.icc, limit: limits.maxICCBytes, "icc", "the ICC profile")
    if let text = value(TIFFTag.xmp, limit: XMLScanner.maxBytes, "xmp", "XMP") {
      // Some writers pad the packet with zeros.
      let packet = Array(text[..<((text.lastIndex { $0 != 0 } ?? -1) + 1)])
      self.packet = XMPPacket(packet, warnings: &warnings)
      // A packet that our scanner refuses is not written to outputs either.
      if self.packet != nil { xmp = packet }
    }
    exif = ExifValues(structure, parent ?? directory)?.serialized
    let resources = value(TIFFTag.photoshop, limit: ExifValues.maxBytes, "tiff", "the block of image resources")
    let iptc = value(TIFFTag.iptc, limit: ExifValues.maxBytes, "tiff", "IPTC")
    photoshop = PhotoshopResources.joined(resources, iptc: iptc)
  }
}
