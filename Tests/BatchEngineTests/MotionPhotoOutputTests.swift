import BatchEngine
import FileParts
import Foundation
import HDRCore
import HDRPlan
import HDRRender
import ImageFiles
import TestSupport
import Testing

/// Tests the contents of a motion photo's outputs.
@Suite struct MotionPhotoOutputTests {
  static let xmp = """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
    <rdf:Description xmlns:GCamera="http://ns.google.com/photos/1.0/camera/" GCamera:MotionPhoto="1" \
    GCamera:MotionPhotoPresentationTimestampUs="70" GCamera:MotionPhotoVersion="1" \
    xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4"/></rdf:RDF></x:xmpmeta>
    """
  static let video: [UInt8] =
    [0, 0, 0, 16] + Array("ftypisom".utf8) + [0, 0, 2, 0, 0, 0, 0, 12] + Array("mdat1234".utf8)

  let folder: TemporaryFolder
  let photo: String

  init() throws {
    folder = try TemporaryFolder()
    photo = folder.path("a.jpg")
    let image = SampleImage.interleaved(width: 16, height: 16, channelCount: 4, format: .uint8, bitDepth: 8)
    memset(image.channels[0].buffer.base, 128, image.channels[0].buffer.byteCount)
    let still = try encodeImage(
      EncodeRequest(
        kind: .sdrJPEG, image: image, hasAlpha: false, cicp: .sRGB, xmp: Array(Self.xmp.utf8), contentHeadroom: 1,
        displayHeadroom: 1)
    ).main
    #expect(Data(still).firstRange(of: Data("MotionPhoto".utf8)) != nil)
    try Data(still + Self.video).write(to: URL(fileURLWithPath: photo))
  }

  private func make(
    _ kind: OutputKind, _ change: (inout RenditionOptions) -> Void = { _ in }
  ) throws -> (codes: [String], bytes: [UInt8]) {
    let output = try AdaptiveBatchTests.make(photo, product: .rendition) {
      $0.rendition.kind = kind
      change(&$0.rendition)
    }
    #expect(output.record.bytesOut == output.bytes.count)
    #expect(Data(output.bytes).firstRange(of: Data("Rating".utf8)) != nil)
    return (output.record.warnings.map(\.code), output.bytes)
  }

  private func hasNoWord(_ bytes: [UInt8]) -> Bool {
    !["MotionPhoto", "ftypisom"].contains { Data(bytes).firstRange(of: Data($0.utf8)) != nil }
  }

  @Test("the video is the last part of an output that can hold it", arguments: [OutputKind.sdrJPEG, .sdrAVIF, .pqAVIF])
  func kept(kind: OutputKind) throws {
    let (codes, bytes) = try make(kind)
    #expect(codes == [] && bytes.suffix(Self.video.count) == Self.video[...])
    let found = try decodeImage(bytes, request: .metadata)
    let motion = try #require(found.extras.motion)
    #expect(motion.range == FileRange(start: bytes.count - Self.video.count, byteCount: Self.video.count))
    #expect(motion.finder == (kind == .sdrJPEG ? .directory : .box) && motion.moment == 70)
    #expect(found.warnings == [] && found.extras.trailers == [])
    // Primary, then video: the number of bytes between is that of the box's header.
    var ignored: [Warning] = []
    let items = try #require(found.xmp.flatMap { XMPPacket($0, warnings: &ignored) }).containerItems
    #expect(items.map(\.semantic) == ["Primary", "MotionPhoto"] && items[1].length == Self.video.count)
    #expect(items[0].padding == (kind == .sdrJPEG ? 0 : 8))
    #expect(items.map(\.mime) == [kind == .sdrJPEG ? "image/jpeg" : "image/avif", "video/mp4"])
  }

  @Test("an output without the video announces none, and its record says that one is gone")
  func dropped() throws {
    for (kind, change) in [
      (OutputKind.sdrPNG, { _ in }), (.sdrJPEG, { $0.motion = .drop }), (.sdrJPEG, { $0.metadata = .noLocation }),
      (.sdrJPEG, { $0.recipe.edits = [FilterStep("crop", ["rect": .numbers([0, 0, 8, 8])])] }),
    ] as [(OutputKind, (inout RenditionOptions) -> Void)] {
      let (codes, bytes) = try make(kind, change)
      #expect(codes == ["motion.dropped"] && hasNoWord(bytes))
    }
  }

  @Test("a video that stays without an edit of its picture has a warning")
  func edited() throws {
    let steps: [(FilterStep, String)] = [
      (FilterStep("flip"), "motion.orientation"), (FilterStep("resize", ["size": .number(8)]), "motion.unedited"),
      (FilterStep("exposure", ["ev": .number(-1)]), "motion.unedited"),
    ]
    for (step, code) in steps {
      let (codes, bytes) = try make(.sdrJPEG) { $0.recipe.edits = [step] }
      #expect(codes == [code] && bytes.suffix(Self.video.count) == Self.video[...])
    }
  }

  @Test("the gain map of an Adaptive HDR file comes before the video, and both are where the directory says")
  func besideAGainMap() throws {
    let source = [UInt8](try Data(contentsOf: URL(fileURLWithPath: SharedData.small("lamps.jpg"))))
    try Data(source + Self.video).write(to: URL(fileURLWithPath: photo))
    for bindings in [AdaptiveBindings.all, .iso] {
      let output = try AdaptiveBatchTests.make(
        photo, product: AdaptiveBatchTests.adaptive(.jpeg) { $0.bindings = bindings })
      #expect(output.record.warnings.filter { $0.code.hasPrefix("motion") } == [])
      let found = try decodeImage(output.bytes, request: .metadata)
      #expect(found.gainMap?.bindings.contains("gcontainer") == true)
      #expect(found.gainMap?.bindings.contains("mpf") == (bindings == .all))
      #expect(found.extras.motion?.range.end == output.bytes.count && found.extras.motion?.finder == .directory)
      #expect(found.extras.trailers == [] && found.extras.auxiliaries == [])
      #expect(output.bytes.suffix(Self.video.count) == Self.video[...])
    }
  }
}
