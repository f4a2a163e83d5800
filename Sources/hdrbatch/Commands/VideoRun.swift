import BatchEngine
import CodecService
import GPURender
import Glibc
import HDRComparison
import HDRCore
import HDRRecipe
import HDRRender
import PlainData
import Synchronization
import Video

/// Converts clips one after the other, reports, and ends the program with its exit code.
struct VideoRun {
  private let ffmpeg: FFmpeg
  private let options: VideoOptions
  private let batch: BatchOptions
  private let progress: ProgressMode
  /// The folder of the outputs.
  private let out: FilePath

  init(
    _ ffmpeg: FFmpeg, _ options: VideoOptions, _ batch: BatchOptions, _ progress: ProgressMode, out: FilePath
  ) throws(UsageError) {
    guard progress != .openjd else { throw UsageError("video has the progress modes human, jsonl and none") }
    (self.ffmpeg, self.options, self.batch, self.progress, self.out) = (ffmpeg, options, batch, progress, out)
  }

  func run(_ items: [BatchItem], isDry: Bool) throws -> Never {
    let backends: RenderBackends
    do throws(GPUError) {
      backends = try RenderBackends(
        isDry ? .cpu : batch.backend, device: isDry ? nil : batch.device, threads: batch.threads,
        sampling: batch.sampling)
    } catch {
      throw UnavailableError("\(error). `hdrbatch doctor` lists devices [\(error.code)]")
    }
    let parts = PartFiles(batch.files), stop = StopSwitch(), report = VideoReport(progress)
    // ffmpeg, locked in, reads what is not trusted. Here are samples of a known size, which no decoder of ours reads: so
    // stills are encoded in this process.
    let tools = RenderTools(
      codecs: InProcessCodecs(), backends: backends, writer: AtomicWriter(parts: parts, durability: batch.durability),
      limits: batch.limits, itemLimits: nil, codecThreads: 1, isAlone: false, judge: OutputAcceptance())
    let current = Mutex("")
    let ledger = try ledger(isDry)
    let job = ClipJob(
      ffmpeg, options, tools, threads: batch.threads, ledger: ledger,
      hooks: {
        RenderHooks(
          lost: { device in
            if !device.isOpenAgain { Terminal.note("rendering on the CPU: \(printable(device.reason))") }
          },
          check: { () throws(HDRError) in
            guard let reason = stop.reason else { return }
            throw HDRError(code: "batch.interrupted", message: "\(reason.message)", kind: .cancelled)
          })
      },
      progress: { stage, frame, frames in report.frame(current.withLock { $0 }, stage, frame, frames) })
    SignalWatcher.watch(stop) { parts.close() }
    let lines = try record()
    var statuses: Set<ExitStatus> = []
    for (number, item) in items.enumerated() where stop.reason == nil {
      if case .join(let shard)? = options.segments?.stage, !shard.contains(number) { continue }
      var clip = ClipJob.Item(item.input, output: item.output, relative: item.relativeOutput, number: number)
      if options.stills?.choice == .sequence { clip.frames = FrameNames(item.output.name) }
      current.withLock { $0 = item.input.display }
      if isDry {
        let (record, bytes) = job.planned(clip)
        if batch.record != FilePath("-") { report.planned(record, bytes: bytes) }
        lines?.append(record.json)
        if let error = record.error { statuses.insert(error.status) }
        continue
      }
      func done(_ record: ClipRecord) {
        lines?.append(record.json)
        report.done(record)
        guard let error = record.error else { return }
        statuses.insert(error.isEarly ? .stoppedEarly : error.status)
        if let reason = error.stops { stop.stop(reason) }
      }
      if item.isSkipped { done(job.skipped(clip)) } else { job.run(clip, done: done) }
    }
    backends.close()
    do {
      try ledger?.close()
    } catch {
      Terminal.error.line("hdrbatch: error: \(Terminal.text(error.message))")
      statuses.insert(.inputOutput)
    }
    if let reason = stop.reason { statuses.insert(reason.exitStatus) }
    if let fault = lines?.close() {
      Terminal.error.line("hdrbatch: error: \(Terminal.text(fault.message))")
      statuses.insert(.inputOutput)
    }
    throw ExitCode(ExitStatus.worst(statuses).code)
  }

  /// Opens the journal of clips that are done; `nil` where no later run asks for it.
  private func ledger(_ isDry: Bool) throws -> WorkJournal? {
    guard !isDry, options.resumes || options.segments != nil else { return nil }
    let folder = out.appending(".hdrbatch").appending("clips")
    return try WorkJournal(in: folder, kind: "clips", version: hdrbatchVersion)
  }

  /// Makes the file of records; `nil`: none was asked for.
  private func record() throws -> LineFile? {
    guard let path = batch.record else { return nil }
    do throws(FileFault) {
      return try LineFile(replacing: path, batch.files)
    } catch {
      throw ResultFileError(error.messageOfReport)
    }
  }
}

/// Lines of clips on standard error, or on standard output for programs.
final class VideoReport: Sendable {
  private let mode: ProgressMode
  private let state = Mutex((clip: "", begin: 0.0, line: 0.0))

  init(_ mode: ProgressMode) { self.mode = mode }

