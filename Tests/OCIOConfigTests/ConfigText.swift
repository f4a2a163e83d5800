import HDRCore
import OCIOConfig
import TestSupport

/// Tests make configs of texts.
extension Config {
  /// Reads a text.
  init(_ text: String, folder: String = "") throws(ConfigError) {
    try self.init(parsing: Array(text.utf8), file: "show.ocio", folder: folder)
  }

  /// Returns a config with two spaces and whatever else.
  static func small(
    version: String = "2.6", _ sections: String = "", spaces: String = "", transform: String? = nil
  ) throws(ConfigError) -> Config {
    let lin = transform.map { ", to_scene_reference: \($0)" } ?? ""
    return try Config(
      """
      ocio_profile_version: \(version)
      roles: {default: raw, scene_linear: lin}
      \(sections)
      colorspaces:
        - !<ColorSpace> {name: raw, isdata: true}
        - !<ColorSpace> {name: lin\(lin)}
      \(spaces)
      """)
  }

  /// Reads a file of the shared data.
  static func shared(_ path: String) throws -> Config {
    let url = SharedData.root.appendingPathComponent("data/ocio/" + path)
    return try Config(
      parsing: SharedData.bytes("data/ocio/" + path) ?? [], file: url.lastPathComponent,
      folder: url.deletingLastPathComponent().path)
  }
}

extension ConfigContext {
  /// A context in which every file is there.
  static let all = ConfigContext { _ in true }

  /// A context with some files.
  static func files(_ paths: String..., variables: [String: String] = [:]) -> ConfigContext {
    ConfigContext(variables: variables) { paths.contains($0) }
  }
}

extension [ConfigOperation] {
  /// The factor of operations that are multiplications alone.
  var factor: Double {
    reduce(1) { product, operation in
      guard case .matrix(let matrix, _) = operation.kind else { return .nan }
      return operation.isInverse ? product / matrix.rows[0] : product * matrix.rows[0]
    }
  }

  /// The paths of files, with `-` before those that are undone.
  var paths: [String] {
    compactMap { operation in
      guard case .file(let file) = operation.kind else { return nil }
      return (operation.isInverse ? "-" : "") + file.path
    }
  }
}

/// Returns a transform that multiplies.
func times(_ factor: Int) -> String {
  "!<MatrixTransform> {matrix: [\(factor), 0, 0, 0, 0, \(factor), 0, 0, 0, 0, \(factor), 0, 0, 0, 0, 1]}"
}
