import CPlatform
import CodecService
import GPURender
import HDRCore
import HDRPlan
import HDRRecipe
import ImageFiles
import PlainData
import Threads

/// Renders and writes pictures, on a GPU if there is one, else on the CPU, with the same bits. Make one and keep it: it
/// opens and tests the device. Any number of threads and tasks may use it at once.
///
/// ```swift
/// let renderer = try HDRRenderer()
/// try renderer.write(photo, to: "out.heic", as: .adaptiveHEIC(quality: 90))
/// ```
///
/// By default codecs run in this process. Decode untrusted files in separate processes, which `isolation: .sandbox`
/// starts from the program `hdrbatch-codec`: docs/isolation.md.
public final class HDRRenderer: Sendable {
  private let tools: RenderTools
  /// The threads for async calls.
  let threads: JobThreads
  private let fileLimits: DecodeLimits

  /// Opens the device and starts the codecs.
  ///
  /// - Parameters:
  ///   - backend: `.gpu` fails without a GPU; `.auto` then uses the CPU.
  ///   - device: name, index, UUID or PCI address of a GPU, several separated by commas, or "all"; demands them.
  ///   - threads: CPU threads for a picture, and async calls at a time; `nil`: as many as this process may use.
  ///   - isolation: the place where codecs run.
  ///   - limits: bounds on what a file may ask for.
  /// - Throws: ``HDRError`` of kind `.unavailable` if a demanded device or the codec program is not available; of kind
  ///   `.codec` if the machine cannot start processes.
  public init(
    backend: BackendChoice = .auto, device: String? = nil, threads: Int? = nil,
    isolation: IsolationOptions = .inProcess, limits: DecodeLimits = DecodeLimits()
  ) throws(HDRError) {
    let count = max(1, threads ?? Allotment.threads)
    let codecs: any CodecBorder
    var isolation = isolation
    isolation.programAdvice =
      isolation.programAdvice
      ?? "`swift build -c release --product hdrbatch-codec` puts it beside the program, .sandbox.program(PATH) or "
      + "HDRBATCH_CODEC names another, isolation: .inProcess goes without"
    do throws(UnavailableError) {
      codecs = try isolation.codecs(limits)
    } catch {
      throw HDRError(error.loss)
    }
    let backends: RenderBackends
    do throws(GPUError) {
      backends = try RenderBackends(backend, device: device, threads: count)
    } catch {
      _ = codecs.close()
      throw HDRError(code: error.code, message: "\(error)", kind: .unavailable)
    }
    tools = RenderTools(
      codecs: codecs, backends: backends, writer: AtomicWriter(parts: PartFiles()), limits: limits,
      itemLimits: isolation.isolation == .none ? nil : isolation.limits, codecThreads: count, isAlone: false)
    self.threads = JobThreads(most: count)
    fileLimits = limits
  }

  deinit {
    tools.backends.close()
    _ = tools.codecs.close()
  }

  /// The name of the device that renders.
  public var deviceName: String { tools.backends.deviceName }
  /// The reason why no GPU renders although one was wanted.
  public var fallbackReason: String? { tools.backends.fallbackReason }
  /// The isolation of the codecs: "none" (in this process), "rlimit" or "sandbox".
  public var isolation: String { tools.codecs.isolation }

  /// Reads structure and metadata of a file with this renderer's codecs.
  ///
  /// - Throws: the errors of ``HDRImage/init(contentsOf:limits:)-(String,_)``.
  public func image(contentsOf path: String) throws(HDRError) -> HDRImage {
    try HDRImage(contentsOf: FilePath(path), limits: fileLimits, codecs: tools.codecs)
  }

  /// Reads structure and metadata of a file whose name need not be UTF-8.
  public func image(contentsOf path: FilePath) throws(HDRError) -> HDRImage {
    try HDRImage(contentsOf: path, limits: fileLimits, codecs: tools.codecs)
  }

  /// Reads structure and metadata of a file that the caller has open; its offset has no effect, and it stays open.
  ///
  /// - Parameters:
  ///   - descriptor: the open file, of a disk or of memory.
  ///   - name: replaces the path in messages.
  public func image(descriptor: Int32, name: String = "descriptor") throws(HDRError) -> HDRImage {
    let path = FilePath(name), file: InputFile
    do throws(FileFault) {
      file = try InputFile(descriptor: descriptor, name: path, maxBytes: fileLimits.maxFileBytes)
    } catch {
      throw HDRError(opening: error, limit: fileLimits.maxFileBytes).about(path)
    }
    return try HDRImage(file, limits: fileLimits, codecs: tools.codecs)
  }

  /// Reads structure and metadata of bytes in memory with this renderer's codecs.
  public func image(data: some Collection<UInt8>, name: String = "data") throws(HDRError) -> HDRImage {
    try HDRImage(data: data, name: name, limits: fileLimits, codecs: tools.codecs)
  }

