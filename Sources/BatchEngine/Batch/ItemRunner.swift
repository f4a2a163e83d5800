import CodecService
import GPURender
import Glibc
import HDRCore
import HDRPlan
import ImageFiles

/// Takes one item from its source to its output, on the calling thread.
struct ItemRunner: Sendable {
  let options: BatchOptions
  let codecs: any CodecBorder
  let backends: RenderBackends
  let writer: AtomicWriter
  /// Pictures really in flight: `jobs`, or fewer items.
  let jobs: Int
  /// Called once for every GPU that is given up.
  let lost: @Sendable (GPURings.Loss) -> Void
  /// Called before each step; `nil`: not called.
  let explained: (@Sendable (BatchItem, Explanation) -> Void)?
  /// Past outcomes of items from journals, by their ids; empty unless the batch resumes.
  let done: [String: JournalIndex.Done]
  /// Inputs that are not tried again.
  let quarantine: Quarantine
  /// What is made of the item.
  private(set) var choice: OutputChoice
  let budget: MemoryBudget
  /// Memory of the budget that the input holds.
  private var memory: MemoryShare
  /// Source shared with other outputs of the input.
  private var shared: SharedSource?

  init(
    options: BatchOptions, codecs: any CodecBorder, backends: RenderBackends, writer: AtomicWriter, jobs: Int,
    lost: @escaping @Sendable (GPURings.Loss) -> Void, explained: (@Sendable (BatchItem, Explanation) -> Void)?,
    done: [String: JournalIndex.Done], quarantine: Quarantine
  ) {
    self.options = options
    self.codecs = codecs
    self.backends = backends
    self.writer = writer
    self.jobs = jobs
    self.lost = lost
    self.explained = explained
    self.done = done
    self.quarantine = quarantine
    budget = MemoryBudget(bytes: options.memory)
    memory = MemoryShare(budget)
    choice = options.outputs[0]
  }

  /// The finished record, and the failure in it when there is one. Never throws: an item has one end.
  ///
  /// - Parameter shared: keeps the source for the other outputs of the input; `nil` where there are none.
  func run(_ item: BatchItem, _ shared: SharedSource?) -> (record: ItemRecord, failure: ItemFailure?) {
    var runner = self
    runner.choice = options.outputs[item.variant]
    runner.shared = item.partner == nil ? shared : nil
    runner.memory = runner.shared?.memory ?? MemoryShare(budget)
    return runner.run(item)
  }

  private func run(_ item: BatchItem) -> (record: ItemRecord, failure: ItemFailure?) {
    var record = ItemRecord(item: item, outputKind: choice.hdrKind)
    if item.isSkipped {
      record.status = .skipped
      record.code = "output.exists"
      record.message = "there already"
      return (record, nil)
    }
    record.isolation = codecs.isolation
    var clock = PhaseClock(isAlone: jobs == 1)
    if clock.measure(.read, { isDone(item) }) {
      record.status = .skipped
      record.code = "batch.done"
      record.message = "done by an earlier run"
      record.seconds = clock.seconds
      return (record, nil)
    }
    var failure: ItemFailure?
    do throws(ItemFailure) {
      try clock.measure(.read) { () throws(ItemFailure) in try refuseQuarantined(item, &record) }
      if try isLeftOut(item, &record, &clock) { return (record, nil) }
      try carryOut(item, &record, &clock)
      record.status = record.warnings.isEmpty ? .ok : .warn
    } catch {
      record.status = .failed
      record.code = error.code
      record.message = error.message
      failure = error
    }
    record.seconds = clock.seconds
    return (record, failure)
  }

  /// Whether a journal calls the item done and all that it was made of and became is as it was: the input's digest, the
  /// recipe, the version, and a file of that size (docs/farm.md#journals).
  private func isDone(_ item: BatchItem) -> Bool {
    guard let recipe = options.journal?.recipeDigest, let row = done[item.id(recipe)], row.recipe == recipe,
      row.version == hdrbatchVersion
    else { return false }
    let sizes = [item.output, item.sidecar].compactMap(\.self).map { path -> Int? in
      fileStatus(path).flatMap { $0.isRegularFile ? Int($0.st_size) : nil }
    }
    guard !sizes.contains(nil), sizes.compactMap(\.self).reduce(0, +) == row.bytesOut else { return false }
    if let canvas = options.canvas { return canvas.digest == row.input }
    return (try? InputFile(item.input.path, maxBytes: Int.max).digest()) == row.input
  }

