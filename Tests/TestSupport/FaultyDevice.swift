import Foundation
import Testing

/// Vulkan devices that fail in the programs that tests start (Tests/CFaultLayer).
package enum FaultyDevice {
  /// The environment of a program.
  ///
  /// - Parameters:
  ///   - fault: of CFaultLayer.h; empty: none.
  ///   - more: other variables of it.
  package static func environment(
    _ fault: String, _ more: [String: String] = [:], in folder: TemporaryFolder
  ) throws -> [String: String] {
    if fault.isEmpty { return [:] }
    let library = try #require(Program.beside("libFaultLayer.so"), "the layer is not built beside the tests")
    let name = "VK_LAYER_HDRBATCH_fault"
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
          "description": "devices that fail"
        }
      }
      """
    try folder.file("layers/fault.json", manifest)
    let own = ["VK_ADD_LAYER_PATH": folder.path("layers"), "VK_INSTANCE_LAYERS": name, "FAULTY_DEVICE": fault]
    return own.merging(more) { $1 }
  }
}
