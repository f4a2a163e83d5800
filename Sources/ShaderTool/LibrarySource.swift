import Foundation
import GLSLCompiler
import SPIRV

/// The GLSL files of a library as one text that keeps the file and line of each of its lines.
package struct LibrarySource {
  private var text = "#version 450\n"
  private var origins: [(path: String, line: Int)] = [("(tool)", 1)]

  /// Joins files.
  ///
  /// - Parameters:
  ///   - paths: the files in their order (`paths(shared:stages:)`), perhaps without stages and sinks that are not needed.
  ///   - content: returns what a file holds.
  package init(
    _ paths: [String], content: (String) throws -> String = { try String(contentsOfFile: $0, encoding: .utf8) }
  ) throws {
    for path in paths {
      var names = WordNames()
      for (index, line) in try content(path).split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        for made in names.lines(line) { add(made, from: (path, index + 1)) }
      }
      for end in names.ends { add(end, from: ("(tool)", 1)) }
    }
  }

  /// Returns the GLSL files in and below two folders in the order of a library: prelude, other shared files by name,
  /// stages and sinks by name, main.
  package static func paths(shared: String, stages: String) throws -> [String] {
    let first = shared + "/prelude.glsl", last = shared + "/main.glsl"
    return try [first] + files(shared).filter { $0 != first && $0 != last } + files(stages) + [last]
  }

  /// Compiles the text into a library module, pins its arithmetic and lints it.
  ///
  /// - Throws: an error with the compiler's lines or what the lint finds, or `SPIRVError`.
  package func library() throws -> [UInt32] {
    let compiled: [UInt32]
    do { compiled = try compileGLSL(text) } catch { throw ToolError(text: locating(error.log)) }
    let words = try pinningArithmetic(compiled)
    let findings = try lint(words)
    guard findings.isEmpty else {
      throw ToolError(text: findings.map { "error: \($0) (docs/exact-arithmetic.md#contract)" }.joined(separator: "\n"))
    }
    _ = try KernelLibrary(words)
    return words
  }

  /// Returns the GLSL files in and below a folder, by name.
  private static func files(_ folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".glsl") }
      .map { (path: folder + "/" + $0, name: String($0.split(separator: "/").last ?? "")) }
      .sorted { $0.name < $1.name }.map(\.path)
  }

  private mutating func add(_ line: String, from origin: (path: String, line: Int)) {
    text += line + "\n"
    origins.append(origin)
  }

  /// Replaces `0:LINE:` in the compiler's errors by file and line, as compilers print them.
  private func locating(_ log: String) -> String {
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
