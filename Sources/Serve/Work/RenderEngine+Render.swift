import BatchEngine
import CodecService
import GPURender
import HDRComparison
import HDRCore
import HDRRecipe
import HDRRender
import ImageFiles
import PlainData

/// Renders a file of a request, as an item of a batch.
extension RenderEngine {
  func render(
    _ file: Request.File?, _ options: [String], _ recipe: JSON?, _ output: Request.Output, _ job: Job
  ) throws(RequestFault) -> Outcome {
    let input = try file.map { file throws(RequestFault) in try tools.files.input(file, of: job) }
    let known = try prepare(options, recipe, input), recipe = known.recipe
    guard (recipe.options.canvas == nil) == (input != nil) else {
      throw RequestFault(
        "request.options", input == nil ? "input is missing" : "the recipe has a size and no input: leave input out")
    }
    let reference = input?.reference ?? InputReference(FilePath("recipe"))
    var batch = tools.machine
    (batch.outputs, batch.isStrict) = (recipe.options.outputs, recipe.options.isStrict)
    (batch.canvas, batch.overrides, batch.overridden) =
      (recipe.options.canvas, recipe.options.overrides, recipe.options.overridden)
    let traits = recipe.nameRules[0].traits
    switch output {
    case .path(let text, let replaces):
      let place = try tools.files.output(text)
      var item = BatchItem(
        index: 0, inputNumber: 0, input: reference, relativeOutput: place.relative, output: place.path,
        isSkipped: false)
      if traits.hasSidecar { item.sidecar = FilePath(bytes: place.path.bytes + Array(".json".utf8)) }
      try checkPlace(item, replaces: replaces)
      batch.onExisting = replaces ? .replace : .fail
      var (record, failure) = run(item, batch, parts, job, isHashed: true)
      if let input { record.item.input = InputReference(input.name) }
      record.item.output = FilePath(text)
      if let failure { return Outcome(.failure(RequestFault(failure)), record: record.json) }
      let made: JSON = ["path": .string(text), "bytes": .int(record.bytesOut)]
      return Outcome(.success(record.status == .skipped ? [] : [JSON.Field("output", made)]), record: record.json)
    case .memory(let isHashed):
      guard job.takesFiles else {
        throw RequestFault(
          "request.fds", "memory is passed through Unix sockets alone: give output a path, or the server a socket")
      }
      guard !batch.outputs[0].isJudged else {
        throw RequestFault(
          "request.options", "accept, quality-target and max-bytes judge files: give output a path")
      }
      let name = Array("output.\(traits.fileExtension)".utf8)
      var item = BatchItem(
        index: 0, inputNumber: 0, input: reference, relativeOutput: FilePath(bytes: name),
        output: FilePath("memory").appending(name), isSkipped: false)
      if traits.hasSidecar { item.sidecar = FilePath(bytes: item.output.bytes + Array(".json".utf8)) }
      batch.durability = .none
      let memory = MemoryFiles(expecting: known.lastBytes)
      var (record, failure) = run(item, batch, PartFiles(memory), job, isHashed: isHashed)
      if let input { record.item.input = InputReference(input.name) }
      record.item.output = FilePath("-")
      if let failure { return Outcome(.failure(RequestFault(failure)), record: record.json) }
      guard record.status != .skipped else { return Outcome(.success([]), record: record.json) }
      known.lastBytes = record.bytesOut
      return try Self.outcome(record, memory, name)
    }
  }

