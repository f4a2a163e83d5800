import BatchEngine
import CodecService
import HDRCore
import HDRRecipe
import HDRRender
import PlainData
import Video

/// `hdrbatch video` makes stills of single frames: their names, kinds and choices are here.
enum VideoStills {
  struct Options: SettingGroup {
    var title: String { "Stills" }

    let poster = SettingKey(
      "poster",
      .read(
        "10%|TIME|frame:N|scene-best", ["scene-best"], form: "10%, a time as 2.5 or 1:02.5, frame:12 or scene-best",
        PosterPlace.init
      ) { $0.text },
      """
      One frame of each clip as a file: 10% of its time, 2.5 or 0:02.5 seconds behind the first frame, frame:12 (1 is the \
      first), or scene-best, the frame of median light in the longest scene.
      """)
    let sheet = SettingKey(
      "contact-sheet",
      .read("5x4", form: "columns and rows of 1...100, as 5x4", SheetGrid.init) { "\($0.columns)x\($0.rows)" },
      "Frames at equal times as tiles of one file: 5x4 is five in a row, four rows.")
    let tile = SettingKey(
      "tile", .integer(16...4096, "pixels"), standard: 320, rare: true, "The longer side of a tile of --contact-sheet.")
    let startNumber = SettingKey(
      "start-number", .integer(0...900_000_000), standard: 1, rare: true,
      "The number of the first frame in the names of a sequence.")
  }

  /// These settings say how files of stills are coded.
  struct Files: SettingGroup {
    var title: String { "Files of stills" }
    var scope: Setting.Scope { .recipe }

    let quality = Settings.files.quality
    let qualityTarget = Settings.files.qualityTarget
    let maxBytes = Settings.files.maxBytes
    let chroma = Settings.files.chroma
    let depth = Settings.files.depth
    let jpegOptimize = Settings.files.jpegOptimize
    let progressive = Settings.files.progressive
    let pngEffort = Settings.files.pngEffort
    let exrCompression = Settings.files.exrCompression
    let jxlEffort = Settings.files.jxlEffort
    let base = Settings.adaptive.base
    let ifSDR = Settings.adaptive.ifSDR
    let baseDepth = Settings.adaptive.baseDepth
    let mapChannels = Settings.adaptive.mapChannels
    let mapScale = Settings.adaptive.mapScale
    let mapDepth = Settings.adaptive.mapDepth
    let mapQuality = Settings.adaptive.mapQuality
    let mapRange = Settings.adaptive.mapRange
    let mapSpace = Settings.adaptive.mapSpace
    let mapOffset = Settings.adaptive.mapOffset
    let mapGamma = Settings.adaptive.mapGamma
    let mapMetadata = Settings.adaptive.mapMetadata
    let appleMap = Settings.adaptive.appleMap
  }

  static let options = Options(), files = Files()

  /// The kinds that a still can have.
  static let kinds = KindNames.renditions + KindNames.adaptive + KindNames.packed

  /// Returns the kind of stills that are asked for, by name; `nil` for clips.
  ///
  /// - Throws: `UsageError` for options that contradict each other.
  static func kind(_ invocation: Invocation) throws(UsageError) -> String? {
    let out = FilePath(try invocation.need(VideoCommand.options.out)), word = invocation[VideoCommand.options.to]
    let poster = invocation.has(options.poster), sheet = invocation.has(options.sheet)
    try invocation.refuse(poster && sheet, "--poster and --contact-sheet are different files: give one of them")
    let name = names(out) ? String(decoding: out.name, as: UTF8.self) : invocation[VideoCommand.options.name] ?? ""
    let isNumbered = FrameNames(Array(name.utf8)) != nil, ending = ending(of: out)
    let isAsked = poster || sheet || isNumbered || ending.map { kind(ending: $0) != nil } ?? false
    try invocation.refuse(
      isNumbered && (poster || sheet), "one file needs no number in its name: leave out \(printable(name))")
    try invocation.refuse(!sheet && invocation.has(options.tile), "--tile is of --contact-sheet")
    guard let word else { return isAsked ? ending.flatMap { kind(ending: $0) } ?? "adaptive-jpeg" : nil }
    guard VideoTarget(rawValue: word) == nil else {
      try invocation.refuse(
        isAsked, "--to \(word) makes clips, and \(poster ? "--poster" : sheet ? "--contact-sheet" : "the name") stills")
      return nil
    }
    return word
  }

  /// Returns what is made of a clip.
  static func choice(_ invocation: Invocation, _ prepared: PreparedRecipe) -> StillOptions {
    var stills = StillOptions(.sequence)
    if let place = invocation[options.poster] { stills.choice = .poster(place) }
    if var grid = invocation[options.sheet] {
      grid.side = invocation[options.tile]
      (stills.choice, stills.tile) = (.sheet(grid), prepared.options.outputs.last)
    }
    stills.firstNumber = invocation[options.startNumber]
    stills.keepsExisting = invocation[Settings.outputs.onExisting] == .skip
    return stills
  }

  /// Gives a recipe its output. A sheet's filters change its tiles, which are samples of light; all else is of the whole.
  static func addOutput(_ kind: String, isSheet: Bool, to recipe: inout Recipe) {
    var still = Recipe.Output(kind)
    guard isSheet else {
      recipe.outputs = [still]
      return
    }
    var tile = Recipe.Output(StillOptions.tileKind)
    (still.settings, tile.steps) = (recipe.settings, recipe.steps)
    (recipe.settings, recipe.steps, recipe.outputs) = (SettingValues(), Recipe.Steps(), [still, tile])
  }

