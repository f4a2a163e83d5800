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
      // Codecs and tiles divide integers, which is exact. ShaderTool refuses divisions of floats in any kernel.
      let divides = file.path.contains(/\/JPEG\/|\/Deflate\/|\/warp_place\/|\/shared\/(jpeg|deflate)/)
      let findings = SourceLint.kernelFindings(file.text, own: own).filter { !divides || !["/", "%"].contains($0) }
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

  /// Messages name settings by `Message`, and the command line adds the dashes. The rows of settings have their help,
  /// which is the command line's. A word without a space is an argument for a program that is started; `swift build`
  /// has options of its own.
  @Test("rooms below the engine never speak of flags: recipes and libraries have none")
  func lowerRoomsNameNoFlags() throws {
    let sources = SharedData.repository.appendingPathComponent("Sources")
    for room in [
      "PlainData", "YAML", "HDRCore", "OCIOConfig", "SPIRV", "GLSLCompiler", "Shaders", "Kernels", "HDRPlan",
      "HDRRecipe", "Threads", "LaneLoops", "SPIRVExecutor", "UserKernels", "FileParts", "VideoStreams", "ImageFiles",
      "KernelCompiler",
      "CodecService", "CodecProcess", "CPUReference", "CPURender", "GPURender", "HDRRender", "HDRComparison",
    ] {
      let folder = sources.appendingPathComponent(room)
      let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        .filter { $0.hasSuffix(".swift") && !$0.hasPrefix("Settings/") }
      #expect(!paths.isEmpty)
      for path in paths {
        let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
        let found = SourceLint.flags(SourceLint.withoutComments(text))
        #expect(found.isEmpty, "\(room)/\(path): \(found)")
      }
    }
    #expect(SourceLint.flags(#"x("use --lut", ["--lock-in", "--memory=\(n)"], "--strict: \(a)")"#).count == 2)
  }

  /// A comment that begins so is half a sentence: it needs the declaration below it to be understood.
  @Test func docCommentsAreSentencesOfTheirOwn() throws {
    for folder in ["Sources", "Tests", "Fuzz"] {
      let files = try SourceTree.allFiles(folder, extension: "swift")
      #expect(!files.isEmpty)
      for file in files {
        let found = SourceLint.dependentComments(file.text)
        #expect(found.isEmpty, "\(file.path): \(found)")
      }
    }
  }

  @Test(arguments: ["What", "Of", "Whether", "How", "The same"])
  func commentLintFindsFirstLinesOnly(beginning: String) {
    let comment = "/// \(beginning) it is.\nlet a = 1\n  /// It is said\n  /// \(beginning) it is.\n  let b = 1"
    #expect(SourceLint.dependentComments(comment) == ["\(beginning) it is."])
    #expect(SourceLint.dependentComments("// \(beginning) it is.\n/// \(beginning)ever it is.").isEmpty)
  }

  @Test(arguments: [
    "p[i] = p[i] / q", "x.squareRoot()", "x.addingProduct(a, b)", "x.addProduct(a, b)", "pow(x, 2)", "Glibc.exp(x)",
    "ExactMath.log2(x)", "exp2(x)", "x.rounded(.down)", "Float.maximum(x, y)", "x.truncatingRemainder(dividingBy: y)",
    "x % y", "Double(x)", "Float16(x)",
  ])
  func laneLintFindsInexactOperations(_ line: String) {
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
  func kernelLintFindsInexactOperations(_ expression: String) {
    #expect(SourceLint.kernelFindings("float f = \(expression);", own: []).count == 1)
  }
}
