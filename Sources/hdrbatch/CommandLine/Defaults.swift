import BatchEngine
import Glibc
import HDRPlan
import HDRRecipe
import HDRRender
import PlainData

/// A person's or machine's defaults for run settings: `HDRBATCH_JOBS=4`, or `jobs: 4` in `~/.config/hdrbatch.yaml`.
/// Recipe settings are not allowed: a recipe would mean something else on another machine.
enum Defaults {
  struct Value: Sendable {
    var setting: Setting
    var word: String
    /// The name of the variable, or the file with line and column.
    var source: String
  }

  /// The setting that protects from untrusted files; a value from elsewhere than the command line is reported.
  private static let isolation = "isolation"
  private static let rows = Settings.runGroups.flatMap(\.rows)

  /// The file in `XDG_CONFIG_HOME` or `~/.config`; `nil` if there is no home folder.
  private static var file: FilePath? {
    func folder(_ name: String) -> FilePath? {
      getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? FilePath($0) : nil }
    }
    return (folder("XDG_CONFIG_HOME") ?? folder("HOME")?.appending(".config"))?.appending("hdrbatch.yaml")
  }

  /// Returns all values, variables first: later values of a setting do not count.
  ///
  /// - Throws: `UsageError` with file, line and column for anything that is not a run setting.
  static func all() throws(UsageError) -> [Value] {
    var found: [Value] = []
    for row in rows {
      let name = "HDRBATCH_" + row.name.uppercased().replacing("-", with: "_")
      if let word = getenv(name).map({ String(cString: $0) }), !word.isEmpty {
        found.append(Value(setting: row, word: word, source: name))
      }
    }
    guard let file, fileStatus(file)?.isRegularFile == true else { return found }
    let bytes: [UInt8]
    do throws(FileFault) {
      let open = try InputFile(file, maxBytes: RecipeNode.maxBytes)
      if let reason = distrust(open) {
        Terminal.error.line("hdrbatch: warning: \(file.display) is not obeyed: \(reason)")
        return found
      }
      bytes = try readWholeFile(open)
    } catch {
      throw UsageError("\(file.display): \(errorText(error.number))")
    }
    for (key, value) in try RecipeNode(parsing: bytes, file: file.display).entries("it is a map of settings of runs") {
      guard let name = Nearest.match(key.text ?? "", among: rows.map(\.name)),
        let row = rows.first(where: { $0.name == name })
      else {
        throw key.place.error(
          "there is no setting of runs \"\(key.text ?? "")\"\(Nearest.hint(key.text ?? "", among: rows.map(\.name)))")
      }
      let place = value.place
      found.append(
        Value(
          setting: row, word: try value.word("\(name) is a word or a number"),
          source: "\(place.file):\(place.line):\(place.column)"))
    }
    return found
  }

  /// Returns the reason not to trust a settings file, by ssh's rule for its own files; `nil` if it is trusted.
  private static func distrust(_ file: InputFile) -> String? {
    guard let status = file.status else { return errorText(errno) }
    if status.st_uid != 0, status.st_uid != geteuid() { return "it belongs to another user (\(status.st_uid))" }
    return status.st_mode & S_IWOTH == 0 ? nil : "every user may write to it; chmod o-w makes it yours"
  }

  /// Gives a command the defaults of its settings that the command line does not set.
  ///
  /// - Throws: `UsageError` also for invalid values.
  static func add(to invocation: inout Invocation) throws(UsageError) {
    let rowsByName = Dictionary(invocation.command.rows.map { ($0.name, $0) }) { first, _ in first }
    let wanted = rows.contains { rowsByName[$0.name] != nil && rowsByName[$0.name]?.scope == .run }
    guard wanted else { return }
    for value in try all() {
      guard let row = rowsByName[value.setting.name], row.scope == .run, invocation.values.words[row.name] == nil,
        row.alternative == nil
          || !invocation.values.words.keys.contains(where: { rowsByName[$0]?.alternative == row.alternative })
      else { continue }
      do throws(SettingFault) {
        try invocation.values.set(row, [value.word])
      } catch {
        throw UsageError(printable("\(value.source): \(row.name) \(error.message)"))
      }
      invocation.defaults.append("--\(row.name)=\(value.word)")
      if row.name == isolation { Terminal.note("--isolation \(value.word) comes from \(value.source)") }
    }
  }
}
