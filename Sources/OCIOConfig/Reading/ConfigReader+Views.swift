import YAML

/// A shared view is one that belongs to no display yet.
struct SharedView {
  var view: Config.View
  /// True if its space is the one that is named as the display.
  var usesDisplayName: Bool

  /// Returns the view of a display.
  func of(_ display: String) -> Config.View {
    var view = view
    if usesDisplayName { view.space = display }
    return view
  }
}

extension ConfigReader {
  /// Reads displays, their views, and the views that they share.
  mutating func readViews(_ fields: inout ConfigFields) throws(ConfigError) {
    for item in try items(&fields, "shared_views", tag: "View") {
      let shared = try view(item.fields)
      guard sharedViews.updateValue(shared, forKey: shared.view.name.lowercased()) == nil else {
        throw ConfigError(.name, item.fields.place, "the shared view \"\(shared.view.name)\" is defined twice")
      }
    }
    guard let node = fields.take("displays") else { return }
    guard case .map(let entries) = node.content else { throw fields.fault("displays", "is a map") }
    var displayNames = ConfigNames<Int>(), count = 0
    for (key, value) in entries where !value.isNull {
      guard let name = key.text, !name.isEmpty, case .list(let list) = value.content else {
        throw ConfigError(.value, fields.place.at(key), "a display is a list of views")
      }
      try displayNames.add(name, config.displays.count, fields.place.at(key).of("the display \"\(name)\""))
      var display = Config.Display(name: name, views: [])
      for item in list {
        let views = try views(item, display: name, fields.place.at(item))
        count += views.count
        guard count <= ConfigLimits.views else {
          throw ConfigError(.name, fields.place.at(item), "displays have more than \(ConfigLimits.views) views")
        }
        display.views += views
      }
      let names = display.views.map { $0.name.lowercased() }
      guard Set(names).count == names.count else {
        throw ConfigError(.name, fields.place.at(key), "the display \"\(name)\" has a view twice")
      }
      config.displays.append(display)
    }
  }

  /// Reads an item of a display: one view, or names of shared ones.
  private mutating func views(
    _ item: YAMLNode, display: String, _ place: ConfigPlace
  ) throws(ConfigError) -> [Config.View] {
    switch (item.tag, item.content) {
    case ("View", _): return [try view(try ConfigFields(item, place)).of(display)]
    case ("Views", .list(let names)) where names.count <= ConfigLimits.views:
      return try names.map { node throws(ConfigError) in
        guard let name = node.text, let shared = sharedViews[name.lowercased()] else {
          throw ConfigError(
            .name, place.at(node), "the display \"\(display)\" names \"\(node.text ?? "")\", which is no shared view")
        }
        return shared.of(display)
      }
    default: throw ConfigError(.value, place, "the display \"\(display)\" is a list of !<View> and !<Views>")
    }
  }

  private mutating func view(_ given: ConfigFields) throws(ConfigError) -> SharedView {
    var fields = given
    let name = try fields.name("name"), place = fields.place.of("view \"\(name)\"")
    var view = Config.View(name: name, space: "", place: place)
    view.viewTransform = try fields.text("view_transform").flatMap { $0.isEmpty ? nil : $0 }
    let space = try fields.text("colorspace") ?? "", display = try fields.text("display_colorspace") ?? ""
    guard (view.viewTransform == nil) == display.isEmpty, space.isEmpty != display.isEmpty else {
      throw ConfigError(.value, place, "a view has a colorspace, or a view_transform and a display_colorspace")
    }
    view.space = space + display
    let looks = try fields.text("looks"), look = try fields.text("look")
    view.looks = looks ?? look ?? ""
    guard view.looks.utf8.count <= ConfigLimits.looks else { throw fields.fault("looks", "is too long") }
    view.rule = try fields.text("rule")
    view.description = try fields.text("description") ?? ""
    finish(fields, of: place)
    return SharedView(view: view, usesDisplayName: display == "<USE_DISPLAY_NAME>")
  }
}
