import FileParts
import Glibc
import HDRCore
import OCIOConfig
import PlainData

/// A config and its LUT files in one file, as OpenColorIO makes them (`.ocioz`): a ZIP archive with `config.ocio`. What the
/// config names lies in the archive, and nowhere else.
struct ConfigArchive: Sendable {
  /// The largest archive.
  static let maxBytes = 64 << 20
  private static let configName = "config.ocio"

  /// The path of the archive, which its files are taken to lie below.
  let path: String
  private let archive: ZIPArchive
  /// The bytes of the config.
  let config: [UInt8]

  /// Reads an archive; `nil` for the text of a config.
  ///
  /// - Throws: `config.archive`.
  init?(_ bytes: [UInt8], path: String) throws(ConfigError) {
    guard ZIPArchive.recognizes(bytes) else { return nil }
    self.path = path
    do throws(DecodeError) {
      archive = try ZIPArchive(bytes)
      config = try archive.file(Self.configName) ?? []
    } catch {
      throw ConfigError(.archive, ConfigPlace(config: path), "\(error)")
    }
    guard archive.has(Self.configName) else {
      throw ConfigError(.archive, ConfigPlace(config: path), "the archive has no \(Self.configName)")
    }
  }

  /// True for a name of archives.
  static func isNamed(_ place: String) -> Bool { place.lowercased().hasSuffix(".ocioz") }

  func has(_ path: String) -> Bool { name(path).map { archive.has($0) } ?? false }

  /// Returns the bytes of a file below the archive's path.
  func bytes(_ path: FilePath) throws(FilterInputs.Fault) -> [UInt8] {
    do throws(DecodeError) {
      if let name = name(path.text ?? ""), let file = try archive.file(name) { return file }
    } catch {
      throw FilterInputs.Fault(path, error.message)
    }
    throw FilterInputs.Fault(path, "no such file in the archive")
  }

  private func name(_ path: String) -> String? {
    path.hasPrefix(self.path + "/") ? String(path.dropFirst(self.path.count + 1)) : nil
  }
}
