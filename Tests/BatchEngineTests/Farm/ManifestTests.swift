import BatchEngine
import CodecService
import HDRRecipe
import HDRRender
import TestSupport
import Testing

@Suite struct DigestTests {
  @Test("a digest is SHA-256 as in FIPS 180-4")
  func knownDigests() {
    // FIPS 180-4 examples.
    #expect(
      Digest(of: Array("abc".utf8)).hex == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(Digest(of: []).hex == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(Digest(hex: Digest(of: [1]).hex) == Digest(of: [1]) && Digest(hex: "ab") == nil)
  }
}

@Suite struct ShardTests {
  @Test func rangesAreReadAsFarmsWriteThem() throws {
    let range = try ItemRange("0-15:3,18,100-104")
    #expect((0..<120).filter(range.contains) == [0, 3, 6, 9, 12, 15, 18, 100, 101, 102, 103, 104])
    #expect(range.fits(105) && !range.fits(104))
    for bad in ["", "a", "3-1", "1-2:0", "1,,2", "-1", "1-2-3", "5:2", "99999999999"] {
      #expect(throws: UsageError.self, "\(bad)") { try ItemRange(bad) }
    }
  }

  @Test(arguments: 1...7) func stridedShardsAreDisjointAndComplete(count: Int) throws {
    let shards = try (0..<count).map { try Shard.parse("\($0)/\(count)").shard }
    for index in 0..<60 { #expect(shards.count { $0.contains(index) } == 1) }
  }

  @Test func schedulersAreUnderstood() throws {
    func auto(_ text: String, _ variables: [String: String]) throws -> Shard {
      try Shard.parse(text, environment: { variables[$0] }).shard
    }
    #expect(
      try auto("auto", ["SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_COUNT": "4"])
        == .strided(index: 2, count: 4))
    #expect(try auto("auto/8", ["JOB_COMPLETION_INDEX": "7"]) == .strided(index: 7, count: 8))
    #expect(try auto("auto", ["CUE_IFRAME": "50", "CUE_CHUNK": "10"]).contains(59))
    #expect(throws: UsageError.self) { try auto("auto", [:]) }
    #expect(throws: UsageError.self) { try auto("auto", ["JOB_COMPLETION_INDEX": "7"]) }
    for bad in ["4/4", "-1/3", "1", "a/b", "0/0"] { #expect(throws: UsageError.self) { try auto(bad, [:]) } }
  }
}

@Suite struct ManifestTests {
  static let recipe: Recipe = {
    var recipe = Recipe()
    recipe.outputs = [Recipe.Output("pq-png")]
    recipe.steps.common = [RecipeStep("exposure", as: "lift", ["ev": .value(.number(0.5))])]
    recipe.inputs = ["sky \u{1F600}": .file("a/\u{e9}.png")]
    return recipe
  }()

  static func manifest(_ paths: [(String, String)]) -> Manifest {
    Manifest(
      folder: FilePath("/work"), roots: [FilePath("photos")], out: FilePath("out"), recipe: recipe,
      recipeDigest: Digest(of: Array("recipe".utf8)),
      rows: paths.enumerated().map { index, path in
        Manifest.Row(index: index, root: 0, input: FilePath(path.0), size: 10 * index, output: FilePath(path.1))
      })
  }

  @Test func whatIsWrittenIsRead() throws {
    var manifest = Self.manifest([("a.jpg", "a.png"), ("openjd_fail: b\n.jpg", "b\n.png"), ("-c.jpg", "d/-c.png")])
    manifest.rows.append(
      Manifest.Row(
        index: 3, root: 0, input: FilePath(bytes: [0xff, 0x61]), size: 1, output: FilePath(bytes: [0xfe, 0x62])))
    let read = try Manifest(parsing: manifest.bytes, name: "m")
    #expect(read == manifest && read.bytes == manifest.bytes)
    #expect(Set(manifest.rows.map(manifest.id)).count == 4)
    // Lines of a person's own naming never start a line.
    #expect(manifest.bytes.count(where: { $0 == 10 }) == 5)
  }

