import HDRCore
import HDRPlan

/// Draws random filters and recipes of filters, for `verify` and for tests that no backend differs.
package struct RandomRecipes {
  private var generator: TestPictures.Generator

  package init(seed: UInt64) { generator = TestPictures.Generator(seed: seed) }

  private mutating func unit() -> Double { Double(generator.next() >> 11) * 0x1p-53 }
  private mutating func below(_ count: Int) -> Int { Int(generator.next() % UInt64(count)) }

  /// Names of inputs that `inputs` makes.
  static let inputNames = ["photo", "mask", "pattern"]

  /// Returns the input of a filter that needs something else than a picture.
  package static func specialInput(_ parameter: FilterParameter, of filter: any Filter.Type) -> String? {
    if filter.name == "apply-gain-map" { return "adaptive" }
    if filter.takesKernel { return TestKernel.name }
    return ["lut": "look", "lut0": "look", "lut1": "curves", "curves": "curves"][parameter.name]
  }

  /// Makes second pictures: an opaque one, one with alpha, and a generated one; one with a gain map, turned; a LUT of
  /// each kind; kernels.
  package static func inputs(seed: UInt64) -> [String: FilterInput] {
    func picture(_ width: Int, _ height: Int, _ peak: Float, _ seed: UInt64) -> FilterInput {
      FilterInput(
        .picture(
          VerificationCases.source(
            TestPictures.lightHalves(width: width, height: height, peak: peak, seed: seed),
            primaries: CICP.Primaries.bt2020, transfer: CICP.Transfer.linear,
            matrix: CICP.Matrix.identity, full: true)))
    }
    let adaptive = VerificationCases.withGainMap(
      VerificationCases.source(
        TestPictures.lightHalves(width: 64, height: 48, peak: 1, seed: seed &+ 2), primaries: CICP.Primaries.bt2020,
        transfer: CICP.Transfer.linear, matrix: CICP.Matrix.identity,
        full: true, orientation: Orientation.allCases[Int((seed >> 3) % 8)]), width: 32, height: 24, rgb: seed & 1 == 1,
      gamma: [0.9, 1, 1.4])
    let others = [
      "look": FilterInput(TestPictures.look(size: 9)), "curves": FilterInput(TestPictures.curves(size: 33)),
      "adaptive": FilterInput(.picture(adaptive)),
      "photo": picture(71, 53, 8, seed), "mask": picture(40, 61, 1, seed &+ 1),
      "pattern": FilterInput(.generated(FilterStep("checkerboard", ["width": .number(7)]), width: nil, height: nil)),
    ]
    return others.merging(TestKernel.inputs) { $1 }.merging(TestConfig.inputs) { $1 }
  }

  /// Returns a filter with values drawn around its defaults; the filter may refuse them.
  package mutating func step(_ filter: any Filter.Type) -> FilterStep {
    var values: [String: FilterValue] = [:]
    for parameter in filter.parameters {
      // A correction of a file takes no numbers.
      if filter.name == "cdl", case .input = parameter.kind { continue }
      var isNeeded = false
      if case .input(nil) = parameter.kind { isNeeded = true }
      if isNeeded || below(4) != 0 { values[parameter.name] = value(parameter.kind) }
      if isNeeded, let name = Self.specialInput(parameter, of: filter) { values[parameter.name] = .word(name) }
    }
    if filter.takesKernel { values.merge(TestKernel.mixingValues) { $1 } }
    values.merge(TestConfig.values[filter.name] ?? [:]) { $1 }
    return FilterStep(filter.name, values)
  }

  /// Returns a filter with its defaults: only inputs that it must have are given.
  package func plain(_ filter: any Filter.Type) -> FilterStep {
    var values: [String: FilterValue] = [:]
    for parameter in filter.parameters {
      guard case .input(nil) = parameter.kind else { continue }
      values[parameter.name] = .word(Self.specialInput(parameter, of: filter) ?? Self.inputNames[0])
    }
    if filter.takesKernel { values.merge(TestKernel.mixingValues) { $1 } }
    return FilterStep(filter.name, values)
  }

  private mutating func value(_ kind: FilterParameter.Kind) -> FilterValue? {
    switch kind {
    case .number(let base, let range): .number(number(base, range))
    case .count(let base, let range):
      .number(
        number(base.map(Double.init), Double(range.lowerBound)...Double(range.upperBound)).rounded())
    case .vector(let base, let size, let range):
      .numbers((0..<size).map { number(base?[$0], range) })
    case .color(let base): color(base.map { min(max($0 + 3 * unit() - 1, -0.5), 4) })
    case .space: .word(ColorSpace.all[below(ColorSpace.all.count)].name)
    case .choice(_, let words): .word(words[below(words.count)])
    case .flag: .flag(below(2) == 0)
    case .input: .word(Self.inputNames[below(Self.inputNames.count)])
    case .text(let text): .word(text)
    }
  }

  /// Returns a colour as numbers alone, or with a drawn space.
  private mutating func color(_ numbers: [Double]) -> FilterValue {
    let space = ColorSpace.all[below(ColorSpace.all.count)]
    guard below(2) == 0, let color = try? FilterColor(space, numbers[0], numbers[1], numbers[2]) else {
      return .numbers(numbers)
    }
    return color.value
  }

  private mutating func number(_ base: Double?, _ range: ClosedRange<Double>) -> Double {
    let center = base ?? min(max(20, range.lowerBound), range.upperBound)
    // Places in pixels have the widest range.
    let reach = min(range.upperBound - range.lowerBound, range.upperBound >= 0x1p20 ? 40 : 2 * abs(center) + 1)
    return min(max(center + reach * (unit() - 0.5), range.lowerBound), range.upperBound)
  }

  /// Returns up to `most` filters; reductions come last, because they leave no picture.
  package mutating func steps(upTo most: Int) -> [FilterStep] {
    let count = 1 + below(most)
    return (0..<count).map { index in
      while true {
        let filter = Filters.all[below(Filters.all.count)]
        if filter.category != .reduction || index == count - 1 { return step(filter) }
      }
    }
  }
}
