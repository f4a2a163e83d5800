import CPURender
import Foundation
import HDRCore
import HDRPlan
import ImageFiles
import TestFiles
import TestPlans
import TestSupport
import Testing

/// `--icc-output`: codes of a profile's device, and the profile in the file.
@Suite struct ICCOutputTests {
  static let adobe = [[0.60974, 0.31111, 0.01947], [0.20528, 0.62567, 0.06087], [0.14919, 0.06322, 0.74457]]
  static let matrix = TinyICC.matrix(
    colorants: adobe, curve: TinyICC.gammaCurve(563), extra: ["desc": TinyICC.name("Adobe RGB of the tests")])
  static let table = TinyICC.profile(
    space: "RGB ",
    tags: TinyICC.tables(
      colorants: adobe, inverse: Matrix3((0..<3).flatMap { row in adobe.map { $0[row] } }).inverse!.rows,
      gamma: 563.0 / 256))

  /// Codes of device values come back as they were: within half a code, for tables one, and what halves hold of the
  /// light of all three channels.
  @Test(arguments: [("matrix", 0.51), ("table", 1.01)]) func codesAreTheDevices(kind: String, most: Double) throws {
    let profile = kind == "table" ? Self.table : Self.matrix
    let space = try deviceSpace(ofICC: profile)
    let toBT2020 = Matrix3(try deviceSpace(ofICC: Self.matrix).toBT2020)
    let steps = [0, 0.2, 0.4, 0.6, 0.8, 1]
    var codes: [[Double]] = []
    for red in steps { for green in steps { for blue in steps { codes.append([red, green, blue]) } } }
    let source = FilterPicture(width: codes.count, height: 1) { x, _ in
      let light = toBT2020 * codes[x].map { ExactMath.pow($0, 563.0 / 256) }
      return SIMD4(light[0], light[1], light[2], 1)
    }
    var target = OutputTarget(encoding: .sdr, sink: .rgba8)
    target.profile = OutputProfile(bytes: profile, space: space)
    let plan = try Planner.plan(source.source, RenderRecipe(target: target, tone: .none))
    #expect(plan.report.outputCICP.primaries == 2 && plan.report.outputProfile == space.description)
    let image = CPUBackend.best.render(plan, threads: 1)
    for (got, want) in zip(image.firstRow, codes) {
      for c in 0..<3 {
        func light(_ code: Double) -> Double { ExactMath.pow(max(code, 0) / 255, 563.0 / 256) }
        let low = light(255 * want[c] - most) - 4e-3, high = light(255 * want[c] + most) + 4e-3
        #expect((low...high).contains(light(got[c])), "\(want.map { 255 * $0 }): \(got)")
      }
    }
  }

  @Test("the darkest light of a device stands for black")
  func blackPoint() throws {
    let curve = TinyICC.curv((0...255).map { 655 + $0 * (65535 - 655) / 255 })
    let profile = TinyICC.matrix(colorants: TinyICC.colorants[1] ?? [], curve: curve)
    var target = OutputTarget(encoding: .sdr, sink: .rgba8)
    target.profile = OutputProfile(bytes: profile, space: try deviceSpace(ofICC: profile))
    let source = FilterPicture(width: 3, height: 1) { x, _ in SIMD4(repeating: [0, 0.5, 1][x]) }
    let image = CPUBackend.best.render(
      try Planner.plan(source.source, RenderRecipe(target: target, tone: .none)), threads: 1)
    let got = image.firstRow.map { $0[0] }
    #expect(got[0] == 0 && abs(got[1] - 127.5) <= 1 && got[2] == 255)
  }

  // MARK: Through the program

  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    try Data(bytes).write(to: folder.url.appendingPathComponent(name))
    return folder.path(name)
  }

  func render(_ arguments: [String], out: String = "out") throws -> Program.Result {
    try Program.run(
      ["render", SharedData.example("temple.heic"), "--out", folder.path(out), "--backend", "cpu"] + arguments)
  }

  @Test(
    "the file gets the profile as it is", .enabled(if: Program.url != nil, "skipped: hdrbatch is not built"),
    arguments: ["sdr-png", "sdr-jpeg"])
  func embedded(kind: String) throws {
    for (name, profile) in [("m.icc", Self.matrix), ("t.icc", Self.table)] {
      let path = try write(name, profile)
      let result = try render(
        ["--to", kind, "--icc-output", path, "--record", folder.path("r.jsonl"), "--filter", "scale=factor:0.05"],
        out: "of-" + name)
      #expect(result.status == 0, "\(result.errors)")
      let file = try #require(folder.files("of-" + name).first)
      let bytes = [UInt8](try Data(contentsOf: folder.url.appendingPathComponent("of-\(name)/\(file)")))
      let head = try decodeImage(bytes, request: .metadata)
      #expect(head.color.icc == profile && head.color.cicp == nil)
      #expect(folder.text("r.jsonl")?.contains(name == "m.icc" ? "Adobe RGB of the tests" : "without a name") == true)
      try FileManager.default.removeItem(atPath: folder.path("r.jsonl"))
    }
  }

  @Test("a digest depends on the profile", .enabled(if: Program.url != nil, "skipped: hdrbatch is not built"))
  func digests() throws {
    func digest(_ profile: [UInt8]) throws -> String {
      let path = try write("p.icc", profile)
      let out = "out\(profile.count)", record = folder.path("\(profile.count).jsonl")
      let result = try render(
        ["--to", "sdr-png", "--icc-output", path, "--record", record, "--filter", "scale=factor:0.02"], out: out)
      #expect(result.status == 0, "\(result.errors)")
      let header = try #require(folder.text("\(profile.count).jsonl")?.split(separator: "\n").first)
      return try #require(header.split(separator: "\"recipeDigest\":").last.map { String($0.prefix(66)) })
    }
    #expect(try digest(TinyICC.displayP3) != digest(Self.matrix))
  }

  @Test(
    "what cannot be an output's profile ends with 64 and one line",
    .enabled(if: Program.url != nil, "skipped: hdrbatch is not built"))
  func refusals() throws {
    let cmyk = try write("cmyk.icc", TinyICC.profile(space: "CMYK", tags: [:]))
    let bad = try write("bad.icc", [UInt8]("no profile".utf8))
    let good = try write("good.icc", Self.matrix)
    let cases: [([String], String)] = [
      (["--to", "sdr-png", "--icc-output", cmyk], "cmyk.icc: ICC profile: it is a CMYK profile, and outputs are RGB"),
      (["--to", "sdr-png", "--icc-output", bad], "bad.icc: ICC profile: 10 bytes are no profile"),
      (["--to", "sdr-png", "--icc-output", "/no/such.icc"], "/no/such.icc: no such file"),
      (["--to", "pq-png", "--icc-output", good], "--icc-output has no effect on pq-png, only on sdr-*"),
      (["--to", "sdr-png", "--icc-output", good, "--primaries", "p3"], "--icc-output and --primaries both say"),
    ]
    for isolation in ["none", "sandbox"] {
      for (arguments, line) in cases {
        let result = try render(arguments + ["--isolation", isolation])
        #expect(result.status == 64 && result.errors.contains(line), "\(arguments): \(result.errors)")
        #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
      }
    }
    #expect(folder.files("out") == [])
  }
}
