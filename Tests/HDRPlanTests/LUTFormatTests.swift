import HDRCore
import HDRPlan
import TestPlans
import Testing

/// The limits of LUT files, and what places and formats names mean.
@Suite struct LUTFormatTests {
  static func code(_ text: String, _ format: LUTFormat) -> LUTError.Code? {
    do throws(LUTError) {
      _ = try LUTChain(parsing: Array(text.utf8), as: format)
      return nil
    } catch {
      return error.code
    }
  }

  static func list(_ nodes: String, _ head: String = "id=\"a\" compCLFversion=\"3\"") -> String {
    "<ProcessList \(head)>\(nodes)</ProcessList>"
  }
  static let matrix =
    "<Matrix inBitDepth=\"32f\" outBitDepth=\"32f\"><Array dim=\"3 3\">1 0 0 0 1 0 0 0 1</Array></Matrix>"

  @Test func sizesAreBoundedBeforeNumbersAreRead() {
    #expect(Self.code("Version 1\nLength 300001\nComponents 1\n{\n", .spi1d) == .size)
    #expect(Self.code("SPILUT 1.0\n3 3\n130 130 130\n", .spi3d) == .size)
    #expect(Self.code("CSPLUTV100\n1D\n99999\n", .csp) == .size)
    #expect(Self.code("#Inventor V2.1 ascii\ngrid_size 200 200 200\n", .vf) == .size)
    #expect(Self.code("Version 3\nType 3D\nLength 500\n", .lut) == .size)
    let node = "<LUT1D inBitDepth=\"32f\" outBitDepth=\"32f\"><Array dim=\"400000 1\">1</Array></LUT1D>"
    #expect(Self.code(Self.list(node), .clf) == .arrayCount)
    #expect(Self.code(Self.list(String(repeating: Self.matrix, count: 257)), .clf) == .arrayCount)
    #expect(Self.code(Self.list(String(repeating: Self.matrix, count: 256)), .clf) == nil)
    let cube =
      "<LUT3D inBitDepth=\"32f\" outBitDepth=\"32f\"><Array dim=\"2 2 2 3\">"
      + String(repeating: "0 ", count: 24) + "</Array></LUT3D>"
    #expect(Self.code(Self.list(String(repeating: cube, count: 9)), .clf) == .size)
    let deep = String(repeating: "<Info>", count: 40) + String(repeating: "</Info>", count: 40)
    #expect(Self.code(Self.list(deep), .clf) == .xml)
  }

  @Test(
    arguments: [
      ("1e300", LUTError.Code.number), ("nan", .number), ("-inf", .number), ("x", .number), ("1e9", nil),
    ] as [(String, LUTError.Code?)])
  func numbersAreBounded(word: String, code: LUTError.Code?) {
    #expect(Self.code("\(word) 0 0 0\n0 1 0 0\n0 0 1 0\n", .spimtx) == code)
  }

  @Test("nodes that are not supported are refused, and elements without bit depths skipped")
  func unknownNodes() {
    #expect(Self.code(Self.list("<Odd/>" + Self.matrix), .clf) == nil)
    #expect(Self.code(Self.list("<Odd inBitDepth=\"32f\" outBitDepth=\"32f\"/>"), .clf) == .node)
    #expect(Self.code(Self.list("<GradingTone inBitDepth=\"32f\" outBitDepth=\"32f\"/>"), .ctf) == .grading)
    #expect(Self.code(Self.list("<Reference inBitDepth=\"32f\" outBitDepth=\"32f\" path=\"a\"/>"), .ctf) == .reference)
    #expect(Self.code(Self.list("<InverseLUT3D inBitDepth=\"32f\" outBitDepth=\"32f\"/>"), .ctf) == .inverse)
    #expect(Self.code(Self.list(Self.matrix, "id=\"a\""), .clf) == .version)
    #expect(Self.code(Self.list(Self.matrix, "id=\"a\" version=\"2.6\""), .ctf) == .version)
    #expect(Self.code("LUT: 1 1024\n", .lut) == .discreet && Self.code("", .icc) == .icc)
  }

