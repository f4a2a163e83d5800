import FileParts
import HDRCore
import ImageFiles
import TestFiles
import Testing

/// A video after the picture: outputs have none and announce none, and the record says so.
@Suite struct MotionPhotoTests {
  typealias B = HEIFBuilder

  /// The first boxes of an MP4.
  static let video =
    B.box("ftyp", Array("isom".utf8) + B.u32(512) + Array("isomiso2avc1mp41".utf8)) + B.box("mdat", [1, 2, 3, 4])

  static let tags = """
    GCamera:MotionPhoto="1" GCamera:MotionPhotoVersion="1" GCamera:MotionPhotoPresentationTimestampUs="400000"
    """
  static let oldTags = """
    GCamera:MicroVideo="1" GCamera:MicroVideoVersion="1" GCamera:MicroVideoOffset="\(video.count)" \
    GCamera:MicroVideoPresentationTimestampUs="7"
    """

  static func packet(_ attributes: String, directory: String = "") -> [UInt8] {
    Array(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
      <rdf:Description xmlns:GCamera="http://ns.google.com/photos/1.0/camera/" \
      xmlns:C="http://ns.google.com/photos/1.0/container/" xmlns:I="http://ns.google.com/photos/1.0/container/item/" \
      xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4" GCamera:BurstID="b" \(attributes)>\(directory)\
      </rdf:Description></rdf:RDF></x:xmpmeta>
      """.utf8)
  }

  static let directory = """
    <C:Directory><rdf:Seq><rdf:li rdf:parseType="Resource"><C:Item I:Semantic="Primary" I:Mime="image/jpeg"/></rdf:li>\
    <rdf:li rdf:parseType="Resource"><C:Item I:Semantic="MotionPhoto" I:Mime="video/mp4" I:Length="\(video.count)"/>\
    </rdf:li></rdf:Seq></C:Directory>
    """

  static func jpeg(_ xmp: [UInt8]?) -> [UInt8] {
    guard let xmp else { return TinyJPEG.color444 }
    return splice(segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + xmp), into: TinyJPEG.color444)
  }

  @Test("a video behind a JPEG is found, whoever announces it", arguments: [tags, oldTags, "", nil])
  func videosOfJPEG(attributes: String?) throws {
    let xmp = attributes.map { Self.packet($0, directory: $0 == Self.tags ? Self.directory : "") }
    for padding in [0, 24] {
      let still = Self.jpeg(xmp)
      let source = try decodeImage(still + [UInt8](repeating: 0, count: padding) + Self.video)
      let video = try #require(source.extras.motion)
      #expect(video.range == FileRange(start: still.count + padding, byteCount: Self.video.count))
      #expect(!video.isQuickTime && source.warnings.isEmpty && source.extras.trailers.isEmpty)
      let finders: [String?: MotionVideo.Finder] = [Self.tags: .directory, Self.oldTags: .microVideo]
      #expect(video.finder == finders[attributes] ?? .position)
    }
  }

  @Test("XMP that announces a video that is not there says so", arguments: [tags, oldTags])
  func announcedVideos(attributes: String) throws {
    #expect(try decodeImage(Self.jpeg(Self.packet(attributes))).warnings.map(\.code) == ["motion.stale"])
    #expect(try decodeImage(Self.jpeg(Self.packet(""))).warnings.isEmpty)
    // Text that is no box is no video, and no word is lost about it.
    let text = try decodeImage(TinyJPEG.color444 + Array("no ftyp box".utf8))
    #expect(text.extras.motion == nil && text.extras.trailers == [FileTrailer(.unknown, byteCount: 11)])
  }

  @Test func aVideoThatXMPDeniesIsATrailer() throws {
    let source = try decodeImage(Self.jpeg(Self.packet(#"GCamera:MotionPhoto="0""#)) + Self.video)
    #expect(source.extras.motion == nil && source.warnings.isEmpty)
    #expect(source.extras.trailers == [FileTrailer(.video, byteCount: Self.video.count)])
  }

  @Test("what XMP says of a video does not travel, the rest does", arguments: [tags, oldTags])
  func tagsAreCut(attributes: String) throws {
    let rest = try #require(xmpWithoutPixelDescription(Self.packet(attributes, directory: Self.directory)))
    let text = String(decoding: rest, as: UTF8.self)
    for word in ["MotionPhoto", "MicroVideo", "Directory"] { #expect(!text.contains(word), "\(text)") }
    #expect(text.contains("xmp:Rating=\"4\"") && text.contains("GCamera:BurstID=\"b\""))
    var warnings: [Warning] = []
    #expect(XMPPacket(rest, warnings: &warnings) != nil)
  }

  @Test("a video in the last box of a HEIF is found, up to Samsung's entries in the box")
  func videosOfHEIF() throws {
    let file = HEIFGainMapTests.file().bytes
    for entries in [[], B.box("sefd", [1, 2, 3])] {
      let source = try HEIFDecoder.decode(
        file + B.box("mpvd", Self.video + entries), request: .metadata, limits: DecodeLimits())
      #expect(source.extras.motion?.range == FileRange(start: file.count + 8, byteCount: Self.video.count))
      #expect(source.extras.motion?.finder == .box)
    }
  }

  @Test func aBoxOfAVideoEndsItsFile() throws {
    let file = HEIFGainMapTests.file().bytes + B.box("mpvd", Self.video)
    for bytes in [file + B.box("free", [0]), Array(file.dropLast(2))] {
      let source = try HEIFDecoder.decode(bytes, request: .metadata, limits: DecodeLimits())
      #expect(source.extras.motion == nil && source.warnings.contains { $0.code == "motion.malformed" })
      #expect(source.extras.trailers.map(\.kind) == [.video])
    }
  }
}