  /// An input that crashed or hung codec processes before would cost two more processes and their time limits.
  private func refuseQuarantined(_ item: BatchItem, _ record: inout ItemRecord) throws(ItemFailure) {
    guard !quarantine.entries.isEmpty, let recipe = options.journal?.recipeDigest,
      let file = try? InputFile(item.input.path, maxBytes: options.limits.maxFileBytes),
      let entry = quarantine.entry(byteCount: file.byteCount, recipe: recipe, digest: { try? file.digest() })
    else { return }
    record.inputDigest = entry.digest
    record.bytesIn = file.byteCount
    throw ItemFailure(
      code: Quarantine.code,
      message: "not tried again after \(entry.code): \(FilePath.printable(entry.message)); --retry-quarantined tries, "
        + "hdrbatch reproduce --digest \(entry.digest.hex.prefix(16)) shows what happens")
  }

  private func carryOut(_ item: BatchItem, _ record: inout ItemRecord, _ clock: inout PhaseClock) throws(ItemFailure) {
    let (staged, sidecar) = try makeFiles(item, &record, &clock)
    do throws(FileFault) {
      try clock.measure(.write) { () throws(FileFault) in
        let existing: ExistingFile = options.onExisting == .replace ? .replace : .refuse
        // The sidecar first: if the main file exists, the output is complete.
        if let sidecar {
          do throws(FileFault) {
            try writer.commit(sidecar, existing: .replace)
          } catch {
            writer.discard(staged)
            throw error
          }
        }
        try writer.commit(staged, existing: existing)
      }
    } catch {
      throw ItemFailure(writing: error)
    }
  }

  /// Renders, encodes and checks; the result lacks only its final name.
  private func makeFiles(
    _ item: BatchItem, _ record: inout ItemRecord, _ clock: inout PhaseClock
  ) throws(ItemFailure) -> (main: AtomicWriter.Staged, sidecar: AtomicWriter.Staged?) {
    let runner = try resolved(item, &record, &clock)
    let request = try runner.makeRequest(item, &record, &clock)
    return try runner.makeFiles(request, &record, &clock)
  }

  /// With the values of filters that depend on the picture.
  private func resolved(
    _ item: BatchItem, _ record: inout ItemRecord, _ clock: inout PhaseClock
  ) throws(ItemFailure) -> ItemRunner {
    guard choice.dependsOnPicture else { return self }
    let head = try source(item, .metadata, &record, &clock)
    var runner = self
    runner.choice = choice.resolved(choice.variables(of: head, number: item.inputNumber))
    return runner
  }

  private func makeRequest(
    _ item: BatchItem, _ record: inout ItemRecord, _ clock: inout PhaseClock
  ) throws(ItemFailure) -> FileRequest {
    switch choice.product {
    case .rendition: .rendition(try makeRequest(item, choice.rendition, &record, &clock))
    case .adaptive(let adaptive): .adaptive(try makeEdited(item, adaptive, &record, &clock))
    case .extract(let part): .rendition(try makeExtract(item, part, &record, &clock))
    }
  }

  private func makeFiles(
    _ request: FileRequest, _ record: inout ItemRecord, _ clock: inout PhaseClock
  ) throws(ItemFailure) -> (main: AtomicWriter.Staged, sidecar: AtomicWriter.Staged?) {
    let item = record.item
    let main: AtomicWriter.Staged, sidecar: AtomicWriter.Staged?
    do throws(FileFault) {
      (main, sidecar) = try clock.measure(.write) { () throws(FileFault) in
        try OutputFolder.make(for: item.output, relative: item.relativeOutput)
        let main = try writer.begin(item.output)
        guard let path = item.sidecar else { return (main, nil) }
        do throws(FileFault) {
          return (main, try writer.begin(path))
        } catch {
          writer.discard(main)
          throw error
        }
      }
    } catch {
      throw ItemFailure(writing: error)
    }
    do throws(ItemFailure) {
      try fill(main, sidecar, request, &record, &clock)
    } catch {
      writer.discard(main)
      if let sidecar { writer.discard(sidecar) }
      throw error
    }
    return (main, sidecar)
  }

