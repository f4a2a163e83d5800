import BatchEngine
import CodecService
import GPURender
import Glibc
import HDRCore
import HDRRecipe
import HDRRender
import Measure
import PlainData
import Video

/// `hdrbatch bench video`: measures the steps of `video` beside ffmpeg's filters.
enum BenchVideo {
  struct Options: SettingGroup {
    var title: String { "What to measure" }

    let to = SettingKey(
      "to", listOf: .choice(VideoTarget.self, "colour"), assumed: "same, and hdr10 of HLG, sdr of PQ",
      "Colour of the outputs, as for video; may be given several times.")
    let codec = SettingKey(
      "codec", .one(of: VideoCodec.all.map(\.name), "codec"), assumed: "x265; x264 for SDR of 8 bits", "Encoder.")
    let codecOptions = SettingKey(
      "codec-options", .text("words"), assumed: "-preset ultrafast of x265 and x264", rare: true,
      "Further options of ffmpeg for the encoder, with spaces between.")
    let ffmpeg = SettingKey(
      "ffmpeg", listOf: .text("file"), assumed: "HDRBATCH_FFMPEG, else ffmpeg of PATH",
      "The ffmpeg; may be given several times, to compare versions in one run.")
    let frames = SettingKey("frames", .integer(2...10_000), standard: 24, "Frames of the made clips.")
    let scratch = SettingKey(
      "scratch", .text("folder"), standard: "/tmp", "Where clips are written; everything is removed again.")
  }
  static let options = Options()

  static let command = Command(
    name: "video",
    summary: "CPU time a frame of decoding, pipe, kernel and encoding, beside ffmpeg's filters.",
    discussion: """
      Each step is whole, with those before it; added is what it takes more than the step before. Encoding includes the \
      digest of frames and the light of what is encoded; measuring is the pass before a tone map. CPU time is that of \
      hdrbatch on one thread and of ffmpeg together, without what starting takes: a run of one frame is taken off. Steps \
      take turns, and figures are medians of the repeats after a warm-up. Without CLIP, a made photo of 1920 x 1080 in PQ \
      and one in HLG, encoded by x265, are the clips.
      """,
    arguments: [Command.Argument(name: "clip", count: .any, help: "Clips. Default: two made ones.")],
    options: [options, BenchOptions.all], run: run)

  private static func run(_ invocation: Invocation) throws {
    var report = BenchReport()
    let isolation = IsolationOptions(), limits = DecodeLimits()
    var text = RecipeText()
    text.recipe.outputs = [VideoCommand.anyOutput]
    let choice = try PreparedRecipe(text, inputs: [], limits: limits, isolation: isolation).options.outputs[0]
    let named = invocation[options.ffmpeg]
    let programs = try named.isEmpty ? [FFmpeg(nil, isolation)] : named.map { try FFmpeg($0, isolation) }
    let backends: RenderBackends
    do throws(GPUError) {
      backends = try RenderBackends(.cpu, device: nil, threads: 1)
    } catch {
      throw UnavailableError("\(error) [\(error.code)]")
    }
    defer { backends.close() }
    let tools = RenderTools(
      codecs: InProcessCodecs(), backends: backends, writer: AtomicWriter(parts: PartFiles()), limits: limits,
      itemLimits: nil, codecThreads: 1, isAlone: true)
    var statuses: Set<ExitStatus> = []
    func attempt(_ what: String, _ work: () throws -> Void) throws {
      do {
        try work()
      } catch let error as HDRError {
        report.problems.append("\(what): \(error.message)")
        statuses.insert(error.status)
        Terminal.error.line("hdrbatch: error: \(what): \(Terminal.text(error.message)) [\(error.code)]")
      }
    }
    for ffmpeg in programs {
      var made: [FilePath] = []
      defer { for path in made { _ = path.withCString { unlink($0) } } }
      if invocation.arguments.isEmpty {
        try attempt("made clips") { made = try makeClips(invocation, ffmpeg) }
      }
      let clips =
        invocation.arguments.isEmpty
        ? made.map { InputReference(path: $0, relative: FilePath(bytes: $0.name)) }
        : try InputCollector.collect(invocation.arguments, kind: VideoCommand.clips)
      for clip in clips {
        try attempt(clip.display) { try measure(clip, ffmpeg, choice, tools, invocation, &report) }
      }
    }
    try BenchOptions.write(report, invocation)
    if !statuses.isEmpty { throw ExitCode(ExitStatus.worst(statuses).code) }
  }

