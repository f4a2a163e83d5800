import HDRCore
import HDRPlan
import Kernels

extension VerificationCases {
  /// Makes a small picture with alpha, turned: light from -0.5 to 16, or few values (`TestPictures.ties`).
  static func edited(_ orientation: Orientation = .up, seed: UInt64, hasTies: Bool = false) -> SourceImage {
    source(
      hasTies
        ? TestPictures.ties(width: 97, height: 83, seed: seed)
        : TestPictures.lightHalves(width: 97, height: 83, peak: 16, seed: seed),
      primaries: CICP.Primaries.bt2020, transfer: CICP.Transfer.linear, matrix: CICP.Matrix.identity, full: true,
      orientation: orientation)
  }

  /// The most pixels that drawn values may make of a small picture: software devices render it too.
  static let maxPixels = 1 << 17

  /// Returns a plan of filters on a picture of `edited`; `nil` where the drawn values do not fit it.
  package static func editing(
    _ steps: [FilterStep], seed: UInt64, hasTies: Bool = false, to sink: SinkKind = .rgba16f
  ) -> Plan? {
    var recipe = RenderRecipe(target: OutputSignal(encoding: .linear, sink: sink))
    recipe.edits = steps
    recipe.inputs = RandomRecipes.inputs(seed: seed)
    recipe.contentHeadroom = Headroom(stops: 4)
    recipe.allowsSDRFilters = true
    recipe.workingFormat = WorkingFormat.allCases[Int(seed / 8 % 2)]
    let source = edited(Orientation.allCases[Int(seed % 8)], seed: seed, hasTies: hasTies)
    guard let plan = try? Planner.plan(source, recipe) else { return nil }
    return plan.passes.allSatisfy { $0.width * $0.height <= maxPixels } ? plan : nil
  }

  /// Returns cases of every filter with drawn values to halves, and to binary32, which shows the last bits; there also
  /// with its defaults on ties. Defaults are round numbers, as are the ties' values.
  static func filters() -> [VerificationCase] {
    var cases: [VerificationCase] = []
    for (index, filter) in Filters.all.enumerated() {
      var recipes = RandomRecipes(seed: UInt64(1000 + index)), attempt = UInt64(100 * index)
      func add(_ name: String, hasTies: Bool = false, to sink: SinkKind, _ step: FilterStep) -> Bool {
        attempt += 1
        guard let plan = editing([step], seed: attempt, hasTies: hasTies, to: sink) else { return false }
        cases.append(VerificationCase(name: "filter \(filter.name) \(name)", plan: plan))
        return true
      }
      func draw(_ name: String, hasTies: Bool = false, to sink: SinkKind) {
        for _ in 0..<8 {
          if add(name, hasTies: hasTies, to: sink, recipes.step(filter)) { return }
        }
      }
      for number in 1...3 { draw("\(number)", to: .rgba16f) }
      draw("in binary32", to: .floatPlanes)
      let ties = "of ties, in binary32"
      if !add(ties, hasTies: true, to: .floatPlanes, recipes.plain(filter)) {
        draw(ties, hasTies: true, to: .floatPlanes)
      }
    }
    // Below 2^-30 curves take light for 0.
    let faint = [
      FilterStep("exposure", ["ev": .number(-10)]), FilterStep("tone-curve", ["point2": .numbers([0.5, 0.6])]),
    ]
    // Weights with overshoots make alpha exceed 1.
    let larger = [FilterStep("scale", ["factor": .number(1.7)])]
    for (name, steps, hasTies) in [("tone-curve, faint", faint, false), ("scale, overshooting alpha", larger, true)] {
      guard let plan = editing(steps, seed: 1, hasTies: hasTies, to: .floatPlanes) else { continue }
      cases.append(VerificationCase(name: "filter \(name)", plan: plan))
    }
    return cases
  }
}