  @Test("a manifest of format 1 is refused, and the line says what to do") func olderFormat() {
    let head = """
      {"type":"manifest","format":1,"folder":"/w","roots":["in"],"out":"out","recipe":["--to=pq-png"],\
      "recipeDigest":"\(String(repeating: "0", count: 64))","items":0}

      """
    let error = #expect(throws: UsageError.self) { try Manifest(parsing: Array(head.utf8), name: "m") }
    #expect(error?.description.hasPrefix("m:1: the manifest has format 1") == true, "\(error?.description ?? "")")
    #expect(error?.description.contains("plan again") == true)
  }

  @Test("a manifest whose recipe is wrong is refused") func wrongRecipe() {
    let text = String(decoding: Self.manifest([("a.jpg", "a.png")]).bytes, as: UTF8.self)
    for (part, other) in [("\"pq-png\"", "\"gif\""), ("\"exposure\"", "\"exposur\""), ("\"steps\"", "\"stps\"")] {
      let bytes = Array(text.replacing(part, with: other).utf8)
      #expect(throws: UsageError.self, "\(other)") { try Manifest(parsing: bytes, name: "m") }
    }
  }

  @Test func everyTornEndIsRefused() {
    let bytes = Self.manifest([("a.jpg", "a.png"), ("b.jpg", "b.png")]).bytes
    for count in 0..<bytes.count {
      #expect(throws: UsageError.self) { try Manifest(parsing: Array(bytes[..<count]), name: "m") }
    }
  }

  @Test(arguments: [
    ("a.jpg", "../x.png"), ("a.jpg", "/etc/x.png"), ("../a.jpg", "x.png"), ("a.jpg", "x//y.png"), ("a.jpg", "./x.png"),
    ("a.jpg", ""), ("a.jpg", "d/.."),
  ])
  func pathsThatLeadOutAreRefused(input: String, output: String) {
    #expect(throws: UsageError.self) {
      try Manifest(parsing: Self.manifest([(input, output)]).bytes, name: "m")
    }
  }

  @Test func numbersAtTheirEndsAreRefused() throws {
    let text = String(decoding: Self.manifest([("a.jpg", "a.png"), ("a.jpg", "b.png")]).bytes, as: UTF8.self)
    for field in ["variant", "root", "size", "index"] {
      for value in [Int.min, -1] + (field == "size" ? [] : [Int.max]) {
        let lines = text.split(separator: "\n").map(String.init)
        let row = lines[2].replacing(try Regex("\"\(field)\":[0-9]+"), with: "\"\(field)\":\(value)")
        #expect(row != lines[2])
        let bytes = Array([lines[0], lines[1], row, ""].joined(separator: "\n").utf8)
        let error = #expect(throws: UsageError.self) { try Manifest(parsing: bytes, name: "m") }
        #expect(error?.description.hasPrefix("m:3: ") == true)
      }
    }
  }

  @Test(arguments: [("x.png", "x.png"), ("x.png", "X.PNG"), ("\u{e9}.png", "e\u{301}.png")])
  func promise17_outputsThatAreOneAreRefused(a: String, b: String) throws {
    let error = try #require(throws: UsageError.self) {
      try Manifest(parsing: Self.manifest([("a.jpg", a), ("b.jpg", b)]).bytes, name: "m")
    }
    #expect(error.description.hasPrefix("m:3: "))
  }

  @Test(.enabled(if: SharedData.hasImages, "skipped: no data"))
  func samplesAreRefused() throws {
    for name in ["control-chars", "duplicate-outputs", "path-traversal"] {
      let bytes = try #require(SharedData.bytes("data/malformed/manifest-\(name).jsonl"))
      #expect(throws: UsageError.self) { try Manifest(parsing: bytes, name: name) }
    }
  }
}
