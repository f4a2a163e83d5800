import FileParts
import HDRCore
import ImageFiles
import TestFiles
import TestSupport
import Testing

/// A file holds extras beside its picture: videos, C2PA, auxiliary pictures, trailers.
@Suite struct FileExtrasTests {
  typealias B = HEIFBuilder

  /// A superbox of C2PA with so many bytes behind its description.
  static func store(_ count: Int) -> [UInt8] {
    let description = B.box("jumd", ContentCredentials.type + [3] + Array("c2pa\0".utf8))
    return B.box("jumb", description + [UInt8](repeating: 5, count: count))
  }

  static func segments(_ store: [UInt8], size: Int) -> [[UInt8]] {
    var parts: [[UInt8]] = [], at = 0
    while at < store.count {
      let end = min(store.count, at + size)
      parts.append(
        [2, 0x11] + B.u32(parts.count + 1) + (at == 0 ? [] : Array(store[..<8])) + store[at..<end])
      at = end
    }
    return parts
  }

  @Test("a C2PA store in segments of a JPEG is found whole", arguments: [10_000, 50, 100])
  func credentialsOfJPEG(size: Int) throws {
    let store = Self.store(200)
    let parts = Self.segments(store, size: size).map { segment(0xEB, Array("JP".utf8) + $0) }
    let file = splice(Array(parts.joined()), into: TinyJPEG.color444)
    let source = try decodeImage(file)
    let found = try #require(source.extras.credentials)
    #expect(found.place == "APP11" && found.byteCount == store.count && source.warnings.isEmpty)
    #expect(found.pieces.flatMap { file[$0.start..<$0.end] } == store)
  }

  @Test func otherBoxesInTheSamePlaceAreNoCredentials() throws {
    var other = Self.store(20)
    other[16] = 0x78
    let file = splice(segment(0xEB, Array("JP".utf8) + Self.segments(other, size: 1000)[0]), into: TinyJPEG.color444)
    #expect(try decodeImage(file).extras.credentials == nil)
  }

  @Test(
    "a store whose size is wrong is known to be there, and has no pieces",
    arguments: [[0xFF, 0xFF, 0xFF, 0xF0], [0, 0, 0, 4]])
  func damagedCredentials(size: [UInt8]) throws {
    let store = size + Self.store(20).dropFirst(4)
    let file = splice(segment(0xEB, Array("JP".utf8) + Self.segments(store, size: 1000)[0]), into: TinyJPEG.color444)
    let source = try decodeImage(file)
    #expect(source.extras.credentials?.pieces == [] && source.extras.credentials?.byteCount == store.count)
    #expect(source.warnings.map(\.code) == ["c2pa.malformed"])
  }

