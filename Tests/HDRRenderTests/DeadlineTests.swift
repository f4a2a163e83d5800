import Foundation
import GPURender
import HDRCore
import HDRPlan
import HDRRender
import Synchronization
import TestSupport
import Testing

/// `--max-seconds` for planning and rendering: who asks, when, and what becomes of an item that takes too long.
@Suite struct DeadlineTests {
  /// Passes when it has been asked so many times.
  final class Patience: Sendable {
    private let looks: Atomic<Int>
    init(_ looks: Int) { self.looks = Atomic(looks) }
    var deadline: Deadline { Deadline { [self] in looks.wrappingSubtract(1, ordering: .relaxed).newValue < 0 } }
    var left: Int { looks.load(ordering: .relaxed) }
  }

  @Test("rendering ends between bands of rows when its time is over, and no device is given up")
  func bandsAsk() throws {
    let backends = try RenderBackends(.cpu, device: nil, threads: 2)
    defer { backends.close() }
    // Some bands of 131 072 pixels each.
    let plan = try SamplingTests.plan(512, 2048)
    let patience = Patience(1000)
    _ = try backends.render(plan, deadline: patience.deadline) { _ in }
    #expect(1000 - patience.left >= 8)
    #expect(throws: GPUError.late) { try backends.render(plan, deadline: Patience(3).deadline) { _ in } }
    _ = try backends.render(plan) { _ in Issue.record("a device was given up") }
  }

  static let hasLlvmpipe = GPUDevice.available().contains { $0.name.contains("llvmpipe") }

  @Test("on a GPU too", .enabled(if: hasLlvmpipe, "skipped: no llvmpipe"))
  func bandsAskOnGPU() throws {
    let backends = try RenderBackends(.gpu, device: "llvmpipe", threads: 1)
    defer { backends.close() }
    let plan = try SamplingTests.plan(512, 512)
    #expect(throws: GPUError.late) { try backends.render(plan, deadline: Patience(0).deadline) { _ in } }
    let rendered = try backends.render(plan) { _ in Issue.record("the device was given up") }
    #expect(rendered.executor.backend == "gpu")
  }

  @Test("planning ends between filters when its time is over")
  func filtersAsk() throws {
    let steps = (0..<20).map { FilterStep("exposure", ["ev": .number(Double($0) / 100)]) }
    var recipe = RenderRecipe(target: OutputTarget(encoding: .pq, sink: .rgba16))
    recipe.edits = steps
    let source = SourceImage(
      format: .memory, image: .planar(width: 8, height: 8, model: .rgb, format: .uint8, bitDepth: 8),
      color: SourceColor(matrix: 0, fullRange: true, encoding: .cicp(primaries: 1, transfer: 13)),
      geometry: Geometry(width: 8, height: 8))
    let patience = Patience(1000)
    _ = try Planner.plan(source, recipe, deadline: patience.deadline)
    #expect(1000 - patience.left >= 20)
    #expect(throws: PlanError.late) { try Planner.plan(source, recipe, deadline: Patience(10).deadline) }
  }

  /// Thousands of operations for each pixel: forty of these are minutes for a picture.
  static let slow = """
    //! name slow
    //! hdr safe
    vec4 kernel(vec4 p, Parameters q) {
      float sum = 0.0;
      for (int i = 0; i < 400; i++) sum = sum * 0.5 + p.r;
      return vec4(p.rgb + sum * 0.0, p.a);
    }
    """

  @Test(
    "an item that takes more than --max-seconds is given up, and its row names the phase",
    .enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
  func promise07_itemsHaveATime() throws {
    let folder = try TemporaryFolder()
    let kernel = try folder.file("slow.glsl", Self.slow), record = folder.path("r.jsonl")
    let steps = (0..<40).flatMap { _ in ["--kernel", kernel] }
    let made = try Program.run(
      [
        "render", SharedData.examples + "/lamps.jpg", "--out", folder.path("out"), "--to", "sdr-jpeg",
        "--backend",
        "cpu", "--max-seconds", "1", "--record", record,
      ] + steps)
    #expect(made.status == 65, "\(made.errors)")
    let row = try #require(recordLines(record).first { $0["type"] as? String == "item" }, "\(made.errors)")
    #expect(row["code"] as? String == "render.timeout")
    let message = try #require(row["message"] as? String)
    #expect(message.contains("in its phase render") && message.contains("--max-seconds"), "\(message)")
    #expect(folder.files("out").isEmpty)
  }
}
