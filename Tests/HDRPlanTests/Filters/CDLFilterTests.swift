import HDRCore
import HDRPlan
import TestPlans
import Testing

@Suite struct CDLFilterTests {
  static let values: [String: FilterValue] = [
    "slope": .numbers([1.2, 1, 0.9]), "offset": .numbers([0.02, 0, -0.01]), "power": .numbers([1.1, 0.8, 1.3]),
    "sat": .number(0.7),
  ]

  /// Returns the correction of a colour by its formula.
  static func corrected(_ color: [Double], clamps: Bool) -> [Double] {
    func inside(_ x: Double) -> Double { clamps ? min(max(x, 0), 1) : x }
    let powers = zip(color, zip([(1.2, 0.02), (1, 0), (0.9, -0.01)], [1.1, 0.8, 1.3])).map { x, numbers in
      let base = inside(x * numbers.0.0 + numbers.0.1)
      return base > 0 ? ExactMath.pow(base, numbers.1) : base
    }
    let luminance = 0.2126 * powers[0] + 0.7152 * powers[1] + 0.0722 * powers[2]
    return powers.map { inside(luminance + 0.7 * ($0 - luminance)) }
  }

  @Test(arguments: [false, true]) func lightFollowsTheFormula(clamps: Bool) throws {
    let picture = FilterPicture.noise(hasAlpha: true)
    let style: FilterValue = .word(clamps ? "asc" : "noclamp")
    var recipe = Self.values
    recipe["style"] = style
    let result = try picture.edited([FilterStep("cdl", recipe)], inputs: [:], content: clamps ? .sdr : nil)
    result.expectColors(of: picture, 1e-5) { Self.corrected($0, clamps: clamps) }
  }

  @Test func inverseCanUndoTheCorrection() throws {
    let picture = FilterPicture.noise()
    var back = Self.values
    back["inverse"] = .flag(true)
    try picture.edited(FilterStep("cdl", Self.values), FilterStep("cdl", back)).expectColors(of: picture, 2e-5) { $0 }
  }

  @Test func aFileGivesTheSameAsItsNumbers() throws {
    let text = """
      <ColorCorrectionCollection><ColorCorrection id="a"><SOPNode><Slope>2 2 2</Slope></SOPNode></ColorCorrection>
      <ColorCorrection id="b"><SOPNode><Slope>1.2 1 0.9</Slope><Offset>0.02 0 -0.01</Offset><Power>1.1 0.8 1.3</Power>
      </SOPNode><SatNode><Saturation>0.7</Saturation></SatNode></ColorCorrection></ColorCorrectionCollection>
      """
    let file = FilterInput(.lut(try LUTChain(parsing: Array(text.utf8), as: .ccc, id: "b")))
    let picture = FilterPicture.noise(), step = FilterStep("cdl", ["file": .word("grade")])
    let edited = try picture.edited([step], inputs: ["grade": file])
    #expect(edited.pixels == (try picture.edited(FilterStep("cdl", Self.values))).pixels)
    let both = FilterStep("cdl", ["file": .word("grade"), "sat": .number(1)])
    #expect(throws: PlanError.self) { try picture.edited([both], inputs: ["grade": file]) }
    let table = FilterInput(ColorScaleTests.line(2))
    #expect(throws: PlanError.self) { try picture.edited([step], inputs: ["grade": table]) }
  }

  @Test func ascIsRefusedForHDRLight() throws {
    let picture = FilterPicture.noise(), step = FilterStep("cdl", ["style": .word("asc")])
    #expect(throws: PlanError.self) { try picture.edited([step], inputs: [:], content: Headroom(factor: 16)) }
  }
}
