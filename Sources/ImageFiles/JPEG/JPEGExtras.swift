import FileParts
import HDRCore

/// A search for what a JPEG file holds beside its picture and gain map: a video, C2PA, further pictures, trailers.
///
/// Pictures are those of the multi-picture index and of the container directory, and streams that follow each other.
/// Nothing here decodes pixels, and each position comes from a file: all are checked before they are read.
struct JPEGExtras {
  let bytes: [UInt8]
  let primary: JPEGStructure
  let metadata: JPEGMetadata
  /// The stream of the gain map that is used.
  let map: JPEGStructure?
  let limits: DecodeLimits

  private struct Stream {
    var jpeg: JPEGStructure
    /// The kind that an index states; `nil`: none does.
    var stated: String?
    var isPreview = false
  }

  /// The text that Insta360's trailers end with.
  private static let insta360 = Array("8db42d694ccc418790edff439fe026bf".utf8)

  func find(warnings: inout [Warning]) -> FileExtras {
    var extras = FileExtras()
    let parts = primary.payloads(0xEB, "JP", in: bytes)
    extras.credentials =
      ContentCredentials(segments: parts, warnings: &warnings)
      ?? ContentCredentials(address: metadata.packet)
    let streams = streams()
    extras.auxiliaries = streams.compactMap(auxiliary) + AuxiliaryPicture.ofGoogle(in: metadata.packet)

    let claims = MotionPhoto.Claims(metadata.packet)
    let end = streams.reduce(max(primary.end, map?.end ?? 0)) { max($0, $1.jpeg.end) }
    let behind = bytes[primary.end...], samsung = SamsungTrailer(behind)
    if samsung == nil, SamsungTrailer.ends(behind) {
      warnings.append(
        Warning("trailer.malformed", "Samsung's trailer has an impossible directory: nothing of it is read"))
    }
    extras.motion = MotionPhoto.find(
      in: bytes, primaryEnd: primary.end, picturesEnd: end, claims: claims, samsung: samsung, warnings: &warnings)
    extras.liveIdentifier = metadata.parsedExif?.appleNote?.contentIdentifier
    extras.trailers =
      trailers(streams, samsung, extras.motion, from: end)
      + primary.unknownSegments(in: bytes, resources: metadata.photoshop, hasCredentials: extras.credentials != nil)
    return extras
  }

  // MARK: Pictures

  private func streams() -> [Stream] {
    var result: [Stream] = []
    func add(_ position: Int, _ stated: String?, isPreview: Bool = false) {
      guard position >= primary.end, position < bytes.count - 3, result.count < MultiPicture.maxPictures,
        !result.contains(where: { $0.jpeg.start == position }), bytes[position] == 0xFF,
        let jpeg = try? JPEGStructure(bytes, at: position), jpeg.hasEnd
      else { return }
      result.append(Stream(jpeg: jpeg, stated: stated, isPreview: isPreview))
    }
    for (item, position) in containerPositions(metadata.packet?.containerItems ?? [], primaryLength: primary.end)
    where item.semantic != "MotionPhoto" {
      add(position, item.semantic)
    }
    var ignored: [Warning] = []
    let index = metadata.multiPicture.flatMap { MultiPicture($0.tiff, origin: $0.origin, warnings: &ignored) }
    for picture in index?.pictures.dropFirst() ?? [] {
      // Types of CIPA DC-007 clause 5.2.3.3.1: 0x01.... are previews of the picture.
      let type = picture.attribute & 0xFFFFFF
      add(picture.position, type == 0x020002 ? "disparity" : nil, isPreview: type >> 16 == 1)
    }
    var at = primary.end
    while at < bytes.count, let next = bytes[at...].firstIndex(where: { $0 != 0 }) {
      add(next, nil)
      guard let stream = result.first(where: { $0.jpeg.start == next }) else { break }
      at = stream.jpeg.end
    }
    return result
  }

