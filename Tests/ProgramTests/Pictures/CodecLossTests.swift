import Foundation
import GPURender
import TestFiles
import TestSupport
import Testing

/// Devices that are lost or hang inside a codec, at a submission that runs one of its kernels: the CPU makes the same
/// bytes, and records say so. Nothing else of these runs fails.
@Suite(
  .serialized, .enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"),
  .enabled(if: GPUDevice.available().contains { $0.name.contains("llvmpipe") }, "skipped: no llvmpipe"))
struct CodecLossTests {
  /// A device that fails at one of the submissions that run the codec's kernel.
  struct Fault: Sendable {
    let kind: String
    /// The submission, counted back from the last one of a run in which nothing fails.
    let back: Int
    /// The codec's device of each picture, as the record has it.
    let devices: [String]

    static func lost(_ back: Int, _ devices: String...) -> Fault { Fault(kind: "lost", back: back, devices: devices) }
    static func hang(_ back: Int, _ devices: String...) -> Fault { Fault(kind: "hang", back: back, devices: devices) }
  }

  struct Codec: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let words: [String]
    /// The kernel of the codec that runs when the device fails.
    let kernel: String
    /// The key of records that names the codec's device.
    var key = "encodeDevice"
    var card = "nvidia"
    /// The record says this where nothing fails: the first picture's strips are compared, and the CPU encodes that one.
    var working = ["cpu", "gpu", "gpu"]
    /// Pictures with gain maps, or noise in PNG.
    var hasGainMaps = false
    let faults: [Fault]
  }

  /// A lost device is opened again, and its first picture is compared; the third picture then takes the last one.
  private static let once: [Fault] = [.lost(1, "cpu", "cpu", "cpu"), .hang(1, "cpu", "cpu", "cpu")]

  static let codecs = [
    Codec(testDescription: "JPEG", words: ["--to", "sdr-jpeg"], kernel: "jpeg_codes", faults: once),
    Codec(
      testDescription: "JPEG in bands, of which the first are encoded", words: ["--to", "sdr-jpeg"],
      kernel: "jpeg_codes", card: "nvidia,heap=8MiB",
      faults: [.lost(2, "cpu", "gpu", "cpu"), .hang(2, "cpu", "gpu", "cpu")]),
    Codec(
      testDescription: "JPEG with tables of its own, whose symbols are counted",
      words: ["--to", "sdr-jpeg", "--jpeg-optimize"], kernel: "jpeg_counts", faults: once),
    // The base is encoded before the map.
    Codec(
      testDescription: "base and map of Adaptive JPEG", words: ["--to", "adaptive-jpeg"], kernel: "jpeg_codes",
      hasGainMaps: true,
      faults: [
        .lost(3, "cpu", "cpu", "cpu"), .hang(3, "cpu", "cpu", "cpu"),
        .lost(2, "cpu", "both", "both"), .hang(2, "cpu", "both", "cpu"),
      ]),
    Codec(
      testDescription: "PNG", words: ["--to", "pq-png", "--png-effort", "gpu"], kernel: "deflate_codes", faults: once),
    Codec(
      testDescription: "TIFF", words: ["--to", "linear-tiff", "--png-effort", "gpu"], kernel: "deflate_codes",
      faults: once),
    Codec(
      testDescription: "OpenEXR", words: ["--to", "exr", "--exr-compression", "zip-gpu"], kernel: "deflate_codes",
      faults: once),
    Codec(
      testDescription: "decoded JPEG", words: ["--to", "sdr-png"], kernel: "jpeg_coefficients", key: "decodeDevice",
      working: ["gpu", "gpu", "gpu"], hasGainMaps: true,
      faults: [.lost(2, "cpu", "cpu", "cpu"), .lost(1, "gpu", "gpu", "cpu"), .hang(1, "gpu", "cpu", "cpu")]),
  ]

  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private struct Run {
    var rows: [[String: Any]]
    var files: [Data?]
    var errors: String

    func values(_ key: String) -> [String] { rows.map { $0[key] as? String ?? "" } }
  }

  /// Renders all pictures with the card, one after the other.
  private func render(_ codec: Codec, _ out: String, _ more: [String], card: String) throws -> Run {
    let record = folder.path(out + ".jsonl")
    let result = try Program.run(
      [
        "render", folder.path("in"), "--out", folder.path(out), "--jobs", "1", "--progress", "none", "--record", record,
        "--filter", "exposure=ev:0.5",
      ] + codec.words + more, environment: EmulatedCard.environment(card, in: folder))
    #expect(result.status == 0, "\(result.errors)")
    let rows = try recordLines(record).filter { $0["type"] as? String == "item" }
    let files = folder.files(out).filter { !$0.hasPrefix(".") }
    return Run(
      rows: rows, files: files.map { FileManager.default.contents(atPath: folder.path(out + "/" + $0)) },
      errors: result.errors)
  }

  private func writePictures(_ codec: Codec) throws {
    guard codec.hasGainMaps else { return try SmallPictures.write(3, into: folder, width: 321, height: 247) }
    let lamps = SharedData.small("lamps.jpg")
    let made = try Program.run(
      ["render", lamps, "-o", folder.path("lamps.jpg"), "--to", "adaptive-jpeg", "--resize", "200", "--backend", "cpu"])
    #expect(made.status == 0, "\(made.errors)")
    let bytes = try #require(FileManager.default.contents(atPath: folder.path("lamps.jpg")))
    for number in 0..<3 { try bytes.write(to: URL(fileURLWithPath: try folder.file("in/\(number).jpg", ""))) }
  }

  @Test(
    "a device that is lost or hangs inside a codec gives way to the CPU, which makes the same bytes", arguments: codecs)
  func devicesFailInsideCodecs(codec: Codec) throws {
    try writePictures(codec)
    let cpu = try render(codec, "cpu", ["--backend", "cpu"], card: "nvidia")
    #expect(cpu.files.count == 3 && !cpu.files.contains(nil))
    let kernel = "\(codec.card),at=\(codec.kernel)"
    let working = try render(codec, "gpu", ["--codec-device", "gpu"], card: kernel + ",stats=1")
    #expect(working.values(codec.key) == codec.working && working.files == cpu.files)
    // The card counts the submissions that run the kernel, in tests of the device too.
    let last = try #require(EmulatedCard.counts(working.errors)["at"])
    for fault in codec.faults {
      let name = "\(fault.kind) \(fault.back) before the last", number = last - fault.back
      let run = try render(
        codec, name, ["--codec-device", "gpu"], card: kernel + ",clock=100,\(fault.kind)=\(number)")
      #expect(run.files == cpu.files, "\(name)")
      #expect(run.values("status") == cpu.values("status"), "\(name)")
      #expect(run.values(codec.key) == fault.devices, "\(name)")
      // Only the card's own fault ends it. What hangs is not opened again.
      let isGivenUp = run.errors.contains("the GPU is given up")
      let isOpened = run.errors.contains("a GPU is opened again")
      #expect(fault.kind == "hang" ? isGivenUp && !isOpened : isOpened, "\(run.errors)")
      #expect(run.errors.contains("stopped answering"), "\(run.errors)")
      let isLeft = !run.values("fallback").allSatisfy(\.isEmpty)
      #expect(isLeft == isGivenUp, "\(name): \(run.values("fallback"))")
      // The picture whose codes the device had in hand says why the library has decoded it.
      if codec.key == "decodeDevice", let first = fault.devices.firstIndex(of: "cpu") {
        #expect(run.values("decodeFallback")[first].contains("stopped answering"), "\(name)")
      }
    }
  }
}
