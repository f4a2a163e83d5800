import ArgumentParser
import BatchEngine
import HDRCore
import ImageFiles

/// Options of `render` that a recipe may set, by their names without dashes.
enum RecipeSettings {
  static let flags = ["map-dither", "strict", "allow-sdr-filter"]
  static let values = [
    "headroom", "dynamic-range", "display", "content-headroom", "hdr10", "tone-map", "tone-metadata", "lut",
    "lut-space", "lut-range",
    "lut-interpolation", "primaries", "gamut", "dither", "apple-map-transfer", "apple-partial-headroom", "quality",
    "chroma", "range", "png-effort", "base", "base-depth", "map-channels", "map-scale", "map-depth", "map-quality",
    "map-range", "map-headroom", "map-space", "map-offset", "map-gamma", "map-metadata", "edit-strategy",
  ]
  static let names = values + flags

  /// Options that exclude each other: a later one replaces the earlier ones.
  static let alternatives: [Set<String>] = [["headroom", "dynamic-range", "display"], ["content-headroom", "hdr10"]]

  /// The effective settings: those of `later` replace those of `earlier`.
  static func merged(_ earlier: [RecipeFile.Setting], _ later: [RecipeFile.Setting]) -> [RecipeFile.Setting] {
    earlier.filter { old in !later.contains { isSame(old.name, $0.name) } } + later
  }

  static func isSame(_ a: String, _ b: String) -> Bool {
    a == b || alternatives.contains { $0.contains(a) && $0.contains(b) }
  }
}

extension RecipeFile {
  /// The recipe of `--recipe`; `nil` without one.
  ///
  /// - Throws: `UsageError`.
  init?(_ arguments: EditArguments) throws(UsageError) {
    guard let name = arguments.recipe else { return nil }
    let path = FilePath(name), bytes: [UInt8]
    do {
      bytes = try SettingFiles.read(path, maxBytes: RecipeNode.maxBytes + 1)
    } catch {
      throw UsageError("--recipe \(path.display): \(FilePath.printable("\(error)"))")
    }
    try self.init(parsing: bytes, path: path, settings: RecipeSettings.names)
    for text in arguments.set { try set(text) }
  }

  /// An output's options as `render` parses them: the recipe's, then the output's, then those of the command line.
  ///
  /// - Throws: `UsageError` at the place of the setting that is wrong.
  func command(_ output: Output?, _ words: [String]) throws(UsageError) -> Render {
    let said = Set(words.filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2).prefix { $0 != "=" }) })
    let settings = RecipeSettings.merged(self.settings, output?.settings ?? [])
      .filter { setting in !said.contains { RecipeSettings.isSame($0, setting.name) } }
    var own: [String] = []
    for setting in settings {
      if RecipeSettings.flags.contains(setting.name) {
        switch setting.values {
        case ["true"]: own.append("--" + setting.name)
        case ["false"]: break
        default: throw setting.place.error("\(setting.name) is true or false")
        }
      } else {
        for value in setting.values {
          own.append(
            "--\(setting.name)=\(["lut", "tone-metadata"].contains(setting.name) ? beside(value).text ?? value : value)"
          )
        }
      }
    }
    do {
      return try Render.parse(own + words)
    } catch {
      let message = Render.message(for: error)
      let longest = settings.filter { message.contains("--" + $0.name) }.max { $0.name.count < $1.name.count }
      guard let place = longest?.place ?? output?.place else { throw UsageError(message) }
      throw place.error(message)
    }
  }
}