  /// Returns what a stream is; `nil` for the gain map that is used.
  private func auxiliary(_ stream: Stream) -> AuxiliaryPicture? {
    if stream.jpeg.start == map?.start { return nil }
    var ignored: [Warning] = []
    let own = JPEGMetadata(stream.jpeg, bytes, limits: limits, warnings: &ignored)
    let isMap = own.isAppleGainMap || own.hdrgm != nil || (own.isoPayload?.count ?? 0) > 4
    let type =
      own.packet?.value(XMPNamespace.applePixelData, "AuxiliaryImageType") ?? stream.stated
      ?? (isMap ? "gainmap" : stream.isPreview ? "preview" : "picture")
    return AuxiliaryPicture(
      type: String(type.prefix(128)), width: stream.jpeg.width, height: stream.jpeg.height,
      isPreview: stream.isPreview)
  }

  // MARK: Trailers

  private func trailers(
    _ streams: [Stream], _ samsung: SamsungTrailer?, _ motion: MotionVideo?, from end: Int
  ) -> [FileTrailer] {
    var result: [FileTrailer] = [], known: [Range<Int>] = streams.map { $0.jpeg.start..<$0.jpeg.end }
    if let map { known.append(map.start..<map.end) }
    if let motion { known.append(motion.range.start..<motion.range.end) }
    if let samsung {
      known.append(samsung.range)
      let others = samsung.entries.filter { motion == nil || $0.data.lowerBound != motion?.range.start }
      let names = others.prefix(16).map(\.name)
      // Two entries belong to the video.
      let isMore = others.contains { $0.type >> 4 != SamsungTrailer.motionType >> 4 }
      let video = motion.map { samsung.range.contains($0.range.start) ? $0.range.byteCount : 0 } ?? 0
      if isMore || video == 0 {
        result.append(FileTrailer(.samsung, byteCount: samsung.range.count - video, names: Array(names)))
      }
    }
    var unknown = 0, at = primary.end
    for range in known.sorted(by: { $0.lowerBound < $1.lowerBound }) + [bytes.count..<bytes.count] {
      if range.lowerBound > at {
        unknown += bytes[at..<range.lowerBound].contains { $0 != 0 } ? range.lowerBound - at : 0
      }
      at = max(at, range.upperBound)
    }
    guard unknown > 0 else { return result }
    let claims = MotionPhoto.Claims(metadata.packet)
    let isVideo = motion == nil && bytes[end...].dropFirst(4).starts(with: "ftyp".utf8)
    let kind: FileTrailer.Kind =
      bytes.suffix(Self.insta360.count).elementsEqual(Self.insta360)
      ? .insta360 : isVideo || claims.isDenied && claims.length != nil ? .video : .unknown
    result.append(FileTrailer(kind, byteCount: unknown))
    return result
  }
}

extension ContentCredentials {
  /// Takes the address of a manifest elsewhere, `dcterms:provenance`; `nil`: XMP has none.
  init?(address packet: XMPPacket?) {
    guard packet?.value(XMPNamespace.terms, "provenance")?.isEmpty == false else { return nil }
    self.init(place: "XMP", pieces: [])
  }

  /// Takes the address of a packet that is a reader's only use of XMP.
  init?(address xmp: [UInt8]?) {
    var ignored: [Warning] = []
    self.init(address: xmp.flatMap { XMPPacket($0, warnings: &ignored) })
  }
}

extension AuxiliaryPicture {
  /// The parts that XMP itself holds, in Google's vocabularies of 2014: depth, the picture before a blur or of the right
  /// eye, sound. Their sizes are not stated.
  static func ofGoogle(in packet: XMPPacket?) -> [AuxiliaryPicture] {
    let parts = [
      ("depth", XMPNamespace.googleDepth), ("image", XMPNamespace.googleImage), ("sound", XMPNamespace.googleAudio),
    ]
    return parts.compactMap { name, namespace in
      let own = packet?.properties[namespace]
      return own?["Data"] != nil || own?["Mime"] != nil ? AuxiliaryPicture(type: name, width: 0, height: 0) : nil
    }
  }
}