  /// An Adaptive HDR file without the filters that change nothing: they are no reason to make anything anew.
  private func makeEdited(
    _ item: BatchItem, _ adaptive: AdaptiveOptions, _ record: inout ItemRecord, _ clock: inout PhaseClock
  ) throws(ItemFailure) -> AdaptiveRequest {
    var runner = self
    let idle = runner.choice.rendition.leaveOutIdleFilters()
    if !idle.isEmpty {
      explained?(
        item, Explanation(title: "", lines: [PlanReport.explanation(idleEdits: idle)], graph: nil))
    }
    let request = try runner.makeAdaptive(item, adaptive, &record, &clock)
    record.report?.idleEdits = idle
    return request
  }

  /// Has the files encoded, written and checked, and puts them on the disk.
  private func fill(
    _ main: AtomicWriter.Staged, _ sidecar: AtomicWriter.Staged?, _ request: FileRequest, _ record: inout ItemRecord,
    _ clock: inout PhaseClock
  ) throws(ItemFailure) {
    let written: WrittenFiles
    do throws(CodecError) {
      written = try clock.measureParts(of: .encode) { () throws(CodecError) in
        try codecs.encode(request, into: OutputFiles(main: main.file, sidecar: sidecar?.file))
      }.value
    } catch {
      throw ItemFailure(error, writing: main.part, sidecar: sidecar?.part)
    }
    record.warnings += written.warnings
    record.bytesOut = written.mainBytes + (written.sidecarBytes ?? 0)
    record.outputDigest = written.mainDigest
    do throws(FileFault) {
      try clock.measure(.write) { () throws(FileFault) in
        try writer.sync(main, byteCount: written.mainBytes)
        if let sidecar { try writer.sync(sidecar, byteCount: written.sidecarBytes ?? 0) }
      }
    } catch {
      throw ItemFailure(writing: error)
    }
  }

  /// Reads, decodes, plans and renders. The source's pixels are freed when this returns.
  private func makeRequest(
    _ item: BatchItem, _ rendition: RenditionOptions, _ record: inout ItemRecord, _ clock: inout PhaseClock
  ) throws(ItemFailure) -> EncodeRequest {
    try makeRequest(try source(item, .pixels, &record, &clock), rendition, &record, &clock)
  }

  func makeRequest(
    _ source: SourceImage, _ rendition: RenditionOptions, _ record: inout ItemRecord, _ clock: inout PhaseClock
  ) throws(ItemFailure) -> EncodeRequest {
    let recipe = try measured(source, rendition, &record, &clock)
    let plan = try plan(source, recipe, &clock)
    record.report = plan.report
    explain(record.item, "", plan)
    record.warnings += plan.report.warnings
    let metadata = TravellingMetadata(source, isJPEG: rendition.kind == .sdrJPEG)
    record.warnings += metadata.warnings
    let image = try render(plan, &record, &clock)
    record.width = image.width
    record.height = image.height
    // Measuring light levels is part of making the file.
    let request = clock.measure(.encode) {
      EncodeRequest(image, plan.report, rendition, metadata, threads: max(1, options.threads / jobs))
    }
    record.light = request.clli
    return request
  }

  /// Reports the next step.
  func explain(_ item: BatchItem, _ title: String, _ plan: Plan) {
    explained?(item, Explanation(title: title, lines: plan.explanation, graph: plan.dot))
  }

  func plan(_ source: SourceImage, _ recipe: RenderRecipe, _ clock: inout PhaseClock) throws(ItemFailure) -> Plan {
    do throws(PlanError) {
      return try clock.measure(.plan) { () throws(PlanError) in try Planner.plan(source, recipe) }
    } catch {
      throw ItemFailure(error)
    }
  }

  /// Gives memory for a plan's output: beside its source where the codecs have that, when it is in an encoder's layout.
  /// What is read as numbers that decide something stays with this process.
  private func memory(for plan: Plan) -> (Int) -> PixelBuffer {
    switch plan.passes.last?.sink.kind {
    case .rgba8, .rgba16, .planarYCC: break
    default: return { PixelBuffer(uninitializedByteCount: $0) }
    }
    var near: PixelBuffer?
    for case .image(let picture) in plan.passes.flatMap(\.sources) where near == nil {
      near = picture.channels.first?.buffer
    }
    return { [codecs] byteCount in
      guard let buffer = codecs.outputMemory(byteCount, near: near) else {
        return PixelBuffer(uninitializedByteCount: byteCount)
      }
      near = buffer
      return buffer
    }
  }

