import CodecService
import Glibc
import HDRCore
import HDRPlan
import HDRRecipe
import ImageFiles
import OCIOConfig
import PlainData

/// A config with the LUT files that it leads to, each read once for a batch.
final class ConfigAtUse {
  /// The largest file of a config.
  static let maxBytes = 4 << 20
  /// The largest LUT file.
  private static let maxLUTBytes = 64 << 20

  let config: Config
  let bridge: ConfigBridge
  /// The facts about the config itself.
  let facts: ConfigFacts
  private var files: [ConfigFile: (LUTChain, Digest)] = [:]
  private let variables: [String: String]
  /// The archive that the config came from; `nil`: its files lie in folders.
  private let archive: ConfigArchive?

  /// Reads a config by its path, alone or in an archive, or a built-in one by its name.
  ///
  /// - Throws: `HDRError` with the codes of `ConfigError`.
  init(_ place: String, variables: [String: String]) throws(HDRError) {
    self.variables = variables
    let digest: Digest
    do throws(ConfigError) {
      if let builtIn = try BuiltinConfig(place) {
        config = try Config(parsing: builtIn.bytes, file: builtIn.name, folder: "")
        (archive, digest) = (nil, Digest(of: builtIn.bytes))
      } else {
        let path = FilePath(place), bytes = try Self.bytes(path)
        archive = try ConfigArchive(bytes, path: path.text ?? path.display)
        config = try Config(
          parsing: archive?.config ?? bytes, file: path.display, folder: archive?.path ?? Self.folder(of: path))
        digest = Digest(of: bytes)
      }
    } catch {
      throw HDRError(error)
    }
    guard let bridge = ConfigBridge(config) else {
      throw HDRError(code: "config.name", message: "\(printable(config.source)): it has no space of a scene")
    }
    self.bridge = bridge
    facts = ConfigFacts(place: place, name: config.name, digest: digest)
  }

  private static func folder(of path: FilePath) -> String {
    let parent = path.parent
    return parent == FilePath(".") ? "" : parent.text ?? parent.display
  }

  private static func bytes(_ path: FilePath) throws(ConfigError) -> [UInt8] {
    let maxBytes = ConfigArchive.isNamed(path.display) ? ConfigArchive.maxBytes : maxBytes
    do throws(FileFault) {
      return try readWholeFile(path, maxBytes: maxBytes)
    } catch {
      let message =
        error.number == ENOENT ? "no such file" : HDRError(reading: error, limit: maxBytes).message.text(dashes: true)
      throw ConfigError(.file, ConfigPlace(config: path.display), message)
    }
  }

  /// The warnings about the config.
  var warnings: [Warning] { config.warnings }

  var context: ConfigContext {
    ConfigContext(variables: variables, environment: Environment.all) { [archive] path in
      archive?.has(path) ?? (fileStatus(FilePath(path))?.isRegularFile == true)
    }
  }

  /// Asks the config for operations and makes a chain of them, which stages can do.
  ///
  /// - Throws: `HDRError` with the place in the config.
  func chain(
    _ ask: (Config, ConfigContext) throws(ConfigError) -> [ConfigOperation]
  ) throws(HDRError) -> ConfigChain {
    do throws(ConfigError) {
      return try chain(of: try ask(config, context))
    } catch {
      throw HDRError(error)
    }
  }

  /// Makes a chain of operations and of the files that they name.
  func chain(of operations: [ConfigOperation]) throws(ConfigError) -> ConfigChain {
    var use = ConfigUse(), files: [ConfigFile: LUTChain] = [:]
    for operation in operations {
      switch operation.kind {
      case .file(let file):
        let (lut, digest) = try read(file, operation.place)
        files[file] = lut
        use.add(ConfigUse(luts: [ConfigUse.LUT(path: file.path, digest: digest)]))
      case .builtin(let style): use.add(ConfigUse(styles: [style.name]))
      default: break
      }
    }
    let chain = try LUTChain(operations) { (file) throws(LUTError) in files[file] ?? LUTChain([]) }
    return ConfigChain(chain: chain.folded(), use: use)
  }

  private func read(_ file: ConfigFile, _ place: ConfigPlace) throws(ConfigError) -> (LUTChain, Digest) {
    if let known = files[file] { return known }
    guard let format = LUTFormat(name: file.path) else {
      throw ConfigError(
        .file, place, "\(file.path) is no LUT file by its name; those end in \(LUTFormat.endings)")
    }
    do throws(FilterInputs.Fault) {
      let reader = archive.map { LUTFileReader($0.bytes) } ?? LUTFileReader(maxBytes: Self.maxLUTBytes)
      let read = try reader.read(
        FilePath(file.path), as: LUTPlace(path: file.path, id: file.correction, format: format))
      files[file] = read
      return read
    } catch {
      throw ConfigError(.file, place, error.message.text(dashes: true))
    }
  }
}

extension HDRError {
  /// Makes the error of a config: place, reason and code.
  init(_ error: ConfigError) {
    let owner = error.place.owner.isEmpty ? "" : " in \(error.place.owner)"
    self.init(
      code: error.code.rawValue, message: "\(printable(error.place.text))\(printable(owner)): \(error.reason)")
  }
}
