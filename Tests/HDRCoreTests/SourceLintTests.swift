import Foundation
import TestSupport
import Testing

/// Checks the kernels' sources for all that the bit-exact contract forbids (docs/exact-arithmetic.md#contract).
///
/// Lane code in Kernels is what is marked `@inlinable`: those bodies are compiled into both builds of the CPU
/// executor and have a twin in GLSL. Everything else there is set-up in Double, run once a plan on the CPU alone. A
/// function that takes a strip or binary32 values and lacks the mark is a finding, so lane code cannot hide.
@Suite struct SourceLintTests {
  @Test func lanesUseOnlyExactArithmetic() throws {
    // A user's kernel is run by a class that others inherit from.
    let files = try SourceTree.allFiles("Sources/Kernels", extension: "swift").filter { $0.stem != "KernelProgram" }
    #expect(files.count >= 80)
    var bodies = 0, integerDivisions: Set<String> = []
    for file in files {
      let code = SourceLint.withoutComments(file.text)
      for function in SourceLint.functions(code) {
        if function.isInlinable {
          bodies += 1
          let (findings, divisions) = SourceLint.laneFindings(function.body)
          #expect(findings.isEmpty, "\(file.path), \(function.name): \(findings)")
          integerDivisions.formUnion(divisions)
        } else {
          #expect(
            !SourceLint.takesLanes(function.signature) || SourceLint.onlyAssigns(function),
            "\(file.path): \(function.name) is not @inlinable")
        }
      }
    }
    #expect(bodies >= 200)
    // An exception that nothing needs any more would hide the next one.
    #expect(integerDivisions == SourceLint.integerDivisions)
  }

  @Test func kernelsUseOnlyExactArithmetic() throws {
    let files =
      try SourceTree.allFiles("Sources/Kernels", extension: "glsl")
      + SourceTree.files("Sources/Shaders/glsl/shared", extension: "glsl")
    #expect(files.count >= 25)
    let code = files.map { (path: $0.path, text: SourceLint.withoutComments($0.text)) }
    let own = Set(code.flatMap { SourceLint.kernelFunctions($0.text) })
    #expect(own.contains("curve") && own.contains("e32_exp2"))
    for file in code {
      let findings = SourceLint.kernelFindings(file.text, own: own)
      #expect(findings.isEmpty, "\(file.path): \(findings)")
    }
  }

  /// The whole of Foundation with its tables of languages is 50 MB of a statically linked program (docs/bundle.md).
  @Test func programsUseNoFoundation() throws {
    let sources = SharedData.repository.appendingPathComponent("Sources")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
      .filter { $0.hasSuffix(".swift") && !$0.hasPrefix("ShaderTool/") }
    #expect(paths.count > 200)
    for path in paths {
      let text = try String(contentsOf: sources.appendingPathComponent(path), encoding: .utf8)
      #expect(!text.contains(/(?m)^\s*(?:\w+ )?import (?:\w+ )?Foundation\b/), "Sources/\(path)")
    }
  }

  @Test("rooms below the engine never speak of flags: recipes and libraries have none")
  func lowerRoomsNameNoFlags() throws {
    let sources = SharedData.repository.appendingPathComponent("Sources")
    for room in [
      "PlainData", "HDRCore", "Kernels", "HDRPlan", "ImageFiles", "CodecService", "CPUReference", "CPURender",
      "GPURender",
    ] {
      let folder = sources.appendingPathComponent(room)
      let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
      #expect(!paths.isEmpty)
      for path in paths {
        let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
        let found = SourceLint.withoutComments(text).firstMatch(of: /"[^"\n]*--[a-z][^"\n]*"/)
        #expect(found == nil, "\(room)/\(path): \(found.map { String($0.output) } ?? "")")
      }
    }
  }

  @Test(arguments: [
    "p[i] = p[i] / q", "x.squareRoot()", "x.addingProduct(a, b)", "x.addProduct(a, b)", "pow(x, 2)", "Glibc.exp(x)",
    "ExactMath.log2(x)", "exp2(x)", "x.rounded(.down)", "Float.maximum(x, y)", "x.truncatingRemainder(dividingBy: y)",
    "x % y", "Double(x)", "Float16(x)",
  ])
  func laneLintSees(_ line: String) {
    #expect(SourceLint.laneFindings(line).findings.count == 1)
  }

  @Test func laneLintLetsExactArithmeticPass() {
    let code = "let t = E32.exp2(x * k) + E32.log2(y) - z\nlet half = (width + 1) / 2"
    let (findings, divisions) = SourceLint.laneFindings(code)
    #expect(findings.isEmpty)
    #expect(divisions == ["(width + 1) / 2"])
  }

  @Test func laneLintFindsFunctions() {
    let code = """
      static func words(_ x: Double) -> [UInt32] { [1 / x] }
      @inlinable @inline(always) static func run(
        _ s: Strip
      ) {
        func inner() -> Float { 1 }
      }
      static func hidden(_ x: Float) -> Float { x }
      """
    let functions = SourceLint.functions(code)
    #expect(functions.map(\.name) == ["words", "run", "hidden"])
    #expect(functions.map(\.isInlinable) == [false, true, false])
    #expect(functions[1].body.contains("inner"))
    #expect(functions.map { SourceLint.takesLanes($0.signature) } == [false, true, true])
  }

  @Test(arguments: [
    "min(a, b)", "max(a, b)", "clamp(x, 0.0, 1.0)", "mix(a, b, t)", "dot(a, b)", "pow(a, b)", "exp2(a)", "log2(a)",
    "sqrt(a)", "fma(a, b, c)", "round(a)", "packHalf2x16(v)", "a / b", "a % b",
  ])
  func kernelLintSees(_ expression: String) {
    #expect(SourceLint.kernelFindings("float f = \(expression);", own: []).count == 1)
  }
}

