import HDRCore
import Kernels
import TestSupport
import Testing

/// The lanes of `aces1_head`, its inverse and `aces_gamut_compress` against binary64.
@Suite struct ACES1StageTests {
  private static func head(
    _ colors: [[Double]], _ head: ACES1Head = .output, _ direction: ACES1HeadStage.Direction = .forward
  ) -> [[Double]] {
    ACESStageTests.run(
      colors, ACES1HeadStage.reds(head).words, ACES1HeadStage.words(head, direction) { _ in 0 }, ACES1HeadStage.run)
  }
  private static func unchanged(_ colors: [[Double]]) -> [[Double]] {
    ACESStageTests.run(
      colors, ACES1HeadStage.reds(.output).words, ACES1HeadInverse.words { _ in 0 }, ACES1HeadInverse.run)
  }
  private static func compressed(
    _ colors: [[Double]], _ direction: ACESGamutCompress.Direction, _ compression: ACESGamutCompression = .reference
  ) -> [[Double]] {
    ACESStageTests.run(
      colors, ACESGamutCompress.bend(compression, direction).words,
      ACESGamutCompress.words(direction, compression) { _ in 0 }, ACESGamutCompress.run)
  }

  /// Colours of 2^-16 to 2^12, a third of them near grey, a third with negative components.
  private static let colors: [[Double]] = {
    var random = SplitMix(state: 11)
    return (0..<6000).map { i -> [Double] in
      let light = ExactMath.exp2(28 * random.unit() - 16), spread = i % 3 == 0 ? 0.02 : 1
      return (0..<3).map { _ in
        Double(Float(light * (1 - spread + spread * (1.3 * random.unit() - (i % 3 == 2 ? 0.2 : 0)))))
      }
    }
  }()

  @Test func headFollowsBinary64() {
    for (made, color) in zip(Self.head(Self.colors), Self.colors) {
      let wanted = ACES1Head.output.apply(color), most = max(wanted.max()!, 1e-3)
      #expect(zip(made, wanted).allSatisfy { abs($0 - $1) < 2e-6 * most && $0 >= 0 }, "\(color): \(made), \(wanted)")
    }
  }

  @Test(arguments: [ACES1Head.glow03, .glow10, .red03, .red10])
  func partsOfTheHeadFollowBinary64(head: ACES1Head) {
    for (made, color) in zip(Self.head(Self.colors, head), Self.colors) {
      let wanted = head.apply(color), most = max(wanted.map(abs).max()!, 1e-3)
      #expect(zip(made, wanted).allSatisfy { abs($0 - $1) < 3e-6 * most }, "\(color): \(made), \(wanted)")
    }
    var changed = 0
    for (made, color) in zip(Self.head(Self.colors, head, .inverse), Self.colors) {
      // The inverse of reds magnifies what is left of differences in the dark.
      let wanted = head.inverse(color), most = max(wanted.map(abs).max()!, 1e-2)
      #expect(zip(made, wanted).allSatisfy { abs($0 - $1) < 5e-6 * most }, "\(color): \(made), \(wanted)")
      changed += wanted == color ? 0 : 1
    }
    #expect(changed > 500)
  }

  /// A gamut compression of other numbers than the reference's, with a hard knee.
  @Test func gamutCompressionTakesItsNumbers() {
    let hard = ACESGamutCompression(thresholds: [0.7, 0.8, 0.9], limits: [1.3, 1.2, 1.1], power: 3.5)
    for (made, color) in zip(Self.compressed(Self.colors, .forward, hard), Self.colors) {
      let wanted = hard.apply(color), size = max(1e-6, wanted.map(abs).max()!)
      #expect(zip(made, wanted).allSatisfy { abs($0 - $1) < 2e-5 * size }, "\(color): \(made), \(wanted)")
    }
    #expect(hard.scales != ACESGamutCompression.reference.scales)
  }

