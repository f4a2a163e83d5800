import BatchEngine
import CodecService
import Foundation
import HDRRender
import PlainData
import TestSupport
import Testing

/// The outputs of a run as its journals have them.
@Suite struct RunOutputsTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// Writes a journal of one run.
  private func journal(_ name: String, time: Int = 1, out: String?, version: String = "1.0", _ rows: [JSON]) throws {
    let head: JSON = [
      "type": "header", "version": .string(version), "recipeDigest": .string(Digest(of: []).hex),
      "unixTime": .int(time), "folder": "/work", "out": .maybe(out),
    ]
    let text = ([head] + rows).map { String(decoding: Journal.line($0), as: UTF8.self) }.joined()
    try folder.file(name, text)
  }

  private func row(_ output: String, _ status: String = "ok", digest: [UInt8] = [1], code: String? = nil) -> JSON {
    [
      "type": "item", "output": .string(output), "status": .string(status), "code": .maybe(code),
      "outputDigest": .string(Digest(of: digest).hex), "bytesOut": .int(4),
    ]
  }

  @Test("outputs have their paths below the output folder, in a folder that was moved too")
  func pathsAreBelowTheFolder() throws {
    let moved = "out/.hdrbatch/journal/all.1.jsonl"
    try journal(moved, out: "was/there", [row("was/there/day/x.png"), row("/work/was/there/./y.png")])
    let found = try RunOutputs(of: FilePath(folder.path("out")))
    #expect(found.outputs.keys.sorted() == [FilePath("day/x.png"), FilePath("y.png")])
    #expect(found.outputs[FilePath("y.png")]?.file == FilePath(folder.path("out/y.png")))
    // The journal alone says where the run wrote.
    let alone = try RunOutputs(of: FilePath(folder.path(moved)))
    #expect(alone.outputs[FilePath("y.png")]?.file == FilePath("/work/was/there/./y.png"))
    #expect(try RunOutputs(of: FilePath(folder.path("out/.hdrbatch/journal"))).outputs.count == 2)
    // Journals of older versions do not name the folder.
    try journal("old/.hdrbatch/journal/all.1.jsonl", out: nil, [row(folder.path("old/x.png"))])
    #expect(try RunOutputs(of: FilePath(folder.path("old"))).outputs.keys.sorted() == [FilePath("x.png")])
  }

  @Test("the last row of an output counts, and skipped and interrupted ones do not replace it")
  func lastRowCounts() throws {
    let name = "out/.hdrbatch/journal/"
    try journal(name + "b.jsonl", time: 1, out: "/o", [row("/o/x.png", digest: [1]), row("/o/y.png", "failed")])
    try journal(
      name + "a.jsonl", time: 2, out: "/o", version: "2.0",
      [row("/o/x.png", digest: [2]), row("/o/y.png", "skipped"), row("/o/x.png", "failed", code: "batch.interrupted")])
    try journal(name + "c.jsonl", time: 3, out: "/o", version: "2.0", [row("/o/x.png", "skipped")])
    let found = try RunOutputs(of: FilePath(folder.path("out")))
    #expect(found.outputs[FilePath("x.png")]?.digest == Digest(of: [2]))
    #expect(found.outputs[FilePath("y.png")]?.status == .failed)
    #expect(found.origins.map(\.version) == ["1.0", "2.0"])
  }

  @Test("a digest stands while the file is as large as the row says, or gone")
  func digestsStand() throws {
    try journal("out/.hdrbatch/journal/a.jsonl", out: "/o", [row("/o/x"), row("/o/y"), row("/o/z")])
    try folder.file("out/x", "four")
    try folder.file("out/y", "fives")
    let found = try RunOutputs(of: FilePath(folder.path("out"))).outputs
    #expect(found[FilePath("x")]?.standingDigest == Digest(of: [1]))
    #expect(found[FilePath("y")]?.standingDigest == nil)
    #expect(found[FilePath("z")]?.standingDigest == Digest(of: [1]))
  }

  @Test("a folder without journals and one that is not there are said")
  func missingJournalsAreSaid() throws {
    try folder.file("out/x.png")
    for (place, words) in [("out", "no run has left journals"), ("none", "no such file or folder")] {
      #expect { try RunOutputs(of: FilePath(folder.path(place))) } throws: { "\($0)".contains(words) }
    }
  }
}
