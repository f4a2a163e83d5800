import HDRCore
import HDRPlan
import PlainData

/// The space in which a LUT works: a curve with primaries, or a space of the list.
package enum LUTSpace: Sendable, Hashable {
  case plain(ColorSpace), named(NamedSpace)

  var name: String {
    switch self {
    case .plain(let space): space.name
    case .named(let space): space.name
    }
  }
}

extension SettingType where Value == LUTSpace {
  /// The type of a curve, with primaries after a hyphen (`pq-p3`; `p3` is `srgb-p3`), or of a space by name.
  static var lutSpace: SettingType {
    SettingType("space", words: ColorSpace.words) { text throws(SettingFault) in
      if let space = ColorSpace(text) { return .plain(space) }
      if let space = NamedSpace.named(text) { return .named(space) }
      throw SettingFault(
        "is \(ColorSpace.form), or a space by name, not \(text)\(SettingFault.spaceHint(text)) [space.unknown]")
    } text: {
      $0.name
    }
  }
}

/// The primaries of an output: a word, or a linear space of the list.
package enum OutputSpace: Sendable, Hashable {
  case primaries(OutputPrimaries), space(NamedSpace)
}

extension SettingType where Value == OutputSpace {
  /// The type of `bt2020`, `p3`, `srgb`, and of linear spaces by name.
  static var outputSpace: SettingType {
    let words = SettingType<OutputPrimaries>.choice(OutputPrimaries.self, "primaries")
    return SettingType("primaries", words: words.words) { text throws(SettingFault) in
      if let space = NamedSpace.named(text) { return .space(try space.linear()) }
      return .primaries(try words.read(text))
    } text: {
      switch $0 {
      case .primaries(let set): set.rawValue
      case .space(let space): space.name
      }
    }
  }
}

extension NamedSpace {
  /// Returns the space if it is linear, as outputs of floats have it.
  package func linear() throws(SettingFault) -> NamedSpace {
    guard kind == .linear else { throw SettingFault("is a linear space, as ACEScg, and \(name) has a curve") }
    return self
  }
}

extension SettingFault {
  /// Makes the fault of a name that no space has, with the nearest one, or names that have it inside.
  package static func unknownSpace(_ text: String) -> SettingFault {
    SettingFault("has no space \"\(text)\"\(spaceHint(text)) [space.unknown]")
  }

  /// Returns what helps to find the space that a word may mean.
  static func spaceHint(_ text: String) -> String {
    let near = Nearest.hint(text, among: NamedSpace.allNames)
    if !near.isEmpty { return near }
    let word = text.lowercased(), inside = NamedSpace.all.map(\.name).filter { $0.lowercased().contains(word) }
    switch inside.count {
    case 0: return "; hdrbatch spaces lists them"
    case 1: return "; did you mean \"\(inside[0])\"?"
    default: return "; there are \(inside.prefix(4).joined(separator: ", "))"
    }
  }
}
