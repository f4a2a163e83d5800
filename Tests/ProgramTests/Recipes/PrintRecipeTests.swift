import BatchEngine
import CodecService
import Foundation
import TestFiles
import TestSupport
import Testing

/// `render --print-recipe`: what it prints means what the options meant.
@Suite(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct PrintRecipeTests {
  let folder: TemporaryFolder
  init() throws {
    folder = try TemporaryFolder()
    try SmallPictures.write(1, into: folder)
    let rows = String(repeating: "0 0 0\n", count: 4) + String(repeating: "1 1 1\n", count: 4)
    try folder.file("x y.cube", "LUT_3D_SIZE 2\n" + rows)
  }

  /// The recipe's digest in the journal, and those of the outputs.
  func render(_ words: [String], _ out: String) throws -> (recipe: String, outputs: [String: Digest]) {
    let result = try Program.run(
      ["render", folder.path("in"), "--out", folder.path(out), "--backend", "cpu", "--progress", "none"] + words)
    #expect(result.status == 0, "\(words): \(result.errors)")
    let journal = try #require(folder.files(out + "/.hdrbatch/journal").first)
    let header = try #require(try recordLines(folder.path("\(out)/.hdrbatch/journal/\(journal)")).first)
    let digests = folder.files(out).filter { !$0.hasPrefix(".") }.map { name in
      (name, Digest(of: [UInt8](FileManager.default.contents(atPath: folder.path(out + "/" + name))!)))
    }
    return (header["recipeDigest"] as? String ?? "", Dictionary(uniqueKeysWithValues: digests))
  }

  @Test(arguments: [
    ["--to", "pq-png", "--headroom", "1.5ev", "--dither", "0.5", "--png-effort", "3"],
    ["--to", "sdr-jpeg", "--quality", "70", "--filter", "exposure=ev:-0.5", "--name", "{stem} - {target}.{ext}"],
    ["--to", "sdr-png", "--lut", "x y.cube", "--lut-range", "clamp", "--gamut", "clip", "--primaries", "p3"],
    ["--to", "hlg-png", "--content-headroom", "p99.9", "--tone-map", "bt2390:knee=1", "--allow-sdr-filter"]
      + ["--filter", "gaussian-blur=radius:=width/16", "--filter", "exposure=ev:=min(headroom, 2)"],
    ["--to", "rgba16f", "--input", "top=in/sub/p000.png", "--filter", "sourceOver=input:top"],
  ])
  func aPrintedRecipeMakesTheSameOutputs(words: [String]) throws {
    let own = words.map { $0 == "x y.cube" ? folder.path($0) : $0.replacing("=in/", with: "=\(folder.path("in"))/") }
    let printed = try Program.run(["render", "--print-recipe"] + own)
    #expect(printed.status == 0, "\(printed.errors)")
    let path = try folder.file("elsewhere/r.yaml", printed.output)
    let first = try render(own, "a"), second = try render(["--recipe", path], "b")
    #expect(first.recipe == second.recipe)
    #expect(first.outputs == second.outputs && !first.outputs.isEmpty)
  }
}
