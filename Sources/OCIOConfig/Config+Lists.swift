extension Config {
  /// The names of active displays: in the order of `active_displays`, else all in the order of the config.
  package var displayNames: [String] { active(displays.map(\.name), activeDisplays) }

  /// Returns the names of a display's active views: in the order of `active_views`, else all in the display's order.
  package func viewNames(display: String) -> [String] {
    active(self.display(display)?.views.map(\.name) ?? [], activeViews)
  }

  /// Returns those of some names that a list has, in its order; all if it has none of them.
  private func active(_ names: [String], _ list: [String]) -> [String] {
    let chosen = list.compactMap { wanted in names.first { sameName($0, wanted) } }
    return chosen.isEmpty ? names : chosen
  }

  /// The names of spaces that are not hidden, in their order: those of displays first.
  package var spaceNames: [String] {
    let hidden = Set(inactiveSpaces.map { $0.lowercased() })
    return spaces.map(\.name).filter { !hidden.contains($0.lowercased()) }
  }

  package var lookNames: [String] { looks.map(\.name) }

  /// Returns a space by its name, an alias, a role or an interop ID; upper and lower case are the same.
  package func space(_ name: String) -> Space? {
    if case .space(let index)? = names[name] { spaces[index] } else { nil }
  }

  /// Returns the spaces and encodings that a view's viewing rule says it is for; none for a view without one.
  package func uses(of view: View) -> [String] {
    guard let name = view.rule, let rule = viewingRules.first(where: { sameName($0.name, name) }) else { return [] }
    return rule.spaces + rule.encodings
  }

  /// Returns a display by its name, active or not.
  package func display(_ name: String) -> Display? { displays.first { sameName($0.name, name) } }

  /// Returns a display's view, active or not; `nil` if there is none.
  package func view(_ view: String, display: String) -> View? {
    self.display(display)?.views.first { sameName($0.name, view) }
  }
}
