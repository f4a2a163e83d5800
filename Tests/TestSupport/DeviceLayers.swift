import Foundation
import Testing

/// Vulkan devices that fail in the programs that tests start (Tests/CDeviceLayers).
package enum FaultyDevice {
  /// The environment of a program.
  ///
  /// - Parameter fault: of CDeviceLayers.h; empty: none.
  package static func environment(_ fault: String, in folder: TemporaryFolder) throws -> [String: String] {
    fault.isEmpty ? [:] : try layer("fault", in: folder).merging(["FAULTY_DEVICE": fault]) { $1 }
  }
}

/// A graphics card that lavapipe emulates, in the programs that tests start and in processes of tests
/// (Tests/CDeviceLayers).
package enum EmulatedCard {
  /// The environment of a program.
  ///
  /// - Parameter card: of CDeviceLayers.h.
  package static func environment(_ card: String, in folder: TemporaryFolder) throws -> [String: String] {
    try layer("card", in: folder).merging(["EMULATED_CARD": card]) { $1 }
  }

  /// Does something in a process that has the card: a test's own (`processExitsWith`), which asked for no device yet. What
  /// it throws ends that process with SIGILL.
  package static func use(_ card: String, _ body: () throws -> Void) throws {
    let folder = try TemporaryFolder()
    for (name, value) in try environment(card, in: folder) { setenv(name, value, 1) }
    // Each instance reads the manifest.
    try withExtendedLifetime(folder, body)
  }

  /// The counts that the card prints when the process ends, by their names.
  package static func counts(_ errors: String) -> [String: Int] {
    let line = errors.split(separator: "\n").last { $0.hasPrefix("emulated card: ") } ?? ""
    return line.split(separator: " ").reduce(into: [:]) { counts, word in
      let parts = word.split(separator: "=")
      if parts.count == 2 { counts[String(parts[0])] = Int(parts[1]) }
    }
  }
}

/// Writes the manifest of a layer, and returns the environment that lets the loader use it.
private func layer(_ kind: String, in folder: TemporaryFolder) throws -> [String: String] {
  let library = try #require(Program.beside("libDeviceLayers.so"), "the layers are not built beside the tests")
  let name = "VK_LAYER_HDRBATCH_\(kind)"
  // The version comes first: the loader counts the nodes after it.
  let manifest = """
    {
      "file_format_version": "1.2.0",
      "layer": {
        "name": "\(name)",
        "type": "GLOBAL",
        "library_path": "\(library.path)",
        "api_version": "1.2.0",
        "implementation_version": "1",
        "description": "devices of tests",
        "functions": { "vkNegotiateLoaderLayerInterfaceVersion": "hdrbatch_\(kind)_layer" }
      }
    }
    """
  try folder.file("layers/\(kind).json", manifest)
  return ["VK_ADD_LAYER_PATH": folder.path("layers"), "VK_INSTANCE_LAYERS": name]
}
