import BatchEngine
import CPURender
import Foundation
import HDRCore
import HDRPlan
import HDRRender
import ImageFiles
import TestSupport
import Testing

/// Filters on their way into Adaptive HDR files: the three strategies.
@Suite(.enabled(if: SharedData.hasImages, "skipped: no data"))
struct AdaptiveEditTests {
  static let path = "gainmap_jpeg/small_uhdr.jpg"

  static func edited(
    _ path: String, _ container: AdaptiveContainer, _ steps: [FilterStep], _ strategy: EditStrategy = .automatic,
    quality: Int = 90, chroma: ChromaSubsampling = .s420, _ change: (inout AdaptiveOptions) -> Void = { _ in }
  ) throws -> (record: ItemRecord, source: SourceImage, result: SourceImage?) {
    let output = try AdaptiveBatchTests.make(path, product: AdaptiveBatchTests.adaptive(container, change)) {
      $0.rendition.recipe.edits = steps
      $0.rendition.recipe.editStrategy = strategy
      ($0.rendition.coding.quality, $0.rendition.chroma) = (quality, chroma)
    }
    let source = try decodeImage(try #require(SharedData.bytes("data/images/" + path)))
    return (output.record, source, output.bytes.isEmpty ? nil : try decodeImage(output.bytes))
  }

  /// Light of the source at a headroom with filters on it.
  static func light(_ source: SourceImage, _ headroom: Headroom, _ steps: [FilterStep]) throws -> SampleImage {
    var recipe = RenderRecipe(
      target: OutputSignal(primaries: 9, encoding: .linear, sink: .rgba16f), display: .headroom(headroom),
      tone: .none, gamut: .none, applePartialHeadroom: .geometric)
    recipe.edits = steps
    recipe.editStrategy = .sdrAndHDR
    return CPUBackend.best.render(try Planner.plan(source, recipe), threads: 2)
  }

  @Test(
    "moving pixels keeps base, gains and metadata",
    arguments: [
      (path, AdaptiveContainer.jpeg, EditStrategy.automatic), (path, .jpeg, .sdrAndGain),
      ("gainmap_jpeg/seine_sdr_gainmap_srgb.jpg", .heic, .automatic),
    ])
  func cropAndFlip(path: String, container: AdaptiveContainer, strategy: HDRPlan.EditStrategy) throws {
    let head = try decodeImage(try #require(SharedData.bytes("data/images/" + path)), request: .metadata)
    let width = head.geometry.outputWidth, height = head.geometry.outputHeight
    // Whole blocks of the base and whole pixels of its map.
    let steps = [
      FilterStep(
        "crop",
        ["rect": .numbers([16, 32, Double(width / 2 / 16 * 16), Double(height / 2 / 16 * 16)])]),
      FilterStep("flip"),
    ]
    let (record, source, result) = try Self.edited(path, container, steps, strategy, quality: 98, chroma: .s444) {
      $0.mapQuality = 98
    }
    #expect(record.status != .failed, "\(record.message ?? "")")
    #expect(record.report?.operatorReason == "base and map edited alike (sdr+gain), metadata kept")
    #expect(record.report?.edits.map(\.name) == ["crop", "flip"])
    #expect(record.report?.edits.first?.headroom == record.report?.contentHeadroom)
    #expect((record.width, record.height) == (width / 2 / 16 * 16, height / 2 / 16 * 16))
    let after = try #require(result)
    #expect((after.geometry.outputWidth, after.geometry.outputHeight) == (record.width, record.height))
    let old = try #require(source.gainMap), new = try #require(after.gainMap)
    for channel in 0..<3 {
      #expect(abs(old.metadata.max[channel] - new.metadata.max[channel]) < 1e-6)
      #expect(abs(old.metadata.min[channel] - new.metadata.min[channel]) < 1e-6)
    }
    #expect(abs(old.metadata.alternateHeadroom - new.metadata.alternateHeadroom) < 1e-6)
    // The same share of the picture.
    #expect(abs(new.image.width * width - old.image.width * record.width) <= width)
    for (headroom, least) in [(Headroom.sdr, 50.0), (Headroom(stops: 16), 50)] {
      let want = try Self.light(source, headroom, steps), got = try Self.light(after, headroom, [])
      let quality = AdaptiveBatchTests.psnr(want, got)
      print("\(path) to \(container) edited alike, headroom \(headroom.factor): \(quality) dB")
      #expect(quality > least)
    }
  }

  /// Compares the result with the file rendered and then resized, at every headroom: light, not codes.
  @Test("resizing keeps light, gains and metadata", arguments: ["resize", "thumbnail"])
  func resized(filter: String) throws {
    let steps = [FilterStep(filter, ["size": .number(160)])]
    let (record, source, result) = try Self.edited(Self.path, .jpeg, steps, quality: 98, chroma: .s444) {
      $0.mapQuality = 98
    }
    #expect(record.report?.operatorReason == "base and map edited alike (sdr+gain), metadata kept")
    let after = try #require(result)
    let old = try #require(source.gainMap), new = try #require(after.gainMap)
    #expect(abs(new.image.width * source.geometry.outputWidth - old.image.width * 160) <= source.geometry.outputWidth)
    for headroom in [Headroom.sdr, Headroom(stops: 16)] {
      let want = try Self.light(source, headroom, steps), got = try Self.light(after, headroom, [])
      let quality = AdaptiveBatchTests.psnr(want, got)
      print("\(filter), headroom \(headroom.factor): \(quality) dB")
      // Means of logarithms of gains are not those of light: at edges of highlights HDR light is lower, most by Lanczos.
      #expect(quality > (headroom == .sdr ? 50 : 30))
    }
  }

  @Test("what a filter leaves transparent is black where a file has no alpha", arguments: [false, true])
  func corners(isAdaptive: Bool) throws {
    let output = try AdaptiveBatchTests.make(
      Self.path, product: isAdaptive ? AdaptiveBatchTests.adaptive(.jpeg) : .rendition
    ) {
      $0.rendition.recipe.edits = [FilterStep("rotate", ["angle": .number(20)])]
      $0.rendition.coding.quality = 98
    }
    let picture = try decodeImage(output.bytes)
    let luma = picture.image.channels[0]
    let last = luma.height - 1
    for (x, y) in [(0, 0), (luma.width - 1, 0), (0, last), (luma.width - 1, last)] {
      let code = (luma.buffer.base + luma.offset + y * luma.rowBytes + x * luma.stepBytes).load(as: UInt8.self)
      #expect(code < 4, "\(x) \(y)")
    }
    #expect((picture.gainMap != nil) == isAdaptive)
  }

  @Test("a filter that changes colour is refused with sdr+gain") func refused() throws {
    let (record, _, result) = try Self.edited(
      Self.path, .jpeg, [FilterStep("exposure", ["ev": .number(1)])], .sdrAndGain)
    #expect((record.status, record.code) == (.failed, "plan.parameter"))
    #expect(record.message?.contains("exposure changes colour") == true)
    #expect(result == nil)
    let moved = try Self.edited(Self.path, .jpeg, [FilterStep("droste")], .sdrAndGain).record
    #expect(moved.message?.contains("droste mixes pixels of places far apart") == true)
    let anew = try Self.edited(Self.path, .jpeg, [FilterStep("crop")], .sdrAndGain) { $0.recomputes = true }
    #expect(anew.record.code == "adaptive.strategy")
    let mapless = try Self.edited("heic_hdr/made_pq_bt2020_10bit_420.heic", .jpeg, [FilterStep("crop")], .sdrAndGain)
    #expect(mapless.record.status == .failed)
  }

  @Test("sdr+hdr edits both renditions and makes their map") func both() throws {
    let steps = [FilterStep("exposure", ["ev": .number(-1)])]
    for strategy in [EditStrategy.automatic, .sdrAndHDR] {
      let (record, source, result) = try Self.edited(Self.path, .jpeg, steps, strategy, quality: 98) {
        $0.mapQuality = 98
        $0.map.range = .full
        $0.map.headroom = .maximum
      }
      #expect(record.report?.operatorName == "gain-map", "\(record.message ?? "")")
      #expect(record.report?.edits.map(\.name) == ["exposure"])
      let after = try #require(result)
      // Base and alternate are half as bright as they were.
      for headroom in [Headroom.sdr, Headroom(stops: 16)] {
        let want = try Self.light(source, headroom, steps), got = try Self.light(after, headroom, [])
        let quality = AdaptiveBatchTests.psnr(want, got)
        print("sdr+hdr, headroom \(headroom.factor): \(quality) dB")
        #expect(quality > 40)
      }
    }
  }

  @Test("hdr makes the base of the edited HDR rendition") func hdr() throws {
    let steps = [FilterStep("exposure", ["ev": .number(-1)])]
    let (record, source, result) = try Self.edited(Self.path, .jpeg, steps, .hdr, quality: 98) { $0.mapQuality = 98 }
    #expect(record.report?.operatorName == "gain-map+reference-white", "\(record.message ?? "")")
    let after = try #require(result)
    let want = try Self.light(source, Headroom(stops: 16), steps)
    let got = try Self.light(after, Headroom(stops: 16), [])
    let quality = AdaptiveBatchTests.psnr(want, got)
    print("hdr: \(quality) dB")
    #expect(quality > 40)
  }
}
