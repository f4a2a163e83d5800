import HDRCore
import HDRPlan
import TestPlans
import Testing

/// Tests the text of `--explain` about a plan.
@Suite struct PlanExplanationTests {
  static func plan(_ steps: [FilterStep]) throws -> Plan {
    let source = FilterPicture.noise(width: 40, height: 30).source
    var recipe = RenderRecipe(
      target: OutputSignal(encoding: .sdr, sink: .rgba8), contentHeadroom: nil)
    recipe.edits = steps
    return try Planner.plan(source, recipe)
  }

  @Test func anExplanationSaysEditsAndPasses() throws {
    let plan = try Self.plan([
      FilterStep("exposure", ["ev": .number(1)]), FilterStep("gaussian-blur", ["radius": .number(2)]),
      FilterStep("crop", ["rect": .numbers([0, 0, 10, 10])]),
    ])
    let lines = plan.explanation
    #expect(lines.contains { $0.hasPrefix("edits     from headroom ") })
    #expect(lines.contains { $0.contains("exposure       headroom recomputed, ") })
    #expect(lines.contains { $0.contains("gaussian-blur  headroom kept, ") })
    #expect(
      lines.contains { $0.hasPrefix("passes    \(plan.passes.count), kernels \(plan.kernelCount); planes between") })
    // Halves of three channels in, halves of four out.
    #expect(lines.contains { $0.contains("reads 6, writes 8 bytes a pixel") })
    #expect(lines.contains { $0.contains("convolve_x > ") })
    #expect(lines.allSatisfy { !$0.contains("\n") })
  }

  @Test("an explanation counts the bytes of every pass once")
  func countsBytes() throws {
    let plan = try Self.plan([FilterStep("gaussian-blur", ["radius": .number(2)])])
    // Load and blur along rows and columns: each reads and writes what it says, and two pictures live at once.
    let picture = 40.0 * 30 * 8
    #expect(plan.passes.count == 3)
    #expect(plan.planeBytes.total == 2 * picture)
    #expect(plan.planeBytes.peak == 2 * picture)
    #expect(plan.bytesRead(by: 0) == 40 * 30 * 6)
    #expect(plan.bytesPerPixel == 6 + 4 * 8 + 4)
    #expect(try Self.plan([]).planeBytes.total == 0)
  }

  @Test("an explanation is a graph of all passes")
  func drawsAGraph() throws {
    let plan = try Self.plan([FilterStep("gaussian-blur")])
    let dot = plan.dot
    #expect(dot.hasPrefix("digraph plan {") && dot.hasSuffix("}\n"))
    for index in plan.passes.indices { #expect(dot.contains("  p\(index) [label=")) }
    #expect(dot.contains("  p0 -> p1 [label="))
    #expect(dot.contains("  p\(plan.passes.count - 1) -> out [label="))
  }
}
