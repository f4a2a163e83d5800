import BatchEngine
import HDRCore
import HDRRecipe
import HDRRender
import PlainData

/// All options that decide pixels and files.
enum RecipeOptions {
  static let make = MakeOptions()
  static let filters = FilterOptions()

  static let groups: [any SettingGroup] =
    [
      make, Settings.reading, Settings.camera, Settings.sequences, Settings.light, Settings.color, Settings.views,
      Settings.config,
      filters,
      Settings.edits,
      Settings.files,
      Settings.adaptive, Settings.acceptance,
    ]

  /// Returns the recipe of an invocation: its file, then its options.
  ///
  /// - Parameter given: a recipe in place of its file's.
  /// - Throws: `UsageError`.
  static func recipe(_ invocation: Invocation, after given: RecipeText? = nil) throws(UsageError) -> RecipeText {
    var text: RecipeText
    if let given { text = given } else { text = try file(invocation) }
    try change(&text, invocation)
    try addEdits(invocation, to: &text)
    try addOutputs(invocation, to: &text)
    try takeEnvironment(&text)
    return text
  }

  /// Adds settings and filters of the command line, and the pictures that filters name.
  static func addEdits(_ invocation: Invocation, to text: inout RecipeText) throws(UsageError) {
    try text.set(invocation.values)
    for words in invocation[filters.filter] {
      let name = String(words.prefix { $0 != "=" })
      if let answer = FilterWords.answer(name) { throw UsageError("--filter \(name) is no filter: \(answer)") }
      text.recipe.steps.common.append(try FilterText.step(words))
    }
    for words in invocation[filters.kernel] { text.recipe.steps.common.append(try FilterText.kernel(words)) }
    try addInputs(invocation, to: &text)
    text.nameFiles()
  }

  /// Makes $OCIO the config of a recipe that names none and whose names a config may have: the recipe, and with it
  /// manifests and journals, then say which it was.
  private static func takeEnvironment(_ text: inout RecipeText) throws(UsageError) {
    guard let place = Environment.value("OCIO"), !place.isEmpty, text.recipe.asksForConfig else { return }
    try text.set(Settings.config.ocio.setting, [place])
    Terminal.note("the config is \(printable(place)), by $OCIO")
  }

  /// Returns the pictures to render; a recipe with a size makes its own.
  ///
  /// - Parameters:
  ///   - limits, isolation: those of the codecs that find the pictures of files with several.
  /// - Throws: `UsageError`, `UnavailableError`.
  static func inputs(
    _ invocation: Invocation, _ recipe: Recipe, out: FilePath, limits: DecodeLimits, isolation: IsolationOptions
  ) throws -> [InputReference] {
    guard recipe.size != nil else {
      guard !invocation.arguments.isEmpty else {
        throw UsageError("\(invocation.path) needs INPUT: \(RenderCommand.inputs.help)")
      }
      var files = try InputCollector.collect(
        invocation.arguments, excluding: out, frames: try FrameOptions.range(invocation),
        holds: recipe.settings[Settings.sequences.missing] == .hold, zeroEnds: try invocation.listsEndInZero(),
        note: Terminal.note)
      if let folder = invocation[PlaceOptions.all.relativeTo] {
        files = try RelativePaths.of(files, below: FilePath(folder))
      }
      guard recipe.settings.takesAllPictures else { return files }
      var limits = limits
      limits.reading = ReadingOptions(recipe.settings)
      let codecs = CodecsAtUse(isolation, limits: limits)
      defer { _ = codecs.close() }
      return try PictureCollector.expand(files, limits: limits, codecs: codecs)
    }
    guard invocation.arguments.isEmpty else {
      throw UsageError("the recipe has a size and no input picture: leave out INPUT")
    }
    let path = FilePath(invocation[make.recipe] ?? "recipe")
    return [InputReference(path)]
  }

  private static func file(_ invocation: Invocation) throws(UsageError) -> RecipeText {
    guard let name = invocation[make.recipe] else {
      if invocation.has(make.set) { throw UsageError("--set needs --recipe") }
      return RecipeText()
    }
    let path = FilePath(name), bytes: [UInt8]
    do {
      bytes = try readFile(path, maxBytes: RecipeNode.maxBytes + 1)
    } catch {
      throw UsageError("--recipe \(path.display): \(printable("\(error)"))")
    }
    let folder = path.parent
    return try RecipeText(
      parsing: bytes, file: path.display, folder: folder == FilePath(".") ? "" : folder.text ?? folder.display)
  }

  private static func addInputs(_ invocation: Invocation, to text: inout RecipeText) throws(UsageError) {
    var seen: Set<String> = []
    for words in invocation[filters.input] {
      let sides = words.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard sides.count == 2, !sides[0].isEmpty, !sides[1].isEmpty else {
        throw UsageError("--input \(printable(words)): it is NAME=FILE")
      }
      guard seen.insert(sides[0]).inserted else { throw UsageError("--input \(words): \(sides[0]) is named twice") }
      text.setInput(sides[0], .file(sides[1]))
    }
  }

  /// Applies each `--set`; rejects two for the same name, or one next to an option, as one would override the other.
  private static func change(_ text: inout RecipeText, _ invocation: Invocation) throws(UsageError) {
    var seen: Set<String> = []
    for words in invocation[make.set] {
      let word = String(words.prefix { $0 != "=" }), kind = KindNames.all.first { word.hasPrefix($0 + ".") }
      let name = kind.map { String(word.dropFirst($0.count + 1)) } ?? word
      let setting = Nearest.match(name, among: Settings.recipe.keys)
      guard seen.insert((kind ?? "") + "." + (setting ?? name)).inserted else {
        throw UsageError("--set \(printable(word)) is given twice: give it once")
      }
      if let setting, invocation.values.words[setting] != nil {
        throw UsageError("--\(setting) replaces --set \(printable(word)): give one of them")
      }
      try text.set(words)
    }
  }

  private static func addOutputs(_ invocation: Invocation, to text: inout RecipeText) throws(UsageError) {
    let kinds = invocation[make.extract].map { ["extract-" + $0.rawValue] } ?? invocation[make.to]
    guard !kinds.isEmpty else {
      if let name = invocation[make.name] {
        guard text.recipe.outputs.isEmpty else {
          throw UsageError("the recipe names its outputs: leave out --to and --name, not \(printable(name))")
        }
      }
      return
    }
    guard text.recipe.outputs.isEmpty else {
      throw UsageError("the recipe names its outputs: leave out --to and --name")
    }
    if let twice = kinds.indices.first(where: { kinds[..<$0].contains(kinds[$0]) }) {
      throw UsageError("--to \(kinds[twice]) is given twice: give it once, or a recipe with outputs that differ")
    }
    text.recipe.outputs = kinds.map { Recipe.Output($0, name: invocation[make.name]) }
  }
}
