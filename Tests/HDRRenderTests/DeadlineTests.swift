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

  @Test(
    "rendering on a GPU ends when its time is over, and the device is not given up",
    .enabled(if: hasLlvmpipe, "skipped: no llvmpipe"))
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
    var recipe = RenderRecipe(target: OutputSignal(encoding: .pq, sink: .rgba16))
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
}
