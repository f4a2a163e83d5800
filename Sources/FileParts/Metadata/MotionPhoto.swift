import HDRCore
import PlainData

/// Motion photos: a short video behind a still picture. It is found by what XMP says, by Samsung's trailer, by a box,
/// or by its place; it is copied or left out, and never decoded.
///
/// Source: "Motion Photo format 1.0" (Android developers); `MicroVideo` is its older form.
package enum MotionPhoto {
  package static let namespace = "http://ns.google.com/photos/1.0/camera/"
  /// The codes of warnings: a statement about a video that is wrong, and one without a video.
  package static let malformed = "motion.malformed", stale = "motion.stale"
  /// The most entries of a container directory; motion photos have two or three.
  static let maxItems = 16

  /// The XMP properties about the video, apart from the container directory.
  static let properties: Set<XMLName> = Set(
    [
      "MotionPhoto", "MotionPhotoVersion", "MotionPhotoPresentationTimestampUs", "MicroVideo", "MicroVideoVersion",
      "MicroVideoOffset", "MicroVideoPresentationTimestampUs",
    ].map { XMLName(namespace, $0) })

  /// XMP states these facts about a video.
  package struct Claims: Sendable, Hashable {
    /// True if a video is announced.
    package private(set) var isMade = false
    /// True if XMP says that this is no motion photo.
    package private(set) var isDenied = false
    /// True if a number is none, or there are too many entries.
    package private(set) var isFaulty = false
    /// The size of the video by the container directory.
    package private(set) var length: Int?
    /// The distance of the video's start from the end of the file, by the older form.
    package private(set) var offset: Int?
    package private(set) var moment: Int?

    package init(_ packet: XMPPacket?) {
      guard let packet else { return }
      func text(_ name: String) -> String? { packet.value(MotionPhoto.namespace, name)?.filter { !$0.isWhitespace } }
      let items = packet.containerItems
      if let item = items.last(where: { $0.semantic == "MotionPhoto" }) {
        length = item.length
        isFaulty = item.hasFault
      }
      if items.count > MotionPhoto.maxItems { isFaulty = true }
      if let words = text("MicroVideoOffset") {
        offset = Int(words).flatMap { (0...1 << 40).contains($0) ? $0 : nil }
        if length == nil, offset == nil { isFaulty = true }
      }
      let flags = ["MotionPhoto", "MicroVideo"].compactMap(text)
      isDenied = !flags.isEmpty && flags.allSatisfy { $0 == "0" }
      isMade = !isDenied && (length != nil || offset != nil || flags.contains("1"))
      moment = ["MotionPhotoPresentationTimestampUs", "MicroVideoPresentationTimestampUs"]
        .compactMap { text($0).flatMap { Int($0) } }.first { (0...1 << 50).contains($0) }
    }
  }

  // MARK: Written

  /// The bytes of the header of the box that holds a video in HEIC and AVIF.
  package static let boxHeaderBytes = 8

  /// Returns the bytes between an encoded file and its video.
  package static func header(of video: MotionVideo, in format: FileFormat) -> [UInt8] {
    guard format != .jpeg else { return [] }
    var sink = ByteSink()
    sink.u32(boxHeaderBytes + video.range.byteCount)
    sink.ascii("mpvd")
    return sink.bytes
  }

  /// Returns a packet with the statement about a video; what cannot be read is left out.
  package static func announcing(_ video: MotionVideo, in format: FileFormat, _ packet: [UInt8]?) -> [UInt8] {
    func description(_ about: String) -> String {
      XMPAssembly.primaryDescription(
        isMarked: false, mapSize: nil, video: MotionEntry(video, in: format), about: about)
    }
    return packet.flatMap { XMPAssembly.adding(description, to: $0) } ?? XMPAssembly.packet([description("")])
  }

  // MARK: Videos

  /// The brands of files that begin as videos do and are pictures or sound.
  private static let otherBrands: Set<FourCC> = [
    "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "mif2", "msf1", "avif", "avis", "M4A ", "jxl ",
  ]

  /// Returns the video that bytes are: `ftyp` of a video, then boxes up to the end or to Samsung's entries (`sefd`).
  ///
  /// - Returns: `nil` for other bytes, and for more than `MotionVideo.mostBytes`.
  package static func video(
    _ bytes: ArraySlice<UInt8>, finder: MotionVideo.Finder, claims: Claims
  ) -> MotionVideo? {
    var reader = ByteReader(bytes, place: "video"), isQuickTime = false, end = bytes.startIndex
    for index in 0... {
      if reader.isAtEnd { break }
      guard index < BoxLimits.children, let box = try? Box(&reader) else { return nil }
      if box.type == "sefd" { break }
      if index == 0 {
        guard box.type == "ftyp", box.payload.count >= 8 else { return nil }
        let brand = FourCC(rawValue: box.payload.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
        guard !otherBrands.contains(brand) else { return nil }
        isQuickTime = brand == "qt  "
      }
      end = reader.position
    }
    let range = bytes.startIndex..<end
    guard (16...MotionVideo.mostBytes).contains(range.count) else { return nil }
    return MotionVideo(
      range: FileRange(range), finder: finder, isQuickTime: isQuickTime, moment: claims.moment)
  }

  /// Finds the video behind the pictures of a JPEG.
  ///
  /// - Parameters:
  ///   - bytes: the file.
  ///   - primaryEnd: the first byte behind the primary picture.
  ///   - picturesEnd: the first byte behind all pictures that follow each other.
  ///   - samsung: Samsung's trailer, if it can be read.
  ///   - warnings: gets `motion.malformed` for a statement whose video is not there or none, and `motion.stale` if
  ///     nothing is there.
  package static func find(
    in bytes: [UInt8], primaryEnd: Int, picturesEnd: Int, claims: Claims, samsung: SamsungTrailer?,
    warnings: inout [Warning]
  ) -> MotionVideo? {
    if claims.isDenied { return nil }
    let listed = samsung?.entries.first { $0.type == SamsungTrailer.motionType }
      .flatMap { video(bytes[$0.data], finder: .samsung, claims: claims) }
    func malformed(_ what: Message) -> MotionVideo? {
      warnings.append(Warning(MotionPhoto.malformed, what))
      return nil
    }
    if claims.isMade {
      if claims.isFaulty {
        return malformed("XMP announces a motion photo with an impossible directory: its video is not taken")
      }
      let stated = claims.length ?? claims.offset ?? 0, start = bytes.count - stated
      if stated > 0, start >= primaryEnd {
        let finder = claims.length == nil ? MotionVideo.Finder.microVideo : .directory
        if let found = video(bytes[start...], finder: finder, claims: claims) { return found }
      }
      // Samsung counts its other entries to the video.
      if let listed, stated == 0 || listed.range.start >= start { return listed }
      if bytes.count - picturesEnd < 16 {
        warnings.append(Warning(stale, "XMP announces a motion photo, and the file has no video"))
        return nil
      }
      if stated > 0 { return malformed("XMP announces a video of \(stated) bytes, which is not there: none is taken") }
    }
    if let listed { return listed }
    let behind = bytes[picturesEnd...].drop { $0 == 0 }
    // The size of the first box begins with zeros.
    for zeros in 0...min(3, behind.startIndex - picturesEnd) where !behind.isEmpty {
      if let found = video(bytes[(behind.startIndex - zeros)...], finder: .position, claims: claims) { return found }
    }
    if claims.isMade {
      warnings.append(Warning(stale, "XMP announces a motion photo, and the file has no video"))
    }
    return nil
  }

  /// Finds the video in a box `mpvd` of a HEIF file.
  ///
  /// - Parameters:
  ///   - payload: the payload; `nil`: there is no such box.
  ///   - isLast: true if the box ends the file.
  package static func find(
    inBox payload: ArraySlice<UInt8>?, isLast: Bool, claims: Claims, warnings: inout [Warning]
  ) -> MotionVideo? {
    guard let payload else {
      if claims.isMade { warnings.append(Warning(stale, "XMP announces a motion photo, and the file has no video")) }
      return nil
    }
    if claims.isDenied { return nil }
    guard isLast, let found = video(payload, finder: .box, claims: claims) else {
      warnings.append(
        Warning(malformed, "the box mpvd \(isLast ? "holds no video" : "is not the last one"): none is taken"))
      return nil
    }
    return found
  }
}
