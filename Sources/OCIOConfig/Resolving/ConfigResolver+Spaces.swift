extension ConfigResolver {
  /// Returns what a name stands for.
  func item(_ name: String, _ place: ConfigPlace) throws(ConfigError) -> ConfigItem {
    guard let item = config.names[name] else { throw ConfigError(.name, place, "there is \(config.missing(name))") }
    return item
  }

  /// Returns a space by its name.
  func space(_ name: String, _ place: ConfigPlace) throws(ConfigError) -> Config.Space {
    guard case .space(let index) = try item(name, place) else {
      throw ConfigError(.name, place, "\"\(name)\" is a named transform, and a color space is wanted")
    }
    return config.spaces[index]
  }

  /// Goes from a space to another. A named transform runs forward as the source and inverse as the target, and nothing
  /// else happens; data stay as they are.
  mutating func convert(
    _ source: String, to target: String, bypassesData: Bool = true, _ place: ConfigPlace
  ) throws(ConfigError) {
    let from = try item(source, place), to = try item(target, place)
    for item in [from, to] { try check(title(item), place) }
    if from == to { return }
    switch (from, to) {
    case (.space(let a), .space(let b)):
      let from = config.spaces[a], to = config.spaces[b]
      if bypassesData, from.isData || to.isData { return }
      try reference(from, isInverse: false, place)
      try cross(from.reference, to: to.reference, place)
      try reference(to, isInverse: true, place)
    default:
      if case .namedTransform(let index) = from { try follow(config.namedTransforms[index], isInverse: false, place) }
      if case .namedTransform(let index) = to { try follow(config.namedTransforms[index], isInverse: true, place) }
    }
  }

  private func title(_ item: ConfigItem) -> String {
    switch item {
    case .space(let index): config.spaces[index].place.owner
    case .namedTransform(let index): config.namedTransforms[index].place.owner
    }
  }

  /// Goes from a space to its reference, or back.
  mutating func reference(_ space: Config.Space, isInverse: Bool, _ place: ConfigPlace) throws(ConfigError) {
    try inside(space.place.owner, place) { resolver throws(ConfigError) in
      try resolver.follow(
        isInverse ? space.fromReference : space.toReference, else: isInverse ? space.toReference : space.fromReference)
    }
  }

  mutating func follow(
    _ named: Config.NamedTransform, isInverse: Bool, _ place: ConfigPlace
  ) throws(ConfigError) {
    try inside(named.place.owner, place) { resolver throws(ConfigError) in
      try resolver.follow(isInverse ? named.inverse : named.forward, else: isInverse ? named.forward : named.inverse)
    }
  }

  /// Follows a transform, or the inverse of its counterpart where there is none; nothing if there is neither.
  mutating func follow(_ transform: Transform?, else other: Transform?) throws(ConfigError) {
    if let transform {
      try follow(transform)
    } else if let other {
      try follow(other, isInverse: true)
    }
  }

  /// Goes from light of the scene to that of a display or back, by the default view transform.
  mutating func cross(
    _ from: Config.Reference, to: Config.Reference, _ place: ConfigPlace
  ) throws(ConfigError) {
    if from == to { return }
    let chosen = config.defaultViewTransform.flatMap { config.viewTransform($0) }
    guard let view = chosen ?? config.viewTransforms.first(where: { $0.reference == .scene }) else {
      throw ConfigError(.transform, place, "the config has no view transform between light of scenes and of displays")
    }
    try follow(view, isInverse: from == .display, place)
  }

  /// Goes from a view transform's reference to light of a display, or back.
  mutating func follow(
    _ view: Config.ViewTransform, isInverse: Bool, _ place: ConfigPlace
  ) throws(ConfigError) {
    try inside(view.place.owner, place) { resolver throws(ConfigError) in
      try resolver.follow(
        isInverse ? view.toReference : view.fromReference, else: isInverse ? view.fromReference : view.toReference)
    }
  }
}
