/// A group of settings: each is a stored property, in the order of help.
///
/// A setting is one row: the property with its name, type, range, default and help. All code that lists settings reads
/// the rows of the groups.
package protocol SettingGroup: Sendable {
  /// The heading in help and docs.
  var title: String { get }
  var scope: Setting.Scope { get }
  /// The rows in the order of help.
  var rows: [Setting] { get }
}

extension SettingGroup {
  package var scope: Setting.Scope { .command }

  package var rows: [Setting] {
    Mirror(reflecting: self).children.compactMap { child in
      guard var setting = (child.value as? any SettingRow)?.setting else { return nil }
      (setting.group, setting.scope) = (title, scope)
      return setting
    }
  }
}