  @Test("depth beside a picture of a HEIF is listed, alpha and the gain map are not")
  func auxiliariesOfHEIF() throws {
    var builder = HEIFGainMapTests.file()
    func listed() throws -> [AuxiliaryPicture] {
      try HEIFDecoder.decode(builder.bytes, request: .metadata, limits: DecodeLimits()).extras.auxiliaries
    }
    #expect(try listed() == [])
    let urn = "urn:mpeg:hevc:2015:auxid:2"
    builder.items.append(
      B.Item(
        id: 6, type: "av01", data: [0],
        properties: [B.ispe(21, 15), HEIFGainMapTests.greyAV1C, HEIFGainMapTests.auxC(urn)]))
    builder.items.append(B.Item(id: 7, type: "av01", data: [0], properties: [B.ispe(8, 6), HEIFGainMapTests.av1C]))
    builder.references += [("auxl", 6, [1]), ("thmb", 7, [1])]
    #expect(
      try listed() == [
        AuxiliaryPicture(type: urn, width: 21, height: 15, item: 6),
        AuxiliaryPicture(type: "thumbnail", width: 8, height: 6, item: 7, isPreview: true),
      ])
    #expect(try listed()[0].kind == "depth")
  }

  @Test("boxes of videos and manifest stores have the bytes of the vectors")
  func boxesOfTheVectors() throws {
    guard let vectors = SharedData.json("specs/formats-2026-vectors.json") else { return }
    let motion = try #require(vectors["motion"] as? [String: Any]),
      c2pa = try #require(vectors["c2pa"] as? [String: Any])
    let video = MotionVideo(range: FileRange(start: 0, byteCount: 1000), finder: .box)
    let header = hexBytes(motion["mpvd_header_for_1000_bytes"] as? String ?? "")
    #expect(header.count == 8 && MotionPhoto.header(of: video, in: .heic) == header)
    #expect(MotionPhoto.header(of: video, in: .jpeg) == [])
    for (name, primary) in [("motion_v2.jpg", "motion_dev"), ("samsung_sef.jpg", "motion_dev")] {
      let bytes = try #require((motion[primary] as? [String: Any])?["video_bytes"] as? Int)
      guard let file = SharedData.bytes("data/formats2/motion/" + name) else { continue }
      #expect(try decodeImage(file, request: .metadata).extras.motion?.range.byteCount == bytes)
    }
    let description = hexBytes(c2pa["superbox_description"] as? String ?? "")
    #expect(ContentCredentials.begins((B.u32(8 + description.count) + Array("jumb".utf8) + description)[...]))
    #expect(TIFFTag.provenance == c2pa["tiff_tag"] as? Int)
    let uuid = hexBytes(c2pa["bmff_uuid"] as? String ?? ""), head = [0, 0, 0, 0] + Array("manifest\0".utf8) + B.u64(0)
    let file = HEIFGainMapTests.file().bytes + B.box("uuid", uuid + head + Self.store(10))
    let found = try HEIFDecoder.decode(file, request: .metadata, limits: DecodeLimits()).extras
    #expect(found.credentials?.byteCount == Self.store(10).count && found.trailers == [])
  }

  @Test func samsungsTrailerIsRead() throws {
    let path = "specs/formats-2026-vectors.json"
    guard let vector = SharedData.json(path)?["samsung_sef"] as? [String: String] else { return }
    let entries = hexBytes(vector["entries_hex"] ?? ""), directory = hexBytes(vector["directory_hex"] ?? "")
    let trailer = try #require(SamsungTrailer(([9, 9] + entries + directory)[...]))
    #expect(trailer.entries.map(\.type) == [0x0A01, 0x0A30, 0x0A31])
    #expect(trailer.entries.map(\.name) == ["Image_UTC_Data", "MotionPhoto_Data", "MotionPhoto_Version"])
    let all = [9, 9] + entries + directory
    #expect(
      trailer.entries.map { String(decoding: all[$0.data], as: UTF8.self) } == ["1700000000000", "VIDEO", "mpv3"])
    #expect(trailer.range == 2..<all.count)
    // A number that leads out, a count that is none, another length.
    for (place, value) in [(16, 0xFF), (11, 0x7F), (directory.count - 8, 0x31)] {
      var broken = directory
      broken[place] = UInt8(value)
      #expect(SamsungTrailer((entries + broken)[...]) == nil)
    }
  }
}

/// The shared files: each with its video and credentials, each broken one with a word about it.
@Suite(.enabled(if: SharedData.url("data/formats2/motion") != nil, "skipped: no data"))
struct SharedExtrasTests {
  static func extras(_ name: String) throws -> (extras: FileExtras, codes: [String], bytes: [UInt8]) {
    let bytes = try #require(SharedData.bytes("data/formats2/" + name))
    let source = try decodeImage(bytes, request: .metadata)
    return (source.extras, source.warnings.map(\.code), bytes)
  }

