import BatchEngine
import CodecService
import HDRCore
import HDRRecipe
import HDRRender
import PlainData
import Video

/// `hdrbatch video`: converts clips.
enum VideoCommand {
  struct Options: SettingGroup {
    var title: String { "What to make" }

    let out = SettingKey(
      "out", short: "o", .text("folder"),
      """
      Folder for the outputs; made when it is not there. Of one clip, also the output's name: clip.mkv. Of stills, also \
      names: OUT/{stem}.%06d.exr.
      """)
    let to = SettingKey(
      "to", .videoTarget, assumed: "same; for stills the ending of --out, else adaptive-jpeg",
      """
      Colour of the outputs: same, as each clip; hdr10, PQ; hlg; sdr, BT.709. Frames that are so already, and have no \
      filter, are passed on as they are. Or a kind of stills, as for render: a file of every frame, or --poster.
      """)
    let codec = SettingKey(
      "codec", .one(of: VideoCodec.all.map(\.name), "codec"), assumed: VideoCodec.ffv1.name,
      """
      Encoder: ffv1, without loss, in mkv; x265, HEVC, and x264, SDR of 8 bits, in mp4, mov or mkv; svtav1, AV1, in mp4 or \
      mkv; aom, AV1, and vp9, also in webm; prores, 422 HQ and 4444, in mov.
      """)
    let container = SettingKey(
      "container", .one(of: VideoContainer.all.map(\.name), "ending"),
      assumed: "the ending of --out, else the codec's first", "Container of the outputs.")
    let codecOptions = SettingKey(
      "codec-options", .text("words"), rare: true,
      "Further options of ffmpeg for the encoder, with spaces between: --codec-options='-crf 14 -preset slow'.")
    let light = SettingKey(
      "light", .text("metadata"), assumed: "measured where light has changed, else source",
      """
      Mastering display and light level of PQ outputs: measured; source, as the clip states them; none; or MaxCLL,MaxFALL \
      in cd/m², as 1000,400.
      """)
    let rotate = SettingKey(
      "rotate", .one(of: ["keep", "apply"], "rule"), assumed: "keep",
      "Clips that players turn or mirror: keep tells players so, apply turns the frames. Stills are always turned.")
    let square = SettingKey(
      flag: "square", "Resamples frames to square pixels, as stills always are: their shorter side becomes longer.")
    let pad = SettingKey(
      "pad", .one(of: ["none", "even"], "rule"), assumed: "none",
      "Odd sizes, where the encoder takes even ones alone: even repeats the last column or row, none refuses.")
    let metadata = SettingKey(
      "metadata", .choice(MetadataChoice.self, "choice"), standard: .all,
      """
      What of a clip's texts goes into its output: no-location leaves out places; copyright keeps only whose the clip is; \
      none nothing, chapters neither.
      """)
    let strict = SettingKey(
      flag: "strict", "A clip fails if its output would lack a sound, subtitle, attachment or other stream.")
    let fastStart = SettingKey(
      flag: "faststart", rare: true, "Puts the description of mp4 and mov before the samples, for players on the web.")
    let dolby = SettingKey(
      "dolby", .choice(DolbyRule.self, "rule"), standard: .auto,
      """
      Dolby Vision of clips: apply reshapes frames to what their mastering display showed; drop takes the base layer; keep \
      passes frames and RPUs on, to x265 and svtav1; auto applies it where the base layer is nothing without it, and else \
      drops it.
      """)
    let hdr10plus = SettingKey(
      "hdr10plus", .choice(HDR10PlusRule.self, "rule"), standard: .keep, rare: true,
      "Metadata of HDR10+: keep passes them on to x265 and svtav1 where light is unchanged.")
    let hagc = SettingKey(
      "hagc", .choice(HeadroomRule.self, "rule"), standard: .keep, rare: true,
      """
      Curves of SMPTE ST 2094-50 for other displays: keep passes them on to x265 and svtav1 where light is unchanged; author \
      writes those of reference-white for the peak of the output.
      """)
    let name = SettingKey("name", .text("template"), assumed: Recipe.standardName, "Name of an output, as for render.")
    let dryRun = SettingKey(
      flag: "dry-run", short: "n", "Says of each clip what would be done, and how large its output may be.")
  }

