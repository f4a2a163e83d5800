import HDRCore
import PlainData
import YAML

/// Reads the tree of a config into a `Config`, section by section.
struct ConfigReader {
  var config: Config
  /// Views that displays share, by their lower-case names.
  var sharedViews: [String: SharedView] = [:]
  private var unknownKeys = 0

  /// Configs hold tags, 4 MiB and 64 levels at most.
  static let rules = YAMLRules(noun: "config", maxBytes: 4 << 20, maxDepth: 64, takesTags: true)
  /// The most warnings about keys that are given one by one.
  private static let mostWarnings = 20

  /// Reads all of a config.
  static func read(_ bytes: [UInt8], file: String, folder: String) throws(ConfigError) -> Config {
    let place = ConfigPlace(config: file)
    guard !bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) else {
      throw ConfigError(
        .archive, place, "it is an archive, and no text of a config")
    }
    guard !bytes.allSatisfy({ $0 <= 0x20 }) else { throw ConfigError(.version, place, "the config is empty") }
    let root: YAMLNode
    do throws(YAMLError) {
      root = try YAMLNode(parsing: bytes, file: file, rules)
    } catch {
      throw ConfigError(.yaml, ConfigPlace(config: file, line: error.place?.line ?? 0), error.reason)
    }
    var fields = try ConfigFields(root, ConfigPlace(config: file, line: root.place.line))
    var reader = try ConfigReader(&fields, file: file, folder: folder)
    try reader.readSections(&fields)
    reader.finish(fields)
    reader.warnOfOthers()
    try reader.config.nameEverything()
    return reader.config
  }

  private init(_ fields: inout ConfigFields, file: String, folder: String) throws(ConfigError) {
    guard let text = try fields.text("ocio_profile_version"), let version = ConfigVersion(text) else {
      throw ConfigError(.version, fields.place, "ocio_profile_version is missing, or no version: 1 or 2 to 2.6")
    }
    guard version.isKnown else {
      throw ConfigError(
        .version, fields.place,
        "configs of version \(text) are not read; 1 and 2 to \(ConfigVersion.newest) are: ask for an older one")
    }
    config = Config(source: file, folder: folder, version: version)
  }

  private mutating func readSections(_ fields: inout ConfigFields) throws(ConfigError) {
    fields.skip(
      "description", "luma", "family_separator", "strictparsing", "virtual_display", "use_display_aliases")
    if config.version.major == 1 {
      for key in [
        "file_rules", "viewing_rules", "shared_views", "default_view_transform", "view_transforms",
        "display_colorspaces", "named_transforms",
      ] where fields.has(key) {
        throw ConfigError(.version, fields.place.at(fields.take(key)), "\(key) needs ocio_profile_version 2")
      }
    }
    config.name = try fields.text("name")
    config.environment = try map(&fields, "environment").map { Dictionary($0) { first, _ in first } }
    config.searchPath = try fields.texts("search_path", separators: [":"])
    guard config.searchPath.count <= ConfigLimits.searchPaths else {
      throw fields.fault("search_path", "has more than \(ConfigLimits.searchPaths) folders")
    }
    config.roles = try (map(&fields, "roles") ?? []).map { (role: $0.0, space: $0.1) }
    config.defaultViewTransform = try fields.text("default_view_transform")
    config.inactiveSpaces = try fields.texts("inactive_colorspaces")
    config.activeDisplays = try fields.texts("active_displays")
    config.activeViews = try fields.texts("active_views")
    try readSpaces(&fields)
    try readLooks(&fields)
    try readViews(&fields)
    try readRules(&fields)
  }

  /// Returns the texts of a map in their order; `nil` if the key has no value.
  private func map(_ fields: inout ConfigFields, _ key: String) throws(ConfigError) -> [(String, String)]? {
    guard let node = fields.take(key) else { return nil }
    guard case .map(let entries) = node.content else { throw fields.fault(key, "is a map of texts") }
    return try entries.map { entry throws(ConfigError) in
      guard let name = entry.key.text, !name.isEmpty, let value = entry.value.text else {
        throw ConfigError(.value, fields.place.at(entry.key), "\(key) is a map of texts")
      }
      return (name, value)
    }
  }

  /// Returns the items of a list of maps with their fields; each item has the tag.
  func items(
    _ fields: inout ConfigFields, _ key: String, tag: String
  ) throws(ConfigError) -> [(node: YAMLNode, fields: ConfigFields)] {
    guard let node = fields.take(key) else { return [] }
    guard case .list(let list) = node.content else { throw fields.fault(key, "is a list") }
    return try list.map { item throws(ConfigError) in
      guard item.tag == tag else {
        throw ConfigError(.value, fields.place.at(item), "\(key) is a list of !<\(tag)>")
      }
      return (item, try ConfigFields(item, fields.place.at(item)))
    }
  }

  /// Warns of the keys of a map that nothing has asked for.
  mutating func finish(_ fields: ConfigFields) {
    for key in fields.unknown {
      unknownKeys += 1
      guard unknownKeys <= Self.mostWarnings else { continue }
      let owner = fields.place.owner.isEmpty ? "" : " in \(fields.place.owner)"
      config.warnings.append(
        Warning(
          "config.key",
          "\(printable("\(fields.place.at(key).text): the key \"\(key.text ?? "")\"\(owner) is not known and left out"))"
        ))
    }
  }

  private mutating func warnOfOthers() {
    guard unknownKeys > Self.mostWarnings else { return }
    let more = unknownKeys - Self.mostWarnings
    config.warnings.append(
      Warning("config.key", "\(printable(config.source)): \(more) more keys are not known and left out"))
  }

  /// Reads a transform; `nil` where the key has no value.
  mutating func transform(_ node: YAMLNode?, _ place: ConfigPlace) throws(ConfigError) -> Transform? {
    guard let node else { return nil }
    let place = place.at(node), tag = node.tag ?? ""
    guard let reader = tag == "GroupTransform" ? Self.noOperation : TransformReaders.all[tag] else {
      return Transform(
        kind: .refused(.transform, "\(tag.isEmpty ? "a transform without a tag" : tag) is not supported"),
        isInverse: false, place: place)
    }
    var fields = try ConfigFields(node, place)
    fields.skip("name")
    let isInverse = try fields.word("direction", Direction.self) == .inverse
    var kind = try reader(&fields)
    if tag == "GroupTransform" {
      guard case .list(let children)? = fields.take("children")?.content else {
        throw ConfigError(.value, place, "a group has a list of children")
      }
      var list: [Transform] = []
      for child in children { if let one = try transform(child, place) { list.append(one) } }
      kind = .group(list)
    }
    finish(fields)
    return Transform(kind: kind, isInverse: isInverse, place: place)
  }

  private static let noOperation: TransformReaders.Reader = { _ throws(ConfigError) in .group([]) }

  private enum Direction: String, CaseIterable {
    case forward, inverse
  }
}
