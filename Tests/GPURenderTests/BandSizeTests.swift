import Dispatch
import GPURender
import HDRCore
import HDRPlan
import Synchronization
import TestPlans
import Testing

/// The size of bands: what a card has memory for, where neighbours would do much twice.
@Suite struct BandSizeTests {
  static func limits(_ slotBytes: Int) -> BandLimits {
    var limits = BandPlannerTests.limits(slotBytes)
    limits.storageRange = 1 << 32 - 1
    return limits
  }

  /// A photo of 12.5 megapixels with a gain map, as phones make them, and edits that read neighbours.
  static func editedPhoto(_ steps: [FilterStep]) -> Plan {
    var recipe = RenderRecipe(target: Recipes.target16f)
    recipe.edits = steps
    let image = SampleImage.planar(width: 4080, height: 3072, model: .ycc, format: .uint8, bitDepth: 8, chroma: .s420)
    return Recipes.plan(
      image, transfer: 13, primaries: 12, gainMap: Recipes.gainMap(width: 1020, height: 768, grey: false), recipe)
  }

  static let edits = [
    FilterStep("gaussian-blur", ["radius": .number(12)]), FilterStep("vibrance"), FilterStep("unsharp-mask"),
    FilterStep("scale", ["factor": .number(0.5)]),
  ]

  @Test("an edited photo needs few bands, and uploads hardly more than itself")
  func editedPhotosAreCutLittle() throws {
    let plan = Self.editedPhoto(Self.edits)
    #expect(plan.passes.count > 5)
    let small = BandPlanner(plan: plan, limits: Self.limits(MemoryNeed.band))
    let large = BandPlanner(plan: plan, limits: Self.limits(MemoryNeed.largestBand(ring: 6 << 30)))
    let before = try small.bands(), after = try large.bands(aim: MemoryNeed.band)
    let dispatches = (before.reduce(0) { $0 + $1.dispatches.count }, after.reduce(0) { $0 + $1.dispatches.count })
    print(
      "12.5 megapixels, edited: \(before.count) bands, \(dispatches.0) dispatches, "
        + "\(before.reduce(0) { $0 + $1.uploadBytes }) bytes up; now \(after.count), \(dispatches.1), "
        + "\(after.reduce(0) { $0 + $1.uploadBytes })")
    #expect(small.repetition(of: before) > 1.5)
    #expect(after.count <= 4 && large.repetition(of: after) < 1.1)
    // The picture has 1.5 bytes a pixel, the map 3.
    let picture = 4080 * 3072 * 3 / 2 + 1020 * 768 * 3
    #expect(after.reduce(0) { $0 + $1.uploadBytes } * 10 <= picture * 11 + 10 * 32_768 * dispatches.1)
    // Where memory allows no larger ones, they stay small.
    #expect(try small.bands(aim: MemoryNeed.band).count == before.count)
  }

  @Test("pictures whose bands share nothing keep the size that overlaps well")
  func otherPicturesKeepSmallBands() throws {
    let plan = BandPlannerTests.huge(.up, .rgba16)
    for orientation in [Orientation.up, .right] {
      let plan = BandPlannerTests.huge(orientation, .rgba16)
      let planner = BandPlanner(plan: plan, limits: Self.limits(1 << 30))
      let bands = try planner.bands(aim: MemoryNeed.band)
      #expect(bands.count > 20 && bands.allSatisfy { $0.cost <= MemoryNeed.band }, "\(orientation)")
      #expect(planner.repetition(of: bands) < 1.05, "\(orientation)")
    }
    // A whole picture in one band does nothing twice.
    let planner = BandPlanner(plan: plan, limits: Self.limits(1 << 33))
    #expect(planner.repetition(of: [try #require(try planner.bands().first)]) <= 1)
  }

  @Test("the row counts that a band has are the picture's", arguments: [1 << 15, 1 << 17, 1 << 20])
  func bandsCoverThePicture(aim: Int) throws {
    let planner = BandPlanner(
      plan: BandPlannerTests.huge(.up, .planarYCC), limits: Self.limits(1 << 26))
    let bands = try planner.bands(aim: aim)
    #expect(bands.first?.rows.lowerBound == 0 && bands.last?.rows.upperBound == 12_288)
    #expect(zip(bands, bands.dropFirst()).allSatisfy { $0.rows.upperBound == $1.rows.lowerBound })
  }

  @Test(
    "threads share little memory, and none waits for ever", .enabled(if: Lavapipe.isPresent, "skipped: no llvmpipe"),
    arguments: [(false, 1 << 19), (true, 1 << 19), (true, 1 << 23)])
  func threadsShareLittleMemory(stages: Bool, budget: Int) throws {
    let renderer = try RendererTests.renderer {
      $0.slots = 10
      $0.memoryBudget = budget
      $0.bandBytes = 1 << 17
      $0.alwaysStages = stages
    }
    let cases = Recipes.all(150, 201)
    let expected = cases.map { renderOnCPU($0.plan) }
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for index in thread % 2 == 0 ? Array(cases.indices) : cases.indices.reversed() {
        do {
          let difference = differingSamples(try renderer.render(cases[index].plan), expected[index])
          if difference != 0 { failures.withLock { $0.append("\(cases[index].name): \(difference) samples") } }
        } catch {
          failures.withLock { $0.append("\(cases[index].name): \(error)") }
        }
      }
    }
    #expect(failures.withLock { $0 } == [])
  }
}
