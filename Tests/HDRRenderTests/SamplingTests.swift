import CPURender
import Foundation
import GPURender
import HDRCore
import HDRPlan
import HDRRender
import Kernels
import Testing

/// Tests the strips that `--sample` takes, and their cost.
@Suite struct SamplingTests {
  static func plan(_ width: Int, _ height: Int, _ steps: [FilterStep] = [], sink: SinkKind = .rgba16) throws -> Plan {
    let source = SourceImage(
      format: .memory, image: .p010(width: width, height: height).randomized(3),
      color: SourceColor(
        matrix: 9, fullRange: false, encoding: .cicp(primaries: 9, transfer: 16), cicp: CICP(9, 16, 9, full: false)),
      geometry: Geometry(width: width, height: height))
    var recipe = RenderRecipe(target: OutputSignal(encoding: .pq, sink: sink))
    recipe.edits = steps
    return try Planner.plan(source, recipe)
  }

  @Test func everyKthStripOfTheRunIsTaken() throws {
    let small = try Self.plan(64, 200), large = try Self.plan(64, 640)
    let sampling = Sampling(.every(4))
    // Strips 0, 1, 2, 3: the first. Then 4 to 13: 4, 8 and 12, which are its own 0, 4 and 8. Then 14 to 17: 16.
    #expect(sampling.rows(of: small) == [0..<64])
    #expect(sampling.rows(of: large) == [0..<64, 256..<320, 512..<576])
    #expect(sampling.rows(of: small) == [128..<192])
    #expect(Sampling(.every(1)).rows(of: small) == [0..<64, 64..<128, 128..<192, 192..<200])
    let rare = Sampling(.every(1000))
    #expect(rare.rows(of: small) == [0..<64] && (0..<200).allSatisfy { _ in rare.rows(of: small).isEmpty } == true)
  }

  @Test("without a choice, the first picture of each kernel on each device has one strip")
  func newKernelsAreLookedAtOnce() throws {
    let plan = try Self.plan(64, 640), planes = try Self.plan(64, 640, sink: .planarYCC)
    let sampling = Sampling(.newKernels)
    #expect(sampling.rows(of: plan) == [320..<384])
    let other = try Self.plan(32, 99)
    #expect(sampling.rows(of: plan).isEmpty && sampling.rows(of: other).isEmpty)
    #expect(sampling.rows(of: planes) == [320..<384] && sampling.rows(of: planes).isEmpty)
    #expect(sampling.rows(of: plan, on: 1) == [320..<384] && sampling.rows(of: plan, on: 1).isEmpty)
    // Several passes, of which some are known.
    let blurred = try Self.plan(64, 640, [FilterStep("gaussian-blur", ["radius": .number(3)])])
    #expect(sampling.rows(of: blurred).count == 1 && sampling.rows(of: blurred).isEmpty)
    #expect(Sampling(.none).rows(of: plan).isEmpty)
  }

  @Test("scans of strips are compared once on each device, and with --sample always")
  func scansAreComparedOnce() {
    let coding = DeviceCoding.jpeg(
      JPEGCoding(JPEGLayout(width: 8, height: 8, chroma: .s420), JPEGTables(quality: 90)))
    let first = Sampling(.newKernels), all = Sampling(.every(9))
    #expect([0, 0, 1, 1].map { first.comparesCodes(of: coding, on: $0) } == [true, false, true, false])
    #expect([0, 0].map { all.comparesCodes(of: coding, on: $0) } == [true, true])
  }

  @Test("a picture of which nothing could be compared leaves its kernels to the next one")
  func uncomparedKernelsAreLookedAtAgain() throws {
    let plan = try Self.plan(64, 640), sampling = Sampling(.newKernels)
    let coding = DeviceCoding.jpeg(
      JPEGCoding(JPEGLayout(width: 8, height: 8, chroma: .s420), JPEGTables(quality: 90)))
    for device in 0...1 {
      #expect(sampling.rows(of: plan, on: device).count == 1 && sampling.comparesCodes(of: coding, on: device))
    }
    sampling.forget(plan, coding, on: 1)
    #expect(sampling.rows(of: plan, on: 0).isEmpty && !sampling.comparesCodes(of: coding, on: 0))
    #expect(sampling.rows(of: plan, on: 1).count == 1 && sampling.comparesCodes(of: coding, on: 1))
  }

  /// Strips grow where they need rows of the passes before, up to the whole picture.
  @Test func stripsAreAsLargeAsTheirPlansAsk() throws {
    #expect(Sampling.stripRows(try Self.plan(64, 40)) == 40)
    #expect(Sampling.stripRows(try Self.plan(64, 4000)) == 64)
    let blurred = try Self.plan(64, 4000, [FilterStep("gaussian-blur", ["radius": .number(40)])])
    let rows = Sampling.stripRows(blurred)
    #expect(rows > 64 && rows <= 512, "\(rows)")
    // Half a turn by a third of a right angle: most rows need most rows.
    let turned = try Self.plan(3000, 400, [FilterStep("rotate", ["angle": .number(70)])])
    #expect(Sampling.stripRows(turned) > 64)
    // What is taken is what is needed: its share at most twice over.
    for plan in [blurred, turned] {
      func pixels(_ rows: Range<Int>) -> Int {
        zip(plan.passes, plan.neededRows(rows)).reduce(0) { $0 + $1.0.width * ($1.1?.count ?? 0) }
      }
      let height = plan.passes[plan.passes.count - 1].height, step = Sampling.stripRows(plan)
      let strips = stride(from: 0, to: height, by: step).map { $0..<min($0 + step, height) }
      let all = strips.map(pixels).reduce(0, +)
      #expect(Double(all) <= 2.5 * Double(pixels(0..<height)), "\(all) of \(pixels(0..<height))")
    }
  }

  /// CPU time of every 16th strip against the whole picture's, 12 megapixels, one thread: the figures of
  /// docs/performance.md.
  @Test func samplesCostTheirShare() throws {
    for (name, plan) in [
      ("PQ to PQ", try Self.plan(4096, 3072)), ("to planes", try Self.plan(4096, 3072, sink: .planarYCC)),
      ("blurred", try Self.plan(4096, 3072, [FilterStep("gaussian-blur", ["radius": .number(20)])])),
    ] {
      let rows = Sampling(.every(16)).rows(of: plan)
      func milliseconds(_ rows: [Range<Int>]?) -> Double {
        var best = Double.infinity
        for _ in 0..<3 {
          var begin = timespec(), end = timespec()
          clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin)
          _ = CPUBackend.best.render(plan, rows: rows, threads: 1)
          clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end)
          best = min(best, Double(end.tv_sec - begin.tv_sec) * 1e3 + Double(end.tv_nsec - begin.tv_nsec) * 1e-6)
        }
        return best
      }
      let whole = milliseconds(nil), part = milliseconds(rows)
      print("sampling \(name): \(rows.count) strips of \(Sampling.stripRows(plan)) rows, \(part) ms of \(whole) ms")
      #expect(part < whole / 3, "\(name): \(part) ms of \(whole) ms")
    }
  }
}
