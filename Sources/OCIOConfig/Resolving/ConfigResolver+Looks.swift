extension ConfigResolver {
  /// Applies looks from a space to another: each in its process space.
  mutating func apply(
    _ list: LookList, from source: String, to target: String, converts: Bool, _ place: ConfigPlace
  ) throws(ConfigError) {
    let last = try apply(list, from: source, converts: converts, place)
    if converts { try convert(last, to: target, place) }
  }

  /// Applies looks, and returns the space in which they end. The first list of looks is taken whose files are all there.
  mutating func apply(
    _ list: LookList, from source: String, converts: Bool = true, _ place: ConfigPlace
  ) throws(ConfigError) -> String {
    for (index, option) in list.options.enumerated() {
      let before = self
      do throws(ConfigError) {
        return try apply(option, from: source, converts: converts, place)
      } catch {
        guard error.code == .file, index < list.options.count - 1 else { throw error }
        goBack(to: before)
      }
    }
    return source
  }

  private mutating func apply(
    _ looks: [LookList.Item], from source: String, converts: Bool, _ place: ConfigPlace
  ) throws(ConfigError) -> String {
    var space = source
    for item in looks {
      guard let look = config.look(item.name) else {
        throw ConfigError(
          .name, place, "there is no look \"\(item.name)\"\(hint(item.name, among: config.lookNames))")
      }
      if converts {
        try convert(space, to: look.processSpace, place)
        space = look.processSpace
      }
      try inside(look.place.owner, place) { resolver throws(ConfigError) in
        try resolver.follow(
          item.isInverse ? look.inverse : look.forward, else: item.isInverse ? look.forward : look.inverse)
      }
    }
    return space
  }
}
