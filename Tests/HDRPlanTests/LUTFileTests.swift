import HDRCore
import HDRPlan
import Testing

/// LUT files: dialects, and what is wrong with broken ones.
@Suite struct LUTFileTests {
  static func cube(_ text: String) throws(LUTError) -> CubeLUT { try CubeLUT(parsing: Array(text.utf8)) }
  static func threeDL(_ text: String) throws(LUTError) -> CubeLUT { try CubeLUT(parsing3DL: Array(text.utf8)) }

  /// `n`³ rows of a 3dl identity, blue fastest.
  static func identity3DL(_ n: Int, _ largest: Int) -> String {
    var rows = ""
    for r in 0..<n {
      for g in 0..<n {
        for b in 0..<n { rows += [r, g, b].map { "\($0 * largest / (n - 1))" }.joined(separator: " ") + "\n" }
      }
    }
    return rows
  }

  @Test("a .3dl identity keeps every colour")
  func threeDLIdentity() throws {
    for (head, largest) in [
      ("", 1023), ("3DMESH\nMesh 2 12\n0 256 512 767 1023\n", 4095), ("0 256 512 767 1023\n", 255),
    ] {
      let lut = try Self.threeDL("# comment\n" + head + Self.identity3DL(5, largest) + "LUT8\ngamma 1.0\n")
      let cube = try #require(lut.cube)
      #expect(lut.shaper == nil && cube.size == 5)
      for node in 0..<125 {
        for (channel, at) in [node % 5, node / 5 % 5, node / 25].enumerated() {
          #expect(abs(cube.values[3 * node + channel] - Float(at) / 4) < 1 / Float(largest))
        }
      }
    }
  }

  @Test func threeDLNumbersOutsideTheRangeAreRefused() {
    for number in ["-9223372036854775808", "9223372036854775807", "-1048577", "1e3"] {
      #expect(throws: LUTError.self) { try Self.threeDL("0 0 \(number)\n") }
    }
  }

  @Test("a LUT with a NUL byte anywhere is refused with its line")
  func nulBytesAreRefused() {
    let cube = "LUT_3D_SIZE 2\n" + String(repeating: "0 0 0\n", count: 8)
    #expect(throws: Never.self) { try Self.cube(cube) }
    for (text, line) in [("\0" + cube, 1), (cube + "\0", 10), (cube + "# a\0b\n", 10), ("TITLE \"a\0\"\n" + cube, 1)] {
      let error = #expect(throws: LUTError.self) { try Self.cube(text) }
      #expect(error?.line == line && error?.reason.contains("NUL") == true)
    }
    #expect(throws: LUTError.self) { try Self.threeDL(Self.identity3DL(2, 1023) + "# \0\n") }
  }

