import BatchEngine
import CodecService
import Glibc
import HDRCore
import HDRRender
import PlainData
import Synchronization
import VideoStreams

/// Converts clips, one after the other: probes, plans, decodes, renders, encodes, verifies, and gives the file its name.
package final class ClipJob: Sendable {
  /// A clip and the place of its output.
  package struct Item: Sendable {
    package var input: InputReference
    package var output: FilePath
    /// The output's path below the folder that was named, which is made; `nil` if its folder exists.
    package var relative: FilePath?
    /// Counts clips.
    package var number = 0
    /// The names of a sequence's files, of which `output` is the pattern; `nil` for one output.
    package var frames: FrameNames?
    /// The part of the input that is converted; `nil`: all of it.
    var part: ClipPart?

    package init(_ input: InputReference, output: FilePath, relative: FilePath? = nil, number: Int = 0) {
      (self.input, self.output, self.relative, self.number) = (input, output, relative, number)
    }

    /// Opens the input.
    func open() throws(HDRError) -> InputFile {
      do throws(FileFault) {
        return try InputFile(input, maxBytes: Int.max)
      } catch {
        throw HDRError(reading: error, limit: Int.max)
      }
    }
  }

  let ffmpeg: FFmpeg
  let options: VideoOptions
  let tools: RenderTools
  let threads: Int
  let hooks: @Sendable () -> RenderHooks
  let progress: @Sendable (_ stage: ClipStage, _ frame: Int, _ frames: Int) -> Void
  /// The clips that are done; `nil`: nobody asks.
  private let ledger: WorkJournal?

  /// - Parameters:
  ///   - threads: frames that are rendered at a time; of a clip at most four.
  ///   - ledger: the journal of clips that are done.
  ///   - hooks: called for each frame; `check` ends a clip early.
  ///   - progress: called behind each frame, by one thread at a time.
  package init(
    _ ffmpeg: FFmpeg, _ options: VideoOptions, _ tools: RenderTools, threads: Int, ledger: WorkJournal? = nil,
    hooks: @escaping @Sendable () -> RenderHooks = { RenderHooks() },
    progress: @escaping @Sendable (_ stage: ClipStage, _ frame: Int, _ frames: Int) -> Void = { _, _, _ in }
  ) {
    (self.ffmpeg, self.options, self.tools, self.threads) = (ffmpeg, options, tools, max(1, threads))
    (self.hooks, self.progress, self.ledger) = (hooks, progress, ledger)
  }

  /// Returns what would be done to a clip: its record without a result, and the estimated bytes of its output.
  package func planned(_ item: Item) -> (record: ClipRecord, bytes: Int) {
    var record = ClipRecord(item.input.path, item.output, options.codec, ffmpeg)
    do throws(HDRError) {
      let (clip, plan) = try open(item)
      (record.plan, record.warnings, record.status) = (plan, plan.warnings, plan.warnings.isEmpty ? .ok : .warn)
      if let stills = options.stills { return (try planned(stills, item, clip, record), 0) }
      let parts = parts(of: clip, plan).count
      if parts > 1 { record.segments = SegmentCount(count: parts) }
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
      record.status = .ok
      if let stills = options.stills { try makeStills(stills, item, &record) } else { try convert(item, &record) }
      if record.status == .ok, !record.warnings.isEmpty { record.status = .warn }
    } catch {
      (record.status, record.error) = (.failed, error)
    }
    record.seconds = monotonicSeconds() - start
    return record
  }

  // MARK: Steps

  func open(_ item: Item) throws(HDRError) -> (clip: InputFile, plan: ClipPlan) {
    let clip: InputFile = if let part = item.part { part.packets } else { try item.open() }
    var facts = try ClipProbe(ffmpeg: ffmpeg, clip: clip, video: item.part == nil ? options.video : 0).facts()
    try item.part?.describe(&facts, isStrict: options.isStrict)
    facts.addLaterLight(ffmpeg, clip)
    // Stills keep no RPUs.
    let rule = options.stills != nil && options.dolby == .keep ? .auto : options.dolby
    let reader = DynamicMetadataReader(ffmpeg: ffmpeg, clip: clip)
    let dolby = try ClipDolby(facts, rule, reader)
    if let layers = dolby?.layers { facts.take(layers) }
    var plan = try ClipPlan(facts, options, dolby) { frames throws(HDRError) in try frames.size(tools) }
    if plan.metadata.hagc == .used {
      plan.curves = try reader.all(facts).shown.map { $0.message(.headroomAdaptive).map { Array($0.payload) } }
    }
    return (clip, plan)
  }

  /// Returns the bytes that an output takes, by the codec's usual share.
  func bytes(_ plan: ClipPlan, of clip: InputFile) -> Int {
    guard let share = options.codec.share else { return clip.byteCount + clip.byteCount / 2 }
    return Int(Double(plan.encoded.byteCount * plan.facts.times.count) * share)
  }

  private func convert(_ item: Item, _ record: inout ClipRecord) throws(HDRError) {
    var (clip, plan) = try open(item)
    (record.plan, record.warnings) = (plan, plan.warnings)
    record.part = item.part.map { ($0.number, $0.count) }
    record.digest = item.part.map(\.digest) ?? Digest(reading: clip.descriptor)
    let key = key(record.digest)
    guard !isDone(item, key) else {
      record.status = .skipped
      return SegmentStore.remove(item, tools.writer)
    }
    let parts = parts(of: clip, plan)
    if plan.measuresLight {
      guard let light = try sharedLight(of: clip, plan, parts, item, record.digest) else { return }
      plan.use(light)
      record.plan = plan
    }
    if options.light.measuresOnly {
      record.frames = plan.measured?.light.frames.count ?? 0
      return
    }
    plan.sample = sample(of: clip, plan)
    record.plan = plan
    let segments = try ClipSegments(self, item, clip, plan, parts, key: key)
    record.segments = try segments?.make(ofClip: item.number)
    if let options = options.segments, !options.joins { return }
    var staged: AtomicWriter.Staged
    do throws(FileFault) {
      let folder = try tools.writer.folder(of: item.output, relative: item.relative)
      staged = try tools.writer.begin(item.output, in: folder)
    } catch {
      throw HDRError(writing: error)
    }
    do throws(HDRError) {
      // Once as pictures alone, once with the other streams.
      try checkSpace(staged.file, 2 * bytes(plan, of: clip))
      var metadata = try DynamicMetadataCopy(ffmpeg, clip, plan, options.codec)
      let sums: EncodedFrames
      if let segments {
        sums = try segments.join(into: staged.file, options.codec.work)
      } else {
        let (frames, progress) = (plan.facts.times.count, progress)
        sums = try encode(
          clip, plan, part: .all, into: staged.file, options.codec.work, threads: min(threads, 4)
        ) { progress(.convert, $0, frames) }
      }
      record.warnings += sums.warnings.filter { warning in !record.warnings.contains { $0.code == warning.code } }
      (record.frames, record.framesDigest) = (sums.frames, sums.digest)
      if let level = plan.level(of: sums) {
        plan.lightOut = level
        plan.settleLight()
        record.plan = plan
      }
      staged =
        try metadata?.run(staged, plan, options.codec, times: sums.times, base: sums.base, tools.writer) ?? staged
      let finish = try ClipFinish(ffmpeg, plan, options, item.part).run(staged, of: clip, sums, tools.writer)
      staged = finish.output
      if let lost = finish.lost { record.warnings.append(lost) }
      try metadata?.describe(staged.file, in: options.container)
      try OutputCheck(ffmpeg, options, plan, sums, carriesOthers: finish.lost == nil).check(staged)
      try metadata?.check(staged.file)
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
    if let digest = record.outputDigest {
      ledger?.add(row(item, key), ["bytes": .int(record.outputBytes), "digest": .string(digest.hex)])
    }
    segments?.remove()
  }

  /// Returns true if an earlier run has made the output, and it is there.
  private func isDone(_ item: Item, _ key: Digest) -> Bool {
    guard options.resumes, let bytes = ledger?[row(item, key)]?["bytes"]?.integer,
      let status = fileStatus(item.output)
    else { return false }
    return status.isRegularFile && status.st_size == bytes
  }

  private func row(_ item: Item, _ key: Digest) -> String {
    "\(key.hex) \((item.relative ?? FilePath(bytes: item.output.name)).display)"
  }

  /// Returns the digest of all that decides the bytes of an output.
  private func key(_ input: Digest?) -> Digest {
    var hasher = Digest.Hasher()
    let division = options.segments?.least.text ?? "whole"
    for text in [hdrbatchVersion, input?.hex ?? "", options.decisive.hex, ffmpeg.digest.hex, division] {
      hasher.add(text)
    }
    return hasher.finish()
  }

  func checkSpace(_ file: OpenFile, _ wanted: Int) throws(HDRError) {
    var status = statvfs()
    guard fstatvfs(file.descriptor, &status) == 0 else { return }
    let free = Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
    guard free < wanted else { return }
    throw HDRError(
      clip: "space", "the output takes about \(wanted >> 20) MiB, and \(free >> 20) MiB are free", kind: .output)
  }

  /// Decodes, renders and encodes the frames of a part.
  ///
  /// - Parameter each: called behind each frame, with the number of frames so far.
  /// - Returns: what the encoder got, with the times of the clip.
  func encode(
    _ clip: InputFile, _ plan: ClipPlan, part: FramePart, into file: OpenFile, _ container: VideoContainer,
    threads: Int,
    each: @escaping @Sendable (_ frames: Int) -> Void
  ) throws(HDRError) -> EncodedFrames {
    let source = try source(clip, plan, part), base = source.timeBase, facts = plan.facts, first = part.first
    let start = facts.times.first.map { (facts.timeBase.seconds($0) / base.seconds(1)).rounded() } ?? 0
    // Frames that are missing must not move those behind.
    let rate = options.takesDamaged ? nil : plan.rate
    let clock = FrameClock(base, rate: rate, start: Int(start))
    let sink: any FrameSink = try FFmpegSink(
      ffmpeg.limited(options.encoderMemory), into: file, options.codec, container, plan.encoded, timeBase: clock.base,
      sampleAspect: plan.shape.aspect, rate: rate, plan.output, light: plan.light,
      // A decoder can begin at each key frame of a segment.
      further: options.codecOptions + (part.frames == nil ? [] : ["-flags:v", "+cgop"]))
    let sums = Mutex(EncodedFrames()), light = try plan.outputLight()
    let (tools, hooks) = (tools, hooks)
    _ = try FramePump().run(threads: plan.isPassthrough ? min(2, threads) : threads) { number throws(HDRError) in
      try hooks().check()
      return try source.next()
    } make: { frame, number throws(HDRError) in
      var samples = frame.samples
      if let recipe = plan.frames {
        let rendered = try recipe.render(
          frame, number: first + number, seconds: base.seconds(frame.pts), tools, hooks())
        let wanted = plan.arrangement?.from ?? plan.encoded
        let (found, number) = (rendered.size, first + number)
        guard (found.width, found.height) == (wanted.width, wanted.height) else {
          throw HDRError(
            clip: "size-change",
            "filters make frame \(number) \(found.width)x\(found.height), and others \(wanted.width)x\(wanted.height): "
              + "all frames of a clip have one size", kind: .request)
        }
        sums.withLock { $0.add(rendered.warnings) }
        samples = rendered.samples
      }
      let made = VideoFrame(plan.arrangement?.arranged(samples) ?? samples, pts: frame.pts)
      return (frame: made, light: light?.sums(of: made))
    } put: { made, number throws(HDRError) in
      let timed = VideoFrame(made.frame.samples, pts: clock.time(made.frame.pts, number: first + number))
      try sink.write(timed)
      try sums.withLock { sums throws(HDRError) in try sums.add(timed, made.light) }
      each(number + 1)
    }
    try sink.finish()
    return sums.withLock { sums in
      sums.finish(clock.base)
      return sums
    }
  }
}

/// Sums over the frames that an encoder got.
struct EncodedFrames: Sendable {
  private(set) var frames = 0
  private(set) var warnings: [Warning] = []
  private(set) var times: [Int] = []
  private(set) var base = TimeBase(1, 1)
  /// The digest of all samples, set at the end, and those of the first and the last frame.
  private(set) var digest: Digest?
  private(set) var first: Digest?
  private(set) var last: Digest?
  /// The light of the frames; empty if it is not measured.
  private(set) var light = ClipLight()
  private var hasher = Digest.Hasher()
  private var latest: VideoFrame?

  init() {}

  /// Makes what is known of frames that were encoded before.
  init(
    times: [Int], _ base: TimeBase, _ digest: Digest, first: Digest?, last: Digest?, light: ClipLight,
    warnings: [Warning]
  ) {
    (frames, self.times, self.base, self.digest) = (times.count, times, base, digest)
    (self.first, self.last, self.light, self.warnings) = (first, last, light, warnings)
  }

  /// Puts the frames of segments together. Their digest is that of the segments' digests.
  init(joining parts: [EncodedFrames]) throws(HDRError) {
    for part in parts {
      add(part.warnings)
      do throws(DecodeError) { try light.append(part.light) } catch { throw HDRError(error) }
      times += part.times
      if let digest = part.digest { hasher.add(digest.bytes) }
    }
    (frames, base, digest) = (times.count, parts.first?.base ?? base, hasher.finish())
    (first, last) = (parts.first?.first, parts.last?.last)
  }

  mutating func add(_ frame: VideoFrame, _ sums: FrameSums?) throws(HDRError) {
    hasher.add(UnsafeRawBufferPointer(start: frame.samples.base, count: frame.samples.byteCount))
    if frames == 0 { first = Digest(frame) }
    latest = frame
    times.append(frame.pts)
    frames += 1
    if let sums { try light.take(sums) }
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