  /// Reads options and recipe, and the files that these name.
  private func prepare(
    _ options: [String], _ recipe: JSON?, _ input: ServedFiles.Input?
  ) throws(RequestFault) -> PreparedOptions.Known {
    try prepared.get(options, recipe) { () throws(RequestFault) in
      let text = try words.recipe(options, recipe, tools.files)
      var paths: [String] = []
      _ = text.recipe.replacingPaths {
        paths.append($0)
        return $0
      }
      for path in paths { try tools.files.check(path) }
      guard text.recipe.outputs.count <= 1 else {
        throw RequestFault("request.options", "a request has one output: send one for each")
      }
      guard !text.recipe.settings.takesAllPictures else {
        throw RequestFault("request.options", "--image all is of batches: give a number")
      }
      do throws(UsageError) {
        let made = try PreparedRecipe(
          text, inputs: input.map { [$0.reference] } ?? [], limits: tools.machine.limits, codecs: tools.codecs)
        if let missing = made.options.outputs[0].missing {
          throw UsageError("\(made.options.outputs[0].target): \(missing) [encode.unavailable]")
        }
        return (made, paths.isEmpty && text.recipe.overrides.isEmpty)
      } catch {
        throw RequestFault(error)
      }
    }
  }

  /// Throws for an output whose place is taken, or that is the input.
  private func checkPlace(_ item: BatchItem, replaces: Bool) throws(RequestFault) {
    for path in [item.output, item.sidecar].compactMap(\.self) where somethingExists(at: path) {
      guard replaces else {
        throw RequestFault(
          "output.exists", "\(path.display) exists: \"existing\":\"replace\" replaces it", kind: "exists",
          exit: .failedItems)
      }
      if let identity = FileIdentity(path), identity == FileIdentity(item.input.path) {
        throw RequestFault("output.input", "\(path.display) is the input, which is never overwritten")
      }
    }
  }

  private func run(
    _ item: BatchItem, _ batch: BatchOptions, _ parts: PartFiles, _ job: Job, isHashed: Bool
  ) -> (record: ItemRecord, failure: HDRError?) {
    let runner = ItemRunner(
      batch,
      RenderTools(
        codecs: tools.codecs, backends: tools.backends,
        writer: AtomicWriter(parts: parts, durability: batch.durability), limits: batch.limits,
        itemLimits: batch.isolation.limits, codecThreads: max(1, batch.threads / tools.jobs), isAlone: tools.jobs == 1,
        judge: OutputAcceptance(), hashesSamples: isHashed),
      budget: tools.budget,
      lost: { [tools] device in
        tools.note(
          device.isOpenAgain
            ? "a GPU is opened again after a loss: \(device.reason)"
            : "a GPU is not used any more, \(tools.backends.deviceName) goes on: \(device.reason)")
      },
      check: { () throws(HDRError) in
        if job.isCancelled {
          throw HDRError(code: "cancelled", message: "cancelled: nothing was written", kind: .cancelled)
        }
      })
    return runner.run(item)
  }

  /// Makes the answer of files in memory.
  private static func outcome(
    _ record: ItemRecord, _ memory: MemoryFiles, _ name: [UInt8]
  ) throws(RequestFault) -> Outcome {
    guard let main = memory.take(name), let bytes = size(main) else {
      throw RequestFault("io.write", "the output is not there", kind: "output", exit: .inputOutput)
    }
    var files = [main]
    var made: JSON = ["fd": .int(0), "bytes": .int(bytes)]
    if let sidecar = memory.take(name + Array(".json".utf8)), let count = size(sidecar),
      let text = try? CodecJobs.read(sidecar.descriptor, byteCount: count), let value = try? JSON(parsing: text)
    {
      made = made.with("sidecar", value)
    }
    let beside = memory.takeAll().prefix(Request.maxDescriptors - 1).compactMap { name, file -> JSON? in
      guard let count = size(file) else { return nil }
      files.append(file)
      return ["fd": .int(files.count - 1), "bytes": .int(count), "name": .path(FilePath(bytes: name))]
    }
    var fields = [JSON.Field("output", made)]
    if !beside.isEmpty { fields.append(JSON.Field("beside", .array(beside))) }
    return Outcome(.success(fields), record: record.json, files: files)
  }

  private static func size(_ file: OpenFile) -> Int? {
    try? LinuxFileSystem().size(of: file, FilePath("memory"))
  }
}