  /// Renders a plan and records the backend.
  func render(_ plan: Plan, _ record: inout ItemRecord, _ clock: inout PhaseClock) throws(ItemFailure) -> SampleImage {
    let rendered: Rendered
    do throws(GPUError) {
      rendered = try clock.measure(.render) { () throws(GPUError) in
        try backends.render(plan, memory: memory(for: plan), notice: lost)
      }
    } catch {
      if case .mismatch(let device, _, _) = error { (record.backend, record.device) = ("gpu", device) }
      throw ItemFailure(error, isStranded: backends.isStranded)
    }
    clock.add(cpu: rendered.helperSeconds, to: .render)
    record.backend = rendered.backend
    record.device = rendered.device
    record.rounding = rendered.rounding
    record.isa = rendered.isa
    record.fallback = rendered.fallback
    record.sampledStrips += rendered.sampledStrips
    return rendered.image
  }

  func open(
    _ path: FilePath, _ record: inout ItemRecord, _ clock: inout PhaseClock
  ) throws(ItemFailure) -> InputFile {
    if let file = shared?.file { return file }
    do throws(FileFault) {
      let file = try clock.measure(.read) { () throws(FileFault) in
        try InputFile(path, maxBytes: options.limits.maxFileBytes)
      }
      record.bytesIn += file.byteCount
      if let planned = record.item.plannedBytes, planned != file.byteCount {
        record.warnings.append(
          Warning(
            "input.changed", "the file has \(file.byteCount) bytes, and \(planned) when the plan was made"))
      }
      shared?.file = file
      return file
    } catch {
      throw ItemFailure(reading: error, limit: options.limits.maxFileBytes)
    }
  }

  /// Waits until the picture fits into the batch's memory.
  private func admit(_ head: DecodeHead, _ file: InputFile, hasPartner: Bool) throws(CodecError) {
    let one = MemoryBudget.estimate(head, fileBytes: file.byteCount, choice)
    let bytes = hasPartner ? 2 * one : one
    guard memory.take(bytes) else {
      throw .decode(
        .limit(what: "memory for this picture in bytes", found: bytes, allowed: budget.limit, setting: "memory"))
    }
  }

  private func result(
    _ file: InputFile, _ request: DecodeRequest, hasPartner: Bool, _ clock: inout PhaseClock
  ) -> Result<CodecAnswer<SourceImage>, CodecError> {
    var waited = 0.0
    defer { clock.leaveOut(wall: waited, of: .decode) }
    do throws(CodecError) {
      return .success(
        try clock.measureParts(of: .decode) { () throws(CodecError) in
          try codecs.decode(file, request: request, limits: options.limits) { head throws(CodecError) in
            let begin = monotonicSeconds()
            defer { waited += monotonicSeconds() - begin }
            try admit(head, file, hasPartner: hasPartner)
          }
        })
    } catch {
      return .failure(error)
    }
  }

  /// - Throws: with `--strict` also for a gain map that is there and cannot be used.
  func decode(
    _ file: InputFile, _ request: DecodeRequest, _ record: inout ItemRecord, _ clock: inout PhaseClock
  ) throws(ItemFailure) -> SourceImage {
    let answer: CodecAnswer<SourceImage>
    do throws(CodecError) {
      if let known = shared?[request] {
        answer = try known.get()
      } else {
        let result = result(file, request, hasPartner: record.item.partner != nil, &clock)
        shared?[request] = result
        answer = try result.get()
      }
    } catch {
      // The process that had the digest may have ended.
      if record.inputDigest == nil { record.inputDigest = try? file.digest() }
      throw ItemFailure(error, reading: file)
    }
    var source = answer.value
    if record.format == nil { record.format = source.format }
    // After the headers: the library that would decode; after the pixels: the one that did.
    if source.format == record.format, let decoder = source.decoder { record.decoder = decoder }
    // The partner of a pair comes second.
    if record.inputDigest == nil { record.inputDigest = answer.inputDigest }
    for warning in source.warnings where !record.warnings.contains(warning) { record.warnings.append(warning) }
    if options.isStrict, source.gainMap == nil,
      let fault = source.warnings.first(where: { GainMapWarnings.dropsMap($0.code) })
    {
      throw ItemFailure(code: fault.code, message: "\(fault.message) (--strict)")
    }
    if let metadata = choice.rendition.toneMetadata { source.light.toneMetadata = metadata }
    return source
  }
}
