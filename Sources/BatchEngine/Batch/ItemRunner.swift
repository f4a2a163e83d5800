import CodecService
import Glibc
import HDRCore
import HDRRecipe
import HDRRender
import ImageFiles
import PlainData

/// Takes one item from its source to its output, on the calling thread: it checks past runs, waits for memory and fills
/// the record. A `RenderJob` renders the picture.
package struct ItemRunner: Sendable {
  /// The source and the memory that the outputs of one input share.
  struct SharedWork: Sendable {
    let source = SharedSource()
    /// Memory of all outputs.
    let memory: MemoryShare
  }

  let options: BatchOptions
  let tools: RenderTools
  /// Called once for every GPU that is retired.
  let lost: @Sendable (GPURings.LostDevice) -> Void
  /// Called before each step; `nil`: not called.
  let explained: (@Sendable (BatchItem, Explanation) -> Void)?
  /// The work of earlier runs, from journals; empty unless the batch resumes.
  let past: PastWork
  /// Inputs that are not tried again.
  let quarantine: Quarantine
  let budget: MemoryBudget
  /// Called between phases: throws if the items are not wanted any more.
  var check: @Sendable () throws(HDRError) -> Void = { () throws(HDRError) in }

  /// Returns the finished record, and the failure in it if there is one. Never throws: an item has one outcome.
  ///
  /// - Parameter shared: keeps the source for the other outputs of the input; `nil` where there are none.
  func run(_ item: BatchItem, _ shared: SharedWork?) -> (record: ItemRecord, failure: HDRError?) {
    let choice = options.choice(of: item)
    var record = ItemRecord(item: item, outputKind: choice.hdrKind)
    if item.isSkipped {
      record.skip("output.exists", "there already")
      return (record, nil)
    }
    var job = job(item, choice, item.partner == nil ? shared : nil)
    var failure: HDRError?
    if let missing = Self.missing(item.input) {
      if choice.settings[Settings.sequences.missing] == .skip {
        record.skip(Self.missingCode, missing)
        return (record, nil)
      }
      (record.status, record.code, record.message) = (.failed, Self.missingCode, missing)
      return (record, HDRError(code: Self.missingCode, message: "\(missing)", kind: .source))
    }
    if let frame = item.input.frame, let held = frame.held {
      job.found.warn([
        Warning("frame.held", "frame \(frame.number) is missing, and \(held.display) stands for it")
      ])
    }
    if job.measure(.read, { isDone(item) }) {
      record.skip("batch.done", "done by an earlier run")
    } else {
      do throws(HDRError) {
        try job.measure(.read) { () throws(HDRError) in
          try refuseQuarantined(item, job)
          try refuseRejected(item, job)
        }
        if let reason = try leftOut(job) {
          record.skip("input.kind", reason)
        } else {
          if let plain = try plainChoice(job) {
            job = self.job(item, plain, item.partner == nil ? shared : nil)
            record.outputKind = plain.hdrKind
          }
          var destination = OutputDestination(
            path: item.output, relative: item.relativeOutput, sidecar: item.sidecar,
            existing: options.onExisting == .replace ? .replace : .refuse)
          destination.keepsRejected = options.keepsRejected
          try job.write(to: destination)
          record.status = job.facts.warnings.isEmpty ? .ok : .warn
        }
      } catch {
        record.status = error.kind == .rejected ? .rejected : .failed
        record.code = error.code
        record.message = error.message.text(dashes: true)
        failure = error
      }
    }
    record.facts = job.facts
    return (record, failure)
  }

  static let missingCode = "frame.missing"

  /// Returns a message for a frame without a file; `nil` if it has one, or the item is no frame.
  static func missing(_ input: InputReference) -> String? {
    guard let frame = input.frame, fileStatus(input.file) == nil else { return nil }
    return "frame \(frame.number) is missing"
  }

  private func job(_ item: BatchItem, _ choice: ResolvedOutput, _ shared: SharedWork?) -> RenderJob {
    let memory = shared?.memory ?? MemoryShare(budget), pictures = item.partner == nil ? 1 : 2
    var task = RenderTask(
      source: options.canvas.map { .canvas($0) } ?? .file(item.input), partner: item.partner,
      choice: choice, number: item.inputNumber, plannedBytes: item.plannedBytes, isStrict: options.isStrict)
    task.frame = item.input.frame.map { RenderTask.Frame($0, rate: choice.settings[Settings.sequences.fps]) }
    return RenderJob(
      task,
      tools,
      hooks: RenderHooks(
        read: { fileBytes throws(CodecError) in
          let bytes = MemoryNeed.reading(fileBytes: fileBytes)
          guard memory.takeForReading(bytes) else { throw budget.refusal(bytes, for: "to read this file") }
        },
        admit: { (head, fileBytes, choice) throws(CodecError) in
          let bytes = MemoryNeed.item(
            MemoryNeed.Source(head, fileBytes: fileBytes),
            MemoryNeed.Work(choice, of: head, threads: options.threads), sources: pictures)
          guard memory.take(bytes) else { throw budget.refusal(bytes, for: "for this picture") }
        },
        explain: explained.map { explained in { explained(item, $0) } }, lost: lost, check: check),
      shared: shared?.source)
  }

  /// Returns true if a journal calls the item done and nothing has changed since: the input's digest, the output's
  /// settings, the version, and the output's size. The output's digest is compared too if the run did not sync, or if
  /// that is asked for (docs/farm.md#journals).
  private func isDone(_ item: BatchItem) -> Bool {
    guard let recipe = options.journal?.recipeDigest, let row = past.last(of: item),
      PastWork.change(since: row, options.choice(of: item), recipe: recipe) == nil
    else { return false }
    let sizes = [item.output, item.sidecar].compactMap(\.self).map { path -> Int? in
      fileStatus(path).flatMap { $0.isRegularFile ? Int($0.st_size) : nil }
    }
    guard !sizes.contains(nil), sizes.compactMap(\.self).reduce(0, +) == row.bytesOut else { return false }
    let isTrusted = row.isDurable && options.journal?.verifies != true
    guard isTrusted || isWhole(item, row.output) else { return false }
    if let canvas = options.canvas { return canvas.digest == row.input }
    return (try? InputFile(item.input, maxBytes: Int.max).digest()) == row.input
  }

  /// Returns true if the output has that digest and its sidecar can be read.
  private func isWhole(_ item: BatchItem, _ digest: Digest) -> Bool {
    var output = InputReference(path: item.output, relative: item.relativeOutput)
    output.roots = [output.root]
    guard (try? InputFile(output, maxBytes: Int.max).digest()) == digest else { return false }
    guard let sidecar = item.sidecar else { return true }
    guard let bytes = try? readWholeFile(sidecar, maxBytes: 1 << 26) else { return false }
    return (try? JSON(parsing: bytes)) != nil
  }

  /// Refuses an input that crashed or hung codec processes before: it would cost two more processes and their timeouts.
  private func refuseQuarantined(_ item: BatchItem, _ job: RenderJob) throws(HDRError) {
    guard !quarantine.entries.isEmpty, let recipe = options.journal?.recipeDigest,
      let file = try? InputFile(item.input, maxBytes: options.limits.maxFileBytes),
      let entry = quarantine.entry(
        byteCount: file.byteCount, image: item.input.picture?.number, recipe: recipe, digest: { try? file.digest() })
    else { return }
    job.note(digest: entry.digest, byteCount: file.byteCount)
    throw HDRError(
      code: Quarantine.code,
      message: "not tried again after \(entry.code): \(printable(entry.message)); --retry-quarantined tries, "
        + "hdrbatch reproduce --digest \(entry.digest.hex.prefix(16)) shows what happens")
  }

  /// Refuses an item that an earlier run made and did not accept, if nothing has changed since: it would be made and
  /// rejected again.
  private func refuseRejected(_ item: BatchItem, _ job: RenderJob) throws(HDRError) {
    guard let recipe = options.journal?.recipeDigest, options.journal?.retriesRejected != true,
      let row = past.rejection(of: item),
      PastWork.change(since: row.made, options.choice(of: item), recipe: recipe) == nil
    else { return }
    if let canvas = options.canvas {
      guard canvas.digest == row.made.input else { return }
      job.note(digest: row.made.input, byteCount: 0)
    } else {
      guard let file = try? InputFile(item.input, maxBytes: options.limits.maxFileBytes),
        (try? file.digest()) == row.made.input
      else { return }
      job.note(digest: row.made.input, byteCount: file.byteCount)
    }
    throw HDRError(
      code: JournalIndex.Rejection.earlierCode,
      message: "not made again after \(row.code): \(printable(row.message)); --retry-rejected makes it again",
      kind: .rejected)
  }

  /// Returns the choice that applies to pictures without HDR; `nil` for other pictures, and if none was asked for.
  private func plainChoice(_ job: RenderJob) throws(HDRError) -> ResolvedOutput? {
    guard let plain = job.choice.ofSDR.first, options.canvas == nil, try !job.head().hasHDR else { return nil }
    return plain
  }

  /// Returns the reason why `only` or `if-sdr` leaves the picture out; `nil` if they do not.
  private func leftOut(_ job: RenderJob) throws(HDRError) -> String? {
    if job.choice.settings[Settings.adaptive.ifSDR] == .skip, case .adaptive = job.choice.product,
      options.canvas == nil, try !job.head().hasHDR
    {
      return "a picture without HDR"
    }
    guard let only = job.choice.settings[Settings.light.only], options.canvas == nil else { return nil }
    let head = try job.head()
    let kinds: [PictureKind] = (head.isHDR ? [.hdr] : [.sdr]) + (head.hasGainMap ? [.adaptive] : [])
    if kinds.contains(only) { return nil }
    let found = kinds.map(\.rawValue).joined(separator: ", ")
    return "only \(only.rawValue) pictures are wanted, and this one is \(found)"
  }
}