  struct Reading: SettingGroup {
    var title: String { "Clips" }

    let ffmpeg = SettingKey(
      "ffmpeg", .text("file"), assumed: "HDRBATCH_FFMPEG, else ffmpeg of PATH",
      "The ffmpeg that decodes and encodes, from version 5.1 on. It runs locked in.")
    let hwaccel = SettingKey(
      "hwaccel", .choice(HardwareDecoder.self, "graphics"), standard: .none,
      """
      Decodes frames of 4:2:0 on the machine's graphics, as this ffmpeg can: cuda, vaapi, vulkan, or auto, what it finds; \
      others are decoded in software.
      """)
    let sample = SettingKey(
      "sample-decode", .integer(1...1_000_000, "k"), rare: true,
      "Decodes every Kth segment in software, too, and fails a clip of which a sample differs.")
    let cicp = SettingKey(
      "cicp", .codePoints,
      """
      Colour of clips, whatever they say: H.273 code points of primaries, transfer and matrix, as 9/16/9.
      """)
    let trust = SettingKey(
      "trust", .choice(StatementSource.self, "source"), standard: .stream, rare: true,
      "The colour tags that count where those of the stream and of the container differ.")
    let inputRange = SettingKey(
      "input-range", .choice(CodeRange.self, "range"), assumed: "what the clip says, else limited", rare: true,
      "Range of code values, whatever a clip says.")
    let chromaSiting = SettingKey(
      "chroma-siting", .choice(ChromaPlace.self, "place"),
      assumed: "what the clip says; else top-left for BT.2100 in HEVC and AV1, else left", rare: true,
      "Where subsampled chroma lies, whatever a clip says.")
    let untagged = SettingKey(
      "untagged", .choice(UntaggedVideo.self, "meaning"), standard: .auto,
      """
      Colour of clips that do not say theirs: auto is BT.709 from 720 lines on and else BT.601 for 8 bits, and refuses \
      all else; fail refuses all.
      """)
    let video = SettingKey(
      "video", .integer(1...1000), standard: 1, rare: true,
      "The video stream of clips that have several: 1 is the first. Pictures of covers do not count.")
    let interlaced = SettingKey(
      "interlaced", .one(of: ["fail", "ignore"], "rule"), assumed: "fail", rare: true,
      "Clips with interlaced frames: fail refuses them, ignore takes each frame for a whole one.")
    let sizeChange = SettingKey(
      "size-change", .one(of: ["fail", "segment"], "rule"), assumed: "fail",
      """
      Clips whose frames change their size, layout or tags: fail refuses other sizes and layouts; segment makes an output of \
      each part, named clip.1.mp4, clip.2.mp4.
      """)
    let damaged = SettingKey(
      "damaged", .one(of: ["fail", "keep"], "rule"), assumed: "fail", rare: true,
      "Clips with damaged or missing frames: fail refuses them, keep takes what can be decoded.")
  }

  struct Machine: SettingGroup {
    var title: String { "Machine" }
    var scope: Setting.Scope { .run }

    let backend = Settings.machine.backend
    let device = Settings.machine.device
    let threads = Settings.machine.threads
    let isolation = SettingKey(
      "isolation", .choice(Isolation.self, "mode"), standard: .sandbox, rare: true,
      "How ffmpeg runs: sandbox and fresh, locked in; rlimit and none, with limits of memory alone.")
    let maxWorkerMemory = Settings.safety.maxWorkerMemory
  }

  struct Reports: SettingGroup {
    var title: String { "Progress and records" }
    var scope: Setting.Scope { .run }

    let progress = Settings.reports.progress
    let record = Settings.reports.record
    let durability = Settings.reports.durability
  }

  static let options = Options(), reading = Reading(), light = VideoLight(), machine = Machine(), reports = Reports()

  /// Endings of clips, by which files of folders are taken.
  static let clips = InputCollector.Kind(
    noun: "clips",
    extensions: ["mp4", "m4v", "mov", "mkv", "webm", "mxf", "ts", "m2ts", "mts", "avi", "hevc", "obu", "ivf"])

