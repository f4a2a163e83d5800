import CodecService
import HDRCore
import HDRPlan
import HDRRecipe
import HDRRender
import ImageFiles
import Synchronization
import VideoStreams

/// Makes the stills of one clip, by the stills' own way from samples to files.
struct StillWork: Sendable {
  /// The files that were made.
  struct Made: Sendable {
    var files = 0
    /// Files that were there and are kept.
    var kept = 0
    var bytes = 0
    var digest: Digest?
    var times: [Int] = []
    var base = TimeBase(1, 1)
    var warnings: [Warning] = []

    /// Adds a file; of each warning one is kept. The peak of a clip is not that of its brightest pixels, which is no fault.
    mutating func add(_ facts: RenderFacts) {
      (files, bytes, digest) = (files + 1, bytes + facts.bytesOut, facts.outputDigest)
      add(facts.warnings.filter { $0.code != "headroom.exceeded" })
    }

    mutating func add(_ found: [Warning]) {
      for warning in found where !warnings.contains(where: { $0.code == warning.code }) { warnings.append(warning) }
    }
  }

  let job: ClipJob
  let stills: StillOptions
  let item: ClipJob.Item
  let clip: InputFile
  let plan: ClipPlan
  let recipe: FrameRecipe
  let shape: FrameGeometry

  init(
    _ job: ClipJob, _ stills: StillOptions, _ item: ClipJob.Item, _ clip: InputFile, _ plan: ClipPlan
  ) throws(HDRError) {
    guard let recipe = plan.frames else { preconditionFailure("stills are rendered") }
    (self.job, self.stills, self.item, self.clip, self.plan, self.recipe) = (job, stills, item, clip, plan, recipe)
    shape = try FrameGeometry(plan.facts)
    if case .adaptive = recipe.choice.product, !plan.input.isHDR {
      throw HDRError(
        code: "adaptive.sdr",
        message: "an SDR clip has no HDR to keep; \(setting: "if-sdr") skip or sdr-jpeg lets such clips be",
        kind: .request)
    }
  }

  private var facts: ClipFacts { plan.facts }
  private var hasSidecar: Bool {
    if case .rendition = recipe.choice.product { recipe.choice.rendition.kind.hasSidecar } else { false }
  }

  /// The times of the clip's frames, for which a stream without an index is decoded once.
  func times() throws(HDRError) -> FrameTimes {
    guard facts.isCountUnsure else { return FrameTimes(facts.times, facts.timeBase) }
    let source = try PartSource(job.ffmpeg, clip, plan, .all, takesDamaged: job.options.takesDamaged)
    var times: [Int] = []
    while let frame = try source.next() {
      try job.hooks().check()
      times.append(frame.pts)
      guard times.count <= ClipProbe.maxFrames else {
        throw HDRError(clip: "limit", "the clip has more than \(ClipProbe.maxFrames) frames; cut it")
      }
    }
    return FrameTimes(times, source.timeBase)
  }

  private func search(_ times: FrameTimes) -> FrameSearch {
    FrameSearch(ffmpeg: job.ffmpeg, clip: clip, plan: plan, times: times, takesDamaged: job.options.takesDamaged)
  }

  /// Returns a frame as players show it, but for the shape of its pixels.
  private func picture(_ frame: VideoFrame) throws(HDRError) -> SourceImage {
    var picture = try recipe.picture(frame)
    picture.geometry = shape.geometry
    return picture
  }

  /// Makes a file of a frame.
  private func write(
    _ frame: VideoFrame, number: Int, seconds: Double, _ destination: OutputDestination
  ) throws(HDRError) -> RenderFacts {
    var choice = recipe.choice(ofFrame: number)
    if let squaring = shape.squaring { choice.add(squaring, first: true) }
    return try write(try picture(frame), choice, number: number, seconds: seconds, destination)
  }

  /// Makes a file of a picture.
  private func write(
    _ picture: SourceImage, _ choice: ResolvedOutput, number: Int, seconds: Double, _ destination: OutputDestination
  ) throws(HDRError) -> RenderFacts {
    var task = RenderTask(source: .picture(picture), choice: choice, number: number)
    task.frame = RenderTask.Frame(number, seconds: seconds)
    let job = RenderJob(task, job.tools, hooks: job.hooks())
    try job.write(to: destination)
    return job.facts
  }

  // MARK: One picture

  /// Makes a poster of a frame.
  func makePoster(_ number: Int, _ times: FrameTimes) throws(HDRError) -> Made {
    var made = Made()
    try search(times).find([number]) { (frame, number) throws(HDRError) in
      let facts = try write(
        frame, number: number, seconds: times.seconds(number),
        item.destination(hasSidecar: hasSidecar, job.options.existing))
      made.add(facts)
    }
    return made
  }

