import BatchEngine
import CodecService
import Foundation
import HDRRecipe
import HDRRender
import TestSupport
import Testing

/// Sequences: which files a pattern means, what becomes of missing frames, and how shards divide them.
@Suite struct SequenceTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [
    ("1001-1004", [1001, 1002, 1003, 1004]), ("1-9x3", [1, 4, 7]), ("1-9:3,4,20", [1, 4, 7, 20]), ("7", [7]),
  ])
  func rangesNameTheirFrames(text: String, numbers: [Int]) throws {
    #expect(try ItemRange(frames: text).numbers == numbers)
  }

  @Test(arguments: ["", "a", "9-1", "1-9x0", "1-", "1-2-3", "1-2147483648x1,5x", "0-2147483648"])
  func brokenAndEndlessRangesAreRefused(text: String) {
    #expect(throws: UsageError.self) { try ItemRange(frames: text) }
  }

  @Test(arguments: [
    ("a/shot.%04d.exr", 7, "a/shot.0007.exr"), ("shot.%d.exr", 1001, "shot.1001.exr"), ("%02dx", 123, "123x"),
    ("f[0001-0100x2].png", 3, "f0003.png"),
  ])
  func patternsNameTheirFrames(pattern: String, frame: Int, name: String) throws {
    let found = try #require(try FramePattern(pattern))
    #expect(found.path(frame).display == name)
    #expect(found.number(of: FilePath(name).name) == frame)
    #expect(found.number(of: FilePath(name + "x").name) == nil)
  }

  @Test func namesWithoutANumberAreNoPatterns() throws {
    for name in ["shot.exr", "100%.png", "a[b].png", "%s.png"] { #expect(try FramePattern(name) == nil, "\(name)") }
    #expect(throws: UsageError.self) { try FramePattern("%d.%04d.png") }
    #expect(throws: UsageError.self) { try FramePattern("a[9-1].png") }
  }

  @Test func patternsMeanTheFilesThatAreThereOrTheFramesThatAreNamed() throws {
    for name in ["s.0002.png", "s.0010.png", "s.0001.png", "s.11.png", "s.0003.jpg", "t.0004.png"] {
      try folder.file("in/" + name)
    }
    let pattern = folder.path("in/s.%04d.png")
    let there = try InputCollector.collect([pattern])
    #expect(there.compactMap(\.frame?.number) == [1, 2, 10] && there.allSatisfy { $0.frame?.first == 1 })
    let stated = try InputCollector.collect([pattern], frames: try ItemRange(frames: "2-4"))
    #expect(stated.map(\.path.display) == (2...4).map { folder.path("in/s.000\($0).png") })
    let held = try InputCollector.collect([folder.path("in/s.[0001-0003].png")], holds: true)
    #expect(held.map(\.file.display) == [1, 2, 2].map { folder.path("in/s.000\($0).png") })
    #expect(throws: UsageError.self) {
      try InputCollector.collect([folder.path("in/s.0001.png")], frames: try ItemRange(frames: "1"))
    }
    #expect(throws: UsageError.self) { try InputCollector.collect([folder.path("in/none.%d.png")]) }
  }

  /// A plan of frames, read again.
  func manifest(_ frames: String) throws -> Manifest {
    let items = try InputCollector.collect(
      [folder.path("in/s.%04d.png")], frames: try ItemRange(frames: frames), holds: true)
    let traits = NameTraits(fileExtension: "png", target: "pq-png")
    let planned = try OutputNaming.make(
      items, out: FilePath(folder.path("out")), traits: traits, template: try NameTemplate("f{frame}.{ext}"),
      onExisting: .fail)
    var recipe = Recipe()
    recipe.outputs = [Recipe.Output("pq-png")]
    let plan = Manifest(
      planned, folder: FilePath(folder.path("")), out: FilePath("out"), recipe: recipe, recipeDigest: Digest(of: []))
    return try Manifest(parsing: try plan.readableBytes(), name: "m")
  }

  @Test func manifestsKeepFrames() throws {
    for number in [1, 2, 4] { try folder.file("in/s.000\(number).png") }
    let read = try manifest("1-4")
    #expect(read.isSequence && read.frames == [1, 2, 3, 4])
    #expect(read.rows.map(\.output.display) == ["f0001.png", "f0002.png", "f0003.png", "f0004.png"])
    #expect(read.rows.map(read.inputs()).map(\.file.display) == [1, 2, 2, 4].map { folder.path("in/s.000\($0).png") })
    // A held frame lies beside its own.
    let text = String(decoding: read.bytes, as: UTF8.self)
    #expect(throws: UsageError.self) {
      try Manifest(parsing: Array(text.replacing("\"held\":\"s", with: "\"held\":\"../s").utf8), name: "m")
    }
  }

  @Test func shardsOfASequenceAreRangesOfFrames() throws {
    for number in 1...7 { try folder.file("in/s.000\(number).png") }
    let read = try manifest("1-7")
    let outputs = [NameRule(NameTraits(fileExtension: "png", target: "pq-png"), try NameTemplate("{stem}"))]
    func frames(_ shard: Shard) throws -> [Int] {
      try OutputNaming.make(read, shard, out: FilePath("out"), outputs: outputs, onExisting: .replace)
        .compactMap(\.input.frame?.number)
    }
    let shards = try (0..<3).map { try frames(.strided(index: $0, count: 3)) }
    #expect(shards == [[1, 2], [3, 4], [5, 6, 7]])
    #expect(try frames(.frames(try ItemRange(frames: "3-6x2"))) == [3, 5])
    #expect(throws: UsageError.self) { try frames(.frames(try ItemRange(frames: "8"))) }
  }

  @Test func jobFilesCountFrames() throws {
    for number in 1...9 { try folder.file("in/s.000\(number).png") }
    let job = FarmJob(try manifest("1-9x2"), path: "/m.jsonl", cpus: 1)
    let openJD = try OpenJDJob(job, out: "/out").text()
    #expect(openJD.contains("{name: Frames, type: STRING, default: \"1-9:2\"}"))
    #expect(openJD.contains("\"--frames\", \"{{Task.Param.Frame}}\"") || openJD.contains("--frames"))
    let openCue = try OpenCueJob(job, show: "show", shot: "shot", user: "user").text()
    #expect(openCue.contains("--frames #FRAME_START#-#FRAME_END#") && openCue.contains("<range>1-9x2</range>"))
  }
}
