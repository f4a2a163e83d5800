import CodecService
import Glibc
import HDRCore
import HDRRender
import Synchronization
import VideoStreams

/// Converts clips, one after the other: probes, plans, decodes, renders, encodes, verifies, and gives the file its name.
package final class ClipJob: Sendable {
  /// A clip and the place of its output.
  package struct Item: Sendable, Hashable {
    package var input: InputReference
    package var output: FilePath
    /// The output's path below the folder that was named, which is made; `nil` if its folder exists.
    package var relative: FilePath?

    package init(_ input: InputReference, output: FilePath, relative: FilePath? = nil) {
      (self.input, self.output, self.relative) = (input, output, relative)
    }
  }

  private let ffmpeg: FFmpeg
  private let options: VideoOptions
  private let tools: RenderTools
  private let threads: Int
  private let hooks: @Sendable () -> RenderHooks
  private let progress: @Sendable (_ frame: Int, _ frames: Int) -> Void

  /// - Parameters:
  ///   - threads: frames that are rendered at a time.
  ///   - hooks: called for each frame; `check` ends a clip early.
  ///   - progress: called behind each frame, by one thread at a time.
  package init(
    _ ffmpeg: FFmpeg, _ options: VideoOptions, _ tools: RenderTools, threads: Int,
    hooks: @escaping @Sendable () -> RenderHooks = { RenderHooks() },
    progress: @escaping @Sendable (_ frame: Int, _ frames: Int) -> Void = { _, _ in }
  ) {
    (self.ffmpeg, self.options, self.tools, self.threads) = (ffmpeg, options, tools, max(1, min(threads, 4)))
    (self.hooks, self.progress) = (hooks, progress)
  }

  /// Returns what would be done to a clip: its record without a result, and the estimated bytes of its output.
  package func planned(_ item: Item) -> (record: ClipRecord, bytes: Int) {
    var record = ClipRecord(item.input.path, item.output, options.codec, ffmpeg)
    do throws(HDRError) {
      let (clip, plan) = try open(item)
      (record.plan, record.warnings, record.status) = (plan, plan.warnings, plan.warnings.isEmpty ? .ok : .warn)
      return (record, bytes(plan, of: clip))
    } catch {
      record.error = error
      return (record, 0)
    }
  }

  /// Returns the record of a clip that is left alone, as its output is there.
  package func skipped(_ item: Item) -> ClipRecord {
    var record = ClipRecord(item.input.path, item.output, options.codec, ffmpeg)
    record.status = .skipped
    return record
  }

  /// Converts a clip.
  package func run(_ item: Item) -> ClipRecord {
    let start = monotonicSeconds()
    var record = ClipRecord(item.input.path, item.output, options.codec, ffmpeg)
    do throws(HDRError) {
      try convert(item, &record)
      record.status = record.warnings.isEmpty ? .ok : .warn
    } catch {
      record.error = error
    }
    record.seconds = monotonicSeconds() - start
    return record
  }

  // MARK: Steps

  private func open(_ item: Item) throws(HDRError) -> (clip: InputFile, plan: ClipPlan) {
    let clip: InputFile
    do throws(FileFault) {
      clip = try InputFile(item.input, maxBytes: Int.max)
    } catch {
      throw HDRError(reading: error, limit: Int.max)
    }
    return (clip, try ClipPlan(try ClipProbe(ffmpeg: ffmpeg, clip: clip).facts(), options))
  }

  /// Returns the bytes that an output takes, by the codec's usual share.
  private func bytes(_ plan: ClipPlan, of clip: InputFile) -> Int {
    guard let share = options.codec.share else { return clip.byteCount + clip.byteCount / 2 }
    return Int(Double(plan.encoded.byteCount * plan.facts.times.count) * share)
  }

  private func convert(_ item: Item, _ record: inout ClipRecord) throws(HDRError) {
    let (clip, plan) = try open(item)
    (record.plan, record.warnings) = (plan, plan.warnings)
    record.digest = Digest(reading: clip.descriptor)
    let staged: AtomicWriter.Staged
    do throws(FileFault) {
      let folder = try tools.writer.folder(of: item.output, relative: item.relative)
      staged = try tools.writer.begin(item.output, in: folder)
    } catch {
      throw HDRError(writing: error)
    }
    do throws(HDRError) {
      try checkSpace(staged.file, bytes(plan, of: clip))
      let sums = try encode(clip, plan, into: staged.file)
      record.warnings += sums.warnings.filter { warning in !record.warnings.contains { $0.code == warning.code } }
      (record.frames, record.framesDigest) = (sums.frames, sums.digest)
      try OutputCheck(ffmpeg, options.codec, plan, sums).check(staged)
    } catch {
      tools.writer.discard(staged)
      throw error
    }
    do throws(FileFault) {
      record.outputBytes = try tools.writer.files.size(of: staged.file, staged.part)
      record.outputDigest = Digest(reading: staged.file)
      try tools.writer.sync(staged, byteCount: record.outputBytes)
      try tools.writer.commit(staged, existing: options.existing)
    } catch {
      throw HDRError(writing: error)
    }
  }

  private func checkSpace(_ file: OpenFile, _ wanted: Int) throws(HDRError) {
    var status = statvfs()
    guard fstatvfs(file.descriptor, &status) == 0 else { return }
    let free = Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
    guard free < wanted else { return }
    throw HDRError(
      clip: "space", "the output takes about \(wanted >> 20) MiB, and \(free >> 20) MiB are free", kind: .output)
  }

  /// Decodes, renders and encodes all frames.
  private func encode(_ clip: InputFile, _ plan: ClipPlan, into file: OpenFile) throws(HDRError) -> FrameSums {
    let source: any FrameSource = try FFmpegSource(
      ffmpeg, clip, format: plan.decodedFormat, takesDamaged: options.takesDamaged)
    guard source.shape == plan.decoded else {
      throw HDRError(clip: "size-change", "frames have another size or format than the first one")
    }
    guard let container = VideoContainer.named(options.container) else { preconditionFailure("a row of the list") }
    let base = source.timeBase, facts = plan.facts
    let start = facts.times.first.map { (facts.timeBase.seconds($0) / base.seconds(1)).rounded() } ?? 0
    // Frames that are missing must not move those behind.
    let rate = options.takesDamaged ? nil : plan.rate
    let clock = FrameClock(base, rate: rate, start: Int(start))
    let sink: any FrameSink = try FFmpegSink(
      ffmpeg, into: file, options.codec, container, plan.encoded, timeBase: clock.base,
      sampleAspect: facts.sampleAspect, rate: rate, plan.output, further: options.codecOptions)
    let sums = Mutex(FrameSums())
    let (tools, hooks, progress) = (tools, hooks, progress)
    let checksTimes = !facts.isCountUnsure && !options.takesDamaged
    let count = try FramePump().run(threads: plan.isPassthrough ? 1 : threads) { number throws(HDRError) in
      try hooks().check()
      guard let frame = try source.next() else { return nil }
      if checksTimes { try facts.check(frame.pts, base, number: number) }
      return frame
    } make: { frame, number throws(HDRError) in
      guard let recipe = plan.frames else { return frame }
      let rendered = try recipe.render(frame, number: number, seconds: base.seconds(frame.pts), tools, hooks())
      sums.withLock { $0.add(rendered.warnings) }
      return VideoFrame(rendered.samples, pts: frame.pts)
    } put: { frame, number throws(HDRError) in
      let timed = VideoFrame(frame.samples, pts: clock.time(frame.pts, number: number))
      try sink.write(timed)
      sums.withLock { $0.add(timed) }
      progress(number + 1, facts.times.count)
    }
    if !facts.isCountUnsure, !options.takesDamaged, count != facts.times.count {
      throw HDRError(
        clip: "truncated",
        "\(count) of \(facts.times.count) frames were decoded; \(setting: "damaged") keep takes what can be")
    }
    guard count > 0 else { throw HDRError(clip: "truncated", "no frame was decoded") }
    try sink.finish()
    return sums.withLock { sums in
      sums.finish(clock.base)
      return sums
    }
  }
}