  /// Makes the clips that are measured where none is named.
  private static func makeClips(_ invocation: Invocation, _ ffmpeg: FFmpeg) throws -> [FilePath] {
    let photos = (1...4).map { TestPictures.photoP010(width: 1920, height: 1080, seed: $0) }
    return try [("pq", CICP.Transfer.pq), ("hlg", CICP.Transfer.hlg)].map { name, transfer in
      let path = FilePath(invocation[options.scratch]).appending("bench-\(getpid())-\(name).mp4")
      try ClipBench.make(path, photos, frames: invocation[options.frames], transfer: transfer, ffmpeg)
      return path
    }
  }

  /// Measures a clip for each target.
  private static func measure(
    _ clip: InputReference, _ ffmpeg: FFmpeg, _ choice: ResolvedOutput, _ tools: RenderTools, _ invocation: Invocation,
    _ report: inout BenchReport
  ) throws {
    let asked = invocation[options.to]
    for target in asked.isEmpty ? try ClipBench.targets(clip, VideoOptions(choice), ffmpeg, tools) : asked {
      var video = VideoOptions(choice)
      video.target = target
      let isSDR = target == .sdr
      video.codec =
        VideoCodec.all.first { $0.name == invocation[options.codec] ?? (isSDR ? "x264" : "x265") } ?? .ffv1
      video.container = video.codec.containers[0]
      let words = invocation[options.codecOptions]?.split(separator: " ").map(String.init)
      video.codecOptions = words ?? (video.codec.name.hasPrefix("x26") ? ["-preset", "ultrafast"] : [])
      let bench = try ClipBench(ffmpeg, clip, video, tools, scratch: FilePath(invocation[options.scratch]))
      Terminal.output.line("\(clip.display): \(bench.title); ffmpeg \(printable(ffmpeg.version))")
      let rows = try bench.run(repeats: invocation[BenchOptions.all.repeats])
      report.figures += figures(rows, clip.display, target, bench)
      for line in lines(rows) { Terminal.output.line("  " + line) }
    }
  }

  private static func figures(
    _ rows: [ClipBench.Row], _ clip: String, _ target: VideoTarget, _ bench: ClipBench
  ) -> [BenchFigure] {
    rows.map { row in
      BenchFigure(
        .video, "\(clip) to \(target.rawValue), \(row.name), ffmpeg \(bench.ffmpeg.version)", Spread(row.milliseconds),
        .milliseconds,
        details: [
          .init("clip", .string(clip)), .init("to", .string(target.rawValue)), .init("step", .string(row.name)),
          .init("ffmpeg", .string(bench.ffmpeg.version)), .init("frames", .int(bench.frames)),
          .init("pixels", .int(bench.pixels)),
          .init("addedMilliseconds", .maybe(added(row, rows).map { rounded($0.median) })),
        ])
    }
  }

  /// Returns what a step takes more than the one before, by rounds; `nil` for the first.
  private static func added(_ row: ClipBench.Row, _ rows: [ClipBench.Row]) -> Spread? {
    guard let base = rows.first(where: { $0.name == row.base }) else { return nil }
    return Spread(zip(row.milliseconds, base.milliseconds).map { $0 - $1 })
  }

  private static func lines(_ rows: [ClipBench.Row]) -> [String] {
    let table = TextTable([
      .text("CPU ms a frame", 16), .number("whole"), .number("added"), .number("q1"), .number("q3"),
    ])
    let cells = rows.map { row -> [String] in
      let whole = Spread(row.milliseconds), added = added(row, rows)
      return [row.name, decimals(whole.median, 2)]
        + (added.map { [decimals($0.median, 2), decimals($0.lowerQuartile, 2), decimals($0.upperQuartile, 2)] } ?? [])
    }
    guard let filters = rows.first(where: { $0.name == ClipBench.filtersName }).flatMap({ added($0, rows) }),
      let kernel = rows.first(where: { $0.name == ClipBench.kernelName }).flatMap({ added($0, rows) }),
      let pipe = rows.first(where: { $0.name == ClipBench.pipeName }).flatMap({ added($0, rows) }), filters.median > 0
    else { return [table.head] + cells.map(table.row) }
    return [table.head] + cells.map(table.row) + [
      "kernel / ffmpeg's filters: \(decimals(kernel.median / filters.median, 2)), with the pipe "
        + decimals((kernel.median + pipe.median) / filters.median, 2)
    ]
  }
}
