/// Settings for configs of OpenColorIO, which give names to spaces, views and looks.
package struct ConfigSettings: SettingGroup {
  package var title: String { "OpenColorIO" }
  package var scope: Setting.Scope { .recipe }

  package let ocio = SettingKey(
    "ocio", .config, assumed: "$OCIO, else builtin:studio",
    on: "pq-* hlg-* sdr-* linear-* *dpx* exr hdr pfm rgba16f adaptive-*",
    because: "the file is kept as it is",
    """
    The config whose names --from-space, --to-space, --view and --look take: a file (.ocio, .ocioz), builtin:studio, builtin:cg, or a \
    built-in one by its name, as ocio://studio-config-latest. Its file rules say what OpenEXR files are that state \
    nothing. $OCIO counts where one of these options is given.
    """)
  package let display = SettingKey(
    "ocio-display", .text("display"), assumed: "the first that has the view and fits the output",
    on: "pq-* hlg-* sdr-* linear-* *dpx* exr hdr pfm rgba16f adaptive-*", because: "the file is kept as it is",
    rare: true,
    "The display of a config whose view --view is; of adaptive-* files that of the HDR view.")
  package let look = SettingKey(
    "look", .looks, assumed: "those of the view", on: "pq-* hlg-* sdr-* linear-* *dpx* exr hdr pfm rgba16f adaptive-*",
    because: "the file is kept as it is",
    """
    Looks of a config, before the view in the place of its own: NAME, or several as \"a, -b | c\", where - undoes a look \
    and | stands before what is taken when a file is missing. \"\" takes none.
    """)
  package let context = SettingKey(
    "context", listOf: .variable, on: "pq-* hlg-* sdr-* linear-* *dpx* exr hdr pfm rgba16f adaptive-*",
    because: "the file is kept as it is", rare: true,
    "A variable of a config, as SHOT=sh010; it goes before the environment and the config's own value.")
}

/// A variable that a config's paths and names have inside.
package struct ConfigVariable: Sendable, Hashable {
  package var name: String
  package var value: String
}

extension SettingType where Value == ConfigVariable {
  static var variable: SettingType {
    SettingType("var=value") { text throws(SettingFault) in
      let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let isName = sides[0].utf8.allSatisfy { byte in
        let character = Character(UnicodeScalar(byte))
        return character.isASCII && (character.isLetter || character.isNumber || character == "_")
      }
      guard sides.count == 2, !sides[0].isEmpty, isName else { throw SettingFault("is VAR=VALUE, not \(text)") }
      return ConfigVariable(name: sides[0], value: sides[1])
    } text: {
      "\($0.name)=\($0.value)"
    }
  }
}

extension SettingType where Value == String {
  /// The type of a config's place: a path, or a built-in config's name, which is no path.
  static var config: SettingType { path("config") }

  /// The type of looks, which may be none.
  static var looks: SettingType {
    SettingType("looks") { text throws(SettingFault) in
      text
    } text: {
      $0
    }
  }
}

/// The place of a config.
package enum ConfigName {
  /// Returns true for the name of a built-in config; other texts are paths.
  package static func isBuiltIn(_ text: String) -> Bool { text.hasPrefix("builtin:") || text.hasPrefix("ocio://") }
}

extension SettingValues {
  /// True if names are those of a config: one is given, or a setting that only configs have, or a view that no list has.
  package var usesConfig: Bool {
    let own = Settings.config, views = Settings.views
    if has(own.ocio) || has(own.display) || has(own.look) || has(own.context) { return true }
    return [self[views.view], self[views.hdrView]].contains { $0.map { $0.known == nil } ?? false }
  }

  /// True if a setting is given whose names a config may have.
  package var namesAreOfConfig: Bool {
    words.keys.contains(where: Self.isNamed)
  }

  /// Returns true for a setting whose values are names that a config may have.
  package static func isNamed(_ setting: String) -> Bool {
    let named: [any SettingRow] = [
      Settings.reading.fromSpace, Settings.color.toSpace, Settings.views.view, Settings.views.hdrView,
    ]
    return named.contains { $0.setting.name == setting }
  }
}
