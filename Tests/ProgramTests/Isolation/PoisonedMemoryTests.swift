import Foundation
import TestFiles
import TestSupport
import Testing

/// Damaged files of every format under an allocator that fills memory with one value or another before it gives it away:
/// what comes of a file does not depend on the value (docs/reliability.md#promises).
@Suite(.serialized, .enabled(if: CodecProgram.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct PoisonedMemoryTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// The bytes that new blocks of memory are filled with, small and mapped ones too.
  private static let fillings: [UInt8] = [0x11, 0xEE]

  /// glibc writes the complement of `perturb` into new blocks; cached ones it would give away as they are.
  private static func environment(_ filling: UInt8?) -> [String: String] {
    guard let filling else { return [:] }
    return ["GLIBC_TUNABLES": "glibc.malloc.perturb=\(~filling):glibc.malloc.tcache_count=0"]
  }

  /// The outcome of an input by its row, with its output's digest.
  private struct Outcome: Hashable {
    var status: String
    var code: String?
    var warnings: [String]
    var digest: String?
  }

  /// Outcomes by the inputs' paths.
  ///
  /// - Parameters:
  ///   - filling: `nil`: memory holds what was there.
  ///   - isIsolated: codec processes get the filling; else the program itself, which decodes.
  private func outcomes(_ inputs: [String], filling: UInt8?, isIsolated: Bool = true) throws -> [String: Outcome] {
    let name = "\(filling ?? 0)", record = folder.path("record-" + name),
      program = folder.path("codec-" + name)
    let list = try folder.file("list.txt", inputs.joined(separator: "\n") + "\n")
    var environment = Self.environment(filling)
    if isIsolated {
      // Codec processes get no variables of the program's.
      let words = environment.map { "\($0)=\($1) " }.joined()
      try folder.file("codec-" + name, "#!/bin/sh\n\(words)exec \"\(CodecProgram.url?.path ?? "")\" \"$@\"\n")
      try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
      environment = ["HDRBATCH_CODEC": program]
    }
    let result = try Program.run(
      [
        "render", "@" + list, "--out", folder.path("out-" + name), "--to", "pq-png", "--backend", "cpu", "--jobs", "2",
        "--max-pixels", "33554432", "--isolation", isIsolated ? "sandbox" : "none", "--record", record, "--journal",
        "none", "--progress", "none",
      ], environment: environment)
    try #require(result.status == 65 || result.status == 0, "\(result.errors)")
    let rows = try recordLines(record).filter { $0["type"] as? String == "item" }
    let pairs = try rows.map { row in
      let warnings = (row["warnings"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
      return (
        try #require(row["input"] as? String),
        Outcome(
          status: try #require(row["status"] as? String), code: row["code"] as? String, warnings: warnings,
          digest: row["outputDigest"] as? String)
      )
    }
    return Dictionary(uniqueKeysWithValues: pairs)
  }

  private func expectSame(_ inputs: [String], isIsolated: Bool = true) throws {
    let all = try Self.fillings.map { try outcomes(inputs, filling: $0, isIsolated: isIsolated) }
    for input in inputs {
      let found = all.map { $0[input] }
      #expect(found[0] != nil && Set(found).count == 1, "\(input): \(found)")
    }
  }

  /// The only file of a folder that was made of a picture.
  private func made(_ kind: String, of photo: String, width: Int) throws -> String {
    let out = folder.path("made-" + kind)
    let result = try Program.run([
      "render", photo, "--out", out, "--to", kind, "--resize", "\(width)x", "--backend", "cpu", "--journal", "none",
    ])
    try #require(result.status == 0, "\(result.errors)")
    return out + "/" + (try #require(folder.files("made-" + kind).first { !$0.hasSuffix(".json") }))
  }

  /// A small picture of each format, and copies that are cut off, have holes or single wrong bytes.
  private func damaged(_ kinds: [String]) throws -> [String] {
    let photo = try made("adaptive-jpeg", of: SharedData.examples + "/lamps.jpg", width: 192)
    var wholes = try kinds.map { kind in
      let path = try made(kind, of: photo, width: 96)
      return (
        name: kind + "." + (path.split(separator: ".").last ?? ""),
        bytes: [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
      )
    }
    wholes.append(("camera.rw2", PanasonicRaw.file(brightness: 700)))
    var inputs: [String] = []
    for (name, bytes) in wholes {
      var state = UInt64(7)
      func below(_ most: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % most
      }
      var versions = [bytes] + [30, 90, 99].map { Array(bytes.prefix(bytes.count * $0 / 100)) }
      for part in 1..<5 {
        let start = bytes.count * part / 5
        var hole = bytes, wrong = bytes
        for at in start..<min(bytes.count, start + bytes.count / 16) { hole[at] = 0 }
        for _ in 0..<4 { wrong[bytes.count / 8 + below(bytes.count * 7 / 8)] = UInt8(below(256)) }
        versions += part % 2 == 1 ? [hole, wrong] : [hole]
      }
      for (number, version) in versions.enumerated() {
        let path = folder.path("\(number)-\(name)")
        try Data(version).write(to: URL(fileURLWithPath: path))
        inputs.append(path)
      }
    }
    return inputs
  }

  private static let kinds = [
    "sdr-jpeg", "sdr-png", "pq-png", "pq-heic", "pq-avif", "exr", "linear-tiff", "sdr-tiff", "adaptive-heic",
    "adaptive-avif", "adaptive-png",
  ]

  @Test("what comes of a damaged file does not depend on what memory held, in codec processes")
  func promise25_isolated() throws {
    try expectSame(try damaged(Self.kinds + ["pq-jxl", "linear-jxl", "adaptive-jxl"]))
  }

  /// Damaged files of all kinds but JPEG XL, whose library they can crash.
  @Test("what comes of a damaged file does not depend on what memory held, in the program itself")
  func promise25_inProcess() throws { try expectSame(try damaged(Self.kinds), isIsolated: false) }

  @Test(
    "what comes of the files of the malformed set does not depend on what memory held",
    .enabled(if: SharedData.hasMalformed, "skipped: no data"))
  func promise25_malformedSet() throws {
    let extensions = ["jpg", "png", "heic", "heif", "avif", "jxl", "exr", "tif", "tiff"]
    let paths = ["data/malformed", "data/images/malformed"].compactMap { SharedData.url($0)?.path }.flatMap { below in
      ((try? FileManager.default.contentsOfDirectory(atPath: below)) ?? []).sorted().map { below + "/" + $0 }
    }.filter { path in extensions.contains { path.hasSuffix("." + $0) } }
    #expect(paths.count > 100)
    // Names that cannot meet in one folder of outputs.
    let inputs = try paths.enumerated().map { index, path in
      let link = folder.path("\(index)-" + (path.split(separator: "/").last.map(String.init) ?? ""))
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
      return link
    }
    try expectSame(inputs)
  }

  @Test("a camera raw that is cut short is truncated every time, whatever was read before it")
  func promise25_aCutRawAmongOthers() throws {
    let others = [300, 700, 1100].map { PanasonicRaw.file(brightness: $0) }
    var inputs: [String] = [], cut: Set<String> = []
    for round in 0..<24 {
      for (name, bytes) in [
        ("whole", others[round % 3]), ("head", Array(others[(round + 1) % 3].prefix(PanasonicRaw.start + 40))),
        ("half", Array(others[(round + 1) % 3].prefix(PanasonicRaw.start + 0x4000))),
      ] {
        let path = folder.path("\(round + 100)-\(name).rw2")
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        inputs.append(path)
        if name != "whole" { cut.insert(path) }
      }
    }
    for (input, outcome) in try outcomes(inputs, filling: nil) {
      if cut.contains(input) {
        #expect(outcome == Outcome(status: "failed", code: "decode.truncated", warnings: [], digest: nil), "\(input)")
      } else {
        #expect(outcome.status == "warn" && outcome.digest != nil, "\(input): \(outcome)")
      }
    }
  }
}
