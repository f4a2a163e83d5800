import CPURender
import HDRCore
import HDRPlan
import TestPlans
import Testing

/// The parts in which the CPU renders pictures whose passes hand on more than is held whole.
@Suite struct PlanPartTests {
  private static let picture = FilterPicture.noise(width: 40, height: 640)

  private static func plan(_ steps: [FilterStep]) throws -> Plan {
    var recipe = RenderRecipe(
      target: OutputSignal(primaries: 9, encoding: .linear, sink: .floatPlanes), tone: .none, gamut: .none)
    recipe.edits = steps
    return try Planner.plan(picture.source, recipe)
  }

  private static let chains: [[FilterStep]] = [
    [FilterStep("gaussian-blur", ["radius": .number(5)]), FilterStep("twirl-distortion", ["radius": .number(50)])],
    [FilterStep("canny-edge-detector")],
    [FilterStep("flip", ["direction": .word("vertical")]), FilterStep("median")],
    [FilterStep("rotate", ["angle": .number(30)]), FilterStep("motion-blur", ["radius": .number(9)])],
    [FilterStep("crop", ["rect": .numbers([3, 100, 30, 400])]), FilterStep("bloom")],
    [FilterStep("area-average"), FilterStep("exposure", ["ev": .number(1)])],
  ]

  private static let results = stride(from: 0, to: 640, by: 64).map { [$0..<$0 + 64] }

  @Test(arguments: chains.indices) func wordsArePartsOfTheWhole(index: Int) throws {
    let plan = try Self.plan(Self.chains[index])
    var backend = CPUBackend.best
    (backend.wholeBytes, backend.partPixels) = (0, 1)
    let whole = CPUBackend.best.render(plan, threads: 1)
    #expect(backend.render(plan, threads: 2).storedBytes == whole.storedBytes)
  }

  @Test func partsHaveEachNeededRowOnceAndKeepWhatIsNeededLater() throws {
    let plan = try Self.plan(Self.chains[0]), parts = plan.parts(Self.results)
    #expect(parts.count == 10)
    for pass in plan.passes.indices {
      let height = plan.passes[pass].height
      var count = [Int](repeating: 0, count: height)
      for (index, part) in parts.enumerated() {
        for row in part.rows[pass].joined() { count[row] += 1 }
        for later in Self.results[(index + 1)...].flatMap({ $0 }) {
          if let needed = plan.neededRows(later)[pass] { #expect(part.kept[pass] <= needed.lowerBound) }
        }
      }
      #expect(count.allSatisfy { $0 == 1 }, "pass \(pass)")
      // The blur and a disc of 100 rows: half of the picture is held at most.
      var next = 0
      for part in parts {
        next = max(next, part.rows[pass].last?.upperBound ?? 0)
        let held = next - min(next, part.kept[pass])
        #expect(held < height / 2, "pass \(pass) holds \(held) rows")
      }
    }
  }

  @Test("a picture that is turned upside down is held whole, and no row is rendered twice")
  func reversedOrderHoldsAll() throws {
    let plan = try Self.plan([FilterStep("median"), FilterStep("flip", ["direction": .word("vertical")])])
    let parts = plan.parts(Self.results)
    #expect(parts[0].kept[0] == 0 && parts[0].rows[0].joined().count >= 64)
    #expect(parts.reduce(0) { $0 + $1.rows[0].joined().count } == 640)
  }
}
