import HDRCore
import PlainData

/// A name of a config stands for an item, which has an index in its list.
enum ConfigItem: Sendable, Hashable {
  case space(Int), namedTransform(Int)
}

/// A list of names says what each stands for. Upper and lower case are the same.
struct ConfigNames<Item: Sendable & Equatable>: Sendable {
  private var items: [String: (item: Item, owner: String)] = [:]

  subscript(name: String) -> Item? { items[name.lowercased()]?.item }

  /// Adds a name.
  ///
  /// - Throws: `config.name` if it is empty, longer than 256 bytes, or belongs to another item.
  mutating func add(_ name: String, _ item: Item, _ place: ConfigPlace) throws(ConfigError) {
    guard (1...ConfigLimits.name).contains(name.utf8.count) else {
      throw ConfigError(.name, place, "a name has 1 to \(ConfigLimits.name) bytes")
    }
    // A space may have its own name among its aliases.
    if let other = items.updateValue((item, place.owner), forKey: name.lowercased()), other.item != item {
      throw ConfigError(.name, place, "the name \"\(name)\" belongs to \(other.owner) already")
    }
    guard items.count <= ConfigLimits.names else {
      throw ConfigError(.name, place, "there are more than \(ConfigLimits.names) names")
    }
  }

  /// Adds a name unless it is taken.
  mutating func offer(_ name: String, _ item: Item) {
    if !name.isEmpty, self[name] == nil { items[name.lowercased()] = (item, "") }
  }
}

/// Limits bound what a file can set.
enum ConfigLimits {
  /// Bytes of a name, and of the text of looks.
  static let name = 256, looks = 2048
  /// Names of spaces, aliases and named transforms together; looks; view transforms; displays.
  static let names = 20_000
  /// Views of all displays together.
  static let views = 10_000
  static let searchPaths = 100
}

/// Returns `; did you mean "NAME"?` for a name that is near enough, or an empty text.
func hint(_ name: String, among names: [String]) -> String {
  name.utf8.count <= ConfigLimits.name ? Nearest.hint(name, among: names) : ""
}

/// Returns true if two names are the same: upper and lower case are.
func sameName(_ a: String, _ b: String) -> Bool { a == b || a.lowercased() == b.lowercased() }

extension Config {
  /// Makes the lists of names, and checks that all names which the config uses are there.
  ///
  /// - Throws: `config.name`.
  mutating func nameEverything() throws(ConfigError) {
    for (index, space) in spaces.enumerated() {
      for name in [space.name] + space.aliases { try names.add(name, .space(index), space.place) }
    }
    for (index, named) in namedTransforms.enumerated() {
      for name in [named.name] + named.aliases { try names.add(name, .namedTransform(index), named.place) }
    }
    for (index, look) in looks.enumerated() { try lookNumbers.add(look.name, index, look.place) }
    for (index, view) in viewTransforms.enumerated() { try viewNumbers.add(view.name, index, view.place) }
    try nameRoles()
    for (index, space) in spaces.enumerated() { names.offer(space.interopID ?? "", .space(index)) }
    try checkUses()
    warn(of: activeDisplays, in: "active_displays", among: displays.map(\.name))
    warn(of: activeViews, in: "active_views", among: displays.flatMap { $0.views.map(\.name) })
    warn(of: inactiveSpaces, in: "inactive_colorspaces", among: spaces.map(\.name) + namedTransforms.map(\.name))
  }

  /// Warns once of a list that has names which are not there.
  private mutating func warn(of list: [String], in key: String, among names: [String]) {
    let known = Set(names.map { $0.lowercased() }), others = list.filter { !known.contains($0.lowercased()) }
    guard let first = others.first else { return }
    let more = others.count > 1 ? " and \(others.count - 1) more" : ""
    let text =
      "\(key) names \"\(String(first.unicodeScalars.prefix(ConfigLimits.name)))\"\(more), which the config lacks"
    warnings.append(Warning("config.name", "\(printable("\(source): \(text)"))"))
  }

  /// Adds roles. A role stands for a space or an alias, never for another role.
  private mutating func nameRoles() throws(ConfigError) {
    let place = ConfigPlace(config: source)
    let targets = try roles.map { role throws(ConfigError) in
      guard let item = names[role.space] else {
        throw ConfigError(.name, place, "the role \"\(role.role)\" names \(missing(role.space))")
      }
      return item
    }
    for (role, target) in zip(roles, targets) {
      guard names[role.role] == nil else {
        throw ConfigError(.name, place, "the role \"\(role.role)\" has the name of something else")
      }
      names.offer(role.role, target)
    }
  }

  /// Returns the words for a name that is not there, with the nearest one.
  func missing(_ name: String) -> String {
    let all = spaces.flatMap { [$0.name] + $0.aliases } + namedTransforms.map(\.name) + roles.map(\.role)
    return "\"\(name)\", which is no color space\(hint(name, among: all))"
  }

  /// Checks the names that looks, views and file rules use.
  private func checkUses() throws(ConfigError) {
    for look in looks where names[look.processSpace] == nil {
      throw ConfigError(.name, look.place, "process_space is \(missing(look.processSpace))")
    }
    for display in displays {
      for view in display.views {
        guard names[view.space] != nil else {
          throw ConfigError(.name, view.place, "the view of \"\(display.name)\" names \(missing(view.space))")
        }
        if let name = view.viewTransform, viewTransform(name) == nil {
          throw ConfigError(.name, view.place, "there is no view transform \"\(name)\"")
        }
        guard !Variables.isPart(of: view.looks) else { continue }
        for name in LookList(view.looks).names where look(name) == nil {
          throw ConfigError(.name, view.place, "there is no look \"\(name)\"")
        }
      }
    }
    if let name = defaultViewTransform, viewTransform(name)?.reference != .scene {
      throw ConfigError(
        .name, ConfigPlace(config: source),
        "default_view_transform \"\(name)\" is no view transform that starts from a scene")
    }
    for rule in fileRules where !rule.space.isEmpty && names[rule.space] == nil {
      throw ConfigError(.name, rule.place, "colorspace is \(missing(rule.space))")
    }
  }

  func look(_ name: String) -> Look? { lookNumbers[name].map { looks[$0] } }

  func viewTransform(_ name: String) -> ViewTransform? { viewNumbers[name].map { viewTransforms[$0] } }
}