  /// Renders a picture into memory.
  ///
  /// - Parameters:
  ///   - image: the picture.
  ///   - headroom: the display's peak over reference white, a factor of at least 1; `nil`: the content's own, without
  ///     tone mapping.
  ///   - options: the options; `primaries` are BT.2020 by default.
  /// - Throws: ``HDRError`` with the file's name.
  public func render(
    _ image: HDRImage, headroom: Double? = nil, options: HDROptions = HDROptions()
  ) throws(HDRError) -> HDRPixels {
    try render(image, headroom: headroom, options: options, cancellation: nil)
  }

  /// Renders a picture into a file, which gets its name when it is complete, verified and on the disk.
  ///
  /// - Parameters:
  ///   - image: the picture.
  ///   - path: the file, in a folder that exists.
  ///   - format: the kind of file.
  ///   - options: the options, over those of the format.
  ///   - existing: the action if a file of that name exists.
  /// - Throws: ``HDRError`` with the file's name; `.exists` for an existing file. No part of a file is left.
  @discardableResult
  public func write(
    _ image: HDRImage, to path: String, as format: HDRFormat, options: HDROptions = HDROptions(),
    existing: ExistingFile = .refuse
  ) throws(HDRError) -> HDRReport {
    try write(image, to: FilePath(path), as: format, options: options, existing: existing)
  }

  /// Renders a picture into a file whose name need not be UTF-8.
  @discardableResult
  public func write(
    _ image: HDRImage, to path: FilePath, as format: HDRFormat, options: HDROptions = HDROptions(),
    existing: ExistingFile = .refuse
  ) throws(HDRError) -> HDRReport {
    try write(image, to: path, as: format, options: options, existing: existing, cancellation: nil)
  }

  /// Renders a picture into a file in memory, of the same bytes as on a disk.
  ///
  /// - Returns: the file without its sidecar, and the report.
  /// - Throws: ``HDRError`` with the picture's name; `option.value` for settings that judge or search files.
  public func encode(
    _ image: HDRImage, as format: HDRFormat, options: HDROptions = HDROptions()
  ) throws(HDRError) -> (bytes: [UInt8], report: HDRReport) {
    try carryOut(image, format, options, nil) { job throws(HDRError) in
      let file = try job.fileInMemory()
      return (file, HDRReport(job))
    }
  }
}

extension HDRRenderer {
  /// The devices that render.
  package var backends: RenderBackends { tools.backends }

  /// Decodes a picture, without its edits.
  ///
  /// - Throws: ``HDRError`` with the file's name.
  package func source(of image: HDRImage) throws(HDRError) -> SourceImage {
    do throws(HDRError) {
      return try image.decoded(tools.codecs)
    } catch {
      throw error.about(image.path)
    }
  }

  func render(
    _ image: HDRImage, headroom: Double?, options: HDROptions, cancellation: Cancellation?
  ) throws(HDRError) -> HDRPixels {
    var options = options
    if let headroom { (options.headroom, options.dynamicRange, options.display) = (headroom, nil, nil) }
    return try carryOut(image, .rgba16f, options, cancellation) { job throws(HDRError) in
      guard case .rendition(let request) = try job.makeRequest() else { preconditionFailure("pixels are a rendition") }
      return HDRPixels(request.image, HDRReport(job))
    }
  }

  func write(
    _ image: HDRImage, to path: FilePath, as format: HDRFormat, options: HDROptions, existing: ExistingFile,
    cancellation: Cancellation?
  ) throws(HDRError) -> HDRReport {
    let hasSidecar = OutputKind(rawValue: format.name)?.hasSidecar == true
    let destination = OutputDestination(
      path: path, sidecar: hasSidecar ? FilePath(bytes: path.bytes + Array(".json".utf8)) : nil, existing: existing)
    if existing == .refuse {
      for path in [destination.path] + (destination.sidecar.map { [$0] } ?? []) where somethingExists(at: path) {
        throw .exists(path)
      }
    }
    return try carryOut(image, format, options, cancellation) { job throws(HDRError) in
      do throws(HDRError) {
        try job.write(to: destination)
      } catch {
        switch error.kind {
        case .exists: throw .exists(path)
        case .output, .encoder: throw error.about(path)
        default: throw error
        }
      }
      return HDRReport(job)
    }
  }

  private func carryOut<R>(
    _ image: HDRImage, _ format: HDRFormat, _ options: HDROptions, _ cancellation: Cancellation?,
    _ work: (RenderJob) throws(HDRError) -> R
  ) throws(HDRError) -> R {
    do throws(HDRError) {
      let choice = try image.choice(format, options, tools)
      if let missing = choice.missing {
        throw HDRError(code: "encode.unavailable", message: "\(missing)", kind: .unavailable)
      }
      guard choice.accept == nil else {
        throw HDRError(
          code: "option.value",
          message:
            "\(setting: Settings.acceptance.accept.name) is of batches: the program judges files, this library none")
      }
      var task = RenderTask(source: .canvas(Recipe.Size(width: 1, height: 1)), choice: choice)
      task.isStrict = choice.settings[Settings.adaptive.strict]
      switch image.origin {
      case .file(let path, let byteCount): (task.source, task.plannedBytes) = (.file(InputReference(path)), byteCount)
      case .memory(let file): task.source = .open(file)
      case .black(let size): task.source = .canvas(size)
      }
      let check = { () throws(HDRError) in if cancellation?.isSet == true { throw HDRError.cancelled } }
      return try work(RenderJob(task, tools, hooks: RenderHooks(check: check)))
    } catch {
      throw error.about(image.path)
    }
  }
}

