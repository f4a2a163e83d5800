import HDRRecipe

/// Settings that say how one side of a comparison is read: `--a.cicp` is `--cicp` of A alone.
struct SideOptions: SettingGroup {
  /// The groups of both sides.
  static let shared: [any SettingGroup] = [Settings.reading, Settings.camera]
  static let a = SideOptions(side: "a"), b = SideOptions(side: "b")

  /// The letter before the dot.
  let side: String

  var title: String { "Source, \(side.uppercased()) alone" }

  var rows: [Setting] {
    Self.shared.flatMap(\.rows).map { row in
      var own = row
      (own.name, own.help) = (name(of: row), "As --\(row.name), of \(side.uppercased()) alone.")
      // Values are in the help of the setting itself.
      own.words = []
      (own.standard, own.assumed) = (nil, row.count == .flag ? nil : "that of both")
      (own.group, own.scope, own.isRare) = (title, .command, true)
      own.alternative = row.alternative.map { "\($0) of \(side.uppercased())" }
      return own
    }
  }

  private func name(of row: Setting) -> String { side + "." + row.name }

  /// Returns true if a setting of this side alone is given.
  func areGiven(_ values: SettingValues) -> Bool { rows.contains { values.words[$0.name] != nil } }

  /// Returns the values for this side: its own in place of those of both.
  func values(_ all: SettingValues) -> SettingValues {
    var result = all
    for row in Self.shared.flatMap(\.rows) {
      // They are in their canonical form, which each setting takes.
      if let words = all.words[name(of: row)] { try? result.set(row, words) }
    }
    return result
  }
}
