import HDRCore
import PlainData

/// The name of a colour space: of the list, or of a config, which is read later. It stays as it is written, as a config
/// may call another space by it.
package struct SpaceName: Sendable, Hashable {
  package let text: String

  package init(_ text: String) { self.text = NamedSpace.named(text).flatMap { Self.spelled($0.name, text) } ?? text }

  /// The space of the list that has the name; `nil`: none.
  package var known: NamedSpace? { NamedSpace.named(text) }

  /// Returns a name if a text is the same but for capitals.
  fileprivate static func spelled(_ name: String, _ text: String) -> String? {
    name.lowercased() == text.lowercased() ? name : nil
  }
}

/// The name of a view: of the list, or of a config.
package struct ViewName: Sendable, Hashable {
  package let text: String

  package init(_ text: String) {
    self.text = ACESView.named(text).flatMap { SpaceName.spelled($0.name, text) } ?? text
  }

  /// The view of the list that has the name; `nil`: none.
  package var known: ACESView? { ACESView.named(text) }
}

extension SettingType where Value == SpaceName {
  /// The type of spaces by name: `ACEScg`, `lin_ap1`.
  static var spaceName: SettingType {
    SettingType("space") { text throws(SettingFault) in
      if text.isEmpty { throw SettingFault("is not empty") }
      return SpaceName(text)
    } text: {
      $0.text
    }
  }
}

extension SettingType where Value == ViewName {
  static var view: SettingType {
    SettingType("view", words: ACESView.usualNames) { text throws(SettingFault) in
      if text.isEmpty { throw SettingFault("is not empty") }
      return ViewName(text)
    } text: {
      $0.text
    }
  }
}

extension SettingFault {
  /// Makes the fault of a name that no view has, with the nearest one.
  package static func unknownView(_ text: String, among names: [String] = ACESView.all.map(\.name)) -> SettingFault {
    SettingFault(
      "has no view \"\(text)\" (`hdrbatch doctor --views` lists all)\(Nearest.hint(text, among: names))")
  }
}
