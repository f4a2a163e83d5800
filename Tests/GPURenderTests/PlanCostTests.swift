import GPURender
import HDRCore
import HDRPlan
import SPIRV
import Shaders
import Testing

/// What a plan says of its cost.
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
