import FileParts
import CPlatform
import CodecService
import GPURender
import Glibc
import HDRComparison
import HDRCore
import HDRRender
import ImageFiles
import PlainData
import Synchronization
import Threads

/// The record file cannot be made: exit code 74.
package struct RecordError: Error, Sendable, Equatable, HasMessage {
  package var message: Message
  package init(_ message: Message) { self.message = message }
}

/// Runs a batch: `jobs` threads, each with one item in flight from reading to renaming, so that one item's decoding
/// overlaps another's rendering and a third's encoding, and memory is bounded by their number.
package final class BatchRunner: Sendable {
  private struct State {
    var next = 0
    var inFlight: Set<Int> = []
    /// Items whose rows are being written.
    var writing: Set<Int> = []
    var summary = BatchSummary()
    var statuses: Set<ExitStatus> = []
    /// The CPU time and peak memory of codec processes.
    var codecs = (cpuSeconds: 0.0, peakBytes: 0)
    /// Outputs of an input were left out.
    var isCutShort = false
    /// The end is being written: nothing is counted any more.
    var isClosed = false
    /// The end is written.
    var isEnded = false
  }

  private let items: [BatchItem]
  private let options: BatchOptions
  /// Pictures really in flight.
  private let jobs: Int
  private let codecs: any CodecBorder
  private let backends: RenderBackends
  private let record: LineFile?
  private let journal: JournalWriter?
  /// The work of earlier runs, from journals; empty unless the run resumes.
  private let past: PastWork
  /// Inputs that are not tried again; empty unless the run resumes.
  private let quarantine: Quarantine
  /// Rows of journals that could not be read.
  private let badRows: Int
  /// Positions in `items`, by the numbers of the items.
  private let positions: [Int: Int]
  private let parts: PartFiles
  private let events: @Sendable (BatchEvent) -> Void
  private let state = Monitor(State())
  private let started = Mutex<(wall: Double, cpu: Double)>((0, 0))

  /// The switch that stops the batch: after it nothing new is started.
  package let stop = StopSwitch()

  /// Opens the device and the record, while a thread starts the first codec process.
  ///
  /// - Parameter events: called from the batch's threads, one call at a time.
  /// - Throws: `UnavailableError`, `RecordError`, `UsageError` for journals that cannot be read.
  package convenience init(
    _ items: [BatchItem], _ options: BatchOptions, events: @escaping @Sendable (BatchEvent) -> Void
  ) throws {
    var options = options
    options.isolation.limits.keptBytes = MemoryNeed.keptProcesses(ofBatch: options.memory)
    options.isolation.jobs = Self.jobs(items, options)
    if options.isolation.isolation == .none {
      try self.init(items, options, codecs: InProcessCodecs(isAlone: options.isolation.jobs == 1), events: events)
    } else {
      let codecs = Later(name: "codecs") { [options, libraries = Self.libraries(items)] in
        Result { () throws(UnavailableError) in
          try IsolatedCodecs(options.isolation, limits: options.limits, libraries: libraries)
        }
      }
      try self.init(items, options, codecs: try codecs.value.get(), events: events)
    }
  }

  /// Returns the libraries that decoders of the inputs will open, as far as file extensions tell.
  private static func libraries(_ items: [BatchItem]) -> RunTimeLibraries {
    let found = Set(items.map { InputCollector.ownExtension($0.input.path.bytes) ?? "" })
    return found.reduce(into: []) { $0.formUnion(RunTimeLibraries(fileExtension: $1)) }
  }

  /// - Parameter codecs: asked for once the device is open.
  package init(
    _ items: [BatchItem], _ options: BatchOptions, codecs: @autoclosure () throws -> any CodecBorder,
    events: @escaping @Sendable (BatchEvent) -> Void
  ) throws {
    let jobs = Self.jobs(items, options)
    let opened = Result { () throws(GPUError) in
      try RenderBackends(
        options.backend, device: options.device, threads: options.threads, jobs: jobs, codecs: options.codecDevice,
        sampling: options.sampling, keptBytes: MemoryNeed.keptPictures(ofBatch: options.memory))
    }
    self.codecs = try codecs()
    for output in options.outputs {
      if let missing = output.missing {
        throw UnavailableError("\(output.target): \(missing) [encode.unavailable]")
      }
    }
    self.items = items
    positions = Dictionary(uniqueKeysWithValues: items.enumerated().map { ($1.index, $0) })
    self.options = options
    self.jobs = jobs
    parts = PartFiles(options.files)
    let gate = Mutex(())
    self.events = { event in gate.withLock { _ in events(event) } }
    do throws(GPUError) {
      backends = try opened.get()
    } catch {
      throw UnavailableError(
        "\(error). `hdrbatch doctor` lists devices; --backend cpu needs none [\(error.code)]")
    }
    do throws(FileFault) {
      if let path = options.record {
        if path != FilePath("-") { _ = try options.files.makeFolders(path.parent, isDurable: false) }
        record = try LineFile(replacing: path, options.files)
      } else {
        record = nil
      }
    } catch {
      throw RecordError("the record cannot be written: \(error.message)")
    }
    if let settings = options.journal {
      let index = try JournalIndex(settings.resumes ? try Journal.all(in: settings.folder) : [])
      badRows = index.unread.rows
      past = PastWork(index, of: items)
      quarantine = settings.retriesQuarantined ? Quarantine() : index.quarantine
      do throws(FileFault) {
        journal = try JournalWriter(
          settings, options.durability, options.files)
      } catch {
        throw RecordError("the journal cannot be written: \(error.message)")
      }
    } else {
      (past, quarantine, journal, badRows) = (PastWork(), Quarantine(), nil, 0)
    }
  }

  /// Pictures really in flight.
  private static func jobs(_ items: [BatchItem], _ options: BatchOptions) -> Int {
    let limits = [Allotment.current.jobsByAddressSpace, Allotment.current.jobsByOpenFiles].compactMap { $0 }
    return max(1, limits.reduce(wantedJobs(items, options), min))
  }

  /// Pictures that would be in flight without limits of the process.
  private static func wantedJobs(_ items: [BatchItem], _ options: BatchOptions) -> Int {
    let wanted = options.jobs ?? usualJobs(items.map(\.input.path), isolates: options.isolation.isolation != .none)
    return min(wanted, Set(items.map(\.inputNumber)).count)
  }

  /// The default number of pictures in flight: as many as threads. A small picture spends a tenth of its time on the
  /// way between processes, so of small ones there are more (docs/isolation.md#cost).
  ///
  /// - Parameter isolates: codecs run in processes of their own.
  package static func usualJobs(_ inputs: [FilePath], isolates: Bool, threads: Int = Allotment.threads) -> Int {
    guard isolates, !inputs.isEmpty else { return threads }
    let sizes = stride(from: 0, to: inputs.count, by: (inputs.count + 63) / 64).map { index -> Int in
      var status = stat()
      return inputs[index].withCString { stat($0, &status) } == 0 ? Int(status.st_size) : .max
    }
    return sizes.sorted()[sizes.count / 2] <= 1 << 20 ? mostUsualJobs(threads: threads) : threads
  }

  /// The default number of small pictures in flight.
  package static func mostUsualJobs(threads: Int) -> Int { threads + max(min(threads, 2), threads / 4) }

  /// Renders all items. Call once.
  ///
  /// - Returns: sums, and the exit status that farm and shell get.
  package func run() -> BatchSummary {
    started.withLock { $0 = (monotonicSeconds(), hdr_process_cpu_seconds()) }
    state.change { $0.summary.items = items.count }
    let head = head
    record?.append(head)
    journal?.append(head, isItem: false)
    events(.started(items: items.count, device: backends.deviceName, fallback: backends.reportedFallback))
    for note in backends.notes { events(.deviceDropped(reason: note, others: backends.deviceName)) }
    if let reason = codecs.reduction { events(.lessIsolated(reason: reason)) }
    if let bytes = codecs.tightAddressSpace { events(.tightAddressSpace(bytes: bytes, jobs: jobs)) }
    if let files = Allotment.current.openFiles, jobs == Allotment.current.jobsByOpenFiles,
      jobs < Self.wantedJobs(items, options)
    {
      events(.fewOpenFiles(files, jobs: jobs))
    }
    if badRows > 0 { events(.badRows(badRows)) }
    for (change, count) in changes { events(.madeAgain(count, of: items.count, change: change)) }

    var explained: (@Sendable (BatchItem, Explanation) -> Void)?
    if options.explains { explained = { [events] item, what in events(.explained(item, what)) } }
    let runner = ItemRunner(
      options: options,
      tools: RenderTools(
        codecs: codecs, backends: backends, writer: AtomicWriter(parts: parts, durability: options.durability),
        limits: options.limits, itemLimits: options.isolation.limits, codecThreads: max(1, options.threads / jobs),
        isAlone: jobs == 1, judge: OutputAcceptance()),
      lost: { [events, backends] device in
        if device.isOpenAgain {
          events(.deviceReopened(reason: device.reason))
        } else {
          events(
            device.left == 0
              ? .fellBack(reason: device.reason) : .deviceDropped(reason: device.reason, others: backends.deviceName))
        }
      },
      explained: explained, past: past, quarantine: quarantine,
      budget: MemoryBudget(ofBatch: options.memory))
    let threads = (0..<jobs).map { index in
      WorkerThread(name: "item \(index)") { [self] in
        while let group = takeInput() {
          readAhead(of: group.endIndex, jobs)
          // The decoded input is freed with the last of its outputs.
          let shared = group.count > 1 ? ItemRunner.SharedWork(memory: MemoryShare(runner.budget)) : nil
          for item in group {
            if item.index != group.first?.index, stop.reason != nil {
              finish((leftOut(item), nil))
            } else {
              finish(runner.run(item, shared))
            }
          }
        }
      }
    }
    for thread in threads { thread.join() }
    backends.close()
    let used = codecs.close()
    state.change { $0.codecs = used }
    return close()
  }

  /// Ends the batch now, from another thread: part files are removed, items in flight recorded as interrupted. Files
  /// written afterwards get no final name.
  package func abandon() {
    parts.close()
    _ = close()
  }

  /// Takes all outputs of the next input.
  private func takeInput() -> ArraySlice<BatchItem>? {
    state.change { state in
      guard stop.reason == nil, state.next < items.count else { return nil }
      let first = state.next
      repeat {
        state.inFlight.insert(state.next)
        state.next += 1
      } while state.next < items.count && items[state.next].inputNumber == items[first].inputNumber
      return items[first..<state.next]
    }
  }

  /// The numbers of items that are made again although earlier runs made them, by what has changed since.
  private var changes: [(String, Int)] {
    guard let recipe = options.journal?.recipeDigest else { return [] }
    let found = items.compactMap { item in
      past.last(of: item).flatMap { PastWork.change(since: $0, options.choice(of: item), recipe: recipe) }
    }
    return PastWork.Change.allCases.compactMap { change in
      let count = found.count { $0 == change }
      return count > 0 ? (change.rawValue, count) : nil
    }
  }

  /// Lets the system read the next input ahead while items in flight are rendered, so that devices do not wait for an
  /// idle disk.
  private func readAhead(of position: Int, _ jobs: Int) {
    let ahead = position + (jobs - 1) * options.outputs.count
    if ahead < items.count { items[ahead].input.adviseReading() }
  }

  /// The record of an item that the batch was stopped before.
  private func leftOut(_ item: BatchItem) -> ItemRecord {
    var entry = ItemRecord(item: item, outputKind: options.choice(of: item).hdrKind)
    entry.status = .skipped
    entry.code = "batch.stopped"
    entry.message = stop.reason.map { "not rendered: the batch was " + $0.message }
    return entry
  }

  /// Calls `body` with the records of items that the batch was abandoned in and of those that it never began.
  private func eachUndone(
    _ interrupted: [BatchItem], _ left: ArraySlice<BatchItem>, _ body: (ItemRecord) -> Void
  ) {
    for item in interrupted {
      var entry = ItemRecord(item: item, outputKind: options.choice(of: item).hdrKind)
      entry.code = "batch.interrupted"
      entry.message = "abandoned: the batch was told to stop"
      body(entry)
    }
    for item in left { body(leftOut(item)) }
  }

  private func finish(_ result: (record: ItemRecord, failure: HDRError?)) {
    let position = positions[result.record.item.index] ?? 0
    // Rows are written outside the lock: a slow disk delays only the thread that writes to it.
    let isWanted = state.change { state in
      if !state.isClosed { state.writing.insert(position) }
      return !state.isClosed
    }
    guard isWanted else { return }
    append(result.record)
    let isCounted = state.change { state in
      // Too late: the end has counted it as interrupted.
      guard state.writing.remove(position) != nil else { return false }
      state.inFlight.remove(position)
      if result.record.code == "batch.stopped" { state.isCutShort = true }
      state.summary.count(result.record)
      if let failure = result.failure {
        state.statuses.insert(failure.status)
        if let reason = failure.stops { stop.stop(reason) }
        if let most = options.maxFailures, state.summary.failed >= most { stop.stop(.tooManyFailures) }
      }
      return true
    }
    if isCounted { events(.itemFinished(result.record)) }
  }

  /// Writes a row to the record and to the journal. A journal that cannot be written ends the batch: what it does not
  /// hold would be lost to the next run.
  private func append(_ entry: ItemRecord) {
    record?.append(entry.json)
    guard let journal, let recipe = options.journal?.recipeDigest else { return }
    let settings = options.choice(of: entry.item).digest
    let row = entry.json.with("id", .string(entry.item.id(recipe))).with("settingsDigest", .maybe(settings?.hex))
    journal.append(row, isItem: true, syncsNow: entry.status != .skipped)
    if journal.isBroken { stop.stop(.outputBroken) }
  }

  /// Seconds that the end waits for rows that are being written.
  private static let rowTimeout = 0.5

  /// Records what was not done and the sums; the second call changes nothing.
  private func close() -> BatchSummary {
    guard
      state.change({ state in
        defer { state.isClosed = true }
        return !state.isClosed
      })
    else { return state.wait { $0.isEnded ? $0.summary : nil } }
    // No line follows the summary.
    _ = state.wait(seconds: Self.rowTimeout) { $0.writing.isEmpty ? true : nil }
    let (interrupted, left) = state.change { state in
      state.writing = []
      let interrupted = state.inFlight.sorted().map { items[$0] }, left = items[state.next...]
      eachUndone(interrupted, left) { state.summary.count($0) }
      // A stop during the last item has stopped nothing, unless a signal asked for it.
      if let reason = stop.reason {
        state.statuses.insert(reason.exitStatus)
        if state.next < items.count || !state.inFlight.isEmpty || state.isCutShort { state.summary.stopped = reason }
      }
      let start = started.withLock { $0 }
      state.summary.wallSeconds = monotonicSeconds() - start.wall
      state.summary.cpuSeconds = hdr_process_cpu_seconds() - start.cpu + state.codecs.cpuSeconds
      state.summary.codecPeakResidentBytes = state.codecs.peakBytes
      state.summary.peakResidentBytes = Int(hdr_peak_resident_bytes())
      state.summary.exitStatus = .worst(state.statuses)
      return (interrupted, left)
    }
    eachUndone(interrupted, left) { append($0) }
    let summary = state.change { $0.summary }
    record?.append(summary.json)
    journal?.append(summary.json, isItem: false)
    let faults = [("record", record?.close()), ("journal", journal?.close())]
    return state.change { state in
      for (name, fault) in faults {
        guard let fault else { continue }
        state.summary.faults.append("the \(name) is not whole: \(fault.message.text(dashes: true))")
        state.summary.exitStatus = .worst(state.statuses.union([.inputOutput]))
      }
      state.isEnded = true
      return state.summary
    }
  }

  /// First line of the record: all that is needed to do the same again.
  private var head: JSON {
    return [
      "type": "header", "program": "hdrbatch", "version": .string(hdrbatchVersion),
      "command": .array(options.command.map(JSON.string)),
      "environment": .object(Allotment.environmentRead.map { JSON.Field($0.name, .string($0.value)) }),
      "host": .string(hostName(forFiles: false)), "pid": .int(Int(getpid())), "unixTime": .int(time(nil)),
      "folder": (try? FilePath.workingFolder()).map(JSON.path) ?? .null,
      "out": options.journal.map { JSON.path($0.out) } ?? .null,
      "items": .int(items.count), "to": .string(options.outputs.map(\.target).joined(separator: ",")),
      "backend": .string(options.backend.rawValue), "device": .string(backends.deviceName),
      "fallback": .maybe(backends.fallbackReason), "sample": .maybe(options.sample),
      "jobs": .int(jobs),
      "threads": .int(options.threads),
      "recipe": options.journal?.recipe?.value ?? .null,
      "recipeDigest": .maybe(options.journal?.recipeDigest.hex), "manifest": .maybe(options.journal?.manifest?.hex),
      "shard": .maybe(options.journal?.shard), "resume": .bool(options.journal?.resumes ?? false),
      "durability": .string(options.durability.rawValue),
      "isa": .string(backends.cpu.instructionSet), "isolation": .string(codecs.isolation),
      "isolationReduced": .maybe(codecs.reduction), "isolationLocks": .maybe(codecs.locks?.text),
    ]
  }
}

extension StopReason {
  package var exitStatus: ExitStatus {
    switch self {
    case .interrupted: .interrupted
    case .terminated, .deviceLost, .nothingStarts: .stoppedEarly
    case .outputBroken: .inputOutput
    case .tooManyFailures: .failedItems
    case .deviceWrong, .codecMissing: .unavailable
    }
  }
}
