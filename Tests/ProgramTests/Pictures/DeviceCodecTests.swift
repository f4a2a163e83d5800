import Foundation
import GPURender
import HDRCore
import ImageFiles
import TestFiles
import TestSupport
import Testing

/// JPEGs whose codes a device makes: the files of the CPU, wherever they come from.
@Suite(
  .serialized, .enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"),
  .enabled(if: GPUDevice.available().contains { $0.name.contains("llvmpipe") }, "skipped: no llvmpipe"))
struct DeviceCodecTests {
  private static let pictures = 4
  let folder: TemporaryFolder
  init() throws {
    folder = try TemporaryFolder()
    try SmallPictures.write(Self.pictures, into: folder, width: 321, height: 247)
  }

  /// Renders all pictures and returns the results of the records' key `encodeDevice`, and what the card counted.
  private func render(
    _ out: String, _ words: [String], card: String = "nvidia"
  ) throws -> (devices: [String], counts: [String: Int], errors: String) {
    let record = folder.path(out + ".jsonl")
    let result = try Program.run(
      [
        "render", folder.path("in"), "--out", folder.path(out), "--jobs", "1", "--progress", "none", "--record", record,
      ] + (words.contains("--to") ? [] : ["--to", "sdr-jpeg"]) + words,
      environment: EmulatedCard.environment(card + ",stats=1", in: folder))
    #expect(result.status == 0, "\(result.errors)")
    let rows = try recordLines(record).filter { $0["type"] as? String == "item" }
    return (rows.map { $0["encodeDevice"] as? String ?? "" }, EmulatedCard.counts(result.errors), result.errors)
  }

  private func expectFilesOfTheCPU(_ out: String) {
    for name in folder.files("cpu") {
      let expected = FileManager.default.contents(atPath: folder.path("cpu/" + name))
      #expect(FileManager.default.contents(atPath: folder.path(out + "/" + name)) == expected, "\(out), \(name)")
    }
  }

  /// Returns the rows of all planes of a file and of its gain map.
  private static func samples(_ file: [UInt8]) throws -> [[UInt8]] {
    let source = try decodeImage(file, request: .pixels)
    return [source.image, source.gainMap?.image].compactMap { $0 }.flatMap { image in
      image.channels.flatMap { plane in
        (0..<plane.height).map { row in
          let start = plane.buffer.base + plane.offset + row * plane.rowBytes
          return [UInt8](UnsafeRawBufferPointer(start: start, count: plane.width * plane.stepBytes))
        }
      }
    }
  }

