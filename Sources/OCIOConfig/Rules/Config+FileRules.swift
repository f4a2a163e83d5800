extension Config {
  /// Returns what the file rules say about a path: the first rule that matches.
  package func space(forFile path: String) -> FileRuleMatch {
    for (index, rule) in fileRules.enumerated() {
      switch rule.test {
      case .path(let pattern): if !pattern.matches(path) { continue }
      case .all: break
      case .spaceName:
        guard let space = spaceName(in: path) else { continue }
        return FileRuleMatch(rule: rule.name, index: index, space: space)
      }
      return FileRuleMatch(rule: rule.name, index: index, space: rule.space)
    }
    // The last rule is for all files (ConfigReader+Rules).
    preconditionFailure("a config without the rule Default")
  }

  /// Returns the space whose name or alias ends right-most in a path; the longest of those.
  private func spaceName(in path: String) -> String? {
    let path = Array(path.lowercased().utf8)
    var best: (end: Int, length: Int, name: String)?
    for space in spaces {
      for name in [space.name] + space.aliases {
        let name = Array(name.lowercased().utf8)
        guard let end = lastEnd(of: name, in: path), best.map({ (end, name.count) > ($0.end, $0.length) }) ?? true
        else { continue }
        best = (end, name.count, space.name)
      }
    }
    return best?.name
  }

  /// Returns where the right-most of some bytes ends.
  private func lastEnd(of bytes: [UInt8], in path: [UInt8]) -> Int? {
    guard !bytes.isEmpty, bytes.count <= path.count else { return nil }
    return (0...path.count - bytes.count).last { path[$0..<$0 + bytes.count].elementsEqual(bytes) }
      .map { $0 + bytes.count }
  }
}
