import BatchEngine
import HDRCore
import HDRRender
import ImageFiles

/// `bench files --peers`: the cost of writing and reading a picture as a file, beside installed Python modules, in
/// turn, with the same setting, on one thread each; and on two threads here.
///
/// Pixels in memory go to a file and back; others are run by scripts/codec_peers.py, which times them. Seconds are CPU
/// time. Others read the file that was written here.
package struct CodecPeerBench {
  private struct Job {
    /// The name for people, and the name for the script.
    var name: String
    var key: String
    var kind: OutputKind
    /// The kind whose samples others take: R'G'B' where `kind` has Y'CbCr.
    var samples: OutputKind
    /// True if threads share one picture.
    var isShared = true
    /// The difference of others' work.
    var remark: String?
  }

  private static let jobs = [
    Job(name: "OpenEXR, halves, ZIP", key: "exr", kind: .exr, samples: .exr),
    Job(name: "TIFF, 16 bit, Deflate, predictor 2", key: "tiff-2", kind: .pqTIFF, samples: .pqTIFF),
    Job(name: "TIFF, halves, Deflate, predictor 3", key: "tiff-3", kind: .linearTIFF, samples: .linearTIFF),
    Job(name: "JPEG XL, 16 bit, lossless, effort 1", key: "jxl", kind: .pqJXL, samples: .pqJXL),
    Job(
      name: "PQ AVIF, 10 bit, 4:2:0, speed 9", key: "avif", kind: .pqAVIF, samples: .pqTIFF, isShared: false,
      remark: "with R'G'B' to Y'CbCr and back"),
  ]

  private struct Peer {
    var job: String
    var name: String
    var version: String
    /// True for a name with a setting, which only a writer has.
    var onlyWrites: Bool { name.contains(", ") }
  }

  private struct Sample {
    var cpu: Double
    var wall: Double
    var fileBytes: Int
  }

  private let repeats: Int
  private let limits: DecodeLimits
  private let scratch: FilePath
  private let script: PeerScript
  private let peers: [Peer]

  /// - Throws: `UnavailableError`, in one line, where there is no Python, no script or none of the modules.
  package init(repeats: Int, limits: DecodeLimits, scratch: FilePath) throws {
    self.repeats = repeats
    self.limits = limits
    self.scratch = scratch
    script = try PeerScript()
    let folder = try ScratchFolder(in: scratch)
    defer { folder.remove() }
    let lines = script.output(["list"], in: folder.path) ?? []
    peers = lines.compactMap { line in
      let words = line.split(separator: "\t").map(String.init)
      return words.count == 3 ? Peer(job: words[0], name: words[1], version: words[2]) : nil
    }
    guard !peers.isEmpty else {
      throw UnavailableError(
        description: "--peers needs OpenImageIO, OpenEXR, imagecodecs or tifffile in Python, with numpy")
    }
  }

  /// Runs every job on one picture.
  ///
  /// - Throws: `FileBench.Failure` where it cannot be read, `ResultFileError` where the scratch folder cannot be written.
  package func run(_ input: FilePath, figure: (BenchFigure) -> Void, problem: (String) -> Void) throws {
    let codecs = try CodecBench(input, megapixels: 0, repeats: repeats, limits: limits)
    defer { codecs.close() }
    let folder = try ScratchFolder(in: scratch)
    defer { folder.remove() }
    for job in Self.jobs {
      do {
        let request = try codecs.request(job.kind)
        let samples = job.samples == job.kind ? request.image : try codecs.request(job.samples).image
        try run(job, request, samples, input, folder.path, figure, problem)
      } catch {
        problem("\(job.name): \((error as? HDRError)?.message ?? "\(error)")")
      }
    }
  }

  private func run(
    _ job: Job, _ request: EncodeRequest, _ samples: SampleImage, _ input: FilePath, _ folder: FilePath,
    _ figure: (BenchFigure) -> Void, _ problem: (String) -> Void
  ) throws {
    let pixels = folder.appending("pixels"), size = ["\(samples.width)", "\(samples.height)"]
    let file = folder.appending("ours." + job.kind.fileExtension)
    let theirs = folder.appending("theirs." + job.kind.fileExtension)
    try writeBytes(Self.withoutAlpha(samples), to: pixels)
    let threads = job.isShared ? [1, 2] : [1]
    func name(_ threads: Int) -> String { threads == 1 ? "hdrbatch" : "hdrbatch, \(threads) threads" }
    let others = peers.filter { $0.job == job.key }
    for verb in ["write", "read"] {
      let present = others.filter { verb == "write" || !$0.onlyWrites }
      var found: [String: [Sample]] = [:], failed: Set<String> = []
      func ours(_ count: Int) throws -> Sample {
        verb == "write" ? try write(request, count, file) : try read(file, count)
      }
      // In turn, so that other load affects all alike; each warms up before, as others do by themselves.
      for _ in 0..<repeats {
        for count in threads {
          _ = try ours(count)
          found[name(count), default: []].append(try ours(count))
        }
        for peer in present where !failed.contains(peer.name) {
          let arguments =
            [verb, job.key, peer.name] + (verb == "write" ? [pixels.display] + size + [theirs.display] : [file.display])
          if let (time, fileBytes) = script.timed(arguments, in: folder) {
            found[peer.name, default: []].append(Sample(cpu: time.cpu, wall: time.wall, fileBytes: fileBytes))
          } else {
            failed.insert(peer.name)
            problem("\(job.name), \(verb): \(peer.name) failed")
          }
        }
      }
      report(
        job, verb, input, found, programs: threads.map { (name($0), nil) } + present.map { ($0.name, $0.version) },
        figure)
    }
  }

  private func report(
    _ job: Job, _ verb: String, _ input: FilePath, _ found: [String: [Sample]],
    programs: [(name: String, version: String?)], _ figure: (BenchFigure) -> Void
  ) {
    guard let own = found[programs[0].name] else { return }
    let reference = Spread(own.map(\.cpu)).median, bytes = own[0].fileBytes, wall = Spread(own.map(\.wall))
    for program in programs {
      guard let samples = found[program.name] else { continue }
      let cpu = Spread(samples.map(\.cpu)), walls = Spread(samples.map(\.wall)), isOurs = program.version == nil
      figure(
        BenchFigure(
          .peers, "\(verb) \(job.name), \(input.display): \(program.name)", cpu, .seconds,
          details: [
            .init("job", .string("\(verb) \(job.name)")), .init("input", .path(input)),
            .init("program", .string(program.name)), .init("version", .maybe(program.version)),
            .init("wallSeconds", .number(rounded(walls.median))),
            .init("overOurs", .number(rounded(cpu.median / reference))),
            .init("fileBytes", .int(samples[0].fileBytes)),
            .init("bytesOverOurs", .number(rounded(Double(samples[0].fileBytes) / Double(bytes)))),
            // Other load only ever adds to wall time: the least of several runs has the least of it.
            .init("speedup", .number(rounded(wall.least / walls.least))),
            .init("remark", .maybe(isOurs ? nil : job.remark)),
          ]))
    }
  }

  // MARK: Here

  private func write(_ request: EncodeRequest, _ threads: Int, _ path: FilePath) throws -> Sample {
    var request = request, sample = CPUSample()
    request.threads = threads
    let count = try sample.measure("write") {
      let bytes = try encodeImage(request).main
      // Others do not wait for the disk either.
      try AtomicWriter(parts: PartFiles(), durability: .none).write(bytes, to: path, existing: .replace)
      return bytes.count
    }
    return Sample(cpu: sample.cpu.total, wall: sample.wall, fileBytes: count)
  }

  private func read(_ path: FilePath, _ threads: Int) throws -> Sample {
    var limits = limits, sample = CPUSample()
    limits.threads = threads
    let count = try sample.measure("read") {
      let bytes = try readFile(path, maxBytes: limits.maxFileBytes)
      _ = try decodeImage(bytes, request: .pixels, limits: limits)
      return bytes.count
    }
    return Sample(cpu: sample.cpu.total, wall: sample.wall, fileBytes: count)
  }

  /// Returns rows of R, G, B without gaps, from interleaved R, G, B, A of 16 bits.
  private static func withoutAlpha(_ image: SampleImage) -> [UInt8] {
    let plane = image.channels[0], row = 6 * image.width
    return [UInt8](unsafeUninitializedCapacity: row * image.height) { out, count in
      let base = UnsafeMutableRawPointer(out.baseAddress!)
      for y in 0..<image.height {
        let from = plane.buffer.base + plane.offset + y * plane.rowBytes
        for x in 0..<image.width {
          (base + y * row + 6 * x).copyMemory(from: from + x * plane.stepBytes, byteCount: 6)
        }
      }
      count = row * image.height
    }
  }
}
