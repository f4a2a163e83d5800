import CodecService
import Glibc
import HDRCore
import HDRRender
import PlainData
import VideoStreams

/// Measures what the steps of `hdrbatch video` take for a clip, each on top of those before it, beside ffmpeg's own filters
/// for the same conversion.
///
/// Figures are CPU time of this process and its children for a frame, the median of rounds in which all steps take turns.
/// From each run that of a single frame is taken off: programs that start, clips that are opened.
package struct ClipBench {
  /// A step, and its CPU milliseconds a frame in each round.
  package struct Row: Sendable {
    package var name: String
    /// The row that this one adds to; `nil`: none.
    package var base: String?
    package var milliseconds: [Double] = []
  }

  private struct Step {
    var row: Row
    var run: (FramePart) throws(HDRError) -> Void
  }

  package let ffmpeg: FFmpeg
  private let job: ClipJob
  private let clip: InputFile
  private let plan: ClipPlan
  private let options: VideoOptions
  private let tools: RenderTools
  private let scratch: FilePath

  /// Probes a clip, and measures its light where that decides how frames are rendered.
  ///
  /// - Parameter scratch: a folder for encoded files, which are removed again.
  package init(
    _ ffmpeg: FFmpeg, _ input: InputReference, _ options: VideoOptions, _ tools: RenderTools, scratch: FilePath
  ) throws(HDRError) {
    (self.ffmpeg, self.options, self.tools, self.scratch) = (ffmpeg, options, tools, scratch)
    job = ClipJob(ffmpeg, options, tools, threads: 1)
    var plan: ClipPlan
    (clip, plan) = try job.open(ClipJob.Item(input, output: scratch.appending("bench")))
    guard plan.facts.times.count > 1 else {
      throw HDRError(clip: "bench", "one frame is no measure: take a clip of more", kind: .request)
    }
    if plan.measuresLight { plan.use(try job.light(of: clip, plan, .all)) }
    self.plan = plan
  }

  /// The clip's frames, size and layout, and what they become.
  package var title: String {
    "\(plan.facts.codec) \(plan.facts.width)x\(plan.facts.height) \(plan.decodedFormat), \(plan.facts.times.count) frames, "
      + "\(plan.input.text) -> \(plan.isPassthrough ? "passed on" : plan.output.text)"
  }

  package var frames: Int { plan.facts.times.count }
  package var pixels: Int { plan.facts.width * plan.facts.height }

  /// The steps that are compared.
  package static let pipeName = "+ pipe", kernelName = "+ kernel", filtersName = "ffmpeg's filters"

  /// Returns what a clip is measured for unless that is said: to keep its colour, and to change its curve.
  package static func targets(_ input: InputReference, _ options: VideoOptions, _ ffmpeg: FFmpeg, _ tools: RenderTools)
    throws(HDRError) -> [VideoTarget]
  {
    let item = ClipJob.Item(input, output: input.path)
    let plan = try ClipJob(ffmpeg, options, tools, threads: 1).open(item).plan
    return [.same, plan.input.transfer == CICP.Transfer.pq ? .sdr : .hdr10]
  }

  /// Runs all steps in turn, after one round that warms up.
  package func run(repeats: Int) throws(HDRError) -> [Row] {
    var steps = steps()
    for number in 0...repeats {
      for index in steps.indices {
        let one = try seconds { () throws(HDRError) in try steps[index].run(FramePart(frames: 0..<1)) }
        let all = try seconds { () throws(HDRError) in try steps[index].run(.all) }
        if number > 0 { steps[index].row.milliseconds.append((all - one) * 1000 / Double(frames - 1)) }
      }
    }
    return steps.map(\.row)
  }

  private func steps() -> [Step] {
    let before = plan.isPassthrough ? Self.pipeName : Self.kernelName
    var steps = [
      Step(row: Row(name: "decode")) { part throws(HDRError) in try filter([], part) },
      Step(row: Row(name: Self.pipeName, base: "decode")) { part throws(HDRError) in try decode(part) { _, _ in } },
    ]
    if plan.measuresLight {
      steps.append(
        Step(row: Row(name: "+ measure", base: Self.pipeName)) { part throws(HDRError) in
          _ = try job.light(of: clip, plan, part)
        })
    }
    if let recipe = plan.frames {
      steps.append(
        Step(row: Row(name: Self.kernelName, base: Self.pipeName)) { part throws(HDRError) in
          try decode(part) { frame, number throws(HDRError) in
            _ = try recipe.render(frame, number: number, seconds: 0, tools, RenderHooks())
          }
        })
    }
    steps.append(
      Step(row: Row(name: "+ encode \(options.codec.name)", base: before)) { part throws(HDRError) in
        try self.encode(part)
      })
    if let words = filters {
      steps.append(
        Step(row: Row(name: Self.filtersName, base: "decode")) { part throws(HDRError) in try filter(words, part) })
    }
    return steps
  }

  /// FFmpeg's words for the same conversion; `nil`: there is none to compare with.
  private var filters: [String]? {
    // Filters do not know the codes of frames that RPUs reshape.
    guard !plan.isPassthrough, plan.reshapes == nil, plan.input.matrix == CICP.Matrix.bt2020, !options.isEdited else {
      return nil
    }
    let format = plan.encoded.format.name
    switch (plan.input.transfer, options.target) {
    case (CICP.Transfer.hlg, .hdr10):
      return ["-vf", "zscale=t=smpte2084:npl=1000,format=\(format)"]
    case (CICP.Transfer.pq, .hlg):
      return ["-vf", "zscale=t=arib-std-b67:npl=1000,format=\(format)"]
    case (CICP.Transfer.pq, .sdr), (CICP.Transfer.hlg, .sdr):
      return [
        "-vf",
        "zscale=t=linear:npl=100,format=gbrpf32le,zscale=p=bt709,tonemap=hable:desat=0,zscale=t=bt709:m=bt709:r=tv,"
          + "format=\(format)",
      ]
    default: return nil
    }
  }

  /// CPU seconds of this process and of all children that have ended.
  private func seconds(_ work: () throws(HDRError) -> Void) throws(HDRError) -> Double {
    func spent() -> Double {
      [RUSAGE_SELF, RUSAGE_CHILDREN].reduce(0) { sum, who in
        var usage = rusage()
        getrusage(__rusage_who_t(who.rawValue), &usage)
        return sum + Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
          + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6
      }
    }
    let start = spent()
    try work()
    return spent() - start
  }

  // MARK: Steps

  /// Decodes in ffmpeg alone, with its filters on one thread.
  private func filter(_ words: [String], _ part: FramePart) throws(HDRError) {
    let limit = part.frames.map { ["-frames:v", "\($0.count)"] } ?? []
    let program = try LockedProgram(
      ffmpeg.path,
      FFmpeg.start("error") + ["-noautorotate", "-filter_threads", "1"] + FFmpeg.input + FFmpeg.pictures()
        + ffmpeg.keepsTimes + words + limit + ["-f", "null", "-"],
      input: clip.descriptor, ffmpeg.isolation)
    let outcome = program.end(within: Self.patience)
    guard outcome.isSuccess else {
      throw HDRError(clip: "bench", "ffmpeg alone failed: \(printable(outcome.reason))", kind: .codec)
    }
  }

  /// A run may take so many seconds.
  private static let patience = 600.0

  private func decode(
    _ part: FramePart, _ take: (VideoFrame, Int) throws(HDRError) -> Void
  ) throws(HDRError) {
    let source = try PartSource(ffmpeg, clip, plan, part)
    var number = 0
    while let frame = try source.next() {
      try take(frame, number)
      number += 1
    }
  }

  private func encode(_ part: FramePart) throws(HDRError) {
    let path = scratch.appending("bench-\(getpid()).part")
    let file = OpenFile(path.withCString { open($0, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600) })
    guard file.descriptor >= 0 else {
      throw HDRError(clip: "bench", "\(path.display) cannot be written: \(errorText(errno))", kind: .output)
    }
    defer { _ = path.withCString { unlink($0) } }
    _ = try job.encode(clip, plan, part: part, into: file, options.codec.work, threads: 1) { _ in }
  }
}
