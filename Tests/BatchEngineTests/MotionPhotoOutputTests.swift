import BatchEngine
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
    GCamera:MotionPhotoVersion="1" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4"/></rdf:RDF></x:xmpmeta>
    """

  @Test("an output of a motion photo announces no video, and its record says that one is gone")
  func outputs() throws {
    let folder = try TemporaryFolder(), path = folder.path("a.jpg")
    let image = SampleImage.interleaved(width: 16, height: 16, channelCount: 4, format: .uint8, bitDepth: 8)
    memset(image.channels[0].buffer.base, 128, image.channels[0].buffer.byteCount)
    let still = try encodeImage(
      EncodeRequest(
        kind: .sdrJPEG, image: image, hasAlpha: false, cicp: .sRGB, xmp: Array(Self.xmp.utf8), contentHeadroom: 1,
        displayHeadroom: 1)
    ).main
    #expect(Data(still).firstRange(of: Data("MotionPhoto".utf8)) != nil)
    let video: [UInt8] = [0, 0, 0, 16] + Array("ftypisom".utf8) + [0, 0, 2, 0, 0, 0, 0, 12] + Array("mdat1234".utf8)
    try Data(still + video).write(to: URL(fileURLWithPath: path))
    for kind in [OutputKind.sdrJPEG, .sdrPNG] {
      let output = try AdaptiveBatchTests.make(path, product: .rendition) { $0.rendition.kind = kind }
      #expect(output.record.status == .warn && output.record.warnings.map(\.code) == ["motion.dropped"])
      let bytes = Data(output.bytes)
      #expect(bytes.firstRange(of: Data("MotionPhoto".utf8)) == nil)
      #expect(bytes.firstRange(of: Data("Rating".utf8)) != nil)
      #expect(bytes.firstRange(of: Data("ftyp".utf8)) == nil)
    }
  }
}
