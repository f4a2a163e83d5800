import BatchEngine
import HDRCore
import HDRPlan
import Measure
import TestPlans
import Testing

/// Properties of every filter of colour, whatever its formula.
@Suite struct ColorPropertyTests {
  static var filters: [any Filter.Type] { Filters.all.filter { $0.category == .color } }

  static func step(_ filter: any Filter.Type) -> FilterStep {
    var values = FilterSamples.values[filter.name] ?? [:]
    for parameter in filter.parameters {
      guard case .input(nil) = parameter.kind else { continue }
      values[parameter.name] = .word(RandomRecipes.specialInput(parameter, of: filter) ?? "pattern")
    }
    return FilterStep(filter.name, values)
  }

  /// Light of 8 and light of 16 stay apart, and so do two negative lights; a filter that is not HDR-safe shows where it
  /// cuts.
  @Test(arguments: filters.map { $0.name }) func lightAboveWhiteIsNotCut(name: String) throws {
    let filter = try #require(Filters.named(name))
    let picture = FilterPicture(width: 4, height: 1) { x, _ in
      // No grey: some colours are differences of components.
      let v = [8, 16, -0.5, -1][x]
      return SIMD4(v, 0.75 * v, 0.5 * v, 1)
    }
    let result = try picture.edited(
      [Self.step(filter)], inputs: RandomRecipes.inputs(seed: 3), content: filter.isHDRSafe ? nil : .sdr)
    let colors = (0..<4).map { x in [result[x, 0].x, result[x, 0].y, result[x, 0].z] }
    for c in 0..<3 {
      if filter.isHDRSafe {
        #expect(abs(colors[0][c] - colors[1][c]) > 0.01, "\(name), channel \(c): \(colors)")
        #expect(colors[2][c] != colors[3][c], "\(name), channel \(c): \(colors)")
      } else {
        #expect(colors[0][c] == colors[1][c], "\(name) is called not HDR-safe and cuts nothing: \(colors)")
      }
    }
  }

  @Test(arguments: filters.map { $0.name }) func largestLightStaysFinite(name: String) throws {
    let filter = try #require(Filters.named(name))
    let picture = FilterPicture(width: 6, height: 3) { x, y in
      let v = [65504.0, -65504, 0, 0x1p-24, -0x1p-24, 1]
      return SIMD4(v[x], v[(x + y) % 6], v[(x + 2 * y) % 6], 1)
    }
    // Times 16: to the largest light that there is.
    let bright = FilterStep("exposure", ["ev": .number(4)])
    let result = try picture.edited(
      (filter.isHDRSafe ? [bright] : []) + [Self.step(filter), Self.step(filter)],
      inputs: RandomRecipes.inputs(seed: 3), content: filter.isHDRSafe ? nil : .sdr)
    for pixel in result.pixels { #expect((0..<4).allSatisfy { pixel[$0].isFinite }, "\(name): \(pixel)") }
  }
}
