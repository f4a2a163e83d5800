import BatchEngine
import HDRRecipe
import HDRRender
import PlainData

/// Options for the manifest and the current place of its folders.
struct ManifestOptions: SettingGroup {
  var title: String { "Manifest" }

  let manifest = SettingKey("manifest", .text("file.jsonl"), "What hdrbatch plan wrote.")
  let out = SettingKey("out", .text("folder"), assumed: "the manifest's", "Output folder.")
  let folder = SettingKey(
    "folder", .text("folder"), assumed: "where it was planned", "Counts the manifest's relative paths from here.")
}

extension ManifestOptions {
  static let all = ManifestOptions()

  /// Reads the manifest; throws `UsageError`.
  static func read(_ invocation: Invocation) throws(UsageError) -> Manifest {
    let path = FilePath(try invocation.need(all.manifest)), bytes: [UInt8]
    do {
      bytes = try readFile(path, maxBytes: 4 << 30)
    } catch {
      throw UsageError("--manifest \(path.display): \(printable("\(error)"))")
    }
    return try Manifest(parsing: bytes, name: path.display)
  }

  /// Changes the working folder to the manifest's.
  ///
  /// - Returns: the output folder, relative to it or absolute.
  /// - Throws: `UsageError`.
  static func enter(_ invocation: Invocation, _ manifest: Manifest) throws(UsageError) -> FilePath {
    let own = invocation[all.out].map { FilePath($0).absolute }
    let folder = invocation[all.folder].map { FilePath($0) } ?? manifest.folder
    guard changeFolder(to: folder) else {
      throw UsageError(
        "\(folder.display), where the manifest was planned, is not here; say --folder for where its relative paths begin"
      )
    }
    return own ?? manifest.out
  }
}
