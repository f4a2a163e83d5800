import CPlatform
import CodecService
import GPURender
import Glibc
import HDRCore
import HDRRecipe
import HDRRender
import ImageFiles
import Synchronization
import Threads

/// The sums of a stream and its exit status.
package struct StreamSummary: Sendable, Hashable {
  package var frames = 0
  package var failed = 0
  package var skipped = 0
  package var bytesOut = 0
  package var wallSeconds = 0.0
  package var peakResidentBytes = 0
  package var exitStatus = ExitStatus.success
}

/// An event that a running stream reports; one call at a time.
package enum StreamEvent: Sendable {
  /// The CPU renders; that is surprising where a GPU is there or was lost.
  case fellBack(reason: String, isReported: Bool)
  /// Frames are passed on as they are, unread: the recipe does nothing to them.
  case passedOn
  /// Frames that are done by now.
  case written(frames: Int)
  case warning(Warning, frame: Int)
  /// A frame that is left out, or the end of a stream that cannot be read on.
  case failed(HDRError, frame: Int)
}

/// Renders one picture after the other into one descriptor, in order: frames of a pipe, or files. A few are in flight,
/// so that reading, rendering and writing overlap; memory does not grow with the number of pictures.
package final class FrameStream: Sendable {
  /// The source of the frames.
  package enum Source: Sendable {
    case pipe(FrameReader)
    case files(ArraySlice<InputReference>)
  }

  private struct Frame {
    /// Counts frames in their order.
    var turn: Int
    var source: RenderTask.Source
    var place: RenderTask.Frame
  }

  private struct Turn {
    /// The frame that is written next.
    var next = 0
    var isOver = false
    var hasHead = false
    var summary = StreamSummary()
    var statuses: Set<ExitStatus> = []
  }

  /// Frames in flight: one is read, one rendered, one written, and one more so that none waits.
  static let maxInFlight = 4

  private let options: BatchOptions
  private let choice: ResolvedOutput
  private let output: Int32
  private let codecs: any CodecBorder
  private let backends: RenderBackends
  private let events: @Sendable (StreamEvent) -> Void
  private let rate: (numerator: Int, denominator: Int)?
  private let input: Mutex<Input>
  private let turn = Monitor(Turn())

  private struct Input {
    var source: Source
    var turn = 0
    var isOver = false
  }

  /// The switch that stops the stream: after it no frame is begun.
  package let stop = StopSwitch()

  /// - Parameters:
  ///   - output: gets every frame, and is not closed.
  ///   - events: called from the stream's threads.
  /// - Throws: `UnavailableError`.
  package init(
    _ source: Source, to output: Int32, _ options: BatchOptions,
    events: @escaping @Sendable (StreamEvent) -> Void
  ) throws(UnavailableError) {
    self.options = options
    choice = options.outputs[0]
    self.output = output
    hdr_widen_pipe(output, FrameRelay.pipeBytes)
    let gate = Mutex(())
    self.events = { event in gate.withLock { _ in events(event) } }
    if let missing = choice.missing {
      throw UnavailableError("\(choice.target): \(missing) [encode.unavailable]")
    }
    let stated = choice.settings[Settings.sequences.fps].map(Self.fraction)
    var own: (numerator: Int, denominator: Int)?, usesCodecs = true
    switch source {
    case .pipe(let reader): (own, usesCodecs) = (reader.rate, reader.isFile || choice.rendition.kind.raw == nil)
    case .files: break
    }
    rate = stated ?? own
    codecs = usesCodecs ? try options.isolation.codecs(options.limits) : InProcessCodecs()
    do throws(GPUError) {
      backends = try RenderBackends(
        options.backend, device: options.device, threads: options.threads, sampling: options.sampling)
    } catch {
      throw UnavailableError("\(error). `hdrbatch doctor` lists devices [\(error.code)]")
    }
    input = Mutex(Input(source: source))
  }

  /// Returns a rate as a fraction: 25 as 25/1, 23.976 as 24000/1001.
  static func fraction(_ rate: Double) -> (numerator: Int, denominator: Int) {
    if abs(rate - rate.rounded()) < 1e-9 { return (Int(rate), 1) }
    let thousand = (rate * 1.001).rounded()
    if abs(thousand / 1.001 - rate) < 1e-3 { return (Int(thousand) * 1000, 1001) }
    return (Int((rate * 1000).rounded()), 1000)
  }

  /// Renders all frames. Call once.
  package func run() -> StreamSummary {
    let start = monotonicSeconds()
    if let reason = backends.fallbackReason {
      events(.fellBack(reason: reason, isReported: backends.reportedFallback != nil))
    }
    let count = max(1, min(options.jobs ?? Allotment.threads, Self.maxInFlight))
    let tools = RenderTools(
      codecs: codecs, backends: backends, writer: AtomicWriter(parts: PartFiles(options.files)),
      limits: options.limits, itemLimits: options.isolation.limits, codecThreads: max(1, options.threads / count),
      isAlone: count == 1)
    if let file = first(tools), file.isPassedOn {
      passOn(file.mark)
    } else {
      let threads = (0..<count).map { index in
        WorkerThread(name: "frame \(index)") { [self] in while let frame = take() { finish(frame, tools) } }
      }
      for thread in threads { thread.join() }
    }
    backends.close()
    _ = codecs.close()
    return turn.change { state in
      if let reason = stop.reason { state.statuses.insert(reason.exitStatus) }
      state.summary.wallSeconds = monotonicSeconds() - start
      state.summary.peakResidentBytes = Int(hdr_peak_resident_bytes())
      state.summary.exitStatus = .worst(state.statuses)
      return state.summary
    }
  }

  /// Renders the first frame of a pipe alone, as it shows whether the others are passed on; `nil` for other sources, and
  /// for a frame that fails.
  private func first(_ tools: RenderTools) -> StreamedFile? {
    guard input.withLock({ if case .pipe(let reader) = $0.source { reader.layout != nil } else { false } }) else {
      return nil
    }
    return take().flatMap { finish($0, tools) }
  }

  /// Passes all further frames of the pipe on.
  private func passOn(_ mark: [UInt8]) {
    guard case .pipe(var reader) = input.withLock({ $0.source }), let layout = reader.layout else { return }
    events(.passedOn)
    let relay = FrameRelay(byteCount: layout.byteCount)
    while stop.reason == nil, !turn.change({ $0.isOver }) {
      do throws(HDRError) {
        guard try reader.take(into: relay) else { return }
      } catch {
        return report(error, frame: turn.change { $0.next })
      }
      write(mark.count + relay.byteCount) { () throws(CodecError) in
        try CodecJobs.writeAll(mark, output, isSidecar: false)
        try relay.give(to: output)
      }
      events(.written(frames: endTurn()))
    }
  }

  /// The next frame; `nil` at the end. One thread reads at a time.
  private func take() -> Frame? {
    input.withLock { input in
      while !input.isOver, stop.reason == nil, !turn.change({ $0.isOver }) {
        do throws(HDRError) {
          guard let frame = try next(&input) else { continue }
          return frame
        } catch {
          report(error, frame: input.turn)
          // A pipe that is out of step cannot be read on.
          if case .pipe = input.source { input.isOver = true }
        }
      }
      return nil
    }
  }

  /// - Returns: `nil` at the end, which is noted, and for a frame that is passed over.
  private func next(_ input: inout Input) throws(HDRError) -> Frame? {
    let found: RenderTask.Source, seconds = rate.map { Double(input.turn * $0.denominator) / Double($0.numerator) }
    var place = RenderTask.Frame(input.turn, seconds: seconds)
    switch input.source {
    case .pipe(var reader):
      defer { input.source = .pipe(reader) }
      switch try reader.next() {
      case .picture(let picture): found = .picture(picture)
      case .file(let file): found = .open(file)
      case nil:
        input.isOver = true
        return nil
      }
    case .files(var items):
      defer { input.source = .files(items) }
      guard let item = items.popFirst() else {
        input.isOver = true
        return nil
      }
      if let frame = item.frame {
        place = RenderTask.Frame(frame, rate: rate.map { Double($0.numerator) / Double($0.denominator) })
        if let missing = ItemRunner.missing(item) {
          guard choice.settings[Settings.sequences.missing] == .skip else {
            throw HDRError(code: ItemRunner.missingCode, message: "\(missing)", kind: .source)
          }
          turn.change { $0.summary.skipped += 1 }
          return nil
        }
      }
      found = .file(item)
    }
    defer { input.turn += 1 }
    return Frame(turn: input.turn, source: found, place: place)
  }

  /// Renders a frame, waits for its turn, and writes it.
  ///
  /// - Returns: what was written; `nil` if it failed.
  @discardableResult private func finish(_ frame: Frame, _ tools: RenderTools) -> StreamedFile? {
    var task = RenderTask(source: frame.source, choice: choice, number: frame.turn)
    (task.frame, task.isStream) = (frame.place, true)
    let job = RenderJob(
      task, tools,
      hooks: RenderHooks(lost: { [events] device in
        if !device.isOpenAgain { events(.fellBack(reason: device.reason, isReported: true)) }
      }))
    let result: Result<StreamedFile, HDRError>
    do throws(HDRError) {
      result = .success(try job.streamed(rate: rate))
    } catch {
      result = .failure(error)
    }
    let isMine = turn.wait { state -> Bool? in state.isOver ? false : state.next == frame.turn ? true : nil }
    guard isMine else { return nil }
    for warning in job.facts.warnings { events(.warning(warning, frame: frame.place.number)) }
    switch result {
    case .success(let file): write(file)
    case .failure(let error): report(error, frame: frame.place.number)
    }
    events(.written(frames: endTurn()))
    return try? result.get()
  }

  /// Lets the next frame be written; returns the number of those that were.
  private func endTurn() -> Int {
    turn.change { state in
      state.next += 1
      return state.summary.frames
    }
  }

  /// Writes a frame; called by the thread whose turn it is.
  private func write(_ file: StreamedFile) {
    let hasHead = turn.change { state in
      defer { state.hasHead = true }
      return state.hasHead
    }
    let head = (hasHead ? [] : file.head) + file.mark
    write(head.count + file.frame.byteCount) { () throws(CodecError) in
      try CodecJobs.writeAll(head, output, isSidecar: false)
      let bytes = UnsafeRawBufferPointer(start: file.frame.base, count: file.frame.byteCount)
      let number = CodecJobs.write(bytes, output)
      if number != 0 { throw .write(number, isSidecar: false) }
    }
  }

  /// Writes a frame of so many bytes, and counts it.
  private func write(_ byteCount: Int, _ work: () throws(CodecError) -> Void) {
    do throws(CodecError) {
      try work()
      turn.change { state in
        state.summary.frames += 1
        state.summary.bytesOut += byteCount
      }
    } catch {
      if case .write(EPIPE, _) = error {
        // The reader has closed the pipe: there is nothing to report.
        turn.change { ($0.isOver, $0.statuses) = (true, $0.statuses.union([.stoppedEarly])) }
      } else {
        report(HDRError(error, writing: FilePath("standard output")), frame: turn.change { $0.next })
        turn.change { $0.isOver = true }
      }
    }
  }

  private func report(_ error: HDRError, frame: Int) {
    let failed = turn.change { state in
      state.summary.failed += 1
      state.statuses.insert(error.status)
      return state.summary.failed
    }
    events(.failed(error, frame: frame))
    if let reason = error.stops { stop.stop(reason) }
    if let most = options.maxFailures, failed >= most { stop.stop(.tooManyFailures) }
  }
}
