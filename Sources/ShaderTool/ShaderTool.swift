import Foundation
import GLSLCompiler
import SPIRV

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

  static func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  static func writeLibrary(shared: String, stages: String, to output: String) throws {
    let source = try Source(shared: shared, stages: stages)
    let compiled: [UInt32]
    do { compiled = try compileGLSL(source.text) } catch { throw ToolError(text: source.locating(error.log)) }
    let words = try pinningArithmetic(compiled)
    let findings = try lint(words)
    guard findings.isEmpty else {
      throw ToolError(text: findings.map { "error: \($0) (docs/exact-arithmetic.md#contract)" }.joined(separator: "\n"))
    }
    _ = try KernelLibrary(words)
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

/// The GLSL files of a folder as one text that keeps the file and line of each of its lines.
struct Source {
  private(set) var text = "#version 450\n"
  private var origins: [(path: String, line: Int)] = [("(tool)", 1)]

  init(shared: String, stages: String) throws {
    let first = shared + "/prelude.glsl", last = shared + "/main.glsl"
    let parts = try Self.files(shared).filter { $0 != first && $0 != last } + Self.files(stages)
    for path in [first] + parts + [last] {
      let content = try String(contentsOfFile: path, encoding: .utf8)
      var names = WordNames()
      for (index, line) in content.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        for made in names.lines(line) { add(made, from: (path, index + 1)) }
      }
      for end in names.ends { add(end, from: ("(tool)", 1)) }
    }
  }

  /// Returns the GLSL files in and below a folder, by name.
  private static func files(_ folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".glsl") }
      .map { folder + "/" + $0 }
      .sorted { $0.split(separator: "/").last! < $1.split(separator: "/").last! }
  }

  private mutating func add(_ line: String, from origin: (path: String, line: Int)) {
    text += line + "\n"
    origins.append(origin)
  }

  /// Replaces `0:LINE:` in the compiler's errors by file and line, as compilers print them.
  func locating(_ log: String) -> String {
    log.split(separator: "\n").map { line -> String in
      let parts = line.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
      guard parts.count == 4, let number = Int(parts[2].trimmingCharacters(in: .whitespaces)),
        origins.indices.contains(number - 1)
      else { return String(line) }
      let origin = origins[number - 1]
      return "\(origin.path):\(origin.line): \(parts[0].lowercased()):\(parts[3])"
    }.joined(separator: "\n")
  }
}