/// Reading sources, as far as this needs.
enum SourceLint {
  struct Function {
    var name: String
    var signature: String
    var body: String
    var isInlinable: Bool
  }

  /// Divisions of integers in lane code: indices, not light.
  static let integerDivisions: Set<String> = ["(count + skip + 1) / 2", "(width + 1) / 2"]

  static func withoutComments(_ text: String) -> String { text.replacing(/\/\/[^\n]*/, with: "") }

  /// Functions, initialisers and computed properties with their bodies; those inside another body belong to it.
  static func functions(_ code: String) -> [Function] {
    var found: [Function] = []
    var from = code.startIndex
    while let match = code[from...].firstMatch(of: /(?:func\s+(\w+)|\binit\b|\bvar\s+\w+\s*:[^={}\n]*(?=\{))[^{}]*\{/) {
      var depth = 1
      var end = match.range.upperBound
      while end < code.endIndex && depth > 0 {
        if code[end] == "{" { depth += 1 }
        if code[end] == "}" { depth -= 1 }
        end = code.index(after: end)
      }
      // Attributes stand on the declaration's own line.
      let lineStart =
        code[..<match.range.lowerBound].lastIndex(of: "\n").map { code.index(after: $0) } ?? code.startIndex
      let head = String(code[lineStart..<match.range.upperBound])
      found.append(
        Function(
          name: match.1.map(String.init) ?? "init or property", signature: head,
          body: String(code[match.range.upperBound..<end]), isInlinable: head.contains("@inlinable")))
      from = end
    }
    return found
  }

  /// Returns true if parameters or result are of the lanes' types.
  static func takesLanes(_ signature: String) -> Bool {
    signature.contains(/\b(Strip|Float|SIMD\d+)\b/.wordBoundaryKind(.simple))
  }

  /// Returns true for an initialiser that only fills its properties.
  static func onlyAssigns(_ function: Function) -> Bool {
    function.name == "init or property"
      && function.body.wholeMatch(of: /\s*(?:self\.\w+|\([\w.,\s]*\)) = (?:\w+|\([\w,\s]*\))\s*\}/) != nil
  }

  /// Everything inexact in lane code, and the integer divisions that were let pass. `min` and `max` of the standard
  /// library are compare and select.
  static func laneFindings(_ body: String) -> (findings: [String], divisions: Set<String>) {
    var rest = body, divisions: Set<String> = []
    for division in integerDivisions where rest.contains(division) {
      divisions.insert(division)
      rest = rest.replacingOccurrences(of: division, with: "")
    }
    rest = rest.replacing(/E32\.(exp2|log2)\(/, with: "(").replacing(/func \w+/, with: "")
    let forbidden =
      /[\/%]|\b(Double|Float16|Float80|squareRoot|formSquareRoot|addingProduct|addProduct|rounded?|remainder|truncatingRemainder)\b|\b(minimum|maximum|pow|exp|exp2|log|log2|log10|sqrt|sin|cos|tan|atan2?|fma|floor|ceil|trunc)\s*\(/
      .wordBoundaryKind(.simple)
    return (rest.matches(of: forbidden).map { String($0.0) }, divisions)
  }

  static func kernelFunctions(_ code: String) -> [String] {
    code.matches(of: /(?m)^(?:float|uint|int|bool|vec\d|ivec\d|uvec\d|void) (\w+)\(/).map { String($0.1) }
  }

  /// Words before a bracket that are no function of the folder: constructors, bit casts, integer images, the language.
  private static let kernelWords: Set<String> = [
    "float", "int", "uint", "vec2", "vec3", "vec4", "ivec2", "ivec3", "uvec2", "uvec4", "floatBitsToUint",
    "floatBitsToInt", "uintBitsToFloat", "intBitsToFloat", "imageLoad", "imageStore", "if", "for", "while", "return",
    "layout",
  ]

  /// Divisions, remainders, and calls of anything but the folder's own functions, places of words (in capitals) and what
  /// is exact by definition.
  static func kernelFindings(_ code: String, own: Set<String>) -> [String] {
    // Quotients of integers, by none that is 0.
    code.replacing(/x \/ \(y == 0u? \? 1u? : y\)/, with: "x").matches(of: /[\/%]/).map { String($0.0) }
      + code.matches(of: /(\w+)\s*\(/).map { String($0.1) }
      .filter { !own.contains($0) && !kernelWords.contains($0) && $0 != $0.uppercased() }
  }
}
