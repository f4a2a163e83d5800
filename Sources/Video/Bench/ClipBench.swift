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
    /// Runs the step for so many frames at most; `nil`: all.
    var run: (Int?) throws(HDRError) -> Void
  }

  package let ffmpeg: FFmpeg
  private let clip: InputFile
  private let plan: ClipPlan
  private let options: VideoOptions
  private let tools: RenderTools
  private let scratch: FilePath

  /// Probes a clip.
  ///
  /// - Parameter scratch: a folder for encoded files, which are removed again.
  package init(
    _ ffmpeg: FFmpeg, _ clip: InputFile, _ options: VideoOptions, _ tools: RenderTools, scratch: FilePath
  ) throws(HDRError) {
    (self.ffmpeg, self.clip, self.options, self.tools, self.scratch) = (ffmpeg, clip, options, tools, scratch)
    plan = try ClipPlan(try ClipProbe(ffmpeg: ffmpeg, clip: clip).facts(), options)
    guard plan.facts.times.count > 1 else {
      throw HDRError(clip: "bench", "one frame is no measure: take a clip of more", kind: .request)
    }
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
  package static func targets(_ clip: InputFile, _ ffmpeg: FFmpeg) throws(HDRError) -> [VideoTarget] {
    [.same, try ClipProbe(ffmpeg: ffmpeg, clip: clip).facts().transfer == CICP.Transfer.pq ? .sdr : .hdr10]
  }

  /// Runs all steps in turn, after one round that warms up.
  package func run(repeats: Int) throws(HDRError) -> [Row] {
    var steps = steps()
    for number in 0...repeats {
      for index in steps.indices {
        let one = try seconds { () throws(HDRError) in try steps[index].run(1) }
        let all = try seconds { () throws(HDRError) in try steps[index].run(nil) }
        if number > 0 { steps[index].row.milliseconds.append((all - one) * 1000 / Double(frames - 1)) }
      }
    }
    return steps.map(\.row)
  }

  private func steps() -> [Step] {
    let before = plan.isPassthrough ? Self.pipeName : Self.kernelName, encode = "+ encode \(options.codec.name)"
    var steps = [
      Step(row: Row(name: "decode")) { limit throws(HDRError) in try filter([], limit) },
      Step(row: Row(name: Self.pipeName, base: "decode")) { limit throws(HDRError) in try decode(limit) { _, _ in } },
      Step(row: Row(name: Self.kernelName, base: Self.pipeName)) { limit throws(HDRError) in
        try decode(limit) { frame, number throws(HDRError) in _ = try rendered(frame, number) }
      },
      Step(row: Row(name: "+ digest", base: before)) { limit throws(HDRError) in
        var sums = FrameSums()
        try decode(limit) { frame, number throws(HDRError) in sums.add(try rendered(frame, number)) }
      },
      Step(row: Row(name: encode, base: "+ digest")) { limit throws(HDRError) in try self.encode(limit) },
    ]
    if plan.isPassthrough { steps.removeAll { $0.row.name == Self.kernelName } }
    if let words = filters {
      steps.append(
        Step(row: Row(name: Self.filtersName, base: "decode")) { limit throws(HDRError) in try filter(words, limit) })
    }
    return steps
  }

  /// FFmpeg's words for the same conversion; `nil`: there is none to compare with.
  private var filters: [String]? {
    guard !plan.isPassthrough, plan.input.matrix == CICP.Matrix.bt2020, !options.isEdited else { return nil }
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
  private func filter(_ words: [String], _ limit: Int?) throws(HDRError) {
    let part = limit.map { ["-frames:v", "\($0)"] } ?? []
    let program = try LockedProgram(
      ffmpeg.path,
      FFmpeg.start("error") + ["-noautorotate", "-filter_threads", "1"] + FFmpeg.input + ["-map", "0:V:0"]
        + ffmpeg.keepsTimes + words + part + ["-f", "null", "-"],
      input: clip.descriptor, ffmpeg.isolation)
    let outcome = program.end(within: Self.patience)
    guard outcome.isSuccess else {
      throw HDRError(clip: "bench", "ffmpeg alone failed: \(printable(outcome.reason))", kind: .codec)
    }
  }

  /// A run may take so many seconds.
  private static let patience = 600.0

  private func decode(
    _ limit: Int?, _ take: (VideoFrame, Int) throws(HDRError) -> Void
  ) throws(HDRError) {
    let source = try FFmpegSource(
      ffmpeg, clip, format: plan.decodedFormat, part: limit == 1 ? .firstFrame : .all,
      takesDamaged: options.takesDamaged)
    var number = 0
    while let frame = try source.next() {
      try take(frame, number)
      number += 1
    }
  }

  private func rendered(_ frame: VideoFrame, _ number: Int) throws(HDRError) -> VideoFrame {
    guard let recipe = plan.frames else { return frame }
    return VideoFrame(
      try recipe.render(frame, number: number, seconds: 0, tools, RenderHooks()).samples, pts: frame.pts)
  }

  private func encode(_ limit: Int?) throws(HDRError) {
    guard let container = VideoContainer.named(options.container) else { preconditionFailure("a row of the list") }
    let path = scratch.appending("bench-\(getpid()).part")
    let file = OpenFile(path.withCString { open($0, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600) })
    guard file.descriptor >= 0 else {
      throw HDRError(clip: "bench", "\(path.display) cannot be written: \(errorText(errno))", kind: .output)
    }
    defer { _ = path.withCString { unlink($0) } }
    let source = plan.facts.timeBase
    let sink: any FrameSink = try FFmpegSink(
      ffmpeg, into: file, options.codec, container, plan.encoded, timeBase: source,
      sampleAspect: plan.facts.sampleAspect, rate: plan.rate, plan.output, further: options.codecOptions)
    var sums = FrameSums()
    try decode(limit) { frame, number throws(HDRError) in
      let made = try rendered(frame, number)
      sums.add(made)
      try sink.write(VideoFrame(made.samples, pts: plan.facts.times[min(number, frames - 1)]))
    }
    try sink.finish()
  }
}
