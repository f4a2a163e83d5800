import TestSupport
import Testing

/// The library's doors show what docs/swift.md names, and lower rooms show what the first door has a name for.
@Suite struct DoorTests {
  /// A public declaration with the type that it belongs to: itself, or the type whose body or extension it stands in.
  struct Declaration {
    var room: String
    var type: String
    var line: String
  }

  /// The public declarations of a file. Those in a body or an extension have lines that are indented.
  static func declarations(_ file: SourceTree.File) -> [Declaration] {
    let words = /(?:public|package|private|fileprivate|open|final|indirect|@\w+)(?:\([^)]*\))?(?= [\w@])/
    let outermost = /^(?:struct|class|enum|actor|protocol|typealias|extension|func|let|var) (\w+)/
    let room = String(file.path.split(separator: "/")[1])
    var type = "", found: [Declaration] = []
    for line in SourceLint.withoutComments(file.text).split(separator: "\n") {
      var rest = line.drop { $0 == " " }, isPublic = false
      while let word = rest.prefixMatch(of: words) {
        isPublic = isPublic || ["public", "open"].contains(word.output)
        rest = rest[word.range.upperBound...].drop { $0 == " " }
      }
      if line.first != " ", let match = rest.prefixMatch(of: outermost) { type = String(match.1) }
      if isPublic { found.append(Declaration(room: room, type: type, line: String(line))) }
    }
    return found
  }

  /// The aliases of the door: each name and the room that has the type.
  static func aliases() throws -> [String: String] {
    let text = try SourceTree.text("Sources/HDRRender/Exports.swift")
    let rows = text.matches(of: /(?m)^public typealias (\w+) = (\w+)\.(\w+)$/)
    for row in rows { #expect(row.1 == row.3, "the alias \(row.1) changes a name") }
    return Dictionary(uniqueKeysWithValues: rows.map { (String($0.1), String($0.2)) })
  }

  /// The types that a page names in its section on types.
  static func named() throws -> Set<String> {
    let page = try SourceTree.text("docs/swift.md")
    let section = try #require(page.firstMatch(of: /(?s)\n## Types\n.*?\n\n(- .*?)\n\n/)).1
    return Set(section.matches(of: /`(\w+)`/).map { String($0.1) })
  }

  /// The rooms that are products.
  static let doors = ["HDRRender", "HDRComparison"]

  /// Loops of `Kernels` are public because executors inline them (KernelStage.swift); `ShaderTool` writes their list.
  static let loops: Set<String> = ["Kernels", "ShaderTool"]

  @Test("a public declaration below the door belongs to a type that the door has an alias for")
  func lowerRoomsShowNothingElse() throws {
    let aliases = try Self.aliases()
    let lower = try SourceTree.allFiles("Sources", extension: "swift").flatMap(Self.declarations)
      .filter { !Self.doors.contains($0.room) && !Self.loops.contains($0.room) }
    for one in lower where aliases[one.type] != one.room {
      Issue.record("\(one.room) shows \(one.type), which the door has no alias for: \(one.line)")
    }
    #expect(Set(lower.map(\.type)) == Set(aliases.keys), "an alias has no public type")
  }

  @Test("docs/swift.md names the public types of the doors and their aliases, and no others")
  func thePageNamesAllTypes() throws {
    let door = try Self.doors.flatMap { try SourceTree.allFiles("Sources/\($0)", extension: "swift") }
      .flatMap(Self.declarations)
    let shown = Set(door.map(\.type)), named = try Self.named()
    #expect(shown.subtracting(named).isEmpty, "docs/swift.md lacks \(shown.subtracting(named).sorted())")
    #expect(named.subtracting(shown).isEmpty, "docs/swift.md names \(named.subtracting(shown).sorted())")
  }

  @Test("each alias stands in a signature of the door or of a type that the door shows")
  func everyAliasIsUsed() throws {
    let files = try SourceTree.allFiles("Sources", extension: "swift").filter { file in
      file.stem != "Exports" && Self.declarations(file).contains { !Self.loops.contains($0.room) }
    }
    let signatures = files.flatMap { file in
      SourceLint.withoutComments(file.text).replacing(/\b(?:struct|enum|extension) \w+/, with: "")
        .matches(of: /\bpublic [^{}]*|\bcase \w+\(.*/).flatMap { $0.output.matches(of: /\b[A-Z]\w*/) }
        .map { String($0.output) }
    }
    let unused = Set(try Self.aliases().keys).subtracting(signatures)
    #expect(unused.isEmpty, "nothing that the door shows takes or gives \(unused.sorted())")
  }

  @Test("the doors export no module whole, and are the only libraries of the package")
  func theDoorsAreTheOnlyOnes() throws {
    for file in try Self.doors.flatMap({ try SourceTree.allFiles("Sources/\($0)", extension: "swift") }) {
      #expect(!file.text.contains(/@_exported|(?m)^public import/), "\(file.path) exports a module")
    }
    let manifest = try SourceTree.text("Package.swift")
    // The others are the door for C, and for tests.
    #expect(
      manifest.matches(of: /\.library\(name: "([\w-]+)"/).map { String($0.1) }
        == Self.doors + ["hdrbatch-c", "DeviceLayers"])
  }

  @Test("the C library has at most twenty functions, and its version script names those of its header")
  func theHeaderNamesAllFunctions() throws {
    func names(_ path: String, _ pattern: Regex<(Substring, Substring)>) throws -> [String] {
      try SourceTree.text(path).matches(of: pattern).map { String($0.1) }.sorted()
    }
    let declared = try names("Sources/CHDRBatch/include/hdrbatch.h", /(?m)^\w[\w \*]*?\*?(hdrbatch_\w+)\(/)
    #expect(try declared == names("Sources/CLibrary/hdrbatch.map", /(?m)^ +(hdrbatch_\w+);$/))
    #expect((1...20).contains(declared.count))
    let made = try SourceTree.files("Sources/CLibrary", extension: "swift").flatMap {
      $0.text.matches(of: /(?m)^@c @implementation\npackage func (\w+)\(/).map { String($0.1) }
    }
    #expect(made.sorted() == declared)
  }

  @Test("the page and the example ask for the same branch of the package")
  func thePageAndTheExampleAgree() throws {
    let texts = try ["docs/swift.md", "Examples/Library/Package.swift"].map { try SourceTree.text($0) }
    let wanted = try texts.map { try #require($0.firstMatch(of: /\.package\(url: [^,]*, (.*?)\)/)).1 }
    #expect(wanted[0] == wanted[1])
  }
}
