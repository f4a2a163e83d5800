/// Finds the files that transforms name.
struct FileSearch {
  let config: Config
  let context: ConfigContext
  let variables: Variables

  init(_ config: Config, _ context: ConfigContext) {
    (self.config, self.context, variables) = (config, context, Variables(config, context))
  }

  /// Returns the path of a file: an absolute one as it is, others below each search path and then the config's folder.
  ///
  /// - Throws: `config.file` if there is none, or if the path leads upwards (`..`); `config.variable`.
  func path(_ source: String, _ place: ConfigPlace) throws(ConfigError) -> String {
    let path = try variables.resolved(source, place)
    guard !path.isEmpty, !path.utf8.contains(0) else { throw ConfigError(.file, place, "the file has no name") }
    guard !path.split(separator: "/").contains("..") else {
      throw ConfigError(.file, place, "the file \"\(path)\" leads upwards: name its folder in search_path")
    }
    if path.hasPrefix("/") {
      guard context.exists(path) else { throw ConfigError(.file, place, "there is no file \"\(path)\"") }
      return path
    }
    var unset: ConfigError?
    for folder in config.searchPath + ["."] {
      do throws(ConfigError) {
        let candidate = joined(joined(config.folder, try variables.resolved(folder, place)), path)
        if context.exists(candidate) { return candidate }
      } catch {
        unset = unset ?? error
      }
    }
    if let unset { throw unset }
    let folders = config.searchPath.isEmpty ? "the config's folder" : "any folder of search_path"
    throw ConfigError(.file, place, "the file \"\(path)\" is not in \(folders)")
  }

  /// Returns a path below a folder, without parts that say nothing; an absolute path as it is.
  private func joined(_ folder: String, _ path: String) -> String {
    let parts = path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    if path.hasPrefix("/") { return "/" + parts }
    if parts.isEmpty { return folder }
    return folder.isEmpty ? parts : folder.hasSuffix("/") ? folder + parts : folder + "/" + parts
  }
}
