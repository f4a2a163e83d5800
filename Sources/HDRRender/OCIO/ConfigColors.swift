import HDRCore
import HDRPlan
import ImageFiles
import OCIOConfig
import PlainData

/// The colours that a config gives an output: spaces of its inputs, and facts for records.
package struct ConfigColors: Sendable {
  /// Facts that all inputs share.
  package var facts: ConfigFacts
  /// The space that the caller states for all inputs.
  var stated: ConfigSpace?
  /// The config's file rules; `nil` where the space is stated.
  var rules: Config?
  /// The spaces that rules gave to the inputs that were known, by the names in the rules.
  var byRule: [String: Result<ConfigSpace, HDRError>] = [:]
  /// The spaces of identifiers that the list has not, by the lower-case identifiers.
  var byID: [String: Result<ConfigSpace, HDRError>] = [:]
  /// True if nothing says what the primaries of the config's light are.
  var isAssumed = false
  var warnings: [Warning] = []

  init(_ facts: ConfigFacts) { self.facts = facts }

  /// Returns what the rules say about a path; `nil` without rules.
  package func rule(for path: FilePath) -> FileRuleMatch? { rules?.space(forFile: path.text ?? path.display) }

  /// The space that codec processes are told: they know none of a config.
  var told: NamedSpace? {
    switch stated {
    case .config: .ofConfig
    case .known(let space): space
    case nil: nil
    }
  }
}

extension ConfigColors {
  /// The most identifiers of a config that are looked for in files.
  private static let maxIDs = 1000

  /// Takes the file rules of a config, the spaces that they name or find in paths, and those whose identifiers files may
  /// state. One that cannot be used fails the pictures that it is for.
  mutating func takeRules(_ reader: ConfigAtUse, _ paths: [FilePath]) {
    rules = reader.config
    func found(_ name: String) -> Result<ConfigSpace, HDRError> {
      do throws(HDRError) {
        return .success(try reader.input(name))
      } catch {
        return .failure(error)
      }
    }
    let named = reader.config.fileRules.map(\.space).filter { !$0.isEmpty }
    for space in named + paths.compactMap({ rule(for: $0)?.space }) where byRule[space] == nil {
      byRule[space] = found(space)
    }
    let others = reader.config.spaces.compactMap(\.interopID).filter { NamedSpace.identified($0) == nil }
    for id in others.prefix(Self.maxIDs) { byID[id.lowercased()] = found(id) }
  }

  /// All that is used, or may be by other inputs: the digest of a recipe does not depend on its inputs.
  var useOfAllInputs: ConfigUse {
    var use = facts.use
    var spaces = rules?.fileRules.compactMap { try? byRule[$0.space]?.get() } ?? []
    spaces += byID.values.compactMap { try? $0.get() }
    if let stated { spaces.append(stated) }
    for case .config(_, let other) in spaces { use.add(other) }
    return use
  }
}

/// The space of one source by a config.
struct ConfigPlacing {
  /// The source with its colour.
  var source: SourceImage
  /// The space of its codes; `nil`: its own colour.
  var input: ConfigInput?
  var use = ConfigUse()
  var rule: String?
  var space: String?
}

extension ConfigColors {
  /// Gives a source the space that the caller states, that the config has for the file's identifier, or that file rules
  /// say where the file states none.
  ///
  /// - Parameter reading: the caller's statements about inputs, of which the range counts here.
  /// - Throws: `HDRError` for a rule whose space cannot be used.
  func placed(
    _ source: SourceImage, path: FilePath?, _ reading: ReadingOptions = ReadingOptions()
  ) throws(HDRError) -> ConfigPlacing {
    if let stated {
      // Codecs have checked that the file takes a stated space, and know none of a config.
      var source = source
      switch stated {
      case .known(let space):
        source.color.encoding = space.encoding
        return ConfigPlacing(source: source, space: space.name)
      case .config(let input, let use):
        source.color.encoding = .space(input.space)
        if !reading.statesRange, let warning = source.rangeWarning { source.warnings.append(warning) }
        return ConfigPlacing(source: source, input: input, use: use, space: input.space.name)
      }
    }
    if let id = source.exr?.otherID, let space = byID[id.lowercased()] {
      switch try space.get() {
      case .known(let space):
        return ConfigPlacing(source: try Self.placed(source, in: space, reading), space: space.name)
      case .config(let input, let use):
        return ConfigPlacing(
          source: try Self.placed(source, in: input.space, reading), input: input, use: use, space: input.space.name)
      }
    }
    let isGuess = source.warnings.contains { $0.code == Self.guess }
    guard source.gainMap == nil, source.sensor == nil, isGuess || !source.isLinearLight && !source.isScene,
      let path, let match = rule(for: path), isGuess || match.isChosen
    else { return ConfigPlacing(source: source) }
    switch byRule[match.space] {
    case .failure(let error): throw error
    case .success(.known(let space)) where isGuess:
      throw HDRError(
        code: "ocio.input",
        message: "the file rule \(printable(match.rule)) says \(space.name), which is a display's, and the file states "
          + "nothing: give \(setting: "from-space")", kind: .source)
    case .success(.config(let input, let use)):
      // A space of scenes that a rule names; textures and displays are what their files say.
      guard isGuess || rules?.space(match.space)?.isOfScenes == true else { break }
      var placed = try Self.placed(source, in: input.space, reading)
      if isGuess {
        placed.warnings.append(
          Warning(
            Self.guess,
            "the file states no colour and is read as \(printable(input.space.name)) by the file rule "
              + "\(printable(match.rule)) of the config: \(setting: "from-space") says which it is"))
      }
      return ConfigPlacing(source: placed, input: input, use: use, rule: match.rule, space: input.space.name)
    default: break
    }
    return ConfigPlacing(source: source)
  }

  private static func placed(
    _ source: SourceImage, in space: NamedSpace, _ reading: ReadingOptions
  ) throws(HDRError) -> SourceImage {
    var reading = reading
    reading.space = space
    do throws(DecodeError) {
      return try reading.placed(source)
    } catch {
      throw HDRError(code: "ocio.input", message: "\(printable("\(error)"))", kind: .source)
    }
  }

  private static let guess = "ocio.guess"
}

extension FileRuleMatch {
  /// True if the rule is not the one for all files that no other rule names.
  fileprivate var isChosen: Bool { rule.lowercased() != "default" }
}

extension Config.Space {
  /// True for light of scenes and logarithms of it.
  fileprivate var isOfScenes: Bool { reference == .scene && !isData && !encoding.hasSuffix("video") }
}

extension RenderJob {
  /// Gives a source its colour by the config, and records what said so.
  func placed(_ source: SourceImage) throws(HDRError) -> SourceImage {
    guard let colors = choice.colors else { return source }
    let placing = try colors.placed(source, path: inputPath, reading)
    take(placing)
    var facts = found.colors ?? colors.facts
    facts.rule = placing.rule
    facts.space = placing.space ?? source.exr?.space
    facts.use.add(placing.use)
    found.colors = facts
    found.warn(colors.warnings)
    if colors.isAssumed, placing.input == nil {
      found.warn([
        Warning(
          "ocio.interchange",
          "the config names no aces_interchange: its linear light is taken as of BT.709, and the file's is another")
      ])
    }
    return placing.source
  }
}