  // MARK: Names

  /// Names the files of all clips; those of a sequence by a pattern.
  ///
  /// - Throws: `UsageError` for names that clash, or are there.
  static func items(
    _ invocation: Invocation, _ kind: String, _ found: [InputReference], out: FilePath
  ) throws(UsageError) -> [BatchItem] {
    let clips = VideoCommand.options
    let rows: [any SettingRow] = [
      clips.codec, clips.container, clips.codecOptions, clips.rotate, clips.square, clips.pad,
      VideoCommand.reading.sizeChange, VideoCommand.reading.sample,
    ]
    for row in rows {
      try invocation.refuse(invocation.has(row), "--\(row.setting.name) is of clips, and \(kind) is a kind of stills")
    }
    let traits = NameTraits(kind), isNamed = names(out)
    let isOne = invocation.has(options.poster) || invocation.has(options.sheet)
    try invocation.refuse(
      isNamed && invocation.has(VideoCommand.options.name),
      "--out \(out.display) names the outputs: leave out --name")
    let standard = isOne ? Recipe.standardName : "{stem}.%06d.{ext}"
    let name = isNamed ? String(decoding: out.name, as: UTF8.self) : invocation[VideoCommand.options.name] ?? standard
    try check(name, traits, isOne: isOne, invocation)
    let isLiteral = isNamed && !name.contains("{")
    let template =
      isLiteral ? NameTemplate(literal: out.name) : try NameTemplate(name, option: isNamed ? "out" : "name")
    let items = try OutputNaming.make(
      found, out: isNamed ? out.parent : out, traits: traits, template: template,
      onExisting: invocation[Settings.outputs.onExisting])
    if !isOne { try checkSequences(items, invocation) }
    return items
  }

  private static func check(
    _ name: String, _ traits: NameTraits, isOne: Bool, _ invocation: Invocation
  ) throws(UsageError) {
    if let ending = ending(of: FilePath(name)), ending != traits.fileExtension {
      throw UsageError("\(printable(name)): \(traits.target) files end in .\(traits.fileExtension)")
    }
    if isOne { return }
    guard let place = name.matches(of: #/%(?:0[1-9])?d/#).last else {
      throw UsageError(
        "\(printable(name)): frames need a number in their names, as {stem}.%06d.\(traits.fileExtension); --poster makes "
          + "one file of a clip")
    }
    let fields = ["{stem}", "{name}", "{parent}"]
    try invocation.refuse(
      fields.contains { name[place.range.upperBound...].contains($0) },
      "\(printable(name)): the number stands behind {stem}, {name} and {parent}")
  }

  /// Throws for sequences that would share the table of their times, and for those that have been begun.
  private static func checkSequences(_ items: [BatchItem], _ invocation: Invocation) throws(UsageError) {
    var tables: [String: BatchItem] = [:]
    for item in items {
      guard let names = FrameNames(item.output.name) else { continue }
      let folder = item.output.parent, table = folder.appending(names.table)
      if let other = tables.updateValue(item, forKey: table.display.lowercased()) {
        throw UsageError(
          "\(other.input.display) and \(item.input.display) would both write \(table.display): give another --name")
      }
      guard invocation[Settings.outputs.onExisting] == .fail else { continue }
      let first = folder.appending(names.name(invocation[options.startNumber]))
      guard let found = [first, table].first(where: { somethingExists(at: $0) }) else { continue }
      throw UsageError(
        "\(found.display) exists already; nothing was done. Say --on-existing replace to write again, --on-existing skip to "
          + "make the frames that are missing, or choose another --out")
    }
  }

  /// True for an --out that names files: its last part has a field, a number, or an ending of stills.
  private static func names(_ out: FilePath) -> Bool {
    guard fileStatus(out)?.isFolder != true, out.bytes.last != UInt8(ascii: "/") else { return false }
    return out.name.contains(UInt8(ascii: "{")) || FrameNames(out.name) != nil
      || ending(of: out).map { kind(ending: $0) != nil } ?? false
  }

  /// The ending of a name; `nil` without one, and for fields.
  private static func ending(of out: FilePath) -> String? {
    guard let dot = out.name.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    let ending = String(decoding: out.name[(dot + 1)...], as: UTF8.self).lowercased()
    guard !ending.contains("{"), !ending.contains("%") else { return nil }
    return ["jpeg": "jpg", "tiff": "tif", "heif": "heic", "hif": "heic"][ending] ?? ending
  }

  /// The usual kind of files of an ending: Adaptive HDR, PNG excepted; `nil`: no still's ending.
  private static func kind(ending: String) -> String? {
    (KindNames.adaptive.filter { $0 != "adaptive-png" } + KindNames.renditions).first {
      NameTraits($0).fileExtension == ending
    }
  }
}

extension SettingType where Value == String {
  /// The target says what clips become: clips, or stills of a kind.
  static var videoTarget: SettingType {
    var type = one(of: VideoTarget.allCases.map(\.rawValue) + VideoStills.kinds, "target")
    type.words = VideoTarget.allCases.map(\.rawValue) + KindNames.renditions + KindNames.adaptive
    return type
  }
}
