import CPURender
import CodecService
import GPURender
import HDRCore
import HDRPlan
import ImageFiles
import Kernels

/// Carries out one task on the calling thread: reads, decodes, plans, renders, encodes, verifies and writes. It owns
/// the facts that it finds and the time that it takes.
package final class RenderJob {
  package let task: RenderTask
  package let tools: RenderTools
  package let hooks: RenderHooks
  /// The product; filter values that depend on the picture are set when its head is known.
  package private(set) var choice: ResolvedOutput
  package var found = RenderFacts()
  private var clock: PhaseClock
  private let time: ItemTime
  /// True if OpenEXR inputs are read with all pixels that they have (`ResolvedOutput.keepsPlaces`).
  private let keepsPlaces: Bool
  /// The source shared with other tasks.
  private let shared: SharedSource?
  /// The size at which the task's source is decoded, once its head is known.
  var scale = DecodeScale.whole
  /// The head of the task's own file.
  private var knownHead: DecodedSource?
  /// True if the last file was refused before it was read.
  private var isUnread = false
  /// The rendition that the coded output is compared with; `nil` if it is not judged.
  package var reference: OutputReference?
  /// The base of an Adaptive HDR file in full chroma, until its reference is made.
  var referenceBase: SourceImage?
  /// The source's file, once it is open.
  var openedSource: InputFile?
  /// The bytes of the source that follow those of the encoded output; `nil`: none do.
  var tail: CopiedTail?
  /// The files beside the output.
  var beside: [FileBeside] = []
  /// The samples that devices hold of the job's sources.
  var held: [HeldSamples] = []
  /// The name of the picture in an OpenEXR output that holds others; `nil`: it is the main one.
  var writtenPicture: String?
  /// The memory of a stream's frame, into which its planes were rendered; `nil` if they were not.
  var framePlanes: PixelBuffer?
  /// The last memory of an encoder that a picture got. The others lie beside it, for one encoder gets them all.
  private weak var encoded: PixelBuffer?

  package init(
    _ task: RenderTask, _ tools: RenderTools, hooks: RenderHooks = RenderHooks(), shared: SharedSource? = nil
  ) {
    self.task = task
    self.tools = tools
    self.hooks = hooks
    self.shared = task.partner == nil ? shared : nil
    choice = task.choice
    keepsPlaces = task.choice.keepsPlaces
    clock = PhaseClock(isAlone: tools.isAlone)
    time = ItemTime(tools.itemLimits)
    found.isolation = tools.codecs.isolation
  }

  /// The facts found so far.
  package var facts: RenderFacts {
    var facts = found
    facts.seconds = clock.seconds
    return facts
  }

  /// Records facts that a caller knows about the source's file.
  package func note(digest: Digest, byteCount: Int) {
    found.inputDigest = digest
    found.bytesIn = byteCount
  }

  /// Runs and measures one phase.
  package func measure<R, E: Error>(_ phase: Phase, _ work: () throws(E) -> R) throws(E) -> R {
    try clock.measure(phase, work)
  }

  /// Runs an operation of codecs, which divide their own time into phases.
  func measureParts<R, E: Error>(
    of phase: Phase, _ work: () throws(E) -> CodecAnswer<R>
  ) throws(E) -> CodecAnswer<R> {
    try clock.measureParts(of: phase, work)
  }

  // MARK: Time

  /// Returns the error of an item that has used all of a time.
  func late(_ phase: Phase, _ time: ItemTime? = nil) -> HDRError {
    let time = time ?? self.time
    return HDRError(
      code: Deadline.code,
      message: "the item has taken more than \(Int(time.allowed.rounded())) s, and was given up in its phase "
        + "\(phase.rawValue); \(setting: "max-seconds") allows more", kind: .source)
  }

  /// Throws `render.timeout` for an item that has used all of its time.
  func checkTime(_ phase: Phase) throws(HDRError) { if time.isOver { throw late(phase) } }

  // MARK: Steps

  /// Reports the next step.
  package func explain(_ title: String, _ plan: Plan) {
    hooks.explain?(Explanation(title: title, lines: plan.explanation, graph: plan.dot))
  }

  /// Reports a decision.
  package func explain(_ line: String) { hooks.explain?(Explanation(title: "", lines: [line], graph: nil)) }

  /// True if a rendition is kept until its file is judged.
  var keepsReference: Bool { choice.isJudged && tools.judge != nil && !task.isStream }

  // MARK: Source

  /// True if other outputs are made of the same source.
  var isShared: Bool { shared != nil }

  /// The limits of the run, with the recipe's reading options and this task's share of the threads.
  var limits: DecodeLimits {
    var limits = tools.limits
    limits.reading = reading
    limits.threads = tools.codecThreads
    return limits
  }

  /// The options for reading the source.
  var reading: ReadingOptions {
    var reading = choice.reading
    reading.scale = scale
    if reading.exr.window == .automatic { reading.exr.window = keepsPlaces ? .data : .display }
    if let picture = task.picture { reading.number = picture.number }
    if case .extract(.preview) = choice.product { reading.camera.source = .embedded }
    return reading
  }

  /// Returns the source's metadata without pixels.
  package func head() throws(HDRError) -> SourceImage { try source(.metadata) }

  /// Opens the source's file.
  package func open(_ item: InputReference) throws(HDRError) -> InputFile {
    if let file = shared?.file { return file }
    do throws(FileFault) {
      let file = try measure(.read) { () throws(FileFault) in
        try InputFile(item, maxBytes: tools.limits.maxFileBytes)
      }
      found.bytesIn += file.byteCount
      if let planned = task.plannedBytes, planned != file.byteCount {
        found.warnings.append(
          Warning(
            "input.changed", "the file has \(file.byteCount) bytes, and \(planned) when the plan was made"))
      }
      shared?.file = file
      return file
    } catch {
      throw HDRError(reading: error, limit: tools.limits.maxFileBytes)
    }
  }

  /// Returns the least pixels of a JPEG that a device decodes, where pixels are rendered: what may be kept does not go
  /// through a device. `nil`: none does.
  private func leastScan(_ request: DecodeRequest) -> Int? {
    guard request == .pixels, scale == .whole else { return nil }
    if case .rendition = choice.product, choice.rendition.mayKeepPlanes { return nil }
    return tools.backends.leastScan
  }

  /// Asks codecs for a source, and devices for what they decode of it.
  ///
  /// - Parameter isRead: true if the job has its bytes already.
  func result(
    _ file: InputFile, _ request: DecodeRequest, leastScan: Int?, isRead: Bool = false
  ) -> Result<DecodedSource, CodecError> {
    var waited = 0.0
    let start = monotonicSeconds()
    defer { clock.leaveOut(wall: waited, of: .decode) }
    do throws(CodecError) {
      if !isRead {
        isUnread = true
        try hooks.read(file.byteCount)
        isUnread = false
      }
      waited += monotonicSeconds() - start
      var facts = DecodeFacts()
      let answer =
        try measureParts(of: .decode) { () throws(CodecError) in
          let decoded = try tools.backends.decoded(leastScan, notice: hooks.lost) { least throws(CodecError) in
            var limits = limits
            limits.leastScan = least
            return try tools.codecs.decode(file, request: request, limits: limits) { head throws(CodecError) in
              let begin = monotonicSeconds()
              defer { waited += monotonicSeconds() - begin }
              try hooks.admit(head, file.byteCount, choice)
            }
          }
          facts = decoded.facts
          return decoded.answer
        }
      // Counts what codecs report of a retry, not the time lost in the first attempt, and the device's.
      let reportedSeconds = answer.seconds.values.reduce(0) { $0 + $1.wall }
      time.add(seconds: min(reportedSeconds, monotonicSeconds() - start - waited))
      return .success(DecodedSource(answer: answer, facts: facts))
    } catch {
      return .failure(error)
    }
  }

  /// Decodes a file; in a strict task, throws also for a gain map that cannot be used.
  ///
  /// - Parameter onDevice: false if little of the pixels is rendered, so that no device decodes them, or the host reads
  ///   them.
  package func decode(
    _ file: InputFile, _ request: DecodeRequest, onDevice: Bool = true
  ) throws(HDRError) -> SourceImage {
    try hooks.check()
    let decoded: DecodedSource
    do throws(CodecError) {
      if let known = shared?[request, reading] {
        decoded = try known.get()
      } else if request == .metadata, let known = knownHead {
        decoded = known
      } else {
        let result = result(file, request, leastScan: onDevice ? leastScan(request) : nil)
        shared?[request, reading] = result
        decoded = try result.get()
        if request == .metadata, task.partner == nil { knownHead = decoded }
      }
    } catch {
      // The process that had the digest may have ended. A file that was refused is not read for its digest either.
      if found.inputDigest == nil, !isUnread { found.inputDigest = try? file.digest() }
      throw HDRError(error, reading: file)
    }
    let answer = decoded.answer
    var source = answer.value
    found.decoding.add(decoded.facts)
    if request == .pixels { time.allow(pixels: DecodeHead(source).pixels) }
    time.resume()
    try checkTime(.decode)
    try checkPictures(source)
    if found.format == nil {
      found.format = source.format
      if source.pictures.indices.contains(source.picture - 1) {
        (found.image, found.imageName) = (source.picture, source.pictures[source.picture - 1].name)
      }
    }
    recordSpace(of: source)
    source = try placed(source)
    // After the headers it is the library that would decode; after the pixels the one that did.
    if source.format == found.format, let decoder = source.decoder { found.decoder = decoder }
    // The partner of a pair comes second.
    if found.inputDigest == nil { found.inputDigest = answer.inputDigest }
    found.warn(source.warnings)
    if let error = decoded.facts.mismatch { throw failure(error) }
    hold(source, of: file)
    if !onDevice {
      try withSamples(.decode) { () throws(GPUError) in
        try tools.backends.bring(source.samples.compactMap(\.devicePlanes))
      }
    }
    if task.isStrict, source.gainMap == nil,
      let fault = source.warnings.first(where: { GainMapWarnings.dropsMap($0.code) })
    {
      throw HDRError(code: fault.code, message: "\(fault.message) (\(setting: "strict"))")
    }
    source.sensor?.look = choice.rendition.cameraLook
    if let metadata = choice.rendition.toneMetadata { source.light.toneMetadata = metadata }
    if let cap = choice.rendition.appleHeadroomCap { source.capAppleHeadroom(at: cap) }
    return source
  }

  /// Records the space that the caller states in place of what the file says.
  func recordSpace(of source: SourceImage) {
    guard let replaced = source.color.replaced else { return }
    (found.inputSpace, found.replacedColor) = (choice.reading.space?.name, replaced)
  }

  /// Takes the space of the source's codes by a config.
  func take(_ placing: ConfigPlacing) {
    choice.rendition.recipe.input = placing.input
    guard let input = placing.input else { return }
    (found.inputSpace, found.replacedColor) = (input.space.name, placing.source.color.replaced ?? "nothing")
  }

  /// The path of the source's file; `nil` for pictures without one.
  var inputPath: FilePath? {
    switch task.source {
    case .file(let item): item.path
    case .open(let file): file.path
    case .canvas, .picture: nil
    }
  }

  /// Returns the error of a device, and records one that computed wrongly.
  func failure(_ error: GPUError) -> HDRError {
    if case .mismatch(let device, _, _) = error {
      (found.executor.backend, found.executor.device) = ("gpu", device)
    }
    return HDRError(error, hasNoDeviceLeft: tools.backends.hasNoDeviceLeft)
  }

  /// Throws if all pictures of a file are wanted and it was planned as one.
  private func checkPictures(_ source: SourceImage) throws(HDRError) {
    let count = source.pictures.numbers.count
    guard choice.settings.takesAllPictures, task.picture == nil, count > 1 else { return }
    throw HDRError(
      code: "input.pictures",
      message: "the file holds \(count) pictures, and one was planned: plan again, or give a number", kind: .source)
  }

  // MARK: Plans

  package func plan(_ source: SourceImage, _ recipe: RenderRecipe) throws(HDRError) -> Plan {
    time.resume()
    do throws(PlanError) {
      let plan = try measure(.plan) { () throws(PlanError) in
        if task.isStream, let known = tools.plans.plan(source, recipe) { return known }
        let plan = try Planner.plan(source, recipe, deadline: Deadline { [time] in time.isOver })
        if task.isStream { tools.plans.keep(plan, source, recipe) }
        return plan
      }
      if found.colors?.tables == nil { found.colors?.tables = ConfigFacts.digest(of: plan.tables) }
      return plan
    } catch {
      throw error == .late ? late(.plan) : HDRError(error)
    }
  }

  /// Returns an allocator for a plan's output: of an encoder, if the codecs offer that, for an encoder's layout. Samples
  /// that decide something as numbers stay in this process's memory, and samples that are files already.
  private func memory(for plan: Plan) -> (Int) -> PixelBuffer {
    if let memory = frameMemory(for: plan) { return memory }
    if case .rendition = choice.product, choice.rendition.kind.sampleWriter != nil { return Self.ownMemory }
    switch plan.passes.last?.sink.kind {
    case .rgba8, .rgba16, .planarYCC: break
    default: return Self.ownMemory
    }
    return { [self] byteCount in
      guard let buffer = tools.codecs.pixelMemory(byteCount, near: encoded) else {
        return PixelBuffer(uninitializedByteCount: byteCount)
      }
      encoded = buffer
      return buffer
    }
  }

  /// Allocates memory of this process alone.
  private static let ownMemory: @Sendable (Int) -> PixelBuffer = { PixelBuffer(uninitializedByteCount: $0) }

  /// Renders a plan and records the executor.
  ///
  /// - Parameters:
  ///   - coding: how the picture will be encoded, if a device may do it.
  ///   - isCoded: false for a picture that no encoder gets.
  func render(_ plan: Plan, _ coding: DeviceCoding? = nil, isCoded: Bool = true) throws(HDRError) -> SampleImage {
    try render(plan, coding, isCoded: isCoded, measuring: nil as LightGauge?).image
  }

  /// Renders a plan, encodes the picture where a device does both, and measures it.
  ///
  /// - Returns: also the sums, `nil` if the picture's channels have to be measured yet.
  func render<Gauge: PixelGauge>(
    _ plan: Plan, _ coding: DeviceCoding? = nil, isCoded: Bool = true, measuring gauge: Gauge?
  ) throws(HDRError) -> (image: SampleImage, sums: Gauge.Sums?) {
    let deadline = try begin(plan)
    // What is encoded several times is not encoded on the way.
    let coding = choice.rendition.searchesQuality ? nil : coding
    let rendered: Rendered, sums: Gauge.Sums?
    (rendered, sums) = try withSamples(.render) { () throws(GPUError) in
      try tools.backends.render(
        plan, memory: isCoded ? memory(for: plan) : Self.ownMemory, coding: coding, gauge: gauge,
        deadline: deadline, notice: hooks.lost)
    }
    clock.add(cpu: rendered.helperSeconds, to: .render)
    record(rendered.executor)
    if coding != nil {
      let isEncoded = rendered.image.scan != nil || rendered.image.deflated != nil
      let encoder = isEncoded ? JPEGProcessor.gpu : .cpu
      found.executor.encoder = encoder.joined(with: found.executor.encoder)
    }
    return (rendered.image, sums)
  }

  /// Measures what a plan makes, where a device does so and keeps the pixels; `nil` if the plan has to be rendered.
  func measure<Gauge: PixelGauge>(_ plan: Plan, by gauge: Gauge) throws(HDRError) -> Gauge.Sums? {
    let deadline = try begin(plan)
    return try withSamples(.render) { () throws(GPUError) in
      try tools.backends.measure(plan, gauge, deadline: deadline, notice: hooks.lost)
    }
  }

  /// Begins to render a plan, for which the item gets time.
  func begin(_ plan: Plan) throws(HDRError) -> Deadline {
    try hooks.check()
    time.allow(pixels: plan.passes.reduce(0) { $0 + $1.width * $1.height })
    time.resume()
    return Deadline { [time] in time.isOver }
  }

  /// Records the executor of one of the item's pictures, and what was compared and encoded before.
  func record(_ executor: ExecutorFacts) {
    let earlier = found.executor
    found.executor = executor
    found.executor.sampledStrips += earlier.sampledStrips
    found.executor.encoder = earlier.encoder
  }

  /// Renders light, a base and the gains that are made of both together.
  ///
  /// - Returns: `nil` if they have to be rendered one after the other, as on a GPU.
  func renderPair(
    _ light: Plan, _ base: Plan, _ gains: (SampleImage, SampleImage) throws(HDRError) -> Plan
  ) throws(HDRError) -> RenderedPair? {
    guard tools.backends.isCPUOnly,
      let passes = try BandedPasses(light: light, codes: base, memory: memory(for: base), make: gains)
    else { return nil }
    try hooks.check()
    // As for each alone.
    time.allow(pixels: (light.passes + base.passes).reduce(passes.madeImage.pixelCount) { $0 + $1.width * $1.height })
    time.resume()
    let made = try withSamples(.render) { () throws(GPUError) in
      try tools.backends.bring(light.devicePlanes + base.devicePlanes)
      return try tools.backends.render(passes, deadline: Deadline { [time] in time.isOver })
    }
    clock.add(cpu: made.helperSeconds, to: .render)
    record(made.executor)
    return RenderedPair(
      base: passes.codesImage, gains: passes.madeImage, light: made.light, statistics: made.gains)
  }

  /// Plans and renders a rendition. The source's pixels are freed when this returns.
  func makeRequest(_ source: SourceImage, _ rendition: RenditionOptions) throws(HDRError) -> EncodeRequest {
    let rendition = try withFileCurve(rendition, of: source)
    let recipe = try measured(source, rendition)
    var plan = try plan(source, recipe)
    found.report = plan.report
    explain("", plan)
    found.warnings += plan.report.warnings
    var metadata = TravellingMetadata(
      source, rendition.metadata, channels: rendition.channels, into: rendition.kind.format)
    found.warnings += metadata.warnings
    (metadata.motion, metadata.auxiliaries) = try takeExtras(source, into: rendition.kind.format)
    // Measuring light levels is part of making the file. A stream has no place for them. Planes that are kept may have
    // any layout.
    let isMeasured = !task.isStream && !(plan.kept != nil && rendition.kind.raw != nil)
    // The samples of a file without loss may be what it is compared with, and a file of other channels is made of them.
    let needsSamples = rendition.kind.format != .jpeg && keepsReference || keepsChannels(of: source, rendition)
    let coding = needsSamples ? nil : DeviceCoding(plan, rendition)
    let (image, measured) = try render(plan, coding, measuring: isMeasured ? LightGauge(plan) : nil)
    (found.width, found.height) = (image.width, image.height)
    if task.frame != nil, recipe.isContentMeasured, rendition.contentMeasure == nil, plan.report.operatorName != "none"
    {
      found.warn([
        Warning(
          "frames.headroom",
          "the content headroom was measured in this frame alone: \(setting: "content-headroom") keeps frames alike")
      ])
    }
    var light = measured
    if isMeasured && light == nil {
      light = measure(.encode) { RenderedLight(image, plan.report, tools.backends.pool) }
    }
    if let peak = light?.peak { plan.report.take(measuredPeak: peak) }
    found.report = plan.report
    let said = OutputLight(source, plan.report, rendition, measured: light)
    found.warn(said.warnings)
    (found.light, found.mastering, found.masteringSource) = (
      said.metadata.clli, said.metadata.mdcv, said.masteringSource
    )
    (found.measuredPeak, found.clippedShare) = (light?.peak, light?.clippedShare)
    var request = EncodeRequest(
      image, plan.report, rendition, metadata, light: said.metadata, threads: tools.codecThreads)
    request.profileTone = try profileTone(source, rendition, recipe, isUnchanged: said.isUnchanged)
    // A message in the coded picture says the same as the profile.
    if request.light.toneMetadata != nil {
      request.light.toneMetadata = request.profileTone ?? request.light.toneMetadata
    }
    request.carried = try carried(from: source, rendition, into: image)
    try keepReference(request, source, recipe, plan)
    if let light, plan.report.isExceeded(by: light, source) {
      found.warn([
        Warning(
          "headroom.exceeded",
          "the picture reaches a headroom of \(short(light.peak, places: 2)), and "
            + "\(short(plan.report.outputHeadroom, places: 2)) was declared (\(plan.report.contentHeadroomSource))")
      ])
    }
    return request
  }

  /// Makes the request for an encoder.
  func makeRequest() throws(HDRError) -> FileRequest {
    if choice.dependsOnPicture {
      if let frame = task.frame, frame.seconds == nil, choice.asksForTime {
        throw HDRError(
          code: "plan.parameter",
          message: "an expression asks for time: say how many frames a second, \(setting: "fps")")
      }
      choice = choice.resolved(choice.variables(of: try head(), number: task.number, frame: task.frame))
    }
    try chooseScale()
    switch choice.product {
    case .rendition: return .rendition(try makeRequest(try source(.pixels), choice.rendition))
    case .adaptive(let adaptive): return .adaptive(try makeEdited(adaptive))
    case .extract(.preview): return .copy(try makePreview())
    case .extract(let part): return .rendition(try makeExtract(part))
    case .recompress(let isWhole): return .recompress(try makeRecompressed(isWhole: isWhole))
    }
  }

  /// Makes an Adaptive HDR file without filters that change nothing, so that they do not force new encoding.
  private func makeEdited(_ adaptive: AdaptiveOptions) throws(HDRError) -> AdaptiveRequest {
    let idle = choice.rendition.recipe.leaveOutIdleFilters()
    if !idle.isEmpty { explain(PlanReport.explanation(idleEdits: idle)) }
    var adaptive = adaptive
    adaptive.isJudged = keepsReference
    let request = try makeAdaptive(adaptive)
    found.report?.idleEdits = idle
    return request
  }
}
