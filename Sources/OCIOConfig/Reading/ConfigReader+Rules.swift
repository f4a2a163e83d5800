import YAML

extension ConfigReader {
  /// The most file rules of a config, and the largest cost of all their patterns together: a path is held against each.
  private static let mostRules = 1000, mostCost = 1 << 16

  /// Reads file rules and viewing rules. Configs without file rules have those of OpenColorIO.
  mutating func readRules(_ fields: inout ConfigFields) throws(ConfigError) {
    for item in try items(&fields, "viewing_rules", tag: "Rule") {
      var fields = item.fields
      var rule = Config.ViewingRule(name: try fields.name("name"))
      rule.spaces = try fields.texts("colorspaces")
      rule.encodings = try fields.texts("encodings")
      fields.skip("custom")
      config.viewingRules.append(rule)
      finish(fields, of: fields.place.of("viewing rule \"\(rule.name)\""))
    }
    let rules = try items(&fields, "file_rules", tag: "Rule")
    guard rules.count <= Self.mostRules else {
      throw ConfigError(
        .rules, fields.place, "there are \(rules.count) file rules, \(Self.mostRules) are the limit")
    }
    var cost = 0
    for (index, item) in rules.enumerated() {
      let rule = try fileRule(item.fields)
      cost += rule.cost
      guard cost <= Self.mostCost else {
        throw ConfigError(.rules, rule.place, "the patterns of the file rules are too large together")
      }
      guard !config.fileRules.contains(where: { sameName($0.name, rule.name) }) else {
        throw ConfigError(.rules, rule.place, "the rule \"\(rule.name)\" is defined twice")
      }
      if case .all = rule.test, index != rules.count - 1 {
        throw ConfigError(.rules, rule.place, "the rule Default comes last")
      }
      config.fileRules.append(rule)
    }
    if let last = config.fileRules.last {
      guard case .all = last.test else { throw ConfigError(.rules, last.place, "the last rule is not Default") }
    } else {
      try addDefaultRules(fields.place)
    }
  }

  private mutating func fileRule(_ given: ConfigFields) throws(ConfigError) -> FileRule {
    var fields = given
    let name = try fields.name("name"), place = fields.place.of("file rule \"\(name)\"")
    let space = try fields.text("colorspace") ?? "", regex = try fields.text("regex")
    let pattern = try fields.text("pattern"), ending = try fields.text("extension")
    fields.skip("custom")
    finish(fields, of: place)
    func fault(_ reason: String) -> ConfigError { ConfigError(.rules, place, reason) }
    let test: FileRule.Test
    switch name.lowercased() {
    case "colorspacenamepathsearch":
      guard space.isEmpty, regex == nil, pattern == nil, ending == nil else { throw fault("the rule has a name alone") }
      return FileRule(name: name, test: .spaceName, space: "", place: place)
    case "default":
      guard regex == nil, pattern == nil, ending == nil else { throw fault("the rule has no pattern") }
      test = .all
    default:
      do throws(PatternError) {
        if let regex {
          guard pattern == nil, ending == nil else { throw PatternError(reason: "a rule has a regex or a pattern") }
          test = .path(try PathPattern(regex: regex))
        } else if let pattern, let ending {
          test = .path(try PathPattern(glob: pattern, ending: ending))
        } else {
          throw PatternError(reason: "a rule has a regex, or a pattern and an extension")
        }
      } catch {
        throw fault(error.reason)
      }
    }
    guard !space.isEmpty else { throw fault("colorspace is missing") }
    return FileRule(name: name, test: test, space: space, place: place)
  }

  /// Adds the rule Default with the role `default`; before it, in configs of version 1, the search for names.
  private mutating func addDefaultRules(_ place: ConfigPlace) throws(ConfigError) {
    var space = config.roles.first { sameName($0.role, "default") }?.role
    if config.version.major == 1 {
      config.fileRules.append(FileRule(name: "ColorSpaceNamePathSearch", test: .spaceName, space: "", place: place))
      space = space ?? config.spaces.first { $0.isData }?.name ?? config.spaces.first?.name
    }
    guard let space else {
      throw ConfigError(.rules, place, "a config has a file rule Default, or a role default")
    }
    config.fileRules.append(FileRule(name: "Default", test: .all, space: space, place: place))
  }
}
