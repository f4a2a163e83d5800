import Foundation
import GPURender
import HDRCore
import ImageFiles
import Kernels
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
    let lamps = SharedData.small("lamps.jpg")
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

  /// Puts copies of a picture with a gain map in the place of the inputs.
  private func useLamps(_ count: Int) throws {
    for name in folder.files("in") { try FileManager.default.removeItem(atPath: folder.path("in/" + name)) }
    for number in 0..<count {
      try FileManager.default.copyItem(
        atPath: SharedData.small("lamps.jpg"), toPath: folder.path("in/\(number).jpg"))
    }
  }

  @Test(
    "light, base and gains do not leave the device that encodes base and map",
    arguments: [[], ["--map-channels", "1"]])
  func renditionsStayOnTheDevice(map: [String]) throws {
    let words = ["--to", "adaptive-jpeg", "--resize", "320", "--filter", "exposure=ev:0.5", "--backend", "gpu"] + map
    /// Returns the bytes that come back of each picture after the second.
    func down(_ more: [String]) throws -> Int {
      try (2...3).map { count in
        try useLamps(count)
        return try #require(try render("\(count)" + more.joined(), words + more).counts["bytes_down"])
      }.reduce(0) { $1 - $0 }
    }
    let held = try down(["--codec-device", "gpu"]), samples = try down(["--codec-device", "cpu"])
    let file = [UInt8](try #require(FileManager.default.contents(atPath: folder.path("3--codec-devicegpu/0.jpg"))))
    let pixels = try decodeImage(file, request: .metadata).image.pixelCount
    // Of light and base, 12 bytes a pixel, and of gains nothing comes back but sums.
    let gains = map.isEmpty ? 12 : 4
    #expect(samples >= (12 + gains) * pixels && held < 2 * pixels, "\(held), \(samples), \(pixels)")
    expectEqualFiles("3--codec-devicegpu", "3--codec-devicecpu")
  }

  private func expectEqualFiles(_ one: String, _ other: String) {
    #expect(folder.files(one).count == 3)
    for name in folder.files(one) {
      let files = [one, other].map { FileManager.default.contents(atPath: folder.path($0 + "/" + name)) }
      #expect(files[0] != nil && files[0] == files[1], "\(name)")
    }
  }

  @Test(
    "a device that is lost between light and map costs no file",
    arguments: [
      "lost=8", "lost=14", "lost=20", "lost=26", "lost=32", "lost=35", "hang=40,clock=100",
      // The third picture's light is measured while it is kept, and its gains while light and base are.
      "at=measure_light,lost=3", "at=measure_planes,lost=3",
    ])
  func devicesLostBetweenPartsCostNoFile(fault: String) throws {
    try useLamps(3)
    let words = ["--to", "adaptive-jpeg", "--resize", "320", "--filter", "exposure=ev:0.5"]
    _ = try render("cpu", words + ["--backend", "cpu"])
    let lost = try render("lost", words + ["--codec-device", "gpu"], card: "nvidia," + fault)
    #expect(lost.devices.count == 3 && folder.files("cpu").count == 3)
    if fault.hasPrefix("at=") {
      // The base was encoded before.
      let last = fault.contains("measure_planes") ? "both" : "cpu"
      #expect(lost.devices == ["cpu", "gpu", last] && lost.errors.contains("a GPU is opened again"), "\(lost.errors)")
    }
    expectFilesOfTheCPU("lost")
  }

  @Test(
    "JPEGs with tables of their own are smaller, and a device makes the same", arguments: ["sdr-jpeg", "adaptive-jpeg"])
  func devicesOptimizeJPEGs(kind: String) throws {
    if kind == "adaptive-jpeg" {
      for name in folder.files("in") { try FileManager.default.removeItem(atPath: folder.path("in/" + name)) }
      let lamps = SharedData.small("lamps.jpg")
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
    #expect(folder.files("cpu/thumbs").count == Self.pictures)
    // The planes of the first that the device decodes come back to be compared, in whole blocks. Beside them less comes
    // back than of pixels: codes.
    let codes = down[1] - (328 * 248 + 2 * 168 * 128)
    #expect(codes > 0 && codes < down[0], "\(down)")
    for name in folder.files("cpu/thumbs") {
      let thumbnails = ["cpu", "gpu"].map { FileManager.default.contents(atPath: folder.path("\($0)/thumbs/\(name)")) }
      #expect(thumbnails[0] != nil && thumbnails[0] == thumbnails[1], "\(name)")
    }
  }

  // MARK: Deflate

  /// Files that devices deflate, by the words that ask for them.
  private static let deflated = [
    ["pq-png", "--png-effort", "gpu"], ["sdr-png", "--png-effort", "gpu"], ["pq-tiff", "--png-effort", "gpu"],
    ["sdr-tiff", "--png-effort", "gpu"], ["linear-tiff", "--png-effort", "gpu"],
    ["linear-tiff", "--depth", "32", "--png-effort", "gpu"], ["exr", "--exr-compression", "zip-gpu"],
  ]

  @Test("a device makes the bytes of the CPU's PNG, TIFF and OpenEXR files", arguments: deflated)
  func devicesDeflateFiles(kind: [String]) throws {
    let words = ["--to"] + kind + ["--filter", "exposure=ev:0.5"]
    let cpu = try render("cpu", words + ["--backend", "cpu"])
    #expect(cpu.devices == [String](repeating: "cpu", count: Self.pictures))
    let gpu = try render("gpu", words + ["--backend", "gpu", "--codec-device", "gpu"], card: "nvidia,late=1")
    #expect(gpu.devices == ["cpu"] + [String](repeating: "gpu", count: Self.pictures - 1))
    expectFilesOfTheCPU("gpu")
    let samples = try render("samples", words + ["--backend", "gpu", "--codec-device", "cpu"])
    #expect(samples.devices == cpu.devices)
    expectFilesOfTheCPU("samples")
    // Of all pictures a strip is compared, and what is encoded of it.
    let sampled = try render("sampled", words + ["--backend", "gpu", "--codec-device", "gpu", "--sample", "1"])
    #expect(sampled.devices == cpu.devices)
    expectFilesOfTheCPU("sampled")
  }

  @Test("files whose light only the CPU measures, and those of other efforts, are made by the CPU")
  func otherFilesAreMadeByTheCPU() throws {
    for (out, words) in [
      ("hlg", ["--to", "hlg-png", "--png-effort", "gpu"]), ("pq", ["--to", "pq-png"]), ("tiff", ["--to", "pq-tiff"]),
      ("exr", ["--to", "exr"]), ("zips", ["--to", "exr", "--exr-compression", "zips"]),
    ] {
      let made = try render(out, words + ["--filter", "exposure=ev:0.5", "--backend", "gpu", "--codec-device", "gpu"])
      #expect(made.devices == [String](repeating: "cpu", count: Self.pictures), "\(out)")
    }
  }

  @Test("alpha goes into what devices deflate", arguments: [deflated[0], deflated[2], deflated[4], deflated[6]])
  func devicesDeflateAlpha(kind: [String]) throws {
    for name in folder.files("in") { try FileManager.default.removeItem(atPath: folder.path("in/" + name)) }
    for number in 0..<2 {
      try SmallPictures.png(number, width: 131, height: 77, hasAlpha: true)
        .write(to: URL(fileURLWithPath: folder.path("in/\(number).png")))
    }
    let words = ["--to"] + kind + ["--filter", "exposure=ev:0.5"]
    _ = try render("cpu", words + ["--backend", "cpu"])
    let gpu = try render("gpu", words + ["--backend", "gpu", "--codec-device", "gpu"])
    #expect(gpu.devices == ["cpu", "gpu"])
    expectFilesOfTheCPU("gpu")
  }

  // MARK: Decoding

  /// JPEGs of all kinds that kernels decode, and of some that the library must.
  private static let files: [(name: String, bytes: [UInt8])] = {
    var made: [(name: String, bytes: [UInt8])] = []
    for chroma in [ChromaSubsampling.s420, .s422, .s440, .s444, .none] {
      var one = BaselineJPEG(width: 121, height: 87, chroma: chroma)
      made.append(("\(made.count)-plain.jpg", one.file))
      one.restartInterval = 3
      made.append(("\(made.count)-restarts.jpg", one.file))
    }
    var one = BaselineJPEG(width: 121, height: 87)
    let plain = one.file
    one.isProgressive = true
    made.append(("progressive.jpg", one.file))
    for number in 1...8 {
      var damaged = plain
      damaged[plain.count - 10 - number * plain.count / 16] ^= UInt8(1 << (number % 8))
      made.append(("damaged-\(number).jpg", damaged))
    }
    made.append(("short.jpg", Array(plain[..<(plain.count / 2)]) + [0xFF, 0xD9]))
    made.append(("long.jpg", plain.dropLast(2) + [0, 0, 0, 0xFF, 0xD9]))
    made.append(("cut.jpg", Array(plain.dropLast(9))))
    return made
  }()

  /// Returns why the library decodes a file; `nil`: kernels do.
  private static func fallback(_ bytes: [UInt8]) -> String? {
    do throws(JPEGRefusal) {
      let flags = JPEGScanDecoder(JPEGDecoding(try JPEGDecoder.scan(bytes))).decode().flags
      return flags.isEmpty ? nil : flags.names.joined(separator: ", ")
    } catch {
      return error.rawValue
    }
  }

  /// Renders what is in `in` once with the CPU as decoder, once with the device, and compares files and records.
  ///
  /// - Returns: the items of the device's record.
  private func decodeBoth(
    _ words: [String], card: String = "nvidia", backend: String = "gpu"
  ) throws -> [(name: String, row: [String: Any])] {
    var rows: [[[String: Any]]] = [], ends: [Int32] = []
    for device in ["cpu", "gpu"] {
      let record = folder.path(device + ".jsonl")
      let result = try Program.run(
        [
          "render", folder.path("in"), "--out", folder.path(device), "--jobs", "1", "--progress", "none", "--record",
          record, "--backend", backend, "--codec-device", device,
        ] + words, environment: EmulatedCard.environment(device == "cpu" ? "nvidia" : card, in: folder))
      ends.append(result.status)
      rows.append(try recordLines(record).filter { $0["type"] as? String == "item" })
    }
    #expect(ends[0] == ends[1] && rows[0].count == rows[1].count)
    for (cpu, gpu) in zip(rows[0], rows[1]) {
      for key in ["status", "code", "message", "warnings", "decoder", "width", "height", "outputDigest"] {
        let texts = try [cpu, gpu].map { row in
          let value = try JSONSerialization.data(withJSONObject: [row[key] ?? NSNull()], options: .sortedKeys)
          return String(decoding: value, as: UTF8.self).replacingOccurrences(of: "gpu", with: "cpu")
        }
        #expect(texts[0] == texts[1], "\(key) of \(cpu["input"] ?? "")")
      }
    }
    expectFilesOfTheCPU("gpu")
    return rows[1].map { (($0["input"] as? String ?? "").split(separator: "/").last.map { String($0) } ?? "", $0) }
  }

  /// Puts other files in the place of the pictures.
  private func replaceInputs(_ files: [(name: String, bytes: [UInt8])]) throws {
    try FileManager.default.removeItem(atPath: folder.path("in"))
    for file in files { try Data(file.bytes).write(to: URL(fileURLWithPath: try folder.file("in/" + file.name, ""))) }
  }

  @Test(
    "JPEGs that a device decodes give the files, messages and warnings of the CPU",
    arguments: [["sdr-jpeg"], ["pq-png"], ["sdr-jpeg", "--sample", "2"]])
  func devicesDecodeJPEGs(kind: [String]) throws {
    try replaceInputs(Self.files)
    let items = try decodeBoth(["--to"] + kind + ["--filter", "exposure=ev:0.5"])
    #expect(items.count == Self.files.count)
    var reasons: Set<String> = []
    for (name, row) in items {
      let file = try #require(Self.files.first { $0.name == name }), fallback = Self.fallback(file.bytes)
      // A file that is refused has no samples.
      if row["status"] as? String == "failed" {
        #expect(fallback != nil && row["decodeDevice"] is NSNull, "\(name)")
        continue
      }
      #expect(row["decodeDevice"] as? String == (fallback == nil ? "gpu" : "cpu"), "\(name)")
      #expect(row["decodeFallback"] as? String == fallback, "\(name)")
      reasons.insert(fallback ?? "none")
    }
    #expect(reasons.isSuperset(of: ["none", "process"]), "\(reasons)")
  }

  @Test("a device decodes base and gain map", arguments: ["adaptive-jpeg", "sdr-jpeg", "pq-png"])
  func devicesDecodeGainMaps(kind: String) throws {
    let lamps = SharedData.small("lamps.jpg")
    let made = try Program.run(
      ["render", lamps, "-o", folder.path("lamps.jpg"), "--to", "adaptive-jpeg", "--resize", "400", "--backend", "cpu"])
    #expect(made.status == 0, "\(made.errors)")
    let bytes = [UInt8](try #require(FileManager.default.contents(atPath: folder.path("lamps.jpg"))))
    // The last byte of codes of the map, which follows the base.
    var damaged = bytes
    damaged[bytes.count - 60] ^= 0x55
    try replaceInputs([("a.jpg", bytes), ("b.jpg", bytes), ("damaged.jpg", damaged)])
    let items = try decodeBoth(["--to", kind, "--filter", "exposure=ev:0.5"])
    #expect(items.count == 3)
    for (name, row) in items where name != "damaged.jpg" {
      #expect(row["decodeDevice"] as? String == "gpu" && row["decodeFallback"] is NSNull, "\(name)")
    }
  }

  @Test("a device decodes no JPEG that may be kept, and none that is decoded smaller")
  func devicesDecodeWhatIsRendered() throws {
    try replaceInputs([Self.files[0]])
    for words in [["--to", "sdr-jpeg"], ["--to", "sdr-jpeg", "--resize", "25", "--decode-scale", "2"]] {
      let items = try decodeBoth(words + ["--on-existing", "replace"])
      #expect(items.first?.row["decodeDevice"] as? String == "cpu", "\(words)")
      #expect(items.first?.row["decodeFallback"] is NSNull, "\(words)")
    }
  }

  @Test("graphics hardware decodes JPEGs of a megapixel and more by itself, and other devices if they are told to")
  func hardwareDecodes() throws {
    var one = BaselineJPEG(width: 1024, height: 1024, chroma: .none)
    one.restartInterval = 16
    try replaceInputs([("one.jpg", one.file)])
    func devices(_ out: String, _ words: [String], _ environment: [String: String] = [:]) throws -> [String?] {
      let record = folder.path(out + ".jsonl")
      let made = try Program.run(
        [
          "render", folder.path("in"), "--out", folder.path(out), "--jobs", "1", "--progress", "none", "--record",
          record,
          "--to", "sdr-jpeg", "--filter", "exposure=ev:0.5",
        ] + words, environment: environment)
      #expect(made.status == 0, "\(made.errors)")
      let rows = try recordLines(record).filter { $0["type"] as? String == "item" }
      #expect(rows.allSatisfy { $0["decodeFallback"] is NSNull })
      return rows.map { $0["decodeDevice"] as? String }
    }
    let card = try EmulatedCard.environment("nvidia", in: folder)
    #expect(try devices("card", ["--backend", "gpu"], card) == ["gpu"])
    #expect(try devices("library", ["--backend", "gpu", "--codec-device", "cpu"], card) == ["cpu"])
    #expect(try devices("software", ["--device", "llvmpipe"]) == ["cpu"])
  }

  /// Writes pictures with gain maps, all the same.
  private func writeGainMaps(_ names: [String]) throws {
    let lamps = SharedData.small("lamps.jpg")
    let made = try Program.run(
      ["render", lamps, "-o", folder.path("lamps.jpg"), "--to", "adaptive-jpeg", "--resize", "400", "--backend", "cpu"])
    #expect(made.status == 0, "\(made.errors)")
    let bytes = [UInt8](try #require(FileManager.default.contents(atPath: folder.path("lamps.jpg"))))
    try replaceInputs(names.map { ($0, bytes) })
  }

  @Test(
    "a device that is lost or hangs while it holds decoded planes costs no file",
    arguments: [
      ["lost=10", "sdr-jpeg"], ["lost=13", "sdr-jpeg"], ["lost=16", "sdr-jpeg"], ["lost=19", "sdr-jpeg"],
      ["hang=11", "sdr-jpeg"], ["hang=16", "sdr-jpeg"], ["lost=11", "adaptive-jpeg"], ["lost=14", "adaptive-jpeg"],
      ["lost=25", "adaptive-jpeg"], ["hang=13", "adaptive-jpeg"], ["hang=22", "adaptive-jpeg"],
      ["lost=12", "pq-png", "sdr-jpeg"], ["lost=15", "pq-png", "sdr-jpeg"],
    ])
  func lostPlanesCostNoFile(fault: [String]) throws {
    try writeGainMaps(["a.jpg", "b.jpg"])
    let kinds = fault.dropFirst().flatMap { ["--to", $0] }
    let items = try decodeBoth(
      kinds + ["--filter", "exposure=ev:0.5"], card: "nvidia,clock=100,\(fault[0])", backend: "auto")
    #expect(items.count == 2 * (fault.count - 1))
    #expect(items.allSatisfy { ["ok", "warn"].contains($0.row["status"] as? String) }, "\(fault)")
  }

  @Test("of a picture that a device decodes, renders and encodes nothing but codes crosses the bus")
  func codesAloneCrossTheBus() throws {
    var one = BaselineJPEG(width: 1600, height: 1200)
    (one.density, one.largestBits) = (0.03, 4)
    let file = one.file, pixels = 1600 * 1200
    func counts(_ pictures: Int) throws -> [String: Int] {
      try replaceInputs((0..<pictures).map { ("\($0).jpg", file) })
      return try render(
        "out\(pictures)", ["--filter", "exposure=ev:0.5", "--backend", "gpu", "--codec-device", "gpu"]
      ).counts
    }
    // Samples of the first are compared.
    let few = try counts(2), more = try counts(4)
    func each(_ name: String) throws -> Double {
      Double(try #require(more[name]) - (try #require(few[name]))) / 2
    }
    // The stream, its chunks and the words of dispatches; planes have 1.5 bytes a pixel.
    #expect(try each("bytes_up") < Double(file.count) * 1.1 + 120_000)
    #expect(try each("bytes_down") < Double(pixels) / 2)
    #expect(try each("submissions") <= 7)
  }

  @Test("strips that are compared have their scans compared") func sampledStripsHaveTheirScansCompared() throws {
    let words = ["--filter", "exposure=ev:0.5"]
    _ = try render("cpu", words + ["--backend", "cpu"])
    let sampled = try render("sampled", words + ["--backend", "gpu", "--codec-device", "gpu", "--sample", "1"])
    #expect(sampled.devices == [String](repeating: "cpu", count: Self.pictures))
    expectFilesOfTheCPU("sampled")
  }
}