  /// Reds at all angles: none is changed where its hue is 67.5 degrees or more from red.
  @Test func redsAreChangedByTheirHue() {
    let angles = (0..<720).map { Double($0) / 2 }
    let colors = angles.map { angle -> [Double] in
      let (cosine, sine) = ExactMath.cosSin(degrees: angle), third = 0.2 * sine / (3.0).squareRoot()
      return [1 + 0.4 * cosine / 3, 1 - 0.2 * cosine / 3 + third, 1 - 0.2 * cosine / 3 - third].map {
        Double(Float($0))
      }
    }
    for (angle, (made, color)) in zip(angles, zip(Self.head(colors), colors)) {
      expectClose(made, ACES1Head.output.apply(color), abs: 1e-6, rel: 0)
      let isNear = angle < 67 || angle > 293
      if abs(angle - 67.5) > 1 && abs(angle - 292.5) > 1 { #expect((made[0] < color[0]) == isNear, "\(angle)") }
    }
  }

  /// Colours come back if none of their components was cut to 0.
  @Test func headComesBack() {
    let changed = Self.colors.map { ACES1Head.output.apply($0).map { Double(Float($0)) } }
    var whole = 0
    for (made, (color, given)) in zip(Self.unchanged(changed), zip(changed, Self.colors)) {
      let wanted = ACES1Head.output.solution(color), most = max(wanted.max()!, 1e-4)
      #expect(zip(made, wanted).allSatisfy { abs($0 - $1) < 1e-5 * most && $0 >= 0 }, "\(color): \(made), \(wanted)")
      guard given.min()! > 0 else { continue }
      whole += 1
      #expect(zip(made, given).allSatisfy { abs($0 - $1) < 1e-5 * most }, "\(given): \(made)")
    }
    #expect(whole > 4000)
  }

  @Test(.enabled(if: ACESVectors.isHere, "skipped: no data")) func gamutCompressionFollowsTheVectors() throws {
    let there = ACESTransform.acesToWorking, back = try #require(there.inverse)
    let made = Self.compressed(ACESVectors.scene.map { there * $0 }, .forward)
    let known = ACESVectors.looked("ACES 1.3 Reference Gamut Compression")
    #expect(made.count == 58 && known.count == 58)
    for (index, wanted) in known.enumerated() where !ACESVectors.isNoise(there * ACESVectors.scene[index]) {
      #expect(ACESStageTests.error(back * made[index], wanted) < 3e-6, "\(made[index]), \(wanted)")
    }
  }

  @Test func gamutCompressionComesBack() {
    var bent = 0
    for direction in ACESGamutCompress.Direction.allCases {
      for (made, color) in zip(Self.compressed(Self.colors, direction), Self.colors) {
        let isInverse = direction == .inverse,
          wanted = ACESGamutCompression.reference.apply(color, isInverse: isInverse)
        let most = color.max()!, size = max(1e-6, wanted.map(abs).max()!)
        // Near its pole the inverse magnifies what binary32 has rounded.
        if isInverse, wanted.contains(where: { most - $0 > 3 * abs(most) }) { continue }
        #expect(zip(made, wanted).allSatisfy { abs($0 - $1) < 2e-5 * size }, "\(color): \(made), \(wanted)")
        bent += wanted == color ? 0 : 1
      }
    }
    #expect(bent > 2000)
    let there = Self.compressed(Self.colors, .forward), back = Self.compressed(there, .inverse)
    for (made, color) in zip(back, Self.colors) {
      let most = color.max()!
      guard color.allSatisfy({ most - $0 < 2 * abs(most) }) else { continue }
      #expect(zip(made, color).allSatisfy { abs($0 - $1) < 1e-5 * abs(most) }, "\(color): \(made)")
    }
  }

  /// Clean input may be as large as 2^20, and of any sign.
  @Test func extremesStayFinite() {
    let ends = [-0x1p20, -1, -0x1p-30, 0, 0x1p-30, 1, 0x1p20]
    let colors = ends.flatMap { r in ends.flatMap { g in ends.map { b in [r, g, b] } } }
    for color in Self.head(colors) { #expect(color.allSatisfy { $0.isFinite && $0 >= 0 }) }
    for head in [ACES1Head.glow03, .red03, .red10] {
      for color in Self.head(colors, head) + Self.head(colors, head, .inverse) {
        #expect(color.allSatisfy { abs($0) < 0x1p24 })
      }
    }
    for color in Self.unchanged(colors) { #expect(color.allSatisfy { $0 >= 0 && $0 <= 0x1p21 }) }
    for color in Self.compressed(colors, .forward) { #expect(color.allSatisfy { abs($0) <= 0x1p20 }) }
    for color in Self.compressed(colors, .inverse) { #expect(color.allSatisfy { abs($0) < 0x1p42 }) }
    #expect(Self.compressed([[0, -1, -2], [0, 0, 0]], .forward) == [[0, -1, -2], [0, 0, 0]])
  }
}
