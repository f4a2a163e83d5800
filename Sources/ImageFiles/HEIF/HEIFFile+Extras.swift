import FileParts
import HDRCore

/// A HEIF file holds extras beside its picture: a video, C2PA, auxiliary pictures, unknown boxes and items.
extension HEIFFile {
  /// The type of the `uuid` box of C2PA.
  private static let provenance: [UInt8] = [
    0xD8, 0xFE, 0xC3, 0xD6, 0x1B, 0x0E, 0x48, 0x3C, 0x92, 0x97, 0x58, 0x28, 0x87, 0x7E, 0xC4, 0x81,
  ]

  /// Collects the extras of a picture.
  ///
  /// - Parameters:
  ///   - auxiliaries: the auxiliary pictures of it and its tone maps.
  ///   - fileBytes: the size of the file.
  func extras(
    of picture: Int, auxiliaries: [Auxiliary], packet: XMPPacket?, fileBytes: Int, warnings: inout [Warning]
  ) -> FileExtras {
    var extras = FileExtras()
    // A video belongs to the main picture.
    let isMain = picture == primaryID
    if isMain {
      extras.motion = MotionPhoto.find(
        inBox: video, isLast: video?.endIndex == fileBytes, claims: MotionPhoto.Claims(packet), warnings: &warnings)
    }
    for other in others where extras.credentials == nil { extras.credentials = credentials(other, warnings: &warnings) }
    extras.credentials = extras.credentials ?? ContentCredentials(address: packet)
    extras.auxiliaries =
      auxiliaries.filter { !Self.alphaURNs.contains($0.urn) && !Self.gainMapURNs.contains($0.urn) }
      .map { described($0.id, as: $0.urn) }
      + sources("thmb", to: picture).prefix(BoxLimits.toneMaps).map { described($0, as: "thumbnail", isPreview: true) }
      + AuxiliaryPicture.ofGoogle(in: packet)
    extras.trailers = (isMain ? trailers(extras.motion) : []) + unknownItems(of: picture)
    return extras
  }

  private func described(_ item: Int, as type: String, isPreview: Bool = false) -> AuxiliaryPicture {
    let size = try? properties(of: item)
    var type = type, ignored: [Warning] = []
    // Apple's XMP tells disparity from depth, whose URN is the same.
    if AuxiliaryPicture(type: type, width: 0, height: 0).isDepth,
      let packet = xmp(of: item, limits: DecodeLimits(), warnings: &ignored)
        .flatMap({ XMPPacket($0, warnings: &ignored) }),
      packet.value(XMPNamespace.applePixelData, "AuxiliaryImageType") == "disparity"
    {
      type = "disparity"
    }
    return AuxiliaryPicture(
      type: String(type.prefix(128)), width: size?.width ?? 0, height: size?.height ?? 0, item: item,
      isPreview: isPreview)
  }

  /// The extended type of a `uuid` box stands before its payload.
  private func type(of box: Box) -> ArraySlice<UInt8> {
    box.type == "uuid" ? bytes[(box.payload.startIndex - 16)..<box.payload.startIndex] : []
  }

  /// Reads a C2PA box: version and flags, its purpose with a zero, the place of a second box (u64), the store.
  private func credentials(_ box: Box, warnings: inout [Warning]) -> ContentCredentials? {
    guard box.type == "uuid", type(of: box).elementsEqual(Self.provenance) else { return nil }
    var reader = box.reader
    guard (try? reader.skip(4)) != nil, (try? reader.cString()) == "manifest", (try? reader.skip(8)) != nil else {
      return nil
    }
    return ContentCredentials(bytes[reader.position..<box.payload.endIndex], place: "uuid box", warnings: &warnings)
  }

  private func trailers(_ motion: MotionVideo?) -> [FileTrailer] {
    var result: [FileTrailer] = []
    if let video, let motion, motion.range.end < video.endIndex {
      let rest = video[motion.range.end...]
      result.append(Self.samsung(rest) ?? FileTrailer(.unknown, byteCount: rest.count))
    } else if let video, motion == nil {
      result.append(FileTrailer(.video, byteCount: video.count))
    }
    for box in others where !type(of: box).elementsEqual(Self.provenance) {
      result.append(
        (box.type == "sefd" ? Self.samsung(box.payload) : nil)
          ?? FileTrailer(.unknown, byteCount: box.payload.count, names: ["\(box.type)"]))
    }
    return result
  }

  private static func samsung(_ bytes: ArraySlice<UInt8>) -> FileTrailer? {
    SamsungTrailer(bytes).map {
      FileTrailer(.samsung, byteCount: bytes.count, names: $0.entries.prefix(16).map(\.name))
    }
  }

  /// Lists the items that nothing reads: those that describe the picture in forms other than Exif and XMP, and, with the
  /// main picture, all others of types that are not known.
  private func unknownItems(of picture: Int) -> [FileTrailer] {
    var unknown = UnknownParts(.unknown)
    let describing = Set(sources("cdsc", to: picture))
    for item in items.values.sorted(by: { $0.id < $1.id })
    where (picture == primaryID || describing.contains(item.id)) && !isRead(item) {
      unknown.add(
        item.contentType.isEmpty ? "\(item.type)" : item.contentType, byteCount: (try? data(of: item.id).count) ?? 0)
    }
    return unknown.trailers
  }

  private func isRead(_ item: Item) -> Bool {
    Self.pictureTypes.contains(item.type) || ["tmap", "Exif"].contains(item.type)
      || item.contentType == "application/rdf+xml"
  }
}
