import BatchEngine
import Foundation
import ImageFiles
import TestSupport
import Testing

@Suite(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct CommandLineTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// Arguments after `render Examples/temple.heic --out OUT`, and what the message must name.
  @Test(arguments: [
    (["--to", "sdr-jpeg", "--headroom", "4"], "--headroom"),
    (["--to", "sdr-png", "--display", "iphone-14"], "--display"),
    (["--to", "pq-png", "--headroom", "0.5"], "--headroom"), (["--to", "pq-png", "--quality", "50"], "--quality"),
    (["--to", "pq-png", "--headroom", "2", "--display", "iphone-14"], "--display"),
    (["--to", "gif"], "take sdr-png or sdr-jpeg"), (["--to", "pq-png", "--tone-map", "filmic"], "bt2390"),
    (["--to", "pq-png", "--backend", "cpu", "--device", "0"], "--device"),
    (["--to", "pq-png", "--backend", "cpu", "--sample", "4"], "--sample"),
    (["--to", "pq-png", "--sample", "0"], "--sample"),
    (["--to", "pq-png", "--name", "{who}"], "{stem}"), (["--to", "pq-png", "--lut", "/no/such.cube"], "no/such.cube"),
    (["--to", "pq-png", "--lut-space", "pq"], "--lut"), (["--to", "pq-png", "--jobs", "0"], "--jobs"),
  ])
  func mistakesAreUsageErrors(arguments: [String], names: String) throws {
    let result = try Program.run(
      ["render", SharedData.examples + "/temple.heic", "--out", folder.path("out")] + arguments)
    #expect(result.status == 64)
    #expect(result.errors.contains(names))
    #expect(result.output == "")
    #expect(folder.files() == [])
  }

  /// Words after `hdrbatch`, and what the one line must hold. Nothing may be rendered.
  @Test(
    "what is not known is refused with the nearest name",
    arguments: [
      (["rendr"], "unknown command rendr; did you mean render?"),
      (["bench", "kernl"], "unknown command kernl; did you mean kernel?"),
      (["render", "--tomap", "none"], "unknown option --tomap; did you mean --tone-map?"),
      (["render", "--too", "pq-png"], "unknown option --too; did you mean --to?"),
      (["render", "--to", "sdr-jpg"], "--to has no value \"sdr-jpg\"; did you mean \"sdr-jpeg\"?"),
      (["render", "--overwrite"], "did you mean --on-existing replace?"),
      (["render", "--shard", "0/2"], "--shard is an option of run, not of render"),
      (["run", "--quality", "3"], "--quality is an option of render, not of run"),
      (["info", "--jsn", "x"], "unknown option --jsn; did you mean --json?"),
      (["render", "-dash.jpg"], "a file of that name goes after --"),
      (["render", "--out"], "--out needs a value"), (["render", "--out", "--to"], "--out needs a value"),
      (["render", "a", "--to", "pq-png"], "render needs --out FOLDER"),
      (["render", "--to", "pq-png", "-o", "x"], "render needs INPUT"), (["info"], "info needs FILE"),
      (["status", "what", "else"], "status does not know what to do with \"else\""),
      (["completion", "tcsh"], "bash, zsh, fish"),
    ])
  func unknownWords(arguments: [String], names: String) throws {
    let result = try Program.run(arguments)
    #expect(result.status == 64)
    #expect(result.errors.contains(names), "\(result.errors)")
    #expect(result.errors.split(separator: "\n").count == 1)
    #expect(result.output == "")
  }

  @Test("options are taken in every usual form") func forms() throws {
    func recipe(_ words: [String]) throws -> String {
      let result = try Program.run(["render", "--print-recipe"] + words)
      #expect(result.status == 0, "\(result.errors)")
      return result.output
    }
    let plain = try recipe(["--to", "adaptive-jpeg", "--quality", "80", "--map-dither"])
    #expect(plain.contains("quality: 80") && plain.contains("map-dither: true"))
    #expect(try recipe(["--to=adaptive-jpeg", "--quality=80", "--mapDither", "--no-strict"]) == plain)
    #expect(try recipe(["--map-dither", "--quality", "80", "--quality=080", "--to", "Adaptive-JPEG"]) == plain)
    #expect(try recipe(["--to", "pq-png", "--filter", "gaussian-blur=radius:2"]).contains("gaussian-blur"))
    #expect(try recipe(["--to", "sdr-png", "--tone-map", "referenceWhite"]).contains("tone-map: reference-white"))
  }

  @Test("a dry run names outputs and writes nothing") func dryRun() throws {
    let result = try Program.run([
      "render", SharedData.examples + "/temple.heic", "-n", "-o", folder.path("out"), "--to", "sdr-jpeg",
    ])
    #expect(result.status == 0)
    #expect(result.output.hasSuffix("temple.heic -> \(folder.path("out"))/temple.jpg\n"))
    #expect(folder.files() == [])
  }

  @Test("completion scripts hold every command and option", arguments: ["bash", "zsh", "fish"])
  func completion(shell: String) throws {
    let script = try Program.run(["completion", shell])
    #expect(script.status == 0)
    for word in ["reproduce", "kubernetes", "tone-map", "adaptive-jpeg", "shard"] {
      #expect(script.output.contains(word), "\(word)")
    }
  }

  @Test("advice names options as they are typed", arguments: [("--max-pixels", "1000"), ("--memory", "64M")])
  func adviceNamesOptions(option: String, value: String) throws {
    let record = folder.path("r.jsonl")
    let result = try Program.run([
      "render", SharedData.examples + "/temple.heic", "--out", folder.path("out"), "--to", "sdr-jpeg", "--backend",
      "cpu",
      "--journal", "none", "--record", record, option, value,
    ])
    #expect(result.status == 65 && result.errors.contains("; raise \(option)"), "\(result.errors)")
    #expect(try String(contentsOfFile: record, encoding: .utf8).contains("; raise \(option)"))
  }

  @Test func aLUTOnHDRNeedsItsSpace() throws {
    let rows = String(repeating: "0 0 0\n", count: 4) + String(repeating: "1 1 1\n", count: 4)
    let lut = try folder.file("x.cube", "LUT_3D_SIZE 2\n" + rows)
    let result = try Program.run([
      "render", SharedData.examples + "/temple.heic", "--out", folder.path("out"), "--to", "pq-png", "--lut", lut,
    ])
    #expect(result.status == 64)
    #expect(result.errors.contains("--lut-space"))
  }

  @Test("help and manual cite no page that a program without its repository lacks")
  func helpStandsAlone() throws {
    let manual = try Program.run(["man"]).output
    #expect(manual.contains("OpenEXR, camera raw") && manual.contains("JPEG XL"))
    // The table that the hidden option prints is a page of the repository itself.
    let cited = manual.replacing("docs/data/filters.md", with: "")
    #expect(!cited.contains("docs/"), "\(cited.split(separator: "\n").filter { $0.contains("docs/") })")
  }

  @Test func renderWritesItsFileItsRecordAndProgress() throws {
    let record = folder.path("r.jsonl")
    let result = try Program.run([
      "render", SharedData.examples + "/temple.heic", "--to", "sdr-jpeg", "--out", folder.path("out"), "--backend",
      "cpu",
      "--record", record, "--progress", "jsonl",
    ])
    #expect(result.status == 0)
    #expect(folder.files("out") == ["temple.jpg"])
    let progress = try #require(result.output.split(separator: "\n").last)
    #expect(progress.contains(#""done":1,"total":1,"failed":0"#))
    let item = try recordLines(record)[1]
    #expect(item["status"] as? String == "ok" || item["status"] as? String == "warn")
    #expect(item["operator"] as? String == "gain-map")
    #expect((item["displayHeadroom"] as? Double, item["hdrOut"] as? String) == (1, "sdr"))

    let info = try Program.run(["info", "--json", folder.path("out/temple.jpg")])
    let object = try JSONSerialization.jsonObject(with: Data(info.output.utf8)) as? [String: Any]
    #expect((object?["width"] as? Int, object?["height"] as? Int) == (item["width"] as? Int, item["height"] as? Int))
    #expect(object?["isHDR"] as? Bool == false)
  }

  @Test func infoHasFixedKeys() throws {
    let result = try Program.run(["info", "--json", SharedData.examples + "/lamps.jpg"])
    let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any] ?? [:]
    let keys: Set<String> = [
      "file", "format", "width", "height", "orientation", "bitDepth", "chroma", "decoder", "cicp", "icc", "hdrKind",
      "isHDR",
      "contentHeadroom", "gainMap", "sensor", "exr", "header", "ocio", "clli", "mdcv", "cclv", "amve", "reve", "ndwt",
      "lightPlaces",
      "sceneReferred",
      "toneMetadata", "pictures", "picture", "warnings", "error",
      "motion", "c2pa", "auxiliaries", "trailers", "livePhoto", "camera", "date", "hasLocation", "metadata",
    ]
    #expect(Set(object.keys) == keys)
    #expect((object["width"] as? Int, object["height"] as? Int) == (4080, 3072))
    let map = try #require(object["gainMap"] as? [String: Any])
    #expect((map["kind"] as? String, map["channels"] as? Int, map["baseIsHDR"] as? Bool) == ("hdrgm", 1, false))
    // The file's hdrgm:HDRCapacityMax, as exiftool reads it: 2.990012 stops.
    #expect(map["headrooms"] as? [Double] == [0, 2.990012])
  }

  @Test func filesThatAreNotPicturesAreOneLineEach() throws {
    let result = try Program.run([
      "info", try folder.file("a.jpg", "not a picture"), SharedData.examples + "/temple.heic",
      try folder.file("b.png", ""),
    ])
    #expect(result.status == 65)
    let lines = result.errors.split(separator: "\n")
    #expect(lines.count == 2)
    for line in lines {
      #expect(line.hasPrefix("hdrbatch: error: " + folder.url.path))
      #expect(line.hasSuffix("[decode.unsupported]"))
    }
    #expect(result.output.contains("temple.heic: HEIC"))
  }

  @Test func withoutVulkanDriversTheCPURenders() throws {
    let hidden = ["VK_DRIVER_FILES": "/nonexistent", "VK_ICD_FILENAMES": "/nonexistent"]
    let common = ["render", SharedData.examples + "/temple.heic", "--to", "pq-png", "--out", folder.path("out")]
    let auto = try Program.run(common, environment: hidden)
    #expect(auto.status == 0)
    // Of a machine that has no GPU nothing is said; of one whose GPU has no driver here, it is.
    let hasGPU = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/dri"))?.contains {
      $0.hasPrefix("renderD")
    }
    let isNVIDIA = FileManager.default.fileExists(atPath: "/dev/nvidia0")
    #expect(auto.errors.contains("notice: rendering on the CPU") == (hasGPU == true || isNVIDIA), "\(auto.errors)")
    #expect(folder.files("out") == ["temple.png"])
    let demanded = try Program.run(common + ["--backend", "gpu", "--on-existing", "replace"], environment: hidden)
    #expect(demanded.status == 69)
    #expect(demanded.errors.contains("hdrbatch doctor"))
    let doctor = try Program.run(["doctor", "--json"], environment: hidden)
    let object = try JSONSerialization.jsonObject(with: Data(doctor.output.utf8)) as? [String: Any]
    let vulkan = try #require(object?["vulkan"] as? [String: Any])
    #expect((vulkan["devices"] as? [Any])?.isEmpty == true)
    #expect((vulkan["reason"] as? String)?.isEmpty == false)
    #expect((object?["codecs"] as? [Any])?.count ?? 0 >= 8)
  }

  @Test func helpSaysDefaultsAndUnits() throws {
    let help = try Program.run(["render", "--help-all"])
    #expect(help.status == 0)
    let text = help.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for words in [
      "as a factor (4) or in stops (2ev). Default: 1 for sdr-*, else the content's own.", "iphone-14 (1600:200)",
      "constrained-high = up to --constrained-limit", "pro-display-xdr (1600:4)",
      "a name takes that operator, with parameters as in bt2390:knee=1",
      "auto is compress, for exr and rgba16f none. Default: auto.", "replace writes them again. Default: fail.",
      "hdrbatch render PHOTOS -o OUT --to adaptive-jpeg",
    ] {
      #expect(text.contains(words), "\(words)")
    }
    #expect(text.contains("Reads " + readableFormats.joined(separator: ", ") + ", with or without gain maps."))
    #expect(text.contains("--max-worker-memory"))
    #expect(try !Program.run(["render", "--help"]).output.contains("--max-worker-memory"))
    #expect(try Program.run(["render", "--help"]).output == Program.run(["help", "render"]).output)
    let root = try Program.run(["--help"])
    for command in ["render", "info", "doctor"] { #expect(root.output.contains("  " + command)) }
  }
}
