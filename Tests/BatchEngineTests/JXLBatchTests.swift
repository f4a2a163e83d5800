import BatchEngine
import Foundation
import HDRCore
import HDRRender
import ImageFiles
import TestSupport
import Testing

/// JPEG XL through the batch: what is kept, what is restored.
@Suite(.enabled(if: SharedData.hasImages && jxlMissing() == nil, "skipped: no data or no libjxl"))
struct JXLBatchTests {
  static func bytes(_ path: String) throws -> [UInt8] { try #require(SharedData.bytes("data/images/" + path)) }

  @Test(arguments: ["gainmap_jpeg/small_uhdr.jpg", "gainmap_jpeg/made_iso_only_a.jpg"], [false, true])
  func jpegsComeBack(path: String, isWhole: Bool) throws {
    let made = try AdaptiveBatchTests.make(path, product: .recompress(isWhole: isWhole))
    #expect(made.record.status != .failed, "\(made.record.message ?? "")")
    let file = try Self.bytes(path), old = try #require(try decodeImage(file, request: .metadata).gainMap)
    guard case .jpegStream(let primary) = try codedRenditions(file).base else { return }
    #expect(try restoredJPEG(made.bytes, byteCount: file.count) == (isWhole ? file : primary))
    let map = try #require(try decodeImage(made.bytes).gainMap)
    #expect(ISO21496(map.metadata)?.serialized(for: .jpeg) == ISO21496(old.metadata)?.serialized(for: .jpeg))
    #expect(map.image.width == old.image.width && map.image.height == old.image.height)
  }

  @Test func applesMapsBecomeISO() throws {
    let made = try AdaptiveBatchTests.make("gainmap_jpeg/apple_gainmap_new.jpg", product: .recompress(isWhole: false))
    #expect(made.record.status != .failed, "\(made.record.message ?? "")")
    let map = try #require(try decodeImage(made.bytes, request: .metadata).gainMap)
    #expect(map.metadata.kind == .iso && map.metadata.alternateHeadroom > 0 && map.image.model == .grey)
  }

  @Test func otherFormatsAreNotRecompressed() throws {
    let pictures = try #require(SharedData.url("data/images/png")).path
    let png = try #require(
      FileManager.default.contentsOfDirectory(atPath: pictures).sorted().first { $0.hasSuffix(".png") })
    #expect(
      try AdaptiveBatchTests.make("png/" + png, product: .recompress(isWhole: false)).record.code
        == "recompress.format")
  }

  @Test("an Adaptive JPEG XL keeps its payloads, and becomes a JPEG of the same metadata")
  func adaptiveThereAndBack() throws {
    let folder = try TemporaryFolder()
    let first = try AdaptiveBatchTests.make(
      "gainmap_jpeg/small_uhdr.jpg", product: AdaptiveBatchTests.adaptive(.jxl))
    #expect(first.record.status != .failed, "\(first.record.message ?? "")")
    let url = folder.url.appendingPathComponent("a.jxl")
    try Data(first.bytes).write(to: url)
    let again = try AdaptiveBatchTests.make(url.path, product: AdaptiveBatchTests.adaptive(.jxl))
    let one = try codedRenditions(first.bytes), two = try codedRenditions(again.bytes)
    guard case .jxl(let base) = one.base, case .jxl(let kept) = two.base else { return }
    #expect(base == kept)
    let old = try #require(try decodeImage(first.bytes, request: .metadata).gainMap)
    let jpeg = try AdaptiveBatchTests.make(url.path, product: AdaptiveBatchTests.adaptive(.jpeg))
    let map = try #require(try decodeImage(jpeg.bytes, request: .metadata).gainMap)
    #expect(map.metadata.rawPayload == old.metadata.rawPayload)
    for change: (inout AdaptiveOptions) -> Void in [{ $0.baseDepth = 10 }, { $0.map.depth = 10 }, { $0.base = .hdr }] {
      let deep = try AdaptiveBatchTests.make(
        "gainmap_jpeg/small_uhdr.jpg",
        product: AdaptiveBatchTests.adaptive(.jxl) {
          change(&$0)
          $0.keepsMap = false
        })
      #expect(deep.record.status != .failed, "\(deep.record.message ?? "")")
      let found = try decodeImage(deep.bytes)
      #expect(found.image.format == .uint16 || found.gainMap?.image.format == .uint16)
    }
  }
}
