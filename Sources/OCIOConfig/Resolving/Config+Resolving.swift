/// The operations of a view have two parts: a consumer that encodes the display's light itself takes the first alone.
package struct ViewOperations: Sendable, Hashable {
  /// From the source's space to light of a display, CIE XYZ D65, 1.0 = 100 cd/m²; to light of the scene for a view
  /// whose space is one of scenes. Unless there is light, to the result itself.
  package var light: [ConfigOperation] = []
  /// From that light to codes of the view's space.
  package var codes: [ConfigOperation] = []
  /// False if `light` ends at the result: for data, for a view that is a named transform, for a source that is in the
  /// view's space.
  package var hasLight = false
  /// The kind of light between both.
  package var reference = Config.Reference.scene
  /// The name of the space of the result; of the named transform if the view is one.
  package var space: String
  /// All of it, in order.
  package var all: [ConfigOperation] { light + codes }
}

extension Config {
  /// Reads a config.
  ///
  /// - Parameters:
  ///   - file: its name in messages.
  ///   - folder: the folder that relative paths start from.
  /// - Throws: `ConfigError` with a line: `config.yaml`, `config.archive`, `config.version`, `config.value`,
  ///   `config.name`, `config.rules`. Transforms that cannot be done are errors when they are used.
  package init(parsing bytes: [UInt8], file: String, folder: String) throws(ConfigError) {
    self = try ConfigReader.read(bytes, file: file, folder: folder)
  }

  /// Returns the operations from one space to another; either can be a named transform.
  ///
  /// - Throws: `ConfigError`: `config.name` with the nearest name, and what the transforms throw that are used.
  package func operations(
    from source: String, to target: String, _ context: ConfigContext
  ) throws(ConfigError) -> [ConfigOperation] {
    try resolved(context) { resolver, place throws(ConfigError) in
      try resolver.convert(source, to: target, place)
    }
  }

  /// Returns the operations from a space to light of the scene or of displays; none for data.
  package func operations(
    from source: String, to reference: Reference, _ context: ConfigContext
  ) throws(ConfigError) -> [ConfigOperation] {
    try resolved(context) { resolver, place throws(ConfigError) in
      let space = try resolver.space(source, place)
      if space.isData { return }
      try resolver.reference(space, isInverse: false, place)
      try resolver.cross(space.reference, to: reference, place)
    }
  }

  /// Returns the operations from light of the scene or of displays to a space; none for data.
  package func operations(
    from reference: Reference, to target: String, _ context: ConfigContext
  ) throws(ConfigError) -> [ConfigOperation] {
    try resolved(context) { resolver, place throws(ConfigError) in
      let space = try resolver.space(target, place)
      if space.isData { return }
      try resolver.cross(reference, to: space.reference, place)
      try resolver.reference(space, isInverse: true, place)
    }
  }

  /// Returns the operations of a view.
  ///
  /// - Parameters:
  ///   - looks: instead of the view's own, as `a, +b, -c | d`; `""` for none, `nil` for the view's.
  /// - Throws: as conversions do.
  package func operations(
    display: String, view: String, from source: String, looks: String? = nil, _ context: ConfigContext
  ) throws(ConfigError) -> ViewOperations {
    var resolver = ConfigResolver(self, context)
    return try resolver.show(
      ViewRequest(
        display: display, view: view, source: source, looks: looks, place: ConfigPlace(config: self.source)))
  }

  /// Returns the operations of looks, from one space to another.
  package func operations(
    looks: String, from source: String, to target: String, _ context: ConfigContext
  ) throws(ConfigError) -> [ConfigOperation] {
    try resolved(context) { resolver, place throws(ConfigError) in
      let text = try resolver.files.variables.resolved(looks, place)
      try resolver.apply(LookList(text), from: source, to: target, converts: true, place)
    }
  }

  private func resolved(
    _ context: ConfigContext, _ body: (inout ConfigResolver, ConfigPlace) throws(ConfigError) -> Void
  ) throws(ConfigError) -> [ConfigOperation] {
    var resolver = ConfigResolver(self, context)
    try body(&resolver, ConfigPlace(config: source))
    return resolver.operations
  }
}