  static let command = Command(
    name: "video", summary: "Converts HDR video clips, frame by frame, through the kernels of stills.",
    discussion: """
      ffmpeg decodes and encodes, as a child that reads the clip and writes the output alone. No frame is left out, none is shown \
      twice, and each keeps its time. An output is written under a temporary name, read again, compared, and renamed.
      """,
    examples: [
      "video CLIPS -o OUT --to hdr10", "video camera.mov -o graded.mkv --to hdr10 --filter exposure=ev:0.5",
      "video CLIPS -o OUT --to sdr --dry-run", "video CLIPS -o OUT --to adaptive-jpeg --poster 10%",
      "video shot.mov -o 'OUT/{stem}.%06d.exr'",
    ],
    arguments: [
      Command.Argument(name: "input", help: "Clips, folders (all clips below them), or @list.txt (one path a line).")
    ],
    options: [
      options, VideoStills.options, ListOptions.all, VideoSegments.all, reading, light, Settings.light, Settings.color,
      RecipeOptions.filters, VideoStills.files, Settings.outputs, machine, reports,
    ]
  ) { invocation in
    let batch = BatchSettings(invocation)
    try batch.check()
    let out = FilePath(try invocation.need(options.out))
    var text = RecipeText()
    try RecipeOptions.addEdits(invocation, to: &text)
    let kind = try VideoStills.kind(invocation)
    if let kind {
      VideoStills.addOutput(kind, isSheet: invocation.has(VideoStills.options.sheet), to: &text.recipe)
    } else {
      text.recipe.outputs = [anyOutput]
    }
    try text.check()
    var prepared = try PreparedRecipe(text, inputs: [], limits: batch.limits, isolation: batch.isolation)
    batch.apply(to: &prepared.options)
    let items = try items(invocation, out, kind)
    var video = try settings(invocation, prepared, batch)
    if kind != nil { video.stills = VideoStills.choice(invocation, prepared) }
    try invocation.refuse(kind != nil && video.segments != nil, "stills are made at once: leave out --segments")
    var ffmpeg = try FFmpeg(invocation[reading.ffmpeg], batch.isolation)
    ffmpeg.hardware = invocation[reading.hwaccel]
    let folder = ending(of: out) == nil && kind == nil ? out : out.parent
    try VideoRun(ffmpeg, video, prepared.options, batch.progressMode, out: folder)
      .run(items, isDry: invocation[options.dryRun])
  }

  /// An output of a recipe in whose place each clip has a kind of its own, by its layout.
  static let anyOutput = Recipe.Output("pq-raw:yuv420p10")

  /// Returns the clips that are named.
  static func inputs(_ invocation: Invocation) throws(UsageError) -> [InputReference] {
    try InputCollector.collect(
      invocation.arguments, excluding: FilePath(try invocation.need(options.out)),
      zeroEnds: try invocation.listsEndInZero(), kind: clips, note: Terminal.note)
  }

  /// Returns the clips with the places of their outputs.
  private static func items(_ invocation: Invocation, _ out: FilePath, _ still: String?) throws -> [BatchItem] {
    let found = try inputs(invocation)
    if let still { return try VideoStills.items(invocation, still, found, out: out) }
    let codec = codec(invocation), named = ending(of: out), ending = try container(invocation)
    let isFile = named != nil
    try invocation.refuse(
      isFile && found.count > 1, "--out \(out.display) is one file, and there are \(found.count) clips: name a folder")
    try invocation.refuse(
      isFile && invocation.has(options.name), "--out \(out.display) names the output: leave out --name")
    let name =
      isFile ? NameTemplate(literal: out.name) : try NameTemplate(invocation[options.name] ?? Recipe.standardName)
    return try OutputNaming.make(
      found, out: isFile ? out.parent : out, traits: NameTraits(fileExtension: ending, target: codec.name),
      template: name, onExisting: try existing(invocation))
  }

  /// Returns what is done where an output is there. What an earlier run has not ended is made again.
  private static func existing(_ invocation: Invocation) throws(UsageError) -> OnExisting {
    let existing = invocation[Settings.outputs.onExisting]
    guard invocation[VideoSegments.all.resume] else { return existing }
    try invocation.refuse(existing != .fail, "--resume replaces what is not done: leave out --on-existing")
    return .replace
  }

  /// Returns the container that a file of that name has; `nil` for a folder.
  private static func ending(of out: FilePath) -> String? {
    guard fileStatus(out)?.isFolder != true else { return nil }
    return VideoContainer.all.map(\.name).first { out.name.reversed().starts(with: ".\($0)".utf8.reversed()) }
  }

