import Foundation
import GLSLCompiler
import SPIRV

/// `ShaderTool GLSL_FOLDER OUTPUT.swift`: compiles the folder into one library module, pins its arithmetic, lints it
/// and writes it as Swift. `ShaderTool GLSL_FOLDER OUTPUT.spv` writes the words themselves, for spirv-dis and
/// spirv-val.
///
/// Files are joined in this order: shared/prelude, other shared files by name, stages and sinks by name, shared/main.
@main struct ShaderTool {
  static func main() {
    do {
      guard CommandLine.arguments.count == 3 else { throw ToolError(text: "usage: ShaderTool GLSL_FOLDER OUTPUT") }
      try run(folder: CommandLine.arguments[1], output: CommandLine.arguments[2])
    } catch let error as ToolError {
      FileHandle.standardError.write(Data((error.text + "\n").utf8))
      exit(1)
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
  }

  static func run(folder: String, output: String) throws {
    let source = try Source(folder: folder)
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
    try Data(swift(bytes).utf8).write(to: URL(fileURLWithPath: output))
  }

  /// Returns Swift source with the words as a base64 literal, which compiles fifteen times as fast as an array literal.
  static func swift(_ bytes: Data) -> String {
    """
    // Made by ShaderTool from Sources/Shaders/glsl.
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

  init(folder: String) throws {
    let all = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".glsl") }.sorted()
    let first = "shared/prelude.glsl", last = "shared/main.glsl"
    let shared = all.filter { $0.hasPrefix("shared/") && $0 != first && $0 != last }
    let stages = all.filter { !$0.hasPrefix("shared/") }
    for path in [first] + shared + stages + [last] {
      let content = try String(contentsOfFile: folder + "/" + path, encoding: .utf8)
      var names = WordNames()
      for (index, line) in content.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        for made in names.lines(line) { add(made, from: (folder + "/" + path, index + 1)) }
      }
      for end in names.ends { add(end, from: ("(tool)", 1)) }
    }
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