  @Test func fixedFunctionsOfCTFTakeTheirNumbers() {
    func code(_ style: String, _ numbers: String) -> LUTError.Code? {
      let node = "<FixedFunction inBitDepth=\"32f\" outBitDepth=\"32f\" style=\"\(style)\" params=\"\(numbers)\"/>"
      return Self.code(Self.list(node, "id=\"a\" version=\"2\""), .ctf)
    }
    let output = "1000 0.68 0.32 0.265 0.69 0.15 0.06 0.3127 0.329"
    for (style, numbers) in [
      ("Glow10Rev", ""), ("RedMod03Fwd", ""), ("DimToDark10", ""), ("HSV_TO_RGB", ""), ("xyY_TO_XYZ", ""),
      ("LUV_TO_XYZ", ""), ("PQ_TO_Lin", ""), ("GamutComp13Fwd", "1.147 1.264 1.312 0.815 0.803 0.88 1.2"),
      ("Rec2100Surround", "0.8"), ("ACESOutputTransform20Inv", output),
      ("Lin_TO_GammaLog", "0 0.25 0.5 1 0 2.718281828 0.17883277 0.807825590164 1 -0.07116723"),
      ("DoubleLog_TO_Lin", "10 0.1 0.5 -1 -1 -1 0.2 1 1 1 0.5 1 0"),
    ] { #expect(code(style, numbers) == nil, "\(style)") }
    for (style, numbers, fault) in [
      ("RGB_TO_HSY_LIN", "", LUTError.Code.transformStyle), ("Glow10Fwd", "1", .value), ("GamutComp13Fwd", "1", .value),
      ("Rec2100SurroundFwd", "1000", .value), ("Rec2100SurroundFwd", "x", .number),
      ("ACESOutputTransform20Fwd", "50 0.68 0.32 0.265 0.69 0.15 0.06 0.3127 0.329", .transformStyle),
      ("GamutComp13Rev", "1.147 1.264 1.312 0.815 0.803 0.88 1000", .transformStyle),
    ] { #expect(code(style, numbers) == fault, "\(style) \(numbers)") }
  }

  @Test func hugeNumbersOfManyNodesStayFinite() throws {
    let node =
      "<Matrix inBitDepth=\"32f\" outBitDepth=\"32f\"><Array dim=\"3 3\">1e9 1e9 0 0 1e9 0 0 0 -1e9</Array></Matrix>"
    let chain = try LUTChain(parsing: Array(Self.list(String(repeating: node, count: 40)).utf8), as: .clf)
    var recipe = RenderRecipe(target: OutputSignal(encoding: .linear, sink: .rgba16f), tone: .none)
    recipe.luts = [LUTChoice(lut: chain, space: .linear)]
    let stages = try Planner.plan(FilterPicture.noise().source, recipe).report.stageNames
    #expect(stages.count { $0 == "clamp_range" } >= 20)
  }

  @Test("outputs of a Truelight file's curves are places in its table")
  func truelight() throws {
    let cube = (0..<27).map { "\($0 % 3) \($0 / 3 % 3) \($0 / 9)" }.joined(separator: "\n")
    let text =
      "# Truelight Cube v2.0\n# iDims 3\n# oDims 3\n# width 3 3 3\n# lutLength 2\n# InputLUT\n"
      + "0 0 0\n2 1 2\n\n# Cube\n\(cube)\n# end\n"
    let tables = try #require(try LUTChain(parsing: Array(text.utf8), as: .cub).tables)
    #expect(tables.shaper?.values == [0, 0, 0, 1, 0.5, 1] && tables.cube?.values[3..<6] == [1, 0, 0])
    #expect(Self.code(text + "1 1 1\n", .cub) == .syntax)
    #expect(Self.code(text.replacing("# width 3 3 3", with: "# width 3 3 2"), .cub) == .size)
    #expect(Self.code(text.replacing("2 1 2\n", with: ""), .cub) == .count)
    #expect(Self.code(text.replacing("2 1 2\n", with: "2 1 2\n2 1 2\n"), .cub) == .count)
    #expect(Self.code("# Other\n", .cub) == .format)
  }

  @Test func placesNameAFileAndACorrection() {
    #expect(LUTPlace("a/b.CCC#shot 3") == LUTPlace(path: "a/b.CCC", id: "shot 3", format: .ccc))
    #expect(LUTPlace("a#1.cube") == LUTPlace(path: "a#1.cube", id: nil, format: .cube))
    #expect(LUTPlace("a.cube#1") == nil && LUTPlace("a.png") == nil && LUTPlace("cube") == nil)
    #expect(LUTFormat(name: "x.3DL") == .threeDL && LUTFormat(name: "x.lut") == .lut)
  }
}
