import Foundation
import HDRRender
import TestSupport
import Testing

/// The library and `hdrbatch render` share one path: they write the same bytes.
@Suite(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct SameBytesTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  static let cpu = Result { () throws(HDRError) in try HDRRenderer(backend: .cpu) }
  /// The software Vulkan device, for tests of bits.
  static let lavapipe = try? HDRRenderer(backend: .gpu, device: "llvmpipe")

  static let formats: [(HDRFormat, flags: [String])] = [
    (.sdrJPEG(quality: 85), ["--quality", "85"]), (.pqPNG(), []), (.pqHEIC(quality: 80), ["--quality", "80"]),
    (.adaptiveJPEG(), []), (.adaptiveHEIC(), []), (.adaptiveHEIC(quality: 90), ["--quality", "90"]), (.rgba16f, []),
    (.linearTIFF(depth: 32), ["--depth", "32"]),
  ]

  @Test(arguments: ["temple.heic", "citadel-pq.heic"], 0..<8)
  func theLibraryWritesTheBytesOfTheCommandLine(name: String, index: Int) throws {
    let (format, flags) = Self.formats[index]
    let photo = try HDRImage(contentsOf: SharedData.example(name))
    // Of the large picture a part is coded, and of the small one as HEVC, which takes ten times as long as all else.
    let isCoded = format.fileExtension == "heic" && !flags.isEmpty
    guard name.hasPrefix("citadel") || isCoded else { return try compare(name, photo, format, flags) }
    try compare(
      name, photo.cropped(to: .init(x: 200, y: 300, width: 800, height: 600)), format,
      flags + ["--filter", "crop=rect:200/300/800/600"])
  }

  @Test(arguments: [0, 1, 4, 6])
  func theLibraryEditsAsTheCommandLineDoes(index: Int) throws {
    let (format, flags) = Self.formats[index]
    let photo = try HDRImage(contentsOf: SharedData.example("temple.heic"))
      .applying(.exposure(ev: 0.5)).applying(.gaussianBlur(radius: 3))
      .cropped(to: .init(x: 100, y: 200, width: 300, height: 250))
    try compare(
      "temple.heic", photo, format,
      flags + [
        "--filter", "exposure=ev:0.5", "--filter", "gaussianBlur=radius:3", "--filter", "crop=rect:100/200/300/250",
      ])
  }

  private func compare(_ name: String, _ photo: HDRImage, _ format: HDRFormat, _ flags: [String]) throws {
    let file = "made." + format.fileExtension, stem = String(name.prefix { $0 != "." })
    let result = try Program.run(
      [
        "render", SharedData.example(name), "--out", folder.url.path, "--to", format.name, "--backend",
        "cpu",
      ]
        + flags)
    #expect(result.status == 0)
    let report = try Self.cpu.get().write(photo, to: folder.path(file), as: format)
    let cli = try folder.bytes(stem + "." + format.fileExtension), own = try folder.bytes(file)
    #expect(cli == own, "\(cli.count) and \(own.count) bytes")
    #expect(report.outputDigest != nil && report.width > 0)
    if format.name == "rgba16f" {
      #expect(try folder.bytes(stem + ".rgba16f.json") == folder.bytes("made.rgba16f.json"))
    }
  }

  @Test("recipes of the command line make the same files")
  func recipe() throws {
    let path = SharedData.example("recipes/two-renditions.yaml"), recipe = try Recipe(contentsOf: path)
    let result = try Program.run(
      ["render", SharedData.example("temple.heic"), "--out", folder.url.path, "--recipe", path, "--backend", "cpu"])
    #expect(result.status == 0)
    let photo = try HDRImage(contentsOf: SharedData.example("temple.heic")).applying(recipe)
    for (format, suffix) in zip(recipe.formats, ["hdr.png", "sdr.jpg"]) {
      try Self.cpu.get().write(photo, to: folder.path("made-" + suffix), as: format)
      #expect(try folder.bytes("made-" + suffix) == folder.bytes("temple-" + suffix))
    }
  }

  @Test("the GPU renders the CPU's bits", .enabled(if: lavapipe != nil, "skipped: no lavapipe"))
  func onTheGPU() throws {
    let gpu = try #require(Self.lavapipe)
    let photo = try HDRImage(contentsOf: SharedData.example("temple.heic"))
      .applying(.exposure(ev: 0.3)).cropped(to: .init(x: 400, y: 600, width: 256, height: 256))
    let (a, b) = (try gpu.render(photo, headroom: 3), try Self.cpu.get().render(photo, headroom: 3))
    #expect(a.report.backend == "gpu" && b.report.backend == "cpu")
    #expect(a.halves.map(\.bits) == b.halves.map(\.bits))
  }

  @Test(
    "isolated codecs write the same bytes",
    .enabled(if: CodecProgram.url != nil, "skipped: hdrbatch-codec is not built beside the tests"))
  func isolated() throws {
    let program = try #require(CodecProgram.url?.path)
    let renderer = try HDRRenderer(backend: .cpu, isolation: .sandbox.program(program))
    #expect(renderer.isolation != "none")
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: SharedData.example("temple.heic"))))
    for (index, photo) in [
      try renderer.image(contentsOf: SharedData.example("temple.heic")), try renderer.image(data: bytes),
    ]
    .enumerated() {
      let edited = photo.applying(.exposure(ev: 0.5)).cropped(to: .init(x: 200, y: 300, width: 800, height: 600))
      let a = try renderer.write(edited, to: folder.path("a\(index).heic"), as: .adaptiveHEIC())
      let b = try Self.cpu.get().write(edited, to: folder.path("b\(index).heic"), as: .adaptiveHEIC())
      #expect(a.outputDigest == b.outputDigest && a.facts.isolation != b.facts.isolation)
    }
  }
}

extension SIMD4<Float16> {
  /// Bits tell what numbers do not: NaN, the sign of zero.
  fileprivate var bits: [UInt16] { (0..<4).map { self[$0].bitPattern } }
}
