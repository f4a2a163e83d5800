import BatchEngine
import Foundation
import TestSupport
import Testing

/// All broken files of the shared sets through the program: one typed row each, exit 65, nothing dies, nothing hangs, and
/// memory stays bounded.
@Suite(.serialized, .enabled(if: Program.url != nil && SharedData.hasMalformed, "skipped: no data or no program"))
struct MalformedSetTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private struct Broken {
    var name: String
    var path: String
    /// Classes that are accepted; empty where the set does not say.
    var classes: Set<String>
  }

  /// Formats that are read.
  private static let read = ["jpg", "png", "heic", "heif", "avif", "jxl", "exr", "tif", "tiff", "hdr"]
  /// Files whose row says something their bytes do not, and faults that this program never meets: text chunks are not
  /// inflated, a chain of 37 directories is legal, as is a TIFF file of which a decoder died.
  private static let harmless: Set<String> = [
    "png-truncated-idat.png", "png-ztxt-bomb-100MiB.png", "up-png-xmp-list-blowup.png", "up-jpg-exif-deep-ifds.jpg",
    "up-tif-crash-74d2a784.tif",
  ]

  private static let all: [Broken] = {
    let rows = (SharedData.bytes("data/malformed/MANIFEST.tsv").map { String(decoding: $0, as: UTF8.self) } ?? "")
      .split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
    var result = rows.compactMap { row -> Broken? in
      guard let name = row.first, let classes = row.last, let url = SharedData.url("data/malformed/" + name) else {
        return nil
      }
      return Broken(name: name, path: url.path, classes: Set(classes.split(separator: "|").map(String.init)))
    }
    if let url = SharedData.url("data/images/malformed") {
      for name in ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted() {
        result.append(Broken(name: "images-" + name, path: url.path + "/" + name, classes: []))
      }
    }
    return result
  }()

  private static func pictures(_ extensions: [String]) -> [Broken] {
    all.filter { file in extensions.contains { file.name.hasSuffix("." + $0) } }
  }

  /// `VmHWM` of a process in KiB.
  private func peak(_ process: Process) -> Int {
    let status = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  }

  @Test func promise02And03_everyFileHasItsRow() throws {
    let files = Self.pictures(Self.read)
    #expect(files.count >= 150)
    // Names that cannot meet in one folder of outputs.
    var arguments: [String] = []
    for (index, file) in files.enumerated() {
      let copy = folder.path("\(index)-\(file.name)")
      try FileManager.default.createSymbolicLink(atPath: copy, withDestinationPath: file.path)
      arguments.append(copy)
    }
    let list = try folder.file("list.txt", arguments.joined(separator: "\n") + "\n")
    let outputs = try ["o", "e"].map { FileHandle(forWritingAtPath: try folder.file($0, ""))! }
    let begin = ContinuousClock.now
    // Declared sizes beyond 32 MP are bombs here: the largest whole picture of the sets is smaller.
    let process = try Program.start(
      [
        "render", "@" + list, "--out", folder.path("out"), "--to", "sdr-jpeg", "--backend", "cpu", "--jobs", "2",
        "--max-pixels", "33554432", "--record", folder.path("r.jsonl"), "--progress", "none",
      ], output: outputs[0], errors: outputs[1])
    var most = 0
    while process.isRunning {
      most = max(most, peak(process))
      usleep(20_000)
    }
    #expect(process.terminationReason == .exit && process.terminationStatus == 65)
    #expect(ContinuousClock.now - begin < .seconds(300))
    #expect(most > 0 && most < 2 << 20, "\(most) KiB")

    let rows = try recordLines(folder.path("r.jsonl")).filter { $0["type"] as? String == "item" }
    #expect(rows.count == files.count)
    var outcomes: [String: Int] = [:]
    for row in rows {
      let path = try #require(row["input"] as? String)
      let index = try #require(arguments.firstIndex(of: path), "\(path)")
      let file = files[index], code = row["code"] as? String
      let status = try #require(row["status"] as? String)
      if status == "failed" { #expect(code?.contains(".") == true && (row["message"] as? String)?.isEmpty == false) }
      let found = outcome(status, code)
      outcomes[found, default: 0] += 1
      if !file.classes.isEmpty {
        let isFine =
          file.classes.contains(found) || file.classes.contains("ok") && found == "warn"
          // More entries than are read.
          || file.name == "tif-ifd-65535-entries.tif" && found == "limit"
          || (Self.harmless.contains(file.name) && ["ok", "warn"].contains(found))
        #expect(isFine, "\(file.name): \(found) \(code ?? ""), expected \(file.classes.sorted())")
      }
      // Failed items left no files.
      let output = try #require(row["output"] as? String)
      #expect(FileManager.default.fileExists(atPath: output) == (status != "failed"), "\(file.name)")
    }
    #expect(
      (outcomes["malformed"] ?? 0) > 50 && (outcomes["limit"] ?? 0) > 3 && (outcomes["warn"] ?? 0) > 5, "\(outcomes)")
    #expect(!folder.files("out").contains { $0.hasSuffix(".part") })
  }

  /// Eight at a time, with photos of 12 MP between them: all processes together stay within `--memory`.
  @Test func promise06_allAtOnceStayInTheBudget() throws {
    let budget = 1 << 30
    let photo = SharedData.repository.appendingPathComponent("Examples/lamps.jpg").path
    var arguments: [String] = []
    for (index, file) in Self.pictures(Self.read).enumerated() {
      for (name, target) in [(file.name, file.path)] + (index % 32 == 8 ? [("photo.jpg", photo)] : []) {
        arguments.append(folder.path("\(index)-\(name)"))
        try FileManager.default.createSymbolicLink(atPath: arguments[arguments.count - 1], withDestinationPath: target)
      }
    }
    let list = try folder.file("list.txt", arguments.joined(separator: "\n") + "\n")
    let process = try Program.start(
      [
        "render", "@" + list, "--out", folder.path("out"), "--to", "sdr-jpeg", "--backend", "cpu", "--jobs", "8",
        "--memory", "1G", "--journal", "none", "--record", folder.path("r.jsonl"), "--progress", "none",
      ], output: FileHandle.nullDevice, errors: FileHandle.nullDevice)
    let (most, processes) = ProcessTree.peak(process)
    print("malformed set, 8 at once: \(most >> 20) MiB at most, of \(budget >> 20)")
    #expect(process.terminationStatus == 65 && processes > 4)
    // Samples may miss the highest moment, so the lower bound only tells that there was work.
    #expect(most > 48 << 20 && most < budget, "\(most >> 20) MiB")
    let rows = try recordLines(folder.path("r.jsonl")).filter { $0["type"] as? String == "item" }
    #expect(rows.count == arguments.count)
    for row in rows where (row["input"] as? String)?.hasSuffix("-photo.jpg") == true {
      #expect(row["status"] as? String != "failed", "\(row["message"] ?? "")")
    }
  }

  private func outcome(_ status: String, _ code: String?) -> String {
    switch (status, code) {
    case ("failed", "decode.limit"): "limit"
    case ("failed", "decode.malformed"), ("failed", "decode.truncated"), ("failed", "decode.unsupported"),
      ("failed", "decode.library"):
      "malformed"
    case ("failed", _): code ?? "no code"
    default: status
    }
  }

  /// `info` reads structure and metadata of each file by itself, in this one process.
  @Test func infoSaysSomethingOfEveryFile() throws {
    let files = Self.pictures(Self.read)
    let begin = ContinuousClock.now
    let result = try Program.run(["info", "--json"] + files.map(\.path))
    #expect(ContinuousClock.now - begin < .seconds(60))
    #expect(result.status == 65)
    let lines = try result.output.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(lines.count == files.count)
    for (line, file) in zip(lines, files) {
      #expect(line["file"] as? String == file.path)
      if let error = line["error"] as? [String: Any] {
        #expect((error["code"] as? String)?.hasPrefix("decode.") == true, "\(file.name)")
      } else {
        #expect((line["width"] as? Int ?? 0) > 0 && (line["height"] as? Int ?? 0) > 0, "\(file.name)")
      }
    }
  }

  @Test func tablesAndManifestsAreUsageErrors() throws {
    let example = SharedData.repository.appendingPathComponent("Examples/temple.heic").path
    let tables = Self.all.filter { $0.name.hasSuffix(".cube") },
      manifests = Self.all.filter { $0.name.hasSuffix(".jsonl") }
    #expect(tables.count >= 4 && manifests.count >= 3)
    for file in tables {
      #expect(file.classes == ["usage"])
      let result = try Program.run([
        "render", example, "--out", folder.path("out"), "--to", "sdr-jpeg", "--lut", file.path,
      ])
      #expect(result.status == 64 && result.errors.contains(file.name), "\(file.name)")
    }
    for file in manifests {
      #expect(file.classes == ["usage"])
      let result = try Program.run(["run", "--manifest", file.path])
      #expect(result.status == 64 && result.errors.contains(":1: "), "\(file.name): \(result.errors)")
    }
    #expect(folder.files() == [])
  }
}