  /// Notes a frame that is done, and says so from time to time.
  func frame(_ clip: String, _ stage: ClipStage, _ frame: Int, _ frames: Int) {
    let now = monotonicSeconds()
    let due = state.withLock { state -> Double? in
      if state.clip != clip { state = (clip, now, now) }
      let interval = mode == .jsonl ? ProgressReporter.machineInterval : ProgressReporter.humanInterval
      guard now - state.line >= interval else { return nil }
      state.line = now
      return now - state.begin
    }
    guard let seconds = due, seconds > 0 else { return }
    let rate = Double(frame) / seconds, left = frames > frame ? Double(frames - frame) / rate : 0
    switch mode {
    case .jsonl:
      let line: JSON = [
        "clip": .string(clip), "frame": .int(frame), "frames": .int(frames), "fps": .number(rate),
        "eta": .number(left), "stage": .string(stage.rawValue),
      ]
      Terminal.output.line(line.line)
    case .human:
      Terminal.error.line(
        "hdrbatch: \(clip): frame \(frame) of \(frames), \(significant(rate))/s, \(Int(left.rounded())) s left")
    default: break
    }
  }

  /// Says what would be done to a clip.
  func planned(_ record: ClipRecord, bytes: Int) {
    guard let plan = record.plan else { return failed(record) }
    let facts = plan.facts
    Terminal.output.line("\(record.input.display) -> \(record.output.display)")
    Terminal.output.line(
      "  \(facts.codec) \(facts.width)x\(facts.height), \(facts.times.count) frames, "
        + "\(facts.rate.map { "\($0)/s" } ?? "variable rate"), \(plan.input.text)")
    guard record.stills == nil else { return stills(record, plan) }
    Terminal.output.line(
      "  " + (plan.isRendered ? "rendered to \(plan.output.text)" : "samples are passed on") + Self.shape(plan)
        + (plan.measuresLight ? ", light is measured first" : Self.peak(plan)))
    if let dolby = plan.dolby { Terminal.output.line("  Dolby Vision \(dolby.profile) \(dolby.action.rawValue)") }
    for (name, action) in [("HDR10+", plan.metadata.hdr10Plus), ("curves of ST 2094-50", plan.metadata.hagc)] {
      if let action, action != .dropped { Terminal.output.line("  \(name) \(action.rawValue)") }
    }
    if !plan.dropped.isEmpty { Terminal.output.line("  left out: " + printable(plan.dropped.joined(separator: ", "))) }
    let segments = record.segments.map { ", in \($0.count) segments; twice that while they are joined" } ?? ""
    Terminal.output.line("  about \(max(1, bytes >> 20)) MiB" + segments)
    warnings(record)
  }

  /// Says which stills would be made.
  private func stills(_ record: ClipRecord, _ plan: ClipPlan) {
    guard let stills = record.stills else { return }
    let numbers = stills.numbers.map {
      $0.count == 1 ? ", frame \($0.lowerBound)" : ", frames \($0.lowerBound) to \($0.upperBound)"
    }
    Terminal.output.line(
      "  \(stills.target) of \(stills.size.width)x\(stills.size.height)" + (numbers ?? "")
        + (stills.seconds.map { " at \(decimals($0, 3)) s" } ?? "")
        + (plan.peak.map { ", peak \(short($0.nits)) cd/m² (\($0.from))" } ?? ""))
    warnings(record)
  }

  func done(_ record: ClipRecord) {
    guard record.error == nil else { return failed(record) }
    warnings(record)
    guard mode == .human else { return }
    guard record.status != .skipped else {
      return Terminal.error.line("hdrbatch: \(record.output.display): \(record.skipReason ?? "there already")")
    }
    guard record.stills == nil else {
      return Terminal.error.line(
        "hdrbatch: \(record.output.display): \(record.frames) file\(record.frames == 1 ? "" : "s"), "
          + "\(significant(record.seconds)) s, \((record.outputBytes + 1023) >> 10) KiB")
    }
    if let segments = record.segments, record.outputDigest == nil {
      return Terminal.error.line(
        "hdrbatch: \(record.input.display): \(segments.made) of \(segments.count) segments made")
    }
    if record.outputDigest == nil, record.plan?.measured == nil || record.plan?.measuresOnly == false {
      let part =
        record.plan?.measuresOnly == true ? "this shard's segments measured" : "one segment, which the join makes"
      return Terminal.error.line("hdrbatch: \(record.input.display): \(part)")
    }
    let rate = significant(Double(record.frames) / max(record.seconds, 1e-3))
    if let plan = record.plan, let found = plan.measured {
      let level = found.level.map { "MaxCLL \(short($0.maxCLL)), MaxFALL \(short($0.maxFALL))" } ?? "black"
      Terminal.error.line("hdrbatch: \(record.input.display): measured \(level)" + Self.peak(plan))
      if plan.measuresOnly { return }
    }
    Terminal.error.line(
      "hdrbatch: \(record.output.display): \(record.frames) frames, \(rate)/s, \(record.outputBytes >> 20) MiB")
  }

  /// Returns what is done to the shape of frames, for lines.
  private static func shape(_ plan: ClipPlan) -> String {
    let (encoded, facts) = (plan.encoded, plan.facts)
    return (plan.shape.turn == .up ? "" : ", turned")
      + ((encoded.width, encoded.height) == (facts.width, facts.height) ? "" : ", \(encoded.width)x\(encoded.height)")
      + (plan.padding == (0, 0) ? "" : ", padded")
  }

  /// Returns what tone mapping begins at, for lines.
  private static func peak(_ plan: ClipPlan) -> String {
    plan.peak.map { ", peak \(short($0.nits)) cd/m² (\($0.from))" } ?? ""
  }

  private func failed(_ record: ClipRecord) {
    guard let error = record.error else { return }
    Terminal.error.line(
      "hdrbatch: error: \(record.input.display): \(Terminal.text(error.message)) [\(error.code)]")
  }

  private func warnings(_ record: ClipRecord) {
    guard mode == .human else { return }
    for warning in record.warnings {
      Terminal.error.line(
        "hdrbatch: warning: \(record.input.display): \(Terminal.text(warning.message)) [\(warning.code)]")
    }
  }
}
