import CodecService
import Foundation
import HDRCore
import HDRPlan
import HDRRender
import KernelCompiler
import TestSupport
import Testing

/// Users' kernels through the program itself: command line, recipes, digests, the locked-in compiler.
@Suite(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct KernelCommandTests {
  let folder: TemporaryFolder
  static let photo = SharedData.examples + "/temple.heic"
  static let examples = SharedData.examples + "/kernels"
  init() throws { folder = try TemporaryFolder() }

  func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path(name)))
  }

  func render(_ out: String, _ arguments: [String]) throws -> Program.Result {
    try Program.run(
      ["render", Self.photo, "--out", folder.path(out), "--to", "rgba16f", "--backend", "cpu"] + arguments)
  }

  func pixels(_ out: String) throws -> Data {
    let name = try #require(folder.files(out).first { !$0.hasSuffix(".json") })
    return try Data(contentsOf: URL(fileURLWithPath: folder.path(out + "/" + name)))
  }

  static let gain = """
    //! name gain
    //! parameter gain float = 1 in 0...8: factor
    //! hdr safe
    //! headroom scales gain
    vec4 kernel(vec4 p, Parameters q) { return vec4(p.rgb * q.gain, p.a); }
    """

  @Test("a kernel does on the command line and in a recipe what the same filter does")
  func kernelsAreSteps() throws {
    try write("gain.glsl", Self.gain)
    try write("r.yaml", "steps:\n  - {kernel: gain.glsl, gain: \"=1 + 1\"}\n")
    for (out, arguments) in [
      ("a", ["--kernel", folder.path("gain.glsl") + "=gain:2"]), ("b", ["--recipe", folder.path("r.yaml")]),
      ("c", ["--filter", "exposure=ev:1"]),
    ] {
      let result = try render(out, arguments)
      #expect(result.status == 0, "\(result.errors)")
    }
    #expect(try pixels("a") == pixels("c"))
    #expect(try pixels("b") == pixels("c"))
  }

  @Test("a recipe's digest follows the kernel's text, and the record has the kernel's")
  func digestsFollowTheText() throws {
    func run(_ text: String) throws -> (recipe: String, edits: String) {
      try write("gain.glsl", text)
      let record = folder.path("\(text.count).jsonl")
      let result = try render(
        "d", ["--kernel", folder.path("gain.glsl"), "--record", record, "--on-existing", "replace"])
      #expect(result.status == 0, "\(result.errors)")
      let lines = try String(contentsOfFile: record, encoding: .utf8)
      let recipe = lines.firstMatch(of: /"recipeDigest":"(\w+)"/)?.1 ?? ""
      let kernel = lines.firstMatch(of: /"kernel":\{"name":"gain","sha256":"(\w{64})"\}/)?.1 ?? ""
      return (String(recipe), String(kernel))
    }
    let one = try run(Self.gain), other = try run(Self.gain + "// another text\n")
    #expect(one.recipe != other.recipe && !one.recipe.isEmpty)
    #expect(one.edits == Digest(of: Array(Self.gain.utf8)).hex && one.edits != other.edits)
  }

  /// A kernel's text, arguments, and what the one line says.
  @Test(
    "what is wrong with a kernel is one line with its place",
    arguments: [
      (
        "//! name a\nvec4 kernel(vec4 p, Parameters q) {\n  return asin(p);\n}\n", "",
        "k.glsl:3: asin has no exact form"
      ),
      ("//! name a\n#include <b>\n", "", "k.glsl:2: #include has no place in kernels"),
      (
        "//! name a\nvec4 kernel(vec4 p, Parameters q) { while (true) {} return p; }\n", "",
        "k.glsl: a loop does not end"
      ),
      (gain, "=gain:9", "gain of kernel is 0...8, not 9"), (gain, "=gian:2", "did you mean \"gain\"?"),
      (gain, "=gain", "parameters are key:value"),
      (
        "//! name a\n//! input sky\nvec4 kernel(vec4 p, Parameters q) { return sky(ivec2(0)); }\n", "",
        "kernel wants sky"
      ),
    ])
  func mistakesAreOneLine(text: String, arguments: String, line: String) throws {
    try write("k.glsl", text)
    let result = try render("e", ["--kernel", folder.path("k.glsl") + arguments])
    #expect(result.status == 64 && result.errors.contains(line), "\(result.errors)")
    #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
  }

  @Test("a legal text that becomes too much is refused by what is too much")
  func longTexts() throws {
    let kernels = [
      ("long", String(repeating: "p.r+=p.g;\n", count: 5500) + "  return p;\n", "words"),
      (
        "wide",
        "  vec4 b[1024]; struct S { vec4 c[1024]; float d; } s; s.d = p.x; s.c[int(p.y)] = p;\n"
          + "  return p + b[0] + s.c[int(p.x)] + s.d;\n", "4096 parts"
      ),
    ]
    for (name, text, words) in kernels {
      try write(name + ".glsl", "//! name \(name)\nvec4 kernel(vec4 p, Parameters q) {\n\(text)}\n")
      let result = try render(name, ["--kernel", folder.path(name + ".glsl")])
      #expect(result.status == 64 && result.errors.contains(words), "\(name): \(result.errors.suffix(300))")
      #expect(!result.errors.contains("invalid reply") && !result.errors.contains("%"), "\(result.errors.suffix(300))")
    }
    // A macro that doubles itself thirty times.
    let doubling = (1...30).map { "#define M\($0) M\($0 - 1) M\($0 - 1)\n" }.joined()
    try write(
      "bomb.glsl",
      "//! name bomb\n#define M0 p.r += 1.0;\n\(doubling)vec4 kernel(vec4 p, Parameters q) {\n  M30\n  return p;\n}\n")
    let result = try render("bomb", ["--kernel", folder.path("bomb.glsl")])
    #expect(
      result.status == 64 && result.errors.contains("of memory for it: macros may grow"), "\(result.errors.suffix(300))"
    )
  }

  @Test("info describes every example and refuses what is wrong")
  func infoDescribes() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: Self.examples) where name.hasSuffix(".glsl") {
      let result = try Program.run(["info", "--kernel", Self.examples + "/" + name])
      #expect(
        result.status == 0 && result.output.contains(String(name.dropLast(5)) + ": "), "\(name): \(result.errors)")
      let json = try Program.run(["info", "--json", "--kernel", Self.examples + "/" + name])
      #expect(json.output.contains("\"operations\":"), "\(json.errors)")
    }
    try write("k.glsl", "//! name a\n")
    let result = try Program.run(["info", "--kernel", folder.path("k.glsl")])
    #expect(result.status == 65 && result.errors.contains("k.glsl: it has no function vec4 kernel"), "\(result.errors)")
  }

  @Test("a locked-in process compiles a kernel to what this process compiles")
  func theCompilerIsLockedIn() throws {
    let text = Array(Self.gain.utf8)
    let codecs = try IsolatedCodecs(IsolationOptions(.sandbox), limits: DecodeLimits())
    defer { _ = codecs.close() }
    let file = try InputFile(bytes: text, name: FilePath("k.glsl"))
    #expect(try codecs.kernel(file, limits: DecodeLimits()).value == .compiled(KernelCompiler.compile(text)))
    let wrong = try InputFile(bytes: Array("//! name a\nfloat x;\n".utf8), name: FilePath("k.glsl"))
    guard case .refused(let fault) = try codecs.kernel(wrong, limits: DecodeLimits()).value else {
      Issue.record("taken")
      return
    }
    #expect(fault == KernelTextFault("variables outside functions are const: x is not", line: 2))
  }

  @Test("an example comes back from the message that it is sent in")
  func answersTravel() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: Self.examples) where name.hasSuffix(".glsl") {
      let text = try Data(contentsOf: URL(fileURLWithPath: Self.examples + "/" + name))
      let answer = KernelAnswer.compiled(try KernelCompiler.compile(Array(text)))
      var reader = WireReader(answer.bytes)
      #expect(try reader.take(KernelAnswer.self) == answer)
    }
    var head = KernelHead(name: "a")
    head.radius = 99
    var reader = WireReader(KernelAnswer.compiled(CompiledKernel(head: head, words: [])).bytes)
    #expect(throws: WireError.self) { _ = try reader.take(KernelAnswer.self) }
  }

  @Test("the library applies a kernel as the command line does")
  func theLibraryApplies() throws {
    try write("gain.glsl", Self.gain)
    let kernel = try HDRKernel(contentsOf: folder.path("gain.glsl"))
    #expect(kernel.name == "gain" && kernel.parameters == ["gain"])
    let black = HDRImage(width: 8, height: 4).applying(.filter("constant-color", ["color": "linear-bt2020(1, 2, 3)"]))
    let renderer = try HDRRenderer(backend: .cpu)
    let twice = try renderer.render(black.applying(kernel: kernel, ["gain": 2]), headroom: 8)
    #expect(twice[0, 0] == [2, 4, 6, 1])
    #expect(throws: HDRError.self) { try HDRKernel(source: "float x;", name: "x.glsl") }
  }
}
