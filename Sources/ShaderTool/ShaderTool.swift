import Foundation

/// `ShaderTool library SHARED STAGES OUTPUT`: compiles the GLSL files of both folders into one library module, pins its
/// arithmetic, lints it and writes it, as Swift or, for spirv-dis and spirv-val, as OUTPUT.spv.
///
/// Files are joined in this order: prelude, other shared files by name, stages and sinks by name, main.
///
/// `ShaderTool kinds LIST OUTPUT.swift` writes `StageKind`, and `ShaderTool loops LIST OUTPUT.swift` the list of loops for
/// an executor on the CPU, of `Sources/Kernels/Stages.list`.
@main struct ShaderTool {
  static func main() {
    do {
      let words = Array(CommandLine.arguments.dropFirst())
      switch (words.first, words.count) {
      case ("library", 4): try writeLibrary(shared: words[1], stages: words[2], to: words[3])
      case ("kinds", 3): try write(StageList(path: words[1]).kinds, to: words[2])
      case ("loops", 3): try write(StageList(path: words[1]).loops, to: words[2])
      default:
        throw ToolError(text: "usage: ShaderTool library SHARED STAGES OUTPUT | kinds LIST OUTPUT | loops LIST OUTPUT")
      }
    } catch let error as ToolError {
      FileHandle.standardError.write(Data((error.text + "\n").utf8))
      exit(1)
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
  }

  /// Writes a file unless it has the text: SwiftPM links this tool twice, runs it again in the second build, and compiles
  /// what it touched and all above.
  static func write(_ text: String, to path: String) throws {
    let file = URL(fileURLWithPath: path), made = Data(text.utf8)
    guard (try? Data(contentsOf: file)) != made else { return }
    try made.write(to: file)
  }

  static func writeLibrary(shared: String, stages: String, to output: String) throws {
    let words = try LibrarySource(LibrarySource.paths(shared: shared, stages: stages)).library()
    let bytes = words.withUnsafeBytes { Data($0) }
    if output.hasSuffix(".spv") { return try bytes.write(to: URL(fileURLWithPath: output)) }
    try write(swift(bytes), to: output)
  }

  /// Returns Swift source with the words as a base64 literal, which compiles fifteen times as fast as an array literal.
  static func swift(_ bytes: Data) -> String {
    """
    // Made by ShaderTool from Sources/Shaders/glsl and Sources/Kernels.
    let shaderLibraryBase64: StaticString = "\(bytes.base64EncodedString())"

    """
  }
}

struct ToolError: Error {
  var text: String
}
