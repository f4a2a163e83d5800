import BatchEngine
import CPURender
import Foundation
import HDRCore
import HDRPlan
import HDRRender
import ImageFiles
import TestEngine
import TestSupport
import Testing

/// Adaptive HDR files through the batch: which way each source goes, and that light comes back.
@Suite(.enabled(if: SharedData.hasImages, "skipped: no data"))
struct AdaptiveBatchTests {
  struct Output {
    var record: ItemRecord
    var bytes: [UInt8]
  }

  /// Runs one item; the output's bytes are empty when it failed.
  static func make(
    _ path: String, partner: String? = nil, product: ItemProduct, change: (inout BatchOptions) -> Void = { _ in }
  ) throws -> Output {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("adaptive-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func input(_ path: String) throws -> InputReference {
      let url = path.hasPrefix("/") ? URL(fileURLWithPath: path) : try #require(SharedData.url("data/images/" + path))
      return InputReference(path: FilePath(url.path), relative: FilePath(url.lastPathComponent))
    }
    var options = BatchOptions(rendition: RenditionOptions(kind: .sdrJPEG))
    options.product = product
    options.backend = .cpu
    options.jobs = 1
    change(&options)
    let log = EventLog()
    let items = try OutputNaming.make(
      [try input(path)], partners: try partner.map { [try input($0)] } ?? [], out: FilePath(folder.path),
      traits: NameTraits(fileExtension: "out", target: "test"), template: try NameTemplate("{stem}.{ext}"),
      onExisting: .fail)
    _ = try BatchRunner(items, options) { log.add($0) }.run()
    let record = try #require(log.records.first)
    let written = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(written.allSatisfy { $0.hasSuffix(".out") }, "\(written)")
    let bytes = try written.first.map { [UInt8](try Data(contentsOf: folder.appendingPathComponent($0))) }
    return Output(record: record, bytes: bytes ?? [])
  }

  static func adaptive(_ container: AdaptiveContainer, _ change: (inout AdaptiveOptions) -> Void = { _ in })
    -> ItemProduct
  {
    var options = AdaptiveOptions(container: container)
    change(&options)
    return .adaptive(options)
  }

  /// Halves of a picture at a headroom.
  static func light(_ source: SourceImage, _ headroom: Headroom) throws -> SampleImage {
    CPUBackend.best.render(
      try Planner.plan(
        source,
        RenderRecipe(
          target: OutputSignal(primaries: 9, encoding: .linear, sink: .rgba16f), display: .headroom(headroom),
          tone: .none, gamut: .none, applePartialHeadroom: .geometric)),
      threads: 2)
  }

  /// PSNR in dB of PQ codes.
  static func psnr(_ a: SampleImage, _ b: SampleImage) -> Double {
    guard a.width == b.width, a.height == b.height else { return 0 }
    let x = a.channels[0].buffer.base.assumingMemoryBound(to: Float16.self)
    let y = b.channels[0].buffer.base.assumingMemoryBound(to: Float16.self)
    var sum = 0.0
    for i in 0..<(a.width * a.height) {
      for channel in 0..<3 {
        let e =
          TransferCurve.pq.encode(max(0, Double(x[4 * i + channel])))
          - TransferCurve.pq.encode(max(0, Double(y[4 * i + channel])))
        sum += e * e
      }
    }
    return sum == 0 ? .infinity : 10 * log10(Double(3 * a.width * a.height) / sum)
  }

