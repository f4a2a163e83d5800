import Foundation
import TestSupport
import Testing

/// LUT files that are refused, through the program: one line with a code, exit 64, soon and in bounded memory.
@Suite(.serialized, .enabled(if: Program.url != nil, "skipped: no program")) struct MalformedLUTTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func expectRefusal(_ path: String, _ code: String) throws {
    let outputs = try ["o", "e"].map { FileHandle(forWritingAtPath: try folder.file($0, ""))! }
    let begin = ContinuousClock.now
    let process = try Program.start(
      ["render", SharedData.examples + "/temple.heic", "--out", folder.path("out"), "--to", "sdr-jpeg", "--lut", path],
      output: outputs[0], errors: outputs[1])
    let (most, _) = ProcessTree.peak(process), lines = (folder.text("e") ?? "").split(separator: "\n")
    let name = path.split(separator: "/").last.map(String.init) ?? path
    #expect(process.terminationReason == .exit && process.terminationStatus == 64, "\(name)")
    #expect(lines.count == 1 && lines[0].contains(name) && lines[0].contains(code), "\(name): \(lines)")
    #expect(lines[0].utf8.count < 600)
    #expect(ContinuousClock.now - begin < .seconds(20), "\(name)")
    #expect(most < 256 << 20, "\(name): \(most >> 20) MiB")
    #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
  }

  @Test(.enabled(if: LUTVectors.isHere, "skipped: no data")) func everyRefusedFileIsALine() throws {
    for name in LUTVectors.malformed {
      let url = try #require(SharedData.url("data/ocio/malformed/" + name))
      try expectRefusal(url.path, "(" + LUTVectors.malformedCode(name) + ")")
    }
    for name in LUTVectors.refused {
      let url = try #require(SharedData.url("data/ocio/luts/" + name))
      // Their codes are those of LUTVectorTests.
      try expectRefusal(url.path, name.hasSuffix(".clf") || name.hasSuffix(".ctf") ? "line " : "(lut.")
    }
  }

  @Test func largeFilesAreRefusedInBoundedMemory() throws {
    let nested = String(repeating: "<a>", count: 1 << 20)
    let files = [
      ("few.cube", "LUT_3D_SIZE 129\n0 0 0\n", "lut.count"),
      ("line.cube", "LUT_1D_SIZE 2\n" + String(repeating: "0 ", count: 8 << 20), "lut.syntax"),
      ("deep.clf", nested, "clf.xml"), ("many.ccc", "<ColorCorrectionCollection>" + nested, "clf.xml"),
      ("points.csp", "CSPLUTV100\n3D\n65537\n", "lut.size"),
      ("grid.vf", "#Inventor V2.1 ascii\ngrid_size 4000 4000 4000\n", "lut.size"),
      ("length.spi1d", "Version 1\nFrom 0 1\nLength 2000000000\nComponents 1\n{\n", "lut.size"),
      ("large.cube", String(repeating: "# comment\n", count: 7 << 20), "lut.size"),
    ]
    for (name, text, code) in files { try expectRefusal(folder.file(name, text), code) }
  }
}
