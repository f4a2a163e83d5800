import BatchEngine
import HDRCore
import HDRPlan
import Measure
import Testing

/// Filters that look colours up: color-curves, color-map, false-color.
@Suite struct ColorScaleTests {
  static func curves(_ rgb: [Double]) -> [Double] {
    let x = rgb.map { min(max($0, 0), 1) }
    return [x[0] * (1.2 - 0.2 * x[0]), x[1] * x[1] * (0.5 + 0.5 * x[1]), 1 - x[2]]
  }

  @Test("false colours go on beyond the second") func falseColors() throws {
    let p = FilterPicture.noise(hasAlpha: true)
    let dark = FilterValues(["c": .numbers([0.2, 0, 0.5])]), bright = FilterValues(["c": .numbers([1, 1.2, 0.1])])
    let result = try p.edited(
      FilterStep("false-color", ["color0": .numbers([0.2, 0, 0.5]), "color1": .numbers([1, 1.2, 0.1])]))
    let toWide = Primaries.bt709.matrix(to: .bt2020)!
    func light(_ values: FilterValues) -> [Double] {
      guard case .numbers(let list) = values.values["c"] else { return [] }
      return toWide * list.map { Transfer.sRGBDecode($0) }
    }
    let a = light(dark), b = light(bright)
    result.expectColors(of: p, 2e-6) { rgb in
      let y = 0.2627 * rgb[0] + 0.678 * rgb[1] + 0.0593 * rgb[2]
      return (0..<3).map { a[$0] + y * (b[$0] - a[$0]) }
    }
  }
}
