import CBuiltinConfigs
import PlainData

/// Built-in configs are those of OpenColorIO that the program carries.
package struct BuiltinConfig: Sendable, Hashable {
  /// The name as OpenColorIO has it, with its versions.
  package let name: String
  /// The file, for its digest.
  package let bytes: [UInt8]

  /// The names of all, in their order.
  package static let names = rows.map { String(cString: $0.name) }

  /// Aliases stand for the newest configs.
  package static let aliases: [(alias: String, name: String)] = [
    ("ocio://default", newest("cg")), ("ocio://cg-config-latest", newest("cg")),
    ("ocio://studio-config-latest", newest("studio")), ("builtin:cg", newest("cg")),
    ("builtin:studio", newest("studio")),
  ]

  /// Returns a config by an alias, or by its name behind `ocio://` or `builtin:`; `nil` for what begins with neither: the
  /// path of a file.
  ///
  /// - Throws: `config.name` if there is none of that name.
  package init?(_ text: String) throws(ConfigError) {
    guard let scheme = ["ocio://", "builtin:"].first(where: { text.hasPrefix($0) }) else { return nil }
    let wanted = Self.aliases.first { sameName($0.alias, text) }?.name ?? String(text.dropFirst(scheme.utf8.count))
    guard let index = Self.names.firstIndex(where: { sameName($0, wanted) }) else {
      let names = Self.aliases.map(\.alias) + Self.names.map { "ocio://" + $0 }
      throw ConfigError(
        .name, ConfigPlace(config: text),
        "there is no such built-in config; there are \(names.joined(separator: ", "))")
    }
    let row = Self.rows[index]
    (name, bytes) = (Self.names[index], Array(UnsafeBufferPointer(start: row.bytes, count: row.count)))
  }

  /// Returns the last config of a kind.
  private static func newest(_ kind: String) -> String { names.last { $0.hasPrefix(kind) } ?? kind }

  private static var rows: [hdr_builtin_config] {
    var rows: [hdr_builtin_config] = []
    while let row = hdr_builtin_config(Int32(rows.count)) { rows.append(row.pointee) }
    return rows
  }
}

extension Config {
  /// Returns a built-in config by one of its names (`builtin:studio`, `ocio://cg-config-latest`, …); `nil` for the path
  /// of a file.
  ///
  /// - Throws: `config.name` if there is none of that name.
  package static func builtIn(_ name: String) throws(ConfigError) -> Config? {
    guard let config = try BuiltinConfig(name) else { return nil }
    return try Config(parsing: config.bytes, file: config.name, folder: "")
  }
}
