import BatchEngine
import GPURender
import HDRComparison
import HDRCore
import HDRRecipe
import HDRRender
import ImageFiles
import PlainData

/// Answers requests with codecs, devices and memory that all of them share.
package final class RenderEngine: RequestEngine {
  let tools: ServeTools
  let words: any RequestWords
  let prepared = PreparedOptions()
  /// `nil` for codecs that are no processes.
  private let starter: ProcessStarter?
  /// The part files of outputs with a path.
  let parts = PartFiles()

  /// Opens devices and starts codec processes.
  ///
  /// - Throws: `UnavailableError`.
  package init(
    _ machine: BatchOptions, root: FilePath?, _ words: any RequestWords, note: @escaping @Sendable (String) -> Void
  ) throws {
    self.words = words
    var machine = machine
    let limits = [Allotment.current.jobsByAddressSpace, Allotment.current.jobsByOpenFiles].compactMap { $0 }
    let jobs = max(1, limits.reduce(machine.jobs ?? machine.threads, min))
    machine.isolation.jobs = jobs
    machine.isolation.limits.keptBytes = MemoryNeed.keptProcesses(ofBatch: machine.memory)
    machine.isolation.limits.items = Self.itemsOfProcess
    let backends: RenderBackends
    do throws(GPUError) {
      backends = try RenderBackends(
        machine.backend, device: machine.device, threads: machine.threads, jobs: jobs, codecs: machine.codecDevice,
        sampling: machine.sampling, keptBytes: MemoryNeed.keptPictures(ofBatch: machine.memory))
    } catch {
      throw UnavailableError(
        "\(error). `hdrbatch doctor` lists devices; --backend cpu needs none [\(error.code)]")
    }
    let codecs: any CodecBorder
    if machine.isolation.isolation == .none {
      starter = nil
      codecs = InProcessCodecs(isAlone: jobs == 1)
    } else {
      let processes = try IsolatedCodecs(machine.isolation, limits: machine.limits)
      _ = try processes.inspect()
      (starter, codecs) = (ProcessStarter(processes), processes)
    }
    tools = ServeTools(
      codecs: codecs, backends: backends, budget: MemoryBudget(ofBatch: machine.memory), machine: machine,
      files: ServedFiles(root: root, maxBytes: machine.limits.maxFileBytes), jobs: jobs, note: note)
  }

  /// Items of a codec process: a start takes longer than many a request.
  private static let itemsOfProcess = 1024

  package var jobs: Int { tools.jobs }

  /// The reason why no GPU renders, if a user should see it.
  package var fallback: String? { tools.backends.reportedFallback }
  /// The reason why codecs are less isolated than was asked for.
  package var reduction: String? { tools.codecs.reduction }

  /// Facts that clients get first.
  package var facts: [JSON.Field] {
    [
      JSON.Field("device", .string(tools.backends.deviceName)),
      JSON.Field("isolation", .string(tools.codecs.isolation)),
    ]
  }

  package func answer(_ job: Job) -> Outcome {
    // A file that cannot be decoded costs its process: the next request shall not wait for a start.
    defer { starter?.start() }
    return work(job)
  }

  private func work(_ job: Job) -> Outcome {
    do throws(RequestFault) {
      switch job.work {
      case .render(let input, let options, let recipe, let output):
        return try render(input, options, recipe, output, job)
      case .info(let file, let options): return try info(file, options, job)
      case .compare(let a, let b, let options): return try compare(a, b, options, job)
      case .cancel, .ping, .stats: return Outcome(.success([]))
      }
    } catch {
      return Outcome(.failure(error))
    }
  }

  private func info(_ file: Request.File, _ options: [String], _ job: Job) throws(RequestFault) -> Outcome {
    let input = try tools.files.input(file, of: job)
    let order = try words.info(options, of: input.name, tools.files)
    var limits = tools.machine.limits
    limits.reading = order.reading
    do throws(HDRError) {
      var inspection = try FileInspection(try open(input), limits: limits, codecs: tools.codecs)
      if let config = order.config { try inspection.ask(config) }
      inspection.standard = order.standard
      return Outcome(.success([JSON.Field("info", inspection.json.replacing("file", .path(input.name)))]))
    } catch {
      throw RequestFault(error)
    }
  }

  private func open(_ input: ServedFiles.Input) throws(HDRError) -> InputFile {
    let most = tools.machine.limits.maxFileBytes
    do throws(FileFault) {
      guard let file = input.file else { return try InputFile(input.reference, maxBytes: most) }
      return try InputFile(descriptor: file.descriptor, name: input.name, maxBytes: most)
    } catch {
      throw HDRError(reading: error, limit: most)
    }
  }

  private func compare(
    _ a: Request.File, _ b: Request.File, _ options: [String], _ job: Job
  ) throws(RequestFault) -> Outcome {
    let left = try tools.files.input(a, of: job), right = try tools.files.input(b, of: job)
    let report = try words.comparison(options, tools)(FilePair(left.reference, right.reference))
    let row = report.json.replacing("a", .path(left.name)).replacing("b", .path(right.name))
    return Outcome(.success([JSON.Field("pair", row)]))
  }

  /// Removes what is not finished; nothing gets its name afterwards.
  package func abandon() { parts.close() }

  package func close() {
    starter?.close()
    tools.backends.close()
    _ = tools.codecs.close()
  }
}

extension JSON {
  /// Returns the object with another value of a key.
  func replacing(_ key: String, _ value: JSON) -> JSON {
    guard case .object(let fields) = self else { return self }
    return .object(fields.map { $0.key == key ? Field(key, value) : $0 })
  }
}
