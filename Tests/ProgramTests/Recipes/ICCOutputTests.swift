import FileParts
import Foundation
import HDRCore
import ImageFiles
import TestFiles
import TestSupport
import Testing

/// Tests `--icc-output` through the program.
@Suite struct ICCOutputTests {
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
    for (name, profile) in [("m.icc", TinyICC.adobe), ("t.icc", TinyICC.adobeTables)] {
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
    #expect(try digest(TinyICC.displayP3) != digest(TinyICC.adobe))
  }

  @Test(
    "what cannot be an output's profile ends with 64 and one line",
    .enabled(if: Program.url != nil, "skipped: hdrbatch is not built"))
  func refusals() throws {
    let cmyk = try write("cmyk.icc", TinyICC.profile(space: "CMYK", tags: [:]))
    let bad = try write("bad.icc", [UInt8]("no profile".utf8))
    let good = try write("good.icc", TinyICC.adobe)
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
