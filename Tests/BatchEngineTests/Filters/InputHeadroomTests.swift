import CPURender
import HDRCore
import HDRPlan
import TestPlans
import Testing

/// Second pictures come at the headroom of the picture that is edited, each by its own map or the operator.
@Suite struct InputHeadroomTests {
  /// Returns the light of `source` after `steps`, opaque halves, row by row R, G, B.
  static func light(
    _ source: SourceImage, _ steps: [FilterStep] = [], second: SourceImage? = nil, display: DisplayChoice = .high,
    _ change: (inout RenderRecipe) -> Void = { _ in }
  ) throws -> (light: [Double], report: PlanReport) {
    var recipe = RenderRecipe(
      target: OutputSignal(primaries: 9, encoding: .linear, sink: .rgba16f, isOpaque: true), display: display,
      tone: .none, gamut: .none)
    recipe.edits = steps
    recipe.inputs = second.map { ["second": FilterInput(.picture($0))] } ?? [:]
    change(&recipe)
    let plan = try Planner.plan(source, recipe)
    return (CPUBackend.best.render(plan, threads: 2).colorLight, plan.report)
  }

  /// A dissolve that shows the second picture alone.
  static let steps = [FilterStep("dissolve", ["input": .word("second"), "time": .number(1)])]

  /// A grey PQ picture of this MaxCLL.
  static func pq(_ nits: Double, like other: SourceImage) -> SourceImage {
    let (width, height) = (other.geometry.outputWidth, other.geometry.outputHeight)
    let image = SampleImage.interleaved(
      width: width, height: height, channelCount: 3, format: .uint16, bitDepth: 16)
    if let plane = image.channels.first {
      plane.buffer.base.initializeMemory(as: UInt8.self, repeating: 0x80, count: height * plane.rowBytes)
    }
    var source = SourceImage(
      format: .png, image: image,
      color: SourceColor(matrix: 0, fullRange: true, encoding: .cicp(primaries: 9, transfer: 16)),
      geometry: Geometry(width: width, height: height))
    source.light.clli = ContentLightLevel(maxCLL: nits, maxFALL: 100)
    return source
  }

  static func expectSame(_ got: [Double], _ want: [Double], _ what: String) {
    #expect(got.count == want.count)
    let errors = LightErrors(got, want)
    #expect(errors.median <= 0.001 && errors.p95 <= 0.002, "\(what): \(errors)")
  }

  @Test("a gain map is followed to the headroom of the first picture", arguments: [1.0, 2, 4.5, 50])
  func aMapIsFollowed(headroom: Double) throws {
    let photo = try EditedLightTests.bright.get().source
    let first = Self.pq(headroom * ReferenceWhite.nits, like: photo)
    let (got, report) = try Self.light(first, Self.steps, second: photo)
    let (want, _) = try Self.light(photo, display: .headroom(Headroom(factor: headroom)))
    Self.expectSame(got, want, "headroom \(headroom)")
    let most = try #require(photo.gainMap?.metadata).maxHeadroom.factor
    #expect(report.warnings.map(\.code).contains("input.headroom") == (most > headroom))
    #expect(abs((report.edits.first?.headroom ?? 0) - headroom) < 1e-6, "the larger of both")
  }

  @Test func aPictureWithoutAMapGoesThroughTheOperator() throws {
    let photo = try EditedLightTests.bright.get().source
    var sdr = photo
    sdr.gainMap = nil
    let bright = Self.pq(1015, like: photo)
    let (got, _) = try Self.light(sdr, Self.steps, second: bright)
    let (want, report) = try Self.light(bright, display: .standard) { $0.tone = .auto }
    #expect(report.operatorName == "reference-white")
    Self.expectSame(got, want, "PQ beside SDR")
    // It is no brighter than the first: as it is.
    let (same, plain) = try Self.light(photo, Self.steps, second: Self.pq(400, like: photo))
    Self.expectSame(same, try Self.light(Self.pq(400, like: photo)).light, "PQ beside a brighter photo")
    #expect(!plain.warnings.map(\.code).contains("input.headroom"))
  }

  /// Light is not lost where the first picture's brightness is unknown, or stated as high.
  @Test func aStatedHeadroomIsTheBound() throws {
    let photo = try EditedLightTests.bright.get().source
    let full = try Self.light(photo).light
    var sdr = photo
    sdr.gainMap = nil
    let (stated, _) = try Self.light(sdr, Self.steps, second: photo) { $0.contentHeadroom = Headroom(factor: 16) }
    Self.expectSame(stated, full, "content headroom 16")
    let canvas = FilterPicture(width: photo.geometry.outputWidth, height: photo.geometry.outputHeight) { _, _ in
      SIMD4(0, 0, 0, 1)
    }
    Self.expectSame(try Self.light(canvas.source, Self.steps, second: photo).light, full, "linear light")
  }
}
