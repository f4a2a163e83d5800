import CPURender
import Foundation
import HDRCore
import HDRPlan
import HDRRender
import ImageFiles
import TestSupport
import Testing

/// Planes of a JPEG that go into the next JPEG as they are.
@Suite struct KeptPlanesTests {
  /// 4:2:0 planes of noise, smooth enough that coding keeps it.
  private func source(
    _ width: Int = 70, _ height: Int = 50, chroma: ChromaSubsampling = .s420, orientation: Orientation = .up,
    _ change: (inout SourceImage) -> Void = { _ in }
  ) -> SourceImage {
    let image = SampleImage.planar(
      width: width, height: height, model: .ycc, format: .uint8, bitDepth: 8, chroma: chroma, siting: .center)
    for (index, plane) in image.channels.enumerated() {
      for y in 0..<plane.height {
        for x in 0..<plane.width {
          let value = 128 + 60 * sin(Double(x * (index + 1)) / 9) * cos(Double(y) / (7 + Double(index)))
          (plane.buffer.base + plane.offset + y * plane.rowBytes + x).storeBytes(of: UInt8(value), as: UInt8.self)
        }
      }
    }
    var source = SourceImage(
      format: .jpeg, image: image,
      color: SourceColor(matrix: 6, fullRange: true, encoding: .cicp(primaries: 1, transfer: 13)),
      geometry: Geometry(width: width, height: height, orientation: orientation))
    change(&source)
    return source
  }

  private func isKept(_ source: SourceImage, _ change: (inout RenditionOptions) -> Void = { _ in }) throws -> Bool {
    var options = RenditionOptions(kind: .sdrJPEG)
    change(&options)
    let plan = try Planner.plan(source, options.recipe)
    #expect(plan.report.stageNames.isEmpty == (plan.kept != nil))
    return plan.kept != nil
  }

  @Test func whatNeedsNoComputingIsKept() throws {
    #expect(try isKept(source()))
    #expect(try isKept(source(chroma: .s444)) { $0.coding.quality = 95 })
    // Said by --explain in both forms.
    let plan = try Planner.plan(source(), RenditionOptions(kind: .sdrJPEG).recipe)
    #expect(plan.explanation.last == "passes    none: planes of ycc uint8 8 bit 4:2:0 are coded as they are")
    #expect(plan.dot.contains("s -> out") && !plan.dot.contains("load_samples"))
  }

  @Test func anythingElseIsRendered() throws {
    #expect(try !isKept(source()) { $0.kind = .sdrPNG })
    // 4:2:0 into 4:4:4 and back: sampling again.
    #expect(try !isKept(source()) { $0.coding.quality = 95 })
    #expect(try !isKept(source(chroma: .s444)))
    #expect(try !isKept(source()) { $0.recipe.dither = 1 })
    #expect(try !isKept(source()) { $0.recipe.target.primaries = 12 })
    #expect(try !isKept(source()) { $0.recipe.edits = [FilterStep("exposure", ["ev": .number(1)])] })
    #expect(try !isKept(source(orientation: .right)))
    #expect(try !isKept(source { $0.image.siting = .left }))
    #expect(try !isKept(source { $0.color.matrix = 1 }))
    #expect(try !isKept(source { $0.color.fullRange = false }))
    #expect(try !isKept(source { $0.color.encoding = .cicp(primaries: 1, transfer: 16) }))
    #expect(try !isKept(source { $0.geometry.crop = PixelRect(x: 2, y: 2, width: 60, height: 40) }))
  }

  /// Coded planes read back: closer to the source's than those that went through R'G'B' of 8 bits.
  @Test(arguments: [(70, 50), (71, 51), (1, 1), (33, 2)])
  func planesComeBack(width: Int, height: Int) throws {
    let source = source(width, height)
    var options = RenditionOptions(kind: .sdrJPEG)
    options.coding.quality = 94
    var plan = try Planner.plan(source, options.recipe)
    func distance(_ image: SampleImage) throws -> Double {
      var request = EncodeRequest(
        kind: .sdrJPEG, image: image, hasAlpha: false, cicp: plan.report.outputCICP, contentHeadroom: 1,
        displayHeadroom: 1)
      request.coding = options.coding
      let files = try encodeImage(request)
      try verifyEncoded(files, request)
      let read = try decodeImage(files.main).image
      #expect((read.width, read.height, read.chroma) == (width, height, .s420))
      var sum = 0.0, count = 0
      for (a, b) in zip(source.image.channels, read.channels) {
        #expect((a.width, a.height) == (b.width, b.height))
        for y in 0..<a.height {
          for x in 0..<a.width {
            let p = (a.buffer.base + a.offset + y * a.rowBytes + x).load(as: UInt8.self)
            let q = (b.buffer.base + b.offset + y * b.rowBytes + x).load(as: UInt8.self)
            sum += pow(Double(p) - Double(q), 2)
            count += 1
          }
        }
      }
      return sum / Double(count)
    }
    let kept = try distance(try #require(plan.kept))
    plan.kept = nil
    let rendered = try distance(CPUBackend.best.render(plan, threads: 1))
    #expect(kept < 1.5)
    #expect(kept <= rendered)
  }
}
