import HDRCore
import Kernels
import TestSupport
import Testing

/// The lanes of `hsv` and `chromaticity` against binary64.
@Suite struct CoordinatesStageTests {
  private static func run(_ kind: ColorCoordinates, isInverse: Bool, _ colors: [[Double]]) -> [[Double]] {
    if kind == .hsv {
      return ACESStageTests.run(
        colors, [0, 0, 0, 0], HSVStage.words(isInverse ? .inverse : .forward), HSVStage.run)
    }
    let model: ChromaticityStage.Model = kind == .xyY ? .xyY : kind == .uvY ? .uvY : .luv
    return ACESStageTests.run(
      colors, [0, 0, 0, 0], ChromaticityStage.words(model, isInverse ? .inverse : .forward), ChromaticityStage.run)
  }

  /// Colours of 2^-12 to 2^8, a third of them near grey, a third with negative components, and ties.
  private static let colors: [[Double]] = {
    var random = SplitMix(state: 12)
    let wild = (0..<4000).map { i -> [Double] in
      let light = ExactMath.exp2(20 * random.unit() - 12), spread = i % 3 == 0 ? 0.02 : 1
      return (0..<3).map { _ in
        Double(Float(light * (1 - spread + spread * (1.3 * random.unit() - (i % 3 == 2 ? 0.3 : 0)))))
      }
    }
    let ends = [-1.0, 0, 0.25, 1]
    return wild + ends.flatMap { r in ends.flatMap { g in ends.map { b in [r, g, b] } } }
  }()

  @Test(arguments: ColorCoordinates.allCases) func coordinatesFollowBinary64(kind: ColorCoordinates) {
    for (made, color) in zip(Self.run(kind, isInverse: false, Self.colors), Self.colors) {
      let sum = abs(color[0]) + 15 * abs(color[1]) + 3 * abs(color[2])
      // A sum that is small beside its parts is what rounding leaves of them.
      if kind != .hsv, abs(color[0] + color[1] + color[2]) < 0.05 * sum { continue }
      if kind != .hsv, abs(color[0] + 15 * color[1] + 3 * color[2]) < 0.05 * sum { continue }
      let wanted = kind.apply(color), size = max(1e-3, wanted.map(abs).max()!)
      // Hues near 0 and 1 are the same, and those of near greys are what differences leave.
      let differences = zip(made, wanted).enumerated().map { channel, pair in
        let d = abs(pair.0 - pair.1)
        return kind == .hsv && channel == 0 ? min(d, 1 - d) * min(1, wanted[1] * 16) : d
      }
      #expect(differences.allSatisfy { $0 < 4e-6 * size }, "\(kind) \(color): \(made), \(wanted)")
    }
  }

  @Test(arguments: ColorCoordinates.allCases) func colorsComeBackFromTheirCoordinates(kind: ColorCoordinates) {
    let kept = Self.colors.filter { color in color.allSatisfy { $0 > 0 } }
    #expect(kept.count > 2000)
    let there = Self.run(kind, isInverse: false, kept)
    for ((made, color), numbers) in zip(zip(Self.run(kind, isInverse: true, there), kept), there) {
      let size = color.max()!
      #expect(zip(made, color).allSatisfy { abs($0 - $1) < 2e-5 * size }, "\(kind) \(color): \(made), \(numbers)")
    }
  }

  @Test(arguments: ColorCoordinates.allCases) func inverseFollowsBinary64(kind: ColorCoordinates) {
    for (made, numbers) in zip(Self.run(kind, isInverse: true, Self.colors), Self.colors) {
      // A second chromaticity near 0 divides.
      if kind != .hsv, abs(numbers[kind == .luv ? 0 : 1]) < 0.05 { continue }
      if kind == .luv, abs(numbers[2] / (13 * numbers[0]) + 0.468) < 0.05 { continue }
      if kind == .hsv, numbers[1] > 1.9 { continue }
      let wanted = kind.inverse(numbers), size = max(1e-3, wanted.map(abs).max()!)
      // A turn is told from the next one by 2^-23 of its number.
      let tolerance = kind == .hsv ? 4e-6 * max(1, abs(numbers[0]) * 4) : 2e-5
      #expect(
        zip(made, wanted).allSatisfy { abs($0 - $1) < tolerance * size }, "\(kind) \(numbers): \(made), \(wanted)")
    }
  }

  /// Clean input may be as large as 2^20, and of any sign.
  @Test(arguments: ColorCoordinates.allCases, [false, true])
  func extremesStayFinite(kind: ColorCoordinates, isInverse: Bool) {
    let ends = [-0x1p20, -1, -0x1p-29, -0x1p-30, 0, 0x1p-30, 0x1p-29, 1, 0x1p20]
    let colors = ends.flatMap { r in ends.flatMap { g in ends.map { b in [r, g, b] } } }
    for color in Self.run(kind, isInverse: isInverse, colors) { #expect(color.allSatisfy { $0.isFinite }) }
  }
}
