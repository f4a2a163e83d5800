import CPURender
import HDRCore
import HDRPlan
import TestPlans
import Testing

/// The rows and samples that distortions and tiles ask for.
@Suite struct PlaceRowsTests {
  /// Values that move pixels far, first those of formulas whose rows are bounded.
  static let steps: [(isBounded: Bool, step: FilterStep)] =
    [
      FilterStep("bump-distortion", ["radius": .number(90), "scale": .number(1)]),
      FilterStep("bump-distortion", ["radius": .number(90), "scale": .number(-1), "sampling": .word("bicubic")]),
      FilterStep("bump-distortion-linear", ["radius": .number(70), "angle": .number(30)]),
      FilterStep("pinch-distortion", ["radius": .number(60), "scale": .number(2)]),
      FilterStep("twirl-distortion", ["radius": .number(60), "angle": .number(500)]),
      FilterStep("vortex-distortion", ["radius": .number(60)]),
      FilterStep("hole-distortion", ["radius": .number(9)]),
      FilterStep("circle-splash-distortion", ["radius": .number(30)]),
      FilterStep("light-tunnel", ["radius": .number(30), "rotation": .number(50)]),
      FilterStep("torus-lens-distortion", ["radius": .number(70), "width": .number(40)]),
      FilterStep("glass-lozenge", ["radius": .number(30)]),
      FilterStep("glass-distortion", ["texture": .word("other"), "scale": .number(60)]),
      FilterStep("displacement-distortion", ["displacement": .word("other"), "scale": .number(-60)]),
      FilterStep("parallelogram-tile", ["width": .number(30), "acute-angle": .number(40)]),
      FilterStep("fourfold-reflected-tile", ["width": .number(30), "angle": .number(20)]),
      FilterStep("fourfold-translated-tile", ["width": .number(30), "angle": .number(70)]),
      FilterStep("glide-reflected-tile", ["width": .number(30), "angle": .number(10)]),
      FilterStep("fourfold-rotated-tile", ["width": .number(30), "angle": .number(45)]),
      FilterStep("eightfold-reflected-tile", ["width": .number(30), "angle": .number(-20)]),
      FilterStep("triangle-tile", ["width": .number(30), "angle": .number(100)]),
      FilterStep("sixfold-reflected-tile", ["width": .number(30), "angle": .number(5)]),
      FilterStep("twelvefold-reflected-tile", ["width": .number(30), "angle": .number(5)]),
      FilterStep("sixfold-rotated-tile", ["width": .number(30), "angle": .number(5)]),
      FilterStep("triangle-kaleidoscope", ["size": .number(30), "decay": .number(1)]),
      FilterStep("op-tile", ["width": .number(20), "scale": .number(2), "angle": .number(30), "samples": .number(1)]),
    ].map { (true, $0) }
    + [
      FilterStep("circular-wrap", ["radius": .number(10), "samples": .number(1)]),
      FilterStep("droste", ["samples": .number(1)]), FilterStep("kaleidoscope"),
      FilterStep("affine-tile", ["samples": .number(1)]), FilterStep("perspective-tile", ["samples": .number(1)]),
    ].map { (false, $0) }

  @Test func everyDistortionIsTried() {
    let tried = Self.steps.map { $0.step.name }
    for filter in Filters.all where filter.category == .distortion || filter.category == .tile {
      #expect(tried.contains(filter.name), "\(filter.name)")
    }
  }

  @Test("a row shows only rows that it asks for, and bounded formulas ask for few", arguments: 0..<steps.count)
  func rows(index: Int) throws {
    let (isBounded, step) = Self.steps[index], (width, height) = (40, 640)
    let ramp = FilterPicture(width: width, height: height) { _, y in SIMD4(1, Double(y), 1, 1) }
    let other = FilterPicture.noise(width: 23, height: 400)
    var recipe = RenderRecipe(
      target: OutputSignal(primaries: 9, encoding: .linear, sink: .floatPlanes), tone: .none, gamut: .none)
    recipe.edits = [step]
    recipe.inputs = ["other": FilterInput(.picture(other.source))]
    recipe.workingFormat = .rgba32f
    let plan = try Planner.plan(ramp.source, recipe)
    let pass = try #require(plan.passes.first { $0.stages.contains { $0.kind == .warpPlace } })
    guard case .earlier(_, let rows) = pass.sources[0] else { throw PlanError.inconsistent("no source") }
    let result = try ramp.edited(step, inputs: ["other": other])
    #expect(result.height == height && rows.firstRow.count == height)
    var asked = 0
    for y in 0..<height {
      let (first, last) = (Double(rows.firstRow[y]), Double(rows.lastRow[y]))
      asked += Int(last - first) + 1
      for x in 0..<width where result[x, y].w > 0.01 {
        let shown = result[x, y].y
        #expect(shown > first - 0.01 && shown < last + 0.01, "\(x), \(y) shows \(shown), not \(first)...\(last)")
      }
    }
    if isBounded { #expect(asked < height * height / 3, "\(step.name) asks for \(asked) rows") }
    // Ten parts: rows that are held no more are zeros.
    var backend = CPUBackend.best
    (backend.wholeBytes, backend.partPixels) = (0, 1)
    let whole = CPUBackend.best.render(plan, threads: 1)
    #expect(backend.render(plan, threads: 2).storedBytes == whole.storedBytes, "\(step.name) in parts")
  }

  @Test("a sample is moved by the signals of the pixel that holds it", arguments: [1, 2, 4])
  func displacementSamples(count: Int) throws {
    let picture = FilterPicture.noise(width: 19, height: 13)
    let other = FilterPicture.noise(width: 19, height: 13, seed: 5)
    let result = try picture.edited(
      FilterStep(
        "displacement-distortion",
        ["displacement": .word("other"), "scale": .number(3), "samples": .number(Double(count))]),
      inputs: ["other": other])
    func signal(_ light: Double) -> Double { Transfer.sRGBEncode(min(max(light, 0), 1)) - 0.5 }
    result.expect(4e-3) { x, y in
      var sum = SIMD4<Double>.zero
      for j in 0..<count {
        for i in 0..<count {
          let inX = (Double(i) + 0.5) / Double(count) - 0.5, inY = (Double(j) + 0.5) / Double(count) - 0.5
          sum += picture.bilinear(
            Double(x) + inX + 3 * signal(other[x, y].x), Double(y) + inY + 3 * signal(other[x, y].y),
            picture.clampedPremultiplied)
        }
      }
      return (sum / Double(count * count)).unpremultiplied
    }
  }

  @Test("fewer samples than asked for are warned of") func fewerSamples() throws {
    func warnings(_ width: Int, _ samples: Int) throws -> [String] {
      var recipe = RenderRecipe(
        target: OutputSignal(primaries: 9, encoding: .linear, sink: .floatPlanes), tone: .none, gamut: .none)
      recipe.edits = [FilterStep("twirl-distortion", ["samples": .number(Double(samples))])]
      let plan = try Planner.plan(FilterPicture(width: width, height: 1) { _, _ in SIMD4(1, 1, 1, 1) }.source, recipe)
      return plan.report.warnings.filter { $0.code == "filter.samples" }.map { "\($0.message)" }
    }
    #expect(try warnings(16384, 4).isEmpty)
    #expect(try warnings(16385, 4).first?.hasPrefix("twirl-distortion takes 3 instead of 4 samples") == true)
    #expect(try warnings(40000, 3).first?.contains("takes 1 instead of 3") == true)
  }
}