  @Test("a device encodes JPEGs to the bytes of the CPU, and only codes come back", arguments: [60, 90, 100])
  func devicesEncodeTheFilesOfTheCPU(quality: Int) throws {
    let edited = ["--quality", "\(quality)", "--filter", "exposure=ev:0.5"]
    let cpu = try render("cpu", edited + ["--backend", "cpu"])
    #expect(cpu.devices == [String](repeating: "cpu", count: Self.pictures))
    let gpu = try render("gpu", edited + ["--backend", "gpu", "--codec-device", "gpu"], card: "nvidia,late=1")
    // A strip of the first picture is compared with the CPU's; that one is encoded on the CPU.
    #expect(gpu.devices == ["cpu"] + [String](repeating: "gpu", count: Self.pictures - 1))
    expectFilesOfTheCPU("gpu")
    let samples = try render("samples", edited + ["--backend", "gpu", "--codec-device", "cpu"])
    #expect(samples.devices == cpu.devices)
    expectFilesOfTheCPU("samples")
    // Noise of the highest quality is longer than its samples.
    if quality < 100 { #expect(try #require(gpu.counts["bytes_down"]) < (try #require(samples.counts["bytes_down"]))) }
    // Graphics hardware encodes pictures of a megapixel and more by itself.
    #expect(try render("auto", edited + ["--backend", "gpu"]).devices == cpu.devices)
  }

  @Test("a device encodes base and gain map of Adaptive JPEGs", arguments: [[], ["--map-channels", "1"]])
  func devicesEncodeAdaptiveJPEGs(map: [String]) throws {
    let lamps = SharedData.repository.appendingPathComponent("Examples/lamps.jpg").path
    for name in ["in/p001.png", "in/p002.png", "in/sub/p000.png", "in/sub/p003.png"] {
      try FileManager.default.removeItem(atPath: folder.path(name))
    }
    for name in ["in/a.jpg", "in/b.jpg"] { try FileManager.default.copyItem(atPath: lamps, toPath: folder.path(name)) }
    // Its base needs other kernels than that of a JPEG, and so is compared; its map needs the same.
    let made = try Program.run(["render", lamps, "-o", folder.path("in/c.png"), "--to", "pq-png", "--resize", "320"])
    #expect(made.status == 0, "\(made.errors)")
    let words = ["--to", "adaptive-jpeg", "--resize", "320", "--filter", "exposure=ev:0.5"] + map
    let cpu = try render("cpu", words + ["--backend", "cpu"])
    let gpu = try render("gpu", words + ["--backend", "gpu", "--codec-device", "gpu"])
    #expect(cpu.devices == ["cpu", "cpu", "cpu"] && gpu.devices == ["cpu", "gpu", "both"])
    #expect(folder.files("cpu").count == 3)
    expectFilesOfTheCPU("gpu")
  }

  @Test(
    "JPEGs with tables of their own are smaller, and a device makes the same", arguments: ["sdr-jpeg", "adaptive-jpeg"])
  func devicesOptimizeJPEGs(kind: String) throws {
    if kind == "adaptive-jpeg" {
      for name in folder.files("in") { try FileManager.default.removeItem(atPath: folder.path("in/" + name)) }
      let lamps = SharedData.repository.appendingPathComponent("Examples/lamps.jpg").path
      for name in ["in/a.jpg", "in/b.jpg"] {
        try FileManager.default.copyItem(atPath: lamps, toPath: folder.path(name))
      }
    }
    let words = ["--to", kind, "--resize", "320", "--filter", "exposure=ev:0.5"], own = words + ["--jpeg-optimize"]
    let plain = try render("plain", words + ["--backend", "cpu"]), cpu = try render("cpu", own + ["--backend", "cpu"])
    #expect(plain.devices == cpu.devices)
    for name in folder.files("cpu") {
      let files = try ["plain", "cpu"].map { out in
        [UInt8](try #require(FileManager.default.contents(atPath: folder.path(out + "/" + name))))
      }
      #expect(files[1].count < files[0].count, "\(name)")
      #expect(try Self.samples(files[0]) == Self.samples(files[1]), "\(name)")
    }
    let gpu = try render("gpu", own + ["--backend", "gpu", "--codec-device", "gpu"])
    #expect(gpu.devices == ["cpu"] + [String](repeating: "gpu", count: cpu.devices.count - 1))
    expectFilesOfTheCPU("gpu")
    #expect(try Program.run(["render", folder.path("in"), "--to", "pq-png", "--jpeg-optimize"]).status == 64)
  }

  @Test("a device encodes the pictures of a gallery, if it is told to")
  func devicesEncodeGalleries() throws {
    _ = try render("out", ["--backend", "cpu"])
    var down: [Int] = []
    for device in ["cpu", "gpu"] {
      let made = try Program.run(
        [
          "gallery", folder.path("out"), "-o", folder.path(device), "--size", "256", "--backend", "gpu", "--jobs", "1",
          "--codec-device", device,
        ], environment: EmulatedCard.environment("nvidia,stats=1", in: folder))
      #expect(made.status == 0, "\(made.errors)")
      down.append(try #require(EmulatedCard.counts(made.errors)["bytes_down"]))
    }
    #expect(folder.files("cpu/thumbs").count == Self.pictures && down[1] < down[0], "\(down)")
    for name in folder.files("cpu/thumbs") {
      let thumbnails = ["cpu", "gpu"].map { FileManager.default.contents(atPath: folder.path("\($0)/thumbs/\(name)")) }
      #expect(thumbnails[0] != nil && thumbnails[0] == thumbnails[1], "\(name)")
    }
  }

  @Test("a device that is lost while it encodes costs no file", arguments: [4, 9, 13, 16])
  func lostDevicesCostNoFile(submission: Int) throws {
    let words = ["--filter", "exposure=ev:0.5"]
    _ = try render("cpu", words + ["--backend", "cpu"])
    let lost = try render("lost", words + ["--codec-device", "gpu"], card: "nvidia,lost=\(submission)")
    #expect(lost.devices.count == Self.pictures)
    expectFilesOfTheCPU("lost")
  }

  @Test("strips that are compared have their scans compared") func sampledStripsHaveTheirScansCompared() throws {
    let words = ["--filter", "exposure=ev:0.5"]
    _ = try render("cpu", words + ["--backend", "cpu"])
    let sampled = try render("sampled", words + ["--backend", "gpu", "--codec-device", "gpu", "--sample", "1"])
    #expect(sampled.devices == [String](repeating: "cpu", count: Self.pictures))
    expectFilesOfTheCPU("sampled")
  }
}
