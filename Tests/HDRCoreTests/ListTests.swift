import Foundation
import HDRCore
import HDRPlan
import TestSupport
import Testing

/// The lists of stages, sinks and operators against the folders and pages that must follow them.
@Suite struct ListTests {
  let stages = Set(StageKind.allCases.map(\.rawValue))
  let sinks = Set(SinkKind.allCases.map(\.rawValue))

  @Test func everyStageAndSinkHasAKernelFile() throws {
    let files = try SourceTree.files("Sources/Shaders/glsl", extension: "glsl")
    #expect(Set(files.map(\.stem)) == stages.union(sinks))
    #expect(stages.count == StageKind.allCases.count && sinks.count == SinkKind.allCases.count)
    for file in files {
      let signature =
        stages.contains(file.stem) ? "vec4 \(file.stem)(vec4 p, uint k)" : "void \(file.stem)(uvec2 block, uint k)"
      #expect(file.text.contains(signature), "\(file.path)")
    }
  }

  /// A kernel file names itself and its Swift twin in its first line; every Swift file with lanes has one.
  @Test func everyKernelNamesItsTwin() throws {
    let swift = try SourceTree.stages
    var twins: Set<String> = []
    for file in try SourceTree.files("Sources/Shaders/glsl", extension: "glsl") {
      let head = file.text.prefixMatch(of: /\/\/ (\w+): .*?see (?:(\w+) in )?HDRPlan\/(?:Stages|Filters)\/(\w+)\.swift/)
      let match = try #require(head, "\(file.path)")
      #expect(String(match.1) == file.stem)
      let twin = try #require(swift.first { $0.stem == match.3 }, "\(file.path): \(match.3).swift is not there")
      if let type = match.2 { #expect(twin.text.contains("enum \(type) {"), "\(file.path)") }
      twins.insert(twin.stem)
    }
    let withLanes = swift.filter { $0.text.contains(/static func run\(\s*_ s: Strip/) }
    #expect(Set(withLanes.map(\.stem)) == twins)
  }

  @Test func everyStageIsInTheCPUList() throws {
    let list = try SourceTree.text("Sources/CPUReference/StageList.swift")
    let types = try SourceTree.stages.map(\.text).joined()
    let cases = list.matches(of: /case \.(\w+): \{ (\w+)\.run\(\$0, \$1\) (?:\{ Halves\.pixel\(\$0\) \} )?\}/)
    #expect(cases.map { String($0.1) }.sorted() == StageKind.allCases.map { "\($0)" }.sorted())
    for match in cases {
      #expect(types.contains("public enum \(match.2) {"), "\(match.2) is in no file of stages")
    }
    // The compiler asks for every case only as long as there is no default.
    #expect(!list.contains("default:"))
  }

  @Test func everyFilterIsOnItsPageAndInAFile() throws {
    let page = try SourceTree.text("docs/data/filters.md")
    let files = try SourceTree.files("Sources/HDRPlan/Filters", extension: "swift")
    let types = files.flatMap { $0.text.matches(of: /enum (\w+): \w*Filter \{/).map { String($0.1) } }
    #expect(types.sorted() == Filters.all.map { "\($0)" }.sorted(), "a filter is missing from Filters.all")
    for filter in Filters.all {
      #expect(page.contains("\n| `\(filter.name)` |"), "docs/data/filters.md lacks a row for \(filter.name)")
    }
  }

  @Test func everyOperatorIsOnItsPage() throws {
    let page = try SourceTree.text("docs/operators.md")
    let files = try SourceTree.files("Sources/HDRPlan/Tone", extension: "swift")
    let types = files.flatMap { $0.text.matches(of: /enum (\w+): ToneOperator \{/).map { String($0.1) } }
    #expect(
      types.sorted() == ToneOperators.all.map { "\($0)" }.sorted(), "an operator is missing from ToneOperators.all")
    for tone in ToneOperators.all {
      #expect(page.contains("\n| `\(tone.name)` |"), "docs/operators.md lacks a row for \(tone.name)")
      #expect(ToneOperators.named(tone.name) == tone)
    }
    #expect(Set(ToneOperators.all.map { $0.name }).count == ToneOperators.all.count)
  }
}

/// Files of the checkout.
enum SourceTree {
  struct File {
    var path: String
    var text: String
    var stem: String { String(path.split(separator: "/").last!.split(separator: ".")[0]) }
  }

  /// The source files where stages may be.
  static var stages: [File] {
    get throws {
      try files("Sources/HDRPlan/Stages", extension: "swift") + files("Sources/HDRPlan/Filters", extension: "swift")
    }
  }

  static func text(_ path: String) throws -> String {
    try String(contentsOf: SharedData.repository.appendingPathComponent(path), encoding: .utf8)
  }

  /// Files of one folder, without those below its subfolders.
  static func files(_ folder: String, extension ext: String) throws -> [File] {
    try FileManager.default.contentsOfDirectory(atPath: SharedData.repository.appendingPathComponent(folder).path)
      .filter { $0.hasSuffix("." + ext) }.sorted()
      .map { File(path: folder + "/" + $0, text: try text(folder + "/" + $0)) }
  }
}
