import Foundation
import TestFiles
import TestSupport
import Testing

/// Formats without libraries, through the program: Radiance, PFM, DPX, Cineon, PNM, BMP, QOI.
@Suite(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct PlainFormatTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func render(_ input: String, _ words: [String]) throws -> Program.Result {
    try Program.run(
      ["render", input, "-o", folder.path("out"), "--backend", "cpu", "--on-existing", "replace"] + words)
  }

  /// Linear light in BT.2020 of what an input becomes: R, G, B, A of each pixel.
  private func light(_ input: String, _ words: [String] = []) throws -> [Double] {
    let made = try render(input, ["--to", "rgba16f", "--content-headroom", "8"] + words)
    #expect(made.status == 0, "\(made.errors)")
    let stem = URL(fileURLWithPath: input).deletingPathExtension().lastPathComponent
    let data = try Data(contentsOf: folder.url.appendingPathComponent("out/\(stem).rgba16f"))
    return data.withUnsafeBytes { $0.bindMemory(to: UInt16.self).map { Double(Float16(bitPattern: $0)) } }
  }

  /// The records of files, which go into the batch under names of their own.
  private func records(_ files: [URL], _ words: [String] = []) throws -> [(file: URL, row: [String: Any])] {
    var paths: [String] = []
    for (index, file) in files.enumerated() {
      let copy = folder.path("\(index)-\(file.lastPathComponent)")
      try FileManager.default.createSymbolicLink(atPath: copy, withDestinationPath: file.path)
      paths.append(copy)
    }
    let list = try folder.file("list.txt", paths.joined(separator: "\n") + "\n")
    _ = try render("@" + list, ["--to", "pq-png", "--record", folder.path("r.jsonl")] + words)
    let rows = try recordLines(folder.path("r.jsonl")).filter { $0["type"] as? String == "item" }
    return try rows.map { row in
      let index = try #require(paths.firstIndex(of: row["input"] as? String ?? ""))
      return (files[index], row)
    }
  }

  private static func shared(_ folders: [String]) -> [URL] {
    folders.flatMap { name -> [URL] in
      guard let folder = SharedData.url("data/formats2/" + name) else { return [] }
      return ((try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? [])
        .sorted { $0.path < $1.path }
    }
  }

  @Test(.enabled(if: SharedData.url("data/formats2") != nil, "skipped: no data"))
  func sharedFilesAreRendered() throws {
    let files = Self.shared(["radiance", "pfm", "dpx", "cineon", "simple"])
    #expect(files.count >= 64)
    let formats = [
      "hdr": "hdr", "pfm": "pfm", "phm": "pfm", "dpx": "dpx", "cin": "cineon", "ppm": "pnm", "bmp": "bmp", "qoi": "qoi",
    ]
    let rows = try records(files)
    #expect(rows.count == files.count)
    for (file, row) in rows {
      let isForeign = file.pathExtension == "pic"
      #expect((row["status"] as? String == "failed") == isForeign, "\(file.lastPathComponent): \(row)")
      #expect(row["code"] as? String == (isForeign ? "decode.unsupported" : nil), "\(file.lastPathComponent)")
      if !isForeign { #expect(row["format"] as? String == formats[file.pathExtension], "\(file.lastPathComponent)") }
    }
  }

  @Test("each malformed file has one row with a code, or is read with a warning")
  func malformedFilesHaveTheirRows() throws {
    let files = Self.shared(["malformed"]).filter { ["hdr", "pfm", "dpx"].contains($0.pathExtension) }
    if files.isEmpty { return }
    #expect(files.count == 24)
    let rows = try records(files)
    #expect(rows.count == files.count)
    let harmless: Set<String> = [
      "ddpx_elem_offset", "ddpx_offset_past", "ddpx_refnan", "dhdr_exposure0", "dhdr_primaries_bad",
    ]
    for (file, row) in rows {
      let name = file.deletingPathExtension().lastPathComponent, code = row["code"] as? String
      #expect((row["status"] as? String != "failed") == harmless.contains(name), "\(name): \(row)")
      #expect(code == nil || code?.hasPrefix("decode.") == true && code != "decode.library", "\(name): \(code ?? "")")
    }
  }

  @Test("light that is written is read again, within the steps of the format")
  func writtenLightIsReadAgain() throws {
    let source = try folder.file(
      "a.exr", EXRBuilder(width: 16, height: 4) { x, _ in [0.25, 0.125, 0.0625].map { Double(x) / 8 + $0 } }.bytes)
    let expected = try light(source)
    for (kind, ending, words, tolerance) in [
      ("pfm", "pfm", [], 0.002), ("hdr", "hdr", [], 0.02), ("dpx-log", "dpx", [], 0.02), ("dpx-log", "dpx", [], 0.02),
      ("pq-dpx", "dpx", ["--cicp", "9/16"], 0.03), ("hlg-dpx", "dpx", ["--cicp", "9/18"], 0.03),
    ] as [(String, String, [String], Double)] {
      let made = try render(source, ["--to", kind, "--content-headroom", "4"])
      #expect(made.status == 0, "\(made.errors)")
      let again = try light(folder.path("out/a.\(ending)"), words)
      #expect(again.count == expected.count)
      for (a, b) in zip(again, expected) { #expect(abs(a - b) <= tolerance * max(b, 0.25), "\(kind): \(a), \(b)") }
      let hasSidecar = FileManager.default.fileExists(atPath: folder.path("out/a.dpx.json"))
      #expect(hasSidecar == kind.hasSuffix("-dpx"), "\(kind)")
      try? FileManager.default.removeItem(atPath: folder.path("out/a.dpx.json"))
    }
  }

  @Test("SDR of DPX has the curve of video, in 10 and 16 bits")
  func codesOfVideoAreReadAgain() throws {
    let source = SharedData.small("lamps.jpg")
    for depth in ["10", "16"] {
      #expect(try render(source, ["--to", "dpx", "--depth", depth]).status == 0)
      let told = try Program.run(["info", "--json", folder.path("out/lamps.dpx")])
      let object = try #require(try JSONSerialization.jsonObject(with: Data(told.output.utf8)) as? [String: Any])
      #expect(object["bitDepth"] as? Int == Int(depth) && object["hdrKind"] as? String == "sdr")
      #expect((object["header"] as? [String: String])?["transfer"] == "6 (BT.709)")
      #expect((object["warnings"] as? [Any])?.isEmpty == true)
      #expect(try render(source, ["--to", "sdr-tiff", "--primaries", "srgb"]).status == 0)
      let pair = try light(folder.path("out/lamps.dpx")), other = try light(folder.path("out/lamps.tif"))
      #expect(pair.count == other.count && !pair.isEmpty)
      #expect(zip(pair, other).allSatisfy { abs($0 - $1) < 0.005 })
    }
  }

  @Test("exposures and white of Radiance files, and the numbers of logarithms, are the caller's")
  func lightIsWhatTheCallerSays() throws {
    let text = "#?RADIANCE\nEXPOSURE=4\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 2\n"
    let file = try folder.file("a.hdr", Array(text.utf8) + [128, 128, 128, 129, 128, 128, 128, 129])
    func first(_ words: [String]) throws -> Double { try light(file, words)[0] }
    let kept = try first([]), applied = try first(["--hdr-exposure", "apply"])
    #expect(abs(kept - 1) < 1e-3 && abs(applied - 0.25) < 1e-3)
    let brighter = try first(["--hdr-white", "406"])
    #expect(abs(brighter - 2) < 2e-3)
    #expect(try render(file, ["--to", "exr"]).errors.contains("--hdr-exposure apply divides them [hdr.exposure]"))
    let told = try Program.run(["info", file])
    #expect(told.output.contains("  header    EXPOSURE 4\n"), "\(told.output)")
    let twice = try folder.file(
      "twice.hdr", text.replacingOccurrences(of: "EXPOSURE=4", with: "EXPOSURE=2\nEXPOSURE=3"))
    #expect(try Program.run(["info", "--json", twice]).status == 65)
    let whole = try folder.file(
      "whole.hdr", Array(try String(contentsOfFile: twice, encoding: .utf8).utf8) + [1, 2, 3, 129, 4, 5, 6, 129])
    #expect(try Program.run(["info", "--json", whole]).output.contains("\"EXPOSURE\":\"2; 3\""))
    // Code 514 in all channels.
    let word: [UInt8] = [0x80, 0xA0, 0x28, 0x08]
    let film = try folder.file(
      "film.dpx", DPXBuilder { ($0.transfer, $0.data) = (3, (0..<64).map { word[$0 % 4] }) }.bytes)
    let usual = try light(film)[0], other = try light(film, ["--log-white", "514"])[0]
    #expect(abs(other - 1) < 2e-3 && usual < 0.5)
    #expect(try render(film, ["--to", "exr", "--log-white", "50"]).status == 64)
  }
}
