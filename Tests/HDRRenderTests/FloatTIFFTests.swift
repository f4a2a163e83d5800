import CPURender
import HDRCore
import HDRPlan
import HDRRender
import ImageFiles
import Kernels
import Testing

/// `linear-tiff` of 32 bits: the light that the last pass computes, word by word.
@Suite(.enabled(if: codecLibraries().contains { $0.name == "libtiff" && $0.version != nil }, "skipped: no libtiff"))
struct FloatTIFFTests {
  static let source = OutputLightTests.source

  static func words(_ image: SampleImage) -> [[UInt32]] {
    image.channels.map { plane in
      (0..<image.height).flatMap { y in
        (0..<image.width).map { x in
          let at = plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes
          return image.format == .float32 ? at.load(as: UInt32.self) : UInt32(at.load(as: UInt16.self))
        }
      }
    }
  }

  static func written(
    bits: Int?, _ change: (inout RenditionOptions) -> Void = { _ in }
  ) throws -> (file: SourceImage, light: RenderedLight) {
    var options = RenditionOptions(kind: .linearTIFF)
    options.bitDepth = bits
    change(&options)
    let plan = try Planner.plan(source, options.recipe), pool = BandPool(threads: 2)
    let image = CPUBackend.best.render(plan, threads: 2)
    let request = EncodeRequest(image, plan.report, options, of: source, pool, threads: 2)
    let files = try encodeImage(request)
    try verifyEncoded(files, request)
    return (try decodeImage(files.main), try #require(RenderedLight(image, plan.report, pool)))
  }

  @Test func filesHoldTheWordsOfTheLight() throws {
    let edits = [FilterStep("exposure", ["ev": .number(0.3)])]
    var recipe = RenderRecipe(target: OutputSignal(encoding: .linear, sink: .floatPlanes))
    recipe.edits = edits
    let light = CPUBackend.best.render(try Planner.plan(Self.source, recipe), threads: 2)
    let (wide, measured) = try Self.written(bits: 32) { $0.recipe.edits = edits }
    #expect(wide.image.format == .float32 && Self.words(wide.image) == Self.words(light))
    // None of them is a half, and halves are what they are rounded to.
    let halves = try Self.written(bits: nil) { $0.recipe.edits = edits }.file.image
    #expect(halves.format == .float16)
    #expect(Self.words(halves) == Self.words(light).map { $0.map { E32.half(Float(bitPattern: $0)) } })
    #expect(Self.words(light)[0].count { $0 & 0x1FFF != 0 } > 400)
    let peak = Self.words(light).joined().map { Float(bitPattern: $0) }.max()
    #expect(measured.peak == peak.map(Double.init) && measured.clippedShare == 0)
  }

  @Test func whatIsCutIsCounted() throws {
    let (file, light) = try Self.written(bits: 32) {
      ($0.recipe.display, $0.recipe.tone, $0.recipe.beyond) = (.headroom(Headroom(factor: 2)), .none, .clip)
    }
    let words = Self.words(file.image), two = Float(2).bitPattern
    let cut = words[0].indices.count { pixel in words.contains { $0[pixel] == two } }
    #expect(cut > 100 && light.peak == 2 && light.clippedShare == Double(cut) / Double(words[0].count))
    let half = try Self.written(bits: 16) {
      ($0.recipe.display, $0.recipe.tone, $0.recipe.beyond) = (.headroom(Headroom(factor: 2)), .none, .clip)
    }
    #expect(abs(half.light.clippedShare - light.clippedShare) < 0.01)
  }
}