  @Test func combiningMarksInARowAreRefused() {
    let error = #expect(throws: LUTError.self) {
      try Self.cube("# " + String(repeating: "\u{301}\u{323}", count: 100) + "\nLUT_3D_SIZE 2\n")
    }
    #expect(error?.line == 1)
  }

  @Test("a first line of more than three numbers is a .3dl shaper")
  func threeDLShaper() throws {
    let lut = try Self.threeDL("0 64 256 576 1023\n" + Self.identity3DL(2, 1023))
    let shaper = try #require(lut.shaper)
    #expect(shaper.size == 5 && abs(shaper.values[6] - 256.0 / 1023) < 1e-6)
  }

  @Test(arguments: [
    ("0 0 0\n1 1 1\n", 2, "2 rows are no cube"), ("", 0, "0 rows are no cube"),
    ("Mesh 1 12\n0 0 0\n", 2, "1 rows"), ("0 0 x\n", 1, "no whole number"), ("0 0 nan\n", 1, "no whole number"),
    ("0 0\n", 1, "three numbers"), ("Mesh 9 12\n", 1, "Mesh needs"), ("0 0 99999999\n", 1, "no whole number"),
  ]) func broken3DLFilesAreRefusedWithLineAndReason(text: String, line: Int, reason: String) {
    let error = #expect(throws: LUTError.self) { try Self.threeDL(text) }
    #expect(error?.line == line && error?.reason.contains(reason) == true, "\(String(describing: error))")
  }

  @Test func aMeshThatContradictsItsRowsIsRefused() {
    let error = #expect(throws: LUTError.self) { try Self.threeDL("Mesh 2 12\n" + Self.identity3DL(2, 4095)) }
    #expect(error?.description == "line 9: 8 rows, Mesh says 5³ (lut.count)")
  }

  @Test(arguments: [
    ("LUT_3D_SIZE 0\n", 1, "is 0, allowed are 2 to 129"), ("LUT_3D_SIZE 1\n0 0 0\n", 1, "is 1, allowed"),
    ("LUT_3D_SIZE 1000000\n", 1, "is 1000000, allowed"), ("LUT_3D_SIZE 2\n0 0 nan\n", 2, "not finite"),
    ("\n# x\nLUT_3D_SIZE 2\n0 0 0\n", 4, "1 rows, 8 are needed"), ("LUT_1D_SIZE 2\n0 0\n", 2, "three numbers"),
    ("LUT_1D_SIZE 2\n0 0 inf\n", 2, "not finite"), ("LUT_1D_SIZE -4\n", 1, "is -4"),
    ("SHAPER 3\n", 1, "unknown keyword \"SHAPER\""),
    ("0 0 0\n", 1, "rows before"), ("LUT_1D_SIZE 2\nDOMAIN_MIN 1 1 1\n0 0 0\n1 1 1\n", 2, "not below"),
  ]) func brokenCubeFilesAreRefusedWithLineAndReason(text: String, line: Int, reason: String) {
    let error = #expect(throws: LUTError.self) { try Self.cube(text) }
    #expect(error?.line == line && error?.reason.contains(reason) == true, "\(String(describing: error))")
  }

  @Test(
    "errors repeat nothing of a file that is no LUT",
    arguments: ["root:x:0:0:root:/root:/bin/sh", "n secret 0", "0 secret 0", "Secret"])
  func nothingIsRepeated(line: String) throws {
    for parse in [{ try Self.cube($0) }, { try CubeLUT(parsing3DL: Array($0.utf8)) }] as [(String) throws -> CubeLUT] {
      for text in [line + "\n", "LUT_3D_SIZE 2\n" + line + "\n", "0 512 1023\n" + line + "\n"] {
        let error = #expect(throws: LUTError.self) { _ = try parse(text) }
        #expect(
          error.map { ["root", "secret", "Secret"].contains(where: $0.reason.contains) } == false,
          "\(error?.reason ?? "")")
      }
    }
  }

  @Test("both .cube dialects give the same LUT")
  func dialects() throws {
    let rows = (0..<8).map { "\($0 & 1) \($0 >> 1 & 1) \($0 >> 2)\n" }.joined()
    let resolve = try Self.cube(
      "TITLE \"a # b\"\nLUT_1D_SIZE 2\nLUT_1D_INPUT_RANGE 0 4\nLUT_3D_SIZE 2\nLUT_3D_INPUT_RANGE 0 1\n0 0 0\n1 1 1\n"
        + rows)
    #expect(resolve.shaper?.domainMax == [4, 4, 4] && resolve.cube?.values.last == 1 && resolve.title == "a # b")
    let iridas = try Self.cube("lut_3d_size 2\r\nDOMAIN_MIN -1 0 0\r\nDOMAIN_MAX 2 3 4\r\n" + rows)
    #expect(iridas.cube?.domainMin == [-1, 0, 0] && iridas.cube?.domainMax == [2, 3, 4] && iridas.shaper == nil)
  }

  /// Two LUTs run in their order, each in its own space.
  @Test func severalLUTsRunInOrderInTheirOwnSpaces() throws {
    func line(_ f: (Double) -> Double) -> CubeLUT {
      let values = [0.0, 1].flatMap { [Float(f($0)), Float(f($0)), Float(f($0))] }
      return CubeLUT(shaper: .init(size: 2, domainMin: [0, 0, 0], domainMax: [1, 1, 1], values: values), cube: nil)
    }
    let image = SampleImage.interleaved(width: 1, height: 1, channelCount: 3, format: .uint8, bitDepth: 8)
    let source = SourceImage(
      format: .memory, image: image,
      color: SourceColor(matrix: 0, fullRange: true, encoding: .cicp(primaries: 1, transfer: 13)),
      geometry: Geometry(width: 1, height: 1))
    var recipe = RenderRecipe(target: OutputSignal(encoding: .linear, sink: .rgba16f))
    recipe.luts = [
      LUTChoice(lut: line { 2 * $0 }, space: .linear),
      LUTChoice(lut: line { $0 + 0.5 }, space: .init(.gamma24, .p3), interpolation: .trilinear),
    ]
    let names = try Planner.plan(source, recipe).report.stageNames
    #expect(names.filter { $0 == "lut1d" }.count == 2)
    #expect(names.lastIndex(of: "curve")! > names.lastIndex(of: "lut1d")!)
  }
}