  /// - Throws: `UsageError` for a container that the codec does not go into.
  private static func container(_ invocation: Invocation) throws(UsageError) -> String {
    let codec = codec(invocation), named = invocation[options.out].flatMap { ending(of: FilePath($0)) }
    let stated = invocation[options.container]
    try invocation.refuse(
      stated != nil && named != nil && stated != named,
      "--container \(stated ?? "") and the ending of --out differ: give one of them")
    let chosen = stated ?? named ?? codec.containers[0]
    try invocation.refuse(
      !codec.containers.contains(chosen),
      "\(codec.name) goes into \(codec.containers.joined(separator: ", ")), not into \(chosen)")
    return chosen
  }

  /// Returns the digest of all options that decide a byte of the outputs, and of the files that they name.
  private static func decisive(_ invocation: Invocation, _ prepared: PreparedRecipe) -> Digest {
    let others = [
      options.out.name, options.dryRun.name, reading.ffmpeg.name, Settings.outputs.onExisting.name,
      light.measureOnly.name,
    ]
    let rows = command.options.filter { $0.scope != .run }.flatMap(\.rows).filter { !others.contains($0.name) }
    var hasher = Digest.Hasher()
    hasher.add(prepared.digest.hex)
    for row in rows {
      guard let words = invocation.values.words[row.name] else { continue }
      for word in [row.name] + words { hasher.add(word) }
    }
    return hasher.finish()
  }

  private static func codec(_ invocation: Invocation) -> VideoCodec {
    VideoCodec.all.first { $0.name == invocation[options.codec] } ?? .ffv1
  }

  private static func settings(
    _ invocation: Invocation, _ prepared: PreparedRecipe, _ batch: BatchSettings
  ) throws -> VideoOptions {
    var video = VideoOptions(prepared.options.outputs[0])
    video.target = invocation[options.to].flatMap { VideoTarget(rawValue: $0) } ?? .same
    video.codec = codec(invocation)
    video.container = try container(invocation)
    video.codecOptions = (invocation[options.codecOptions] ?? "").split(separator: " ").map(String.init)
    video.trust = invocation[reading.trust]
    var outputLight = LightChoice.auto
    if let word = invocation[options.light] {
      guard let light = LightChoice(word) else {
        throw UsageError("--light is measured, source, none, or MaxCLL,MaxFALL in cd/m², as 1000,400")
      }
      outputLight = light
    }
    video.turns = invocation[options.rotate] == "apply"
    video.squares = invocation[options.square]
    video.pads = invocation[options.pad] == "even"
    video.metadata = invocation[options.metadata]
    video.isStrict = invocation[options.strict]
    video.isFastStart = invocation[options.fastStart]
    let edits: [any SettingGroup] = [Settings.light, Settings.color, RecipeOptions.filters]
    video.isEdited = edits.flatMap(\.rows).contains { invocation.values.words[$0.name] != nil }
    video.stated = invocation[reading.cicp]
    video.statedRange = invocation[reading.inputRange].map { $0 == .full }
    video.statedSiting = invocation[reading.chromaSiting]?.siting
    video.untagged = invocation[reading.untagged]
    video.dolby = invocation[options.dolby]
    video.hdr10Plus = invocation[options.hdr10plus]
    video.hagc = invocation[options.hagc]
    video.video = invocation[reading.video] - 1
    video.takesInterlaced = invocation[reading.interlaced] == "ignore"
    video.takesDamaged = invocation[reading.damaged] == "keep"
    video.sample = invocation[reading.sample]
    video.splits = invocation[reading.sizeChange] == "segment"
    video.light = try light.options(invocation)
    video.light.output = outputLight
    video.limits = batch.limits
    video.existing = try existing(invocation) == .replace ? .replace : .refuse
    video.skipsExisting = invocation[Settings.outputs.onExisting] == .skip
    video.resumes = invocation[VideoSegments.all.resume]
    video.encoderMemory = invocation[VideoSegments.all.encoderMemory]
    video.segments = try VideoSegments.options(invocation, video, threads: prepared.options.threads)
    video.decisive = decisive(invocation, prepared)
    return video
  }
}
