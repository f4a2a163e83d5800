/// The operations of a view, in two parts: a consumer that encodes the display's light itself takes the first alone.
package struct ViewOperations: Sendable, Hashable {
  /// From the source's space to light of a display, CIE XYZ D65, 1.0 = 100 cd/m²; to light of the scene for a view
  /// whose space is one of scenes; to the result itself for data and for a view that is a named transform.
  package var light: [ConfigOperation]
  /// From that light to codes of the view's space.
  package var codes: [ConfigOperation]
  /// The kind of light between both.
  package var reference: Config.Reference
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
  /// - Throws: `ConfigError` with a line: `config.yaml`, `config.version`, `config.value`, `config.name`, `config.rules`.
  package init(parsing bytes: [UInt8], file: String, folder: String) throws(ConfigError) { fatalError() }

  /// Returns a built-in config by one of its names (`builtin:studio`, `ocio://cg-config-latest`, …); `nil` for other
  /// names.
  package static func builtIn(_ name: String) throws(ConfigError) -> Config? { fatalError() }

  /// The names of active displays in their order.
  package var displayNames: [String] { fatalError() }
  /// Returns the names of a display's active views in their order.
  package func viewNames(display: String) -> [String] { fatalError() }
  /// The names of spaces that are not hidden, in their order.
  package var spaceNames: [String] { fatalError() }
  package var lookNames: [String] { fatalError() }

  /// Returns a space by its name, an alias, a role or an interop ID; upper and lower case are the same.
  package func space(_ name: String) -> Space? { fatalError() }
  /// Returns a display's view; `nil` if there is none.
  package func view(_ view: String, display: String) -> View? { fatalError() }

  /// Returns what the file rules say about a path.
  package func space(forFile path: String) -> FileRuleMatch { fatalError() }

  /// Returns the operations from one space to another; either can be a named transform.
  ///
  /// - Throws: `ConfigError`: `config.name` with the nearest names, and what the transforms throw that are used.
  package func operations(
    from source: String, to target: String, _ context: ConfigContext
  ) throws(ConfigError) -> [ConfigOperation] { fatalError() }

  /// Returns the operations from a space to light of the scene or of displays.
  package func operations(
    from source: String, to reference: Reference, _ context: ConfigContext
  ) throws(ConfigError) -> [ConfigOperation] { fatalError() }

  /// Returns the operations from light of the scene or of displays to a space.
  package func operations(
    from reference: Reference, to target: String, _ context: ConfigContext
  ) throws(ConfigError) -> [ConfigOperation] { fatalError() }

  /// Returns the operations of a view.
  ///
  /// - Parameters:
  ///   - looks: instead of the view's own, as `a, +b, -c | d`; `""` for none, `nil` for the view's.
  package func operations(
    display: String, view: String, from source: String, looks: String? = nil, _ context: ConfigContext
  ) throws(ConfigError) -> ViewOperations { fatalError() }

  /// Returns the operations of looks, from one space to another.
  package func operations(
    looks: String, from source: String, to target: String, _ context: ConfigContext
  ) throws(ConfigError) -> [ConfigOperation] { fatalError() }
}