extension HDRImage {
  /// Returns the choice of output, checked and resolved like a recipe's.
  func choice(_ format: HDRFormat, _ options: HDROptions, _ tools: RenderTools) throws(HDRError) -> ResolvedOutput {
    let text = RecipeText(outputRecipe(format, options))
    try text.recipe.outputs[0].settings.checkRanges()
    do throws(UsageError) {
      var checked = text
      for name in inputs.keys { checked.setInput(name, .file(name)) }
      try checked.check()
      var files = RecipeFiles(text, limits: limits, codecs: tools.codecs)
      var pictures = try files.inputs()
      for (name, input) in inputs { pictures[name] = try input.read(tools.codecs) }
      try files.checkKernels(pictures)
      var choice = try files.choice(0, pictures, sources: [])
      guard !luts.isEmpty else { return choice }
      choice.rendition.recipe.luts += luts
      if case .adaptive(var adaptive) = choice.product {
        adaptive.recomputes = true
        choice.product = .adaptive(adaptive)
      }
      return choice
    } catch {
      throw HDRError(code: "recipe", message: error.message)
    }
  }

  /// Makes a recipe of one output. Settings of the picture for other kinds of files have no effect on it.
  private func outputRecipe(_ format: HDRFormat, _ options: HDROptions) -> Recipe {
    var output = Recipe.Output(format.name), result = recipe
    output.settings = options.values.over(format.options.values, Settings.recipe)
    output.steps = format.steps
    result.settings = recipe.settings(of: output).filter { output.settings.words[$0] == nil }
    let isSDR = KindNames.isSDR(format.name), isAdaptive = KindNames.isAdaptive(format.name)
    if isSDR { for name in ["headroom", "display", "dynamic-range"] { result.settings.remove(name) } }
    if !isAdaptive { if isSDR { result.steps.hdr = nil } else { result.steps.sdr = nil } }
    if !isAdaptive { result.keepsMap = false }
    result.outputs = [output]
    return result
  }
}

extension SettingValues {
  /// Throws `HDRError` `option.value` for a value that its setting does not accept.
  fileprivate func checkRanges() throws(HDRError) {
    for (name, words) in words.sorted(by: { $0.key < $1.key }) {
      do throws(SettingFault) {
        _ = try Settings.recipe[name]?.normalized(words)
      } catch {
        throw HDRError(code: "option.value", message: printable("\(name) \(error.message)"))
      }
    }
  }
}

extension HDRFilterInput {
  /// Reads the input; throws `UsageError` for a file that cannot be read.
  fileprivate func read(_ codecs: any CodecBorder) throws(UsageError) -> FilterInput {
    switch self {
    case .lut(let lut): return FilterInput(.lut(lut))
    case .kernel(let kernel): return FilterInput(.kernel(kernel))
    case .image(let image):
      guard image.recipe.steps.isEmpty, image.luts.isEmpty else {
        throw UsageError("\(image.path.display): a second picture is as its file has it, without filters")
      }
      do throws(HDRError) {
        return FilterInput(.picture(try image.decoded(codecs)))
      } catch {
        throw UsageError(error.about(image.path).line)
      }
    }
  }
}

extension HDRImage {
  /// Returns the source with its pixels.
  fileprivate func decoded(_ codecs: any CodecBorder) throws(HDRError) -> SourceImage {
    let file: InputFile
    switch origin {
    case .black(let size): return size.picture
    case .memory(let open): file = open
    case .file(let path, _):
      do throws(FileFault) {
        file = try InputFile(path, maxBytes: limits.maxFileBytes)
      } catch {
        throw HDRError(opening: error, limit: limits.maxFileBytes)
      }
    }
    do throws(CodecError) {
      return try codecs.decode(file, request: .pixels, limits: limits).value
    } catch {
      throw HDRError(error, reading: file)
    }
  }
}

extension HDRError {
  static var cancelled: HDRError {
    HDRError(code: "cancelled", message: "cancelled: nothing was written", kind: .cancelled)
  }

  static func exists(_ path: FilePath) -> HDRError {
    HDRError(
      code: "output.exists", message: "there is a file of that name; existing: .replace replaces it", kind: .exists,
      file: path.display)
  }
}

extension IsolationOptions {
  /// The codecs in this process: a file that crashes a codec also crashes the program.
  public static var inProcess: IsolationOptions { IsolationOptions(.none) }
  /// Codecs in processes that can only compute and use the descriptors that they get.
  public static var sandbox: IsolationOptions { IsolationOptions(.sandbox) }

  /// Returns the isolation with the codec program at another place.
  public func program(_ path: String) -> IsolationOptions {
    var result = self
    result.program = FilePath(path)
    return result
  }
}
