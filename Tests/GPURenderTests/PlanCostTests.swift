import GPURender
import HDRCore
import HDRPlan
import Kernels
import SPIRV
import Shaders
import TestPlans
import Testing

/// Tests the cost that a plan states.
struct PlanCostTests {
  @Test("a stage's weight is not less than what its shader does on its shortest way")
  func weightsCoverShaders() throws {
    let library = try ShaderLibrary.library()
    let load = KernelLibrary.Call(StageKind.constantColor.rawValue, constants: 0)
    func count(_ stages: [KernelLibrary.Call], _ sink: SinkKind = .floatPlanes) throws -> Double {
      try operationsPerPixel(library.kernel(stages: stages, sink: .init(sink.rawValue, constants: 0)))
    }
    let plain = try count([load])
    for kind in StageKind.allCases {
      let own = try count([load, .init(kind.rawValue, constants: 0)]) - plain
      #expect(own <= Double(kind.operations), "\(kind.rawValue): \(own)")
    }
    for kind in SinkKind.allCases { #expect(try count([load], kind) <= Double(Stage.sinkOperations), "\(kind)") }
  }

  static func words(_ pass: Pass) throws -> Int {
    let kernel = try ShaderLibrary.library().kernel(
      stages: pass.stages.map { .init($0.kind.rawValue, constants: UInt32($0.constants)) },
      sink: .init(pass.sink.kind.rawValue, constants: 0))
    return try inlinedWords(kernel)
  }

  static func filters(_ count: Int) -> Plan {
    var recipe = RenderRecipe(target: Recipes.target16f)
    let four = [
      FilterStep("vibrance", ["amount": .number(0.3)]), FilterStep("exposure", ["ev": .number(0.1)]),
      FilterStep("color-posterize"), FilterStep("sepia-tone"),
    ]
    recipe.edits = (0..<count).map { four[$0 % 4] }
    return Recipes.plan(Recipes.p010(64, 32), recipe)
  }

  @Test("ordinary kernels, and eighty filters in one, are within what a driver gets")
  func ordinaryKernelsAreShort() throws {
    for plan in Recipes.all(64, 32).map(\.plan) + [Self.filters(80)] {
      for pass in plan.passes { #expect(try Self.words(pass) < maxInlinedWords, "\(pass.name)") }
    }
  }

  @Test("calls count as often as they are made")
  func wordsAreInlined() throws {
    func words(_ count: Int) throws -> Int { try Self.words(Self.filters(4 * count).passes[0]) }
    let (one, two, ten) = (try words(1), try words(2), try words(10))
    #expect(two > one && ten - two == 8 * (two - one))
  }

  @Test(
    "a kernel that is too long for a driver is refused for its picture alone",
    .enabled(if: Lavapipe.isPresent, "skipped: no llvmpipe"))
  func longKernelsAreRefused() throws {
    let renderer = try #require(Lavapipe.renderer), plan = Self.filters(400)
    let error = #expect(throws: GPUError.self) { try renderer.render(plan) }
    guard case .kernel(_, let reason)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.contains("more than the limit of \(maxInlinedWords)"), "\(reason)")
    // The device goes on.
    _ = try renderer.render(Self.filters(4))
  }

  @Test("the cost counts stages, pixels and samples of every pass, and what was computed for tables")
  func costGrowsWithWork() throws {
    for one in Recipes.all(64, 32) {
      let cost = one.plan.cost
      #expect(cost.stages == one.plan.passes.reduce(0) { $0 + $1.stages.count }, "\(one.name)")
      #expect(cost.kernelStages == one.plan.passes.map(\.stages.count).max(), "\(one.name)")
      #expect(cost.tableEvaluations >= one.plan.tables.count - 3 * one.plan.passes.count * 16, "\(one.name)")
      // Their count is of the shortest way, and of loops once.
      let last = try #require(one.plan.passes.last)
      #expect(cost.operations >= (try operationsPerPixel(one.plan)) * Double(last.width * last.height), "\(one.name)")
    }
    func operations(_ radius: Double, side: Int) -> Double {
      var recipe = RenderRecipe(target: Recipes.target16f)
      recipe.edits = [FilterStep("disc-blur", ["radius": .number(radius)])]
      return Recipes.plan(Recipes.p010(side, side), recipe).cost.operations
    }
    #expect(operations(4, side: 64) > 2 * operations(1, side: 64))
    #expect(operations(2, side: 128) > 3.9 * operations(2, side: 64))
  }
}