  @Test(
    "payloads of the same container are kept: the light is the same bit for bit",
    arguments: [
      ("gainmap_jpeg/small_uhdr.jpg", AdaptiveContainer.jpeg), ("gainmap_jpeg/made_iso_only_a.jpg", .jpeg),
      ("heic_gainmap/made_tmap_sdrbase_rgbmap.heic", .heic), ("avif_gainmap/seine_sdr_gainmap_srgb.avif", .avif),
    ])
  func kept(path: String, container: AdaptiveContainer) throws {
    let output = try Self.make(path, product: Self.adaptive(container))
    #expect(output.record.status != .failed, "\(output.record.message ?? "")")
    #expect(output.record.report?.operatorReason == "base and map payloads kept bit for bit")
    let before = try decodeImage(try #require(SharedData.bytes("data/images/" + path)))
    let after = try decodeImage(output.bytes)
    #expect(after.gainMap?.metadata.kind == .iso)
    for headroom in [Headroom.sdr, Headroom(factor: 2), Headroom(stops: 16)] {
      #expect(Self.psnr(try Self.light(before, headroom), try Self.light(after, headroom)) == .infinity)
    }
  }

  @Test("an option that says how to code a picture is obeyed where the other one is kept")
  func codingOptions() throws {
    let path = "gainmap_jpeg/seine_sdr_gainmap_srgb.jpg"
    func reason(quality: Int = 90, _ change: (inout AdaptiveOptions) -> Void) throws -> (reason: String, size: Int) {
      let output = try Self.make(path, product: Self.adaptive(.jpeg, change)) { $0.rendition.coding.quality = quality }
      return (try #require(output.record.report?.operatorReason), output.bytes.count)
    }
    let kept = try reason { _ in }
    let map = try reason {
      $0.keepsMap = false
      $0.mapQuality = 20
    }
    let base = try reason(quality: 20) { $0.keepsBase = false }
    #expect(kept.reason == "base and map payloads kept bit for bit")
    #expect(map.reason == "base payload kept bit for bit, map coded anew" && map.size < kept.size)
    #expect(base.reason == "base and map coded anew, metadata kept" && base.size < kept.size)

    // The map of this file has matrix 6 in a stream of its own; coded with 10 bits it gives the same light.
    let heic = "heic_gainmap/made_tmap_sdrbase_rgbmap.heic"
    let before = try decodeImage(try #require(SharedData.bytes("data/images/" + heic)))
    let deep = try Self.make(
      heic,
      product: Self.adaptive(.heic) {
        $0.keepsMap = false
        $0.map.depth = 10
        $0.mapQuality = 98
      })
    let after = try decodeImage(deep.bytes)
    #expect(deep.record.report?.operatorReason == "base payload kept bit for bit, map coded anew")
    #expect(after.gainMap?.image.bitDepth == 10)
    let light = Self.psnr(try Self.light(before, Headroom(stops: 16)), try Self.light(after, Headroom(stops: 16)))
    print("map coded anew in 10 bits: \(light) dB")
    #expect(light > 50)
  }

  @Test("Apple's map becomes an ISO map beside a base that is kept")
  func appleToISO() throws {
    let path = "gainmap_jpeg/apple_gainmap_new.jpg"
    let output = try Self.make(path, product: Self.adaptive(.jpeg))
    #expect(output.record.report?.operatorReason.hasPrefix("base payload kept") == true)
    #expect(abs((output.record.report?.contentHeadroom ?? 0) - 4.532783) < 1e-5)
    #expect(output.record.report?.contentHeadroomSource == "gain map, Apple XMP")
    let before = try decodeImage(try #require(SharedData.bytes("data/images/" + path)))
    let after = try decodeImage(output.bytes)
    #expect(after.gainMap?.metadata.kind == .iso)
    #expect(Self.psnr(try Self.light(before, .sdr), try Self.light(after, .sdr)) == .infinity)
    // The map is coded again, 8 bits at quality 90: 70 dB measured.
    #expect(Self.psnr(try Self.light(before, Headroom(stops: 16)), try Self.light(after, Headroom(stops: 16))) > 65)
    #expect(Self.psnr(try Self.light(before, Headroom(factor: 2)), try Self.light(after, Headroom(factor: 2))) > 70)
  }

  @Test(
    "another container: base and map are coded anew, metadata stays",
    arguments: AdaptiveContainer.allCases.filter { $0 != .avif })
  func recoded(container: AdaptiveContainer) throws {
    let path = "avif_gainmap/seine_sdr_gainmap_srgb.avif"
    let output = try Self.make(path, product: Self.adaptive(container) { $0.mapQuality = 98 }) {
      $0.rendition.coding.quality = 98
    }
    let before = try decodeImage(try #require(SharedData.bytes("data/images/" + path)))
    let after = try decodeImage(output.bytes)
    #expect(after.gainMap?.metadata.min == before.gainMap?.metadata.min)
    #expect(after.gainMap?.metadata.rawPayload == before.gainMap?.metadata.rawPayload)
    for headroom in [Headroom.sdr, Headroom(stops: 0.65), Headroom(stops: 1.3)] {
      #expect(Self.psnr(try Self.light(before, headroom), try Self.light(after, headroom)) > 42)
    }
  }

  @Test("an HDR picture becomes base and map; full headroom gives the HDR back", arguments: AdaptiveContainer.allCases)
  func fromHDR(container: AdaptiveContainer) throws {
    let path = "png/made_pq_bt2020_rgb16_cicp_clli_mdcv.png"
    let output = try Self.make(
      path,
      product: Self.adaptive(container) {
        $0.mapQuality = 98
        $0.space = .wider
      }
    ) { $0.rendition.coding.quality = 98 }
    #expect(output.record.status != .failed, "\(output.record.message ?? "")")
    #expect(output.record.report?.operatorName == "reference-white")
    let before = try decodeImage(try #require(SharedData.bytes("data/images/" + path)))
    let after = try decodeImage(output.bytes)
    let map = try #require(after.gainMap)
    #expect(map.metadata.alternateHeadroom > 0.5 && map.metadata.baseHeadroom == 0)
    let whole = Self.psnr(try Self.light(before, Headroom(stops: 16)), try Self.light(after, Headroom(stops: 16)))
    print("adaptive-\(container.rawValue) of \(path): \(whole) dB at full headroom")
    #expect(whole > 33)
    // In the base's own primaries colours outside them are lost, and the record says so.
    let narrow = try Self.make(path, product: Self.adaptive(container) { $0.space = .base })
    #expect(narrow.record.warnings.contains { $0.code == "adaptive.gamut" })
    #expect(!output.record.warnings.contains { $0.code == "adaptive.gamut" })
  }

  @Test("HEIC with an HDR base: its map leads down to SDR")
  func hdrBase() throws {
    let output = try Self.make(
      "png/made_pq_bt2020_rgb16_cicp_clli_mdcv.png", product: Self.adaptive(.heic) { $0.base = .hdr })
    let after = try decodeImage(output.bytes)
    #expect(after.gainMap?.metadata.baseIsHDR == true)
    #expect(after.color.cicp?.transfer == 16)
    let sdr = try Self.light(after, .sdr)
    var peak = 0.0
    let halves = sdr.channels[0].buffer.base.assumingMemoryBound(to: Float16.self)
    for i in 0..<(sdr.width * sdr.height) { peak = max(peak, Double(halves[4 * i + 1])) }
    #expect(peak > 0.5 && peak < 1.5, "\(peak)")
  }

  @Test("options make the map anew, in another size and number of channels")
  func options() throws {
    let output = try Self.make(
      "gainmap_jpeg/small_uhdr.jpg",
      product: Self.adaptive(.jpeg) {
        $0.map.channels = 1
        $0.map.scale = 4
        $0.recomputes = true
      })
    let after = try decodeImage(output.bytes)
    let map = try #require(after.gainMap)
    #expect(map.image.model == .grey)
    #expect(map.image.width == (after.image.width + 3) / 4)
    #expect(!map.metadata.isMultichannel)
  }

  @Test("a pair: the SDR JPEG's payload is kept, the map leads to the HDR file")
  func pair() throws {
    // Both renditions from one gain-map file, so that the truth is known.
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pair-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let sdr = try Self.make("gainmap_jpeg/seine_sdr_gainmap_srgb.jpg", product: .rendition) {
      $0.rendition.recipe.target.primaries = 1
      $0.rendition.coding.quality = 95
    }
    let hdr = try Self.make("gainmap_jpeg/seine_sdr_gainmap_srgb.jpg", product: .rendition) {
      $0.rendition.kind = .pqPNG
    }
    let sdrPath = folder.appendingPathComponent("a.jpg"), hdrPath = folder.appendingPathComponent("a_hdr.png")
    try Data(sdr.bytes).write(to: sdrPath)
    try Data(hdr.bytes).write(to: hdrPath)
    let joined = try Self.make(
      sdrPath.path, partner: hdrPath.path, product: Self.adaptive(.jpeg) { $0.mapQuality = 95 })
    #expect(joined.record.status != .failed, "\(joined.record.message ?? "")")
    let after = try decodeImage(joined.bytes), base = try decodeImage(sdr.bytes)
    #expect(Self.psnr(try Self.light(base, .sdr), try Self.light(after, .sdr)) == .infinity)
    let truth = try decodeImage(hdr.bytes)
    let whole = Self.psnr(try Self.light(truth, Headroom(stops: 16)), try Self.light(after, Headroom(stops: 16)))
    print("pair: \(whole) dB at full headroom")
    #expect(whole > 45)

    let wrong = try Self.make(hdrPath.path, partner: sdrPath.path, product: Self.adaptive(.jpeg))
    #expect(wrong.record.status == .failed && wrong.record.code == "pair.order")

    // A first picture that has a map of its own is SDR all the same; its map is dropped.
    let remapped = try Self.make(
      "avif_gainmap/seine_sdr_gainmap_srgb.avif", partner: "avif_gainmap/seine_hdr_gainmap_small_srgb.avif",
      product: Self.adaptive(.avif))
    #expect(remapped.record.status == .ok, "\(remapped.record.message ?? "")")
    #expect(try decodeImage(remapped.bytes).gainMap?.metadata.baseIsHDR == false)
  }

  @Test("an edited map is written with the metadata it came with")
  func editedMap() throws {
    let path = "gainmap_jpeg/small_uhdr.jpg"
    let original = try decodeImage(try #require(SharedData.bytes("data/images/" + path)))
    let map = try Self.make(path, product: .extract(.gainmap))
    let edited = FileManager.default.temporaryDirectory.appendingPathComponent("map-\(UUID().uuidString).png")
    try Data(map.bytes).write(to: edited)
    defer { try? FileManager.default.removeItem(at: edited) }
    let output = try Self.make(
      path, partner: edited.path,
      product: Self.adaptive(.jpeg) {
        $0.editedMap = original.gainMap?.metadata
        $0.mapQuality = 100
      })
    let after = try decodeImage(output.bytes)
    #expect(after.gainMap?.metadata.max == original.gainMap?.metadata.max)
    #expect(Self.psnr(try Self.light(original, .sdr), try Self.light(after, .sdr)) == .infinity)
    // The map is coded once more, at quality 100.
    #expect(Self.psnr(try Self.light(original, Headroom(stops: 16)), try Self.light(after, Headroom(stops: 16))) > 60)
  }

  @Test("parts: base and alternate say what they are, the map has its codes")
  func parts() throws {
    let path = "avif_gainmap/seine_sdr_gainmap_srgb.avif"
    let source = try decodeImage(try #require(SharedData.bytes("data/images/" + path)))
    let base = try decodeImage(try Self.make(path, product: .extract(.base)).bytes)
    #expect(base.color.cicp?.transfer == 13)
    let alternate = try decodeImage(try Self.make(path, product: .extract(.alternate)).bytes)
    #expect(alternate.color.cicp?.transfer == 16)
    let map = try decodeImage(try Self.make(path, product: .extract(.gainmap)).bytes)
    #expect(map.image.width == source.gainMap?.image.width && map.image.bitDepth == 8)
    let none = try Self.make("png/hdr_room.png", product: .extract(.base))
    #expect(none.record.status == .failed && none.record.code == "gainmap.none")
  }

  @Test("strict: a broken map fails its item; without it the base is rendered with a warning")
  func strict() throws {
    let path = "avif_gainmap/unsupported_gainmap_version.avif"
    let lax = try Self.make(path, product: .rendition)
    #expect(lax.record.status == .warn && lax.record.warnings.contains { GainMapWarnings.dropsMap($0.code) })
    let strict = try Self.make(path, product: .rendition) { $0.isStrict = true }
    #expect(strict.record.status == .failed && strict.record.code == "gainmap.version")
    #expect(strict.bytes.isEmpty)
  }

  @Test("SDR without a map is refused, with the way out")
  func plainSDR() throws {
    let output = try Self.make("png/pngtest.png", product: Self.adaptive(.jpeg))
    #expect(output.record.code == "adaptive.sdr")
    #expect(output.record.message?.contains("hdrbatch pair") == true)
  }
}
