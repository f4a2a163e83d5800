import BatchEngine
import CodecService
import Foundation
import HDRCore
import ImageFiles
import TestFiles
import TestSupport
import Testing

/// Tests from outside that hdrbatch itself parses no input: the loader logs every library function at its first call.
@Suite(.serialized, .enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct SupervisorTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// Sums of bytes whatever they are, and YAML of recipes.
  static let harmless: Set<String> = [
    "nettle_sha256_init", "nettle_sha256_update", "nettle_sha256_digest", "crc32_gzip_refl",
    "nettle_md5_init", "nettle_md5_update", "nettle_md5_digest",
  ]

  /// The pixels of the largest picture that is rendered: who reads a file does not depend on its size, and all are
  /// rendered to ten kinds.
  static let mostPixels = "3000000"

  /// Functions of codec libraries that hdrbatch has called, and libraries that it has opened.
  func calls(_ arguments: [String]) throws -> Set<String> {
    let log = folder.path("bindings-" + UUID().uuidString)
    let result = try Program.run(
      arguments, environment: ["LD_DEBUG": "bindings,files", "LD_DEBUG_OUTPUT": log, "LD_BIND_NOW": ""])
    #expect([0, 65].contains(result.status), "\(arguments.prefix(3)): \(result.errors)")
    let name = (log as NSString).lastPathComponent + "."
    // Codec processes get no such variable: the one file is of hdrbatch.
    let files = folder.files().filter { $0.hasPrefix(name) }
    #expect(files.count == 1, "\(files)")
    let libraries = ["lcms", "png", "turbojpeg", "jpeg", "dav1d", "aom", "isal", "deflate", "nettle", "z.so"]
    let text = files.first.flatMap { folder.text($0) } ?? ""
    let opened = text.split(separator: "\n").filter { $0.contains("dynamically loaded by") }.compactMap { line in
      line.split(separator: " ").first { $0.contains("file=") }.map(String.init)
    }
    let called = LoaderLog.calls(text, by: "hdrbatch").filter { call in
      libraries.contains { call.library.contains("/lib" + $0) }
    }
    return Set(opened + called.map(\.function)).subtracting(Self.harmless)
  }

  /// A PQ PNG whose profile is a table without code points, which only Little CMS can read.
  func pictureWithTable() throws -> String {
    let image = SampleImage.interleaved(width: 16, height: 16, channelCount: 4, format: .uint16, bitDepth: 16)
    let request = EncodeRequest(
      kind: .pqPNG, image: image, hasAlpha: false, cicp: CICP(9, 16, 0, full: true), contentHeadroom: 4,
      displayHeadroom: 4)
    let profile = TinyICC.profile(space: "RGB ", tags: ["A2B0": TinyICC.linearTable(TinyICC.colorants[9] ?? [])])
    var (a, b) = (1, 0)
    for byte in profile {
      a = (a + Int(byte)) % 65521
      b = (b + a) % 65521
    }
    let count = profile.count
    var stream: [UInt8] = [
      0x78, 1, 1, UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255), UInt8(~count >> 8 & 255),
    ]
    stream += profile + TinyICC.word(b << 16 | a)
    let body = Array("iCCP".utf8) + Array("table".utf8) + [0, 0] + stream
    let chunk = TinyICC.word(body.count - 4) + body + TinyICC.word(Int(checksum(body), radix: 16) ?? 0)
    var png = try encodeImage(request).main
    let old = try #require(Data(png).range(of: Data("iCCP".utf8)))
    let start = old.lowerBound - 4, length = png[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
    png.replaceSubrange(start..<start + 12 + length, with: chunk)
    let path = folder.path("table.png")
    try Data(png).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// Pictures of every format, damaged ones too.
  private var pictures: [String] {
    var found = [SharedData.small("lamps.jpg")]
    found += ["citadel.avif", "citadel-pq.heic", "temple.heic"].map { SharedData.examples + "/" + $0 }
    for part in ["data/formats", "data/images", "data/malformed"] {
      guard let root = SharedData.url(part), let walk = FileManager.default.enumerator(atPath: root.path) else {
        continue
      }
      let names = walk.compactMap { $0 as? String }.filter {
        !$0.contains("expected/")
          && [
            "jpg", "png", "heic", "heif", "avif", "jxl", "exr", "tif", "tiff", "dng",
          ].contains(($0 as NSString).pathExtension)
      }
      found += names.sorted().map { root.path + "/" + $0 }.filter {
        ((try? FileManager.default.attributesOfItem(atPath: $0))?[.size] as? Int ?? .max) < 2 << 20
      }
    }
    return found
  }

  @Test("no codec library meets a byte of an input in hdrbatch itself")
  func promise04_noLibraryIsCalled() throws {
    let inside = try calls([
      "render", SharedData.examples + "/lamps.jpg", "--out", folder.path("inside"), "--to", "sdr-jpeg",
      "--backend", "cpu",
      "--isolation", "none",
    ])
    #expect(inside.isSuperset(of: ["tjInitDecompress", "tjInitCompress"]), "\(inside)")
    let table = try pictureWithTable()
    #expect(try Program.run(["info", table]).output.contains("CICP 9/16/0"))
    let all = try folder.file("all.txt", ([table] + pictures).joined(separator: "\n") + "\n")
    let some = try folder.file(
      "some.txt",
      ([table] + pictures.enumerated().filter { $0.offset < 4 || $0.offset % 8 == 0 }.map(\.element)).joined(
        separator: "\n"))
    #expect(try calls(["info", "@" + all, "--json"]) == [])
    #expect(try calls(["info", "@" + all, "--check", "iso22028-5"]) == [])
    // Kinds for which nothing is opened share a run.
    for (kinds, opens) in [
      (["adaptive-jpeg", "adaptive-avif", "adaptive-png"], []), (["adaptive-heic"], ["libheif"]),
      (["adaptive-jxl"], ["jxl"]), (["pq-png"], []), (["sdr-jpeg", "exr", "pq-tiff", "rgba16f"], []),
    ] as [([String], [String])] {
      let out = folder.path("out-" + kinds[0])
      let found = try calls(
        [
          "render", "@" + some, "--out", out, "--backend", "cpu", "--filter", "scale=width:64",
          "--max-pixels", Self.mostPixels, "--record", out + ".jsonl",
        ] + kinds.flatMap { ["--to", $0] } + (kinds[0].hasPrefix("adaptive") ? ["--if-sdr", "skip"] : []))
      // It looks whether what writes the kind is there.
      let rest = found.filter { call in !opens.contains { call.contains("file=") && call.contains($0) } }
      #expect(rest == [], "\(kinds)")
    }
    #expect(try calls(["gallery", folder.path("out-pq-png"), "--backend", "cpu"]) == [])
    let copied = folder.path("copied")
    #expect(
      try calls([
        "render", "@" + some, "--out", copied, "--to", "adaptive-jpeg", "--backend", "cpu", "--if-sdr", "skip",
        "--max-pixels", Self.mostPixels,
      ]) == [])
    #expect(
      try calls([
        "render", SharedData.examples + "/temple.heic", "--out", folder.path("over"), "--to", "sdr-jpeg",
        "--backend",
        "cpu", "--filter", "source-over=input:top", "--input", "top=" + table,
      ]) == [])
  }
}