  /// Makes a contact sheet: tiles as light, then one picture of all with the headroom of the clip.
  func makeSheet(_ grid: SheetGrid, _ numbers: [Int], _ times: FrameTimes) throws(HDRError) -> Made {
    guard var tile = stills.tile, let format = tile.rendition.kind.raw else { preconditionFailure("a sheet has tiles") }
    let sheet = try ContactSheet(grid, of: shape.size, format)
    var whole = recipe.choice
    if let most = recipe.headrooms.max() { whole.rendition.recipe.contentHeadroom = most }
    let wanted = whole.rendition.recipe
    (tile.rendition.recipe.hlg, tile.rendition.recipe.mastering) = (wanted.hlg, wanted.mastering)
    tile.rendition.recipe.contentHeadroom = wanted.contentHeadroom
    if let squaring = shape.squaring { tile.add(squaring, first: true) }
    tile.add(sheet.fitting)
    var made = Made()
    try search(times).find(Set(numbers).sorted()) { (frame, number) throws(HDRError) in
      var task = RenderTask(source: .picture(try picture(frame)), choice: tile, number: number)
      (task.frame, task.isStream) = (RenderTask.Frame(number, seconds: times.seconds(number)), true)
      let rendering = RenderJob(task, job.tools, hooks: job.hooks())
      let samples = try rendering.streamed(rate: nil).frame, facts = rendering.facts
      made.add(facts.warnings)
      for place in numbers.indices where numbers[place] == number {
        sheet.put(samples, width: facts.width, height: facts.height, at: place)
        job.progress(.convert, place + 1, numbers.count)
      }
    }
    whole.rendition.recipe.mastering = nil
    // The light of floats has no bound of its own.
    if !plan.input.isHDR { whole.rendition.recipe.contentHeadroom = .sdr }
    let facts = try write(
      try sheet.picture(job.options.limits), whole, number: 0, seconds: 0,
      item.destination(hasSidecar: hasSidecar, job.options.existing))
    made.add(facts)
    return made
  }

  // MARK: Sequences

  /// Makes a file of every frame, each under its name when it is whole, and the table of their times behind the last one.
  func makeSequence(_ names: FrameNames) throws(HDRError) -> Made {
    let listed = FrameTimes(facts.times, facts.timeBase)
    let isSure = !facts.isCountUnsure && !job.options.takesDamaged
    let start = isSure ? (0..<listed.times.count).first { !isKept($0, names) } ?? listed.times.count : 0
    if job.options.existing == .refuse, !stills.keepsExisting,
      let there = listed.times.indices.first(where: { isThere($0, names) })
    {
      throw HDRError(
        code: "output.exists",
        message: "frame \(there + 1) has a file; \(setting: "on-existing") replace writes it again, skip keeps it",
        kind: .exists)
    }
    var made = Made()
    if start == listed.times.count, isSure {
      (made.kept, made.times, made.base) = (start, listed.times, listed.base)
    } else {
      made = try decode(from: start, listed, isSure: isSure, names)
    }
    if made.files > 0 || !somethingExists(at: item.output.parent.appending(names.table)) {
      try writeTable(made, names)
    }
    return made
  }

  /// True for a frame that is kept, as its file is there.
  private func isKept(_ frame: Int, _ names: FrameNames) -> Bool { stills.keepsExisting && isThere(frame, names) }

  private func isThere(_ frame: Int, _ names: FrameNames) -> Bool {
    somethingExists(at: item.output.parent.appending(names.name(stills.firstNumber + frame)))
  }

  /// Decodes from a frame on, and makes files of those that are missing.
  private func decode(
    from start: Int, _ listed: FrameTimes, isSure: Bool, _ names: FrameNames
  ) throws(HDRError) -> Made {
    let part = start == 0 ? FramePart.all : FramePart(frames: start..<listed.times.count, key: start - 1)
    let source = try PartSource(job.ffmpeg, clip, plan, part, takesDamaged: job.options.takesDamaged)
    let base = isSure ? listed.base : source.timeBase, made = Mutex(Made()), work = self
    made.withLock { ($0.kept, $0.times, $0.base) = (start, Array(listed.times[..<start]), base) }
    _ = try FramePump().run(threads: job.threads) { number throws(HDRError) in
      try work.job.hooks().check()
      return try source.next()
    } make: { frame, number throws(HDRError) in
      let place = start + number, time = isSure ? listed.times[place] : frame.pts
      if work.isKept(place, names) {
        made.withLock { $0.kept += 1 }
      } else {
        let facts = try work.write(
          frame, number: place, seconds: base.seconds(time),
          work.item.destination(
            names.name(work.stills.firstNumber + place), hasSidecar: work.hasSidecar, work.job.options.existing))
        made.withLock { $0.add(facts) }
      }
      return time
    } put: { time, number throws(HDRError) in
      made.withLock { $0.times.append(time) }
      work.job.progress(.convert, start + number + 1, listed.times.count)
    }
    return made.withLock { $0 }
  }

  /// Writes the table of numbers, times and files, which says that the sequence is whole.
  private func writeTable(_ made: Made, _ names: FrameNames) throws(HDRError) {
    var text: [UInt8] = Array("number\tpts\tclock\tseconds\tfile\n".utf8)
    for (place, time) in made.times.enumerated() {
      let number = stills.firstNumber + place
      text += Array("\(number)\t\(time)\t\(made.base)\t\(decimals(made.base.seconds(time), 6))\t".utf8)
      text += Array(FilePath(bytes: names.name(number)).display.utf8) + [UInt8(ascii: "\n")]
    }
    do throws(FileFault) {
      try job.tools.writer.write(text, to: item.output.parent.appending(names.table), existing: .replace)
    } catch {
      throw HDRError(writing: error)
    }
  }
}