extension ItemRunner {
  /// Makes a runner of single items, without what earlier runs did.
  package init(
    _ options: BatchOptions, _ tools: RenderTools, budget: MemoryBudget,
    lost: @escaping @Sendable (GPURings.LostDevice) -> Void, check: @escaping @Sendable () throws(HDRError) -> Void
  ) {
    self.init(
      options: options, tools: tools, lost: lost, explained: nil, past: PastWork(), quarantine: Quarantine(),
      budget: budget, check: check)
  }

  /// Renders one item.
  package func run(_ item: BatchItem) -> (record: ItemRecord, failure: HDRError?) { run(item, nil) }
}

extension SourceImage {
  /// True if there is a gain map that can be applied.
  fileprivate var hasGainMap: Bool { gainMap?.metadata.isComplete == true }
  fileprivate var hasHDR: Bool { isHDR || hasGainMap }
}

extension RenderTask.Frame {
  /// - Parameter rate: frames a second.
  init(_ frame: SequenceFrame, rate: Double?) {
    self.init(frame.number, seconds: rate.map { Double(frame.number - frame.first) / $0 })
  }
}

extension ItemRecord {
  fileprivate mutating func skip(_ code: String, _ message: String) {
    status = .skipped
    self.code = code
    self.message = message
  }
}