/// Sums over the frames that an encoder got.
struct FrameSums: Sendable {
  private(set) var frames = 0
  private(set) var warnings: [Warning] = []
  private(set) var times: [Int] = []
  private(set) var base = TimeBase(1, 1)
  /// The digest of all samples, set at the end, and those of the first and the last frame.
  private(set) var digest: Digest?
  private(set) var first: Digest?
  private(set) var last: Digest?
  private var hasher = Digest.Hasher()
  private var latest: VideoFrame?

  mutating func add(_ frame: VideoFrame) {
    hasher.add(UnsafeRawBufferPointer(start: frame.samples.base, count: frame.samples.byteCount))
    if frames == 0 { first = Digest(frame) }
    latest = frame
    times.append(frame.pts)
    frames += 1
  }

  /// Keeps one warning of each code.
  mutating func add(_ found: [Warning]) {
    for warning in found where !warnings.contains(where: { $0.code == warning.code }) { warnings.append(warning) }
  }

  mutating func finish(_ base: TimeBase) {
    self.base = base
    digest = hasher.finish()
    last = latest.map { Digest($0) }
    latest = nil
  }
}

extension ClipFacts {
  /// Compares the time of a decoded frame with that of its packet.
  func check(_ time: Int, _ base: TimeBase, number: Int) throws(HDRError) {
    guard number < times.count else {
      throw HDRError(clip: "frames", "more than the \(times.count) frames of the file's packets were decoded")
    }
    let decoded = Int128(time) * Int128(base.numerator) * Int128(timeBase.denominator)
    let listed = Int128(times[number]) * Int128(timeBase.numerator) * Int128(base.denominator)
    guard decoded == listed else {
      throw HDRError(
        clip: "times",
        "frame \(number) was decoded for \(decimals(base.seconds(time), 6)) s, and its packet is for "
          + "\(decimals(timeBase.seconds(times[number]), 6)) s; \(setting: "damaged") keep takes the former")
    }
  }
}
