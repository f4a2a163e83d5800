import Foundation
import TestSupport
import Testing

/// `--progressive`: JPEG files with the pixels of baseline ones.
@Suite(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct ProgressiveJPEGTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private static let lamps = SharedData.small("lamps.jpg")
  private static let jpegtran = "/usr/bin/jpegtran"
  /// Computed, kept byte for byte, and plain.
  private static let cases = [
    ["--to", "adaptive-jpeg", "--resize", "200"], ["--to", "adaptive-jpeg"], ["--to", "sdr-jpeg"],
    ["--to", "sdr-jpeg", "--quality", "97", "--resize", "151"],
  ]

  /// Renders a file and returns its bytes.
  private func render(_ words: [String], _ out: String, of input: String = lamps) throws -> [UInt8] {
    let made = try Program.run(["render", input, "-o", folder.path(out), "--backend", "cpu"] + words)
    #expect(made.status == 0, "\(made.errors)")
    return try folder.bytes(out)
  }

  @Test("progressive files are smaller, and have the pixels and gain maps of baseline ones", arguments: cases)
  func samePictures(words: [String]) throws {
    let plain = try render(words, "plain.jpg"), made = try render(words + ["--progressive"], "made.jpg")
    #expect(made.count < plain.count)
    for kind in ["sdr-png", "pq-png"] {
      let pixels = try ["plain.jpg", "made.jpg"].map {
        try render(["--to", kind], $0 + kind + ".png", of: folder.path($0))
      }
      #expect(pixels[0] == pixels[1], "\(kind)")
    }
    try folder.file("r.yaml", "outputs: [{to: \(words[1]), progressive: true}]\n")
    #expect(try render(["--recipe", folder.path("r.yaml")] + words.dropFirst(2), "recipe.jpg") == made)
  }

  @Test(
    "jpegtran makes the same file of a baseline one",
    .enabled(if: FileManager.default.isExecutableFile(atPath: jpegtran), "skipped: no jpegtran"))
  func foreignFile() throws {
    for words in Self.cases.suffix(2) {
      _ = try render(words, "plain.jpg")
      let made = try render(words + ["--progressive"], "made.jpg")
      let other = Process()
      other.executableURL = URL(fileURLWithPath: Self.jpegtran)
      other.arguments = [
        "-progressive", "-copy", "all", "-outfile", folder.path("other.jpg"), folder.path("plain.jpg"),
      ]
      try other.run()
      other.waitUntilExit()
      #expect(other.terminationStatus == 0)
      #expect(try folder.bytes("other.jpg") == made)
      for name in ["other.jpg", "made.jpg", "plain.jpg"] {
        try FileManager.default.removeItem(atPath: folder.path(name))
      }
    }
  }

  @Test("--max-bytes counts the bytes of the progressive file")
  func bounds() throws {
    let words = ["--to", "sdr-jpeg", "--max-bytes", "9k", "--record"]
    var found: [Int] = []
    for (index, own) in [[], ["--progressive"]].enumerated() {
      let record = folder.path("\(index).jsonl")
      #expect(try render(words + [record] + own, "\(index).jpg").count <= 9 << 10)
      let item = try #require(try recordLines(record).first { $0["type"] as? String == "item" })
      found.append(try #require(item["quality"] as? Int))
    }
    #expect(found[1] >= found[0], "\(found)")
  }

  @Test(
    "a motion photo keeps its video", .enabled(if: SharedData.url("data/formats2/motion") != nil, "skipped: no data"))
  func motion() throws {
    let input = try #require(SharedData.url("data/formats2/motion/motion_v2.jpg")).path
    let made = try render(["--to", "sdr-jpeg", "--progressive"], "made.jpg", of: input)
    let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: input)))
    let videos = try [(input, whole), (folder.path("made.jpg"), made)].map { path, bytes in
      let info = try JSONSerialization.jsonObject(with: Data(try Program.run(["info", "--json", path]).output.utf8))
      let motion = try #require((info as? [String: Any])?["motion"] as? [String: Any])
      let start = try #require(motion["start"] as? Int), count = try #require(motion["bytes"] as? Int)
      return Array(bytes[start..<start + count])
    }
    #expect(!videos[0].isEmpty && videos[0] == videos[1])
  }

  @Test("other kinds refuse it, by one line")
  func otherKinds() throws {
    let made = try Program.run(["render", Self.lamps, "-o", folder.path("a"), "--to", "pq-png", "--progressive"])
    #expect(made.status == 64 && made.errors.contains("--progressive has no effect on pq-png"), "\(made.errors)")
  }
}