  @Test(
    "videos of the shared motion photos are found where they are",
    arguments: [
      ("microvideo_v1.jpg", MotionVideo.Finder.microVideo), ("motion_v2.jpg", .directory),
      ("motion_v2_padding.jpg", .directory), ("motion_v2_gainmap_order.jpg", .directory),
      ("motion_no_xmp.jpg", .position), ("motion_mpvd.heic", .box), ("motion_mpvd_only.heic", .box),
      ("samsung_sef.jpg", .samsung), ("samsung_sef_google_xmp.jpg", .samsung), ("samsung_s22ultra.heic", .box),
    ])
  func videos(name: String, finder: MotionVideo.Finder) throws {
    let (extras, codes, bytes) = try Self.extras("motion/" + name)
    let video = try #require(extras.motion)
    #expect(video.finder == finder && !codes.contains { $0.hasPrefix("motion.") })
    #expect(video.range.byteCount == (name.contains("s22") ? 2_341_602 : 4873))
    #expect(bytes[(video.range.start + 4)...].starts(with: "ftyp".utf8))
    // Nothing but Samsung's own entries is unknown.
    #expect(extras.trailers.allSatisfy { $0.kind == .samsung } && extras.trailers.isEmpty != name.hasPrefix("samsung"))
  }

  @Test func filesWithoutAVideoSaySo() throws {
    let stale = try Self.extras("motion/motion_stale.jpg"), denied = try Self.extras("motion/motion_flag0.jpg")
    #expect(stale.extras.motion == nil && stale.codes == ["motion.stale"])
    #expect(denied.extras.motion == nil && denied.extras.trailers.map(\.kind) == [.video])
  }

  @Test(
    "statements that are wrong take no video, and say so",
    arguments: [
      "items10000.jpg", "length_2p63.jpg", "length_inside_primary.jpg", "length_negative.jpg", "length_past_file.jpg",
      "mpvd_not_last.heic", "mpvd_size.heic", "sef_count.jpg", "sef_len.jpg", "sef_off.jpg",
    ])
  func wrongStatements(name: String) throws {
    let (extras, codes, _) = try Self.extras("malformed/mp_dev_" + name)
    #expect(extras.motion == nil && codes.contains(name.contains("sef") ? "trailer.malformed" : "motion.malformed"))
    #expect(!extras.trailers.isEmpty)
  }

  @Test(
    "credentials of the shared files are found",
    arguments: [
      ("C.jpg", "APP11"), ("update_manifest.jpg", "APP11"), ("signed_96x64.jpg", "APP11"), ("signed_96x64.png", "caBX"),
      ("signed_96x64.heic", "uuid box"), ("signed_96x64.avif", "uuid box"), ("signed_96x64.jxl", "jumb box"),
      ("signed_96x64.tif", "tag 52545"), ("signed_96x64.webp", "C2PA chunk"),
    ])
  func credentials(name: String, place: String) throws {
    let (extras, codes, bytes) = try Self.extras("c2pa/" + name)
    let found = try #require(extras.credentials)
    #expect(found.place == place && !codes.contains("c2pa.malformed"))
    let store = found.pieces.flatMap { bytes[$0.start..<$0.end] }
    #expect(store.count == found.byteCount && store.dropFirst(4).starts(with: "jumb".utf8))
    #expect(store.prefix(4).reduce(0) { $0 << 8 | Int($1) } == store.count)
  }

  @Test("credentials of a wrong size are known to be there", arguments: ["jpg", "heic"])
  func damagedCredentials(ending: String) throws {
    let (extras, codes, _) = try Self.extras("malformed/dc2pa_lbox.\(ending)")
    #expect(extras.credentials?.pieces == [] && codes.contains("c2pa.malformed"))
    // The sum of a PNG's chunk is wrong then.
    let png = try #require(SharedData.bytes("data/formats2/malformed/dc2pa_lbox.png"))
    #expect(throws: DecodeError.malformed(where: "PNG caBX", what: "wrong CRC")) { try decodeImage(png) }
  }
}
