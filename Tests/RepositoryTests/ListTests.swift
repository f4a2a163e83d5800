import Foundation
import HDRCore
import HDRPlan
import Kernels
import OCIOConfig
import TestSupport
import Testing

/// The lists of stages, sinks and operators against the folders and pages that must follow them.
@Suite struct ListTests {
  let stages = Set(StageKind.allCases.map(\.rawValue))
  let sinks = Set(SinkKind.allCases.map(\.rawValue))

  @Test func everyStageAndSinkHasAKernelFile() throws {
    let files = try Self.kernels { !$0 }
    #expect(Set(files.map(\.stem)) == stages.union(sinks) && files.count == stages.count + sinks.count)
    #expect(stages.count == StageKind.allCases.count && sinks.count == SinkKind.allCases.count)
    for file in files {
      let signature =
        stages.contains(file.stem) ? "vec4 \(file.stem)(vec4 p, uint k)" : "void \(file.stem)(uvec2 block, uint k)"
      #expect(file.text.contains(signature), "\(file.path)")
    }
  }

  /// Returns the GLSL files of stages and sinks, or of what follows them in a band.
  private static func kernels(_ isWanted: (_ follows: Bool) -> Bool) throws -> [SourceTree.File] {
    try SourceTree.allFiles("Sources/Kernels", extension: "glsl")
      .filter { file in isWanted(["/JPEG/", "/Deflate/", "/Measure/"].contains { file.path.contains($0) }) }
  }

  @Test("each kernel that follows a plan's stands in one file, and each file has one")
  func everyBandKernelHasAFile() throws {
    let files = try Self.kernels { $0 }
    func holds(_ file: SourceTree.File, _ kernel: BandKernel) -> Bool {
      file.text.contains("\nvoid \(kernel.rawValue)(uvec2 ")
    }
    for kernel in BandKernel.allCases { #expect(files.filter { holds($0, kernel) }.count == 1, "\(kernel)") }
    for file in files { #expect(BandKernel.allCases.contains { holds(file, $0) }, "\(file.path)") }
  }

  @Test("the table of odd pairs names tests that there are")
  func oddPairsNameTests() throws {
    let tests = try SourceTree.allFiles("Tests", extension: "swift").map(\.text).joined(separator: "\n")
    let rows = try SourceTree.text("docs/data/compare-odd-pairs.tsv").split(separator: "\n").dropFirst()
    #expect(rows.count > 20)
    for row in rows {
      let names = (row.split(separator: "\t").last ?? "").split { ", ".contains($0) }
      #expect(!names.isEmpty)
      for name in names { #expect(tests.contains("func \(name)("), "\(name)") }
    }
  }

  @Test("the table of what outputs lose has the worst photo of each kind, as measured")
  func outputErrorsAreThoseMeasured() throws {
    let measured = try SourceTree.text("docs/data/output-error.tsv").split(separator: "\n")
      .map { $0.split(separator: "\t").map(String.init) }
    let columns = measured[0].dropFirst(2), rows = measured.dropFirst()
    let kinds = rows.map { $0[1] }.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    #expect(kinds.count >= 10 && rows.count >= 3 * kinds.count)
    var table = "| output | \(columns.joined(separator: " | ")) |\n" + "|---|---|---|---|---|---|\n"
    for kind in kinds {
      let own = rows.filter { $0[1] == kind }
      let worst = columns.enumerated().map { index, column in
        let cells = own.map { $0[2 + index] }
        func size(_ cell: String) -> Double { abs(Double(cell) ?? .nan) }
        return (column == "psnr-pq" ? cells.min { size($0) < size($1) } : cells.max { size($0) < size($1) }) ?? ""
      }
      table += "| `\(kind)` | \(worst.joined(separator: " | ")) |\n"
    }
    #expect(try SourceTree.text("docs/performance.md").contains(table), "the measured table:\n\(table)")
  }

  @Test("a kernel file names itself and its twin in its first line, and the twin stands in its folder")
  func everyKernelNamesItsTwin() throws {
    let swift = try SourceTree.allFiles("Sources/Kernels", extension: "swift")
    var twins: Set<String> = []
    for file in try Self.kernels({ !$0 }) {
      let head = file.text.prefixMatch(of: /\/\/ (\w+): .*?the twin of (\w+)\b/)
      let match = try #require(head, "\(file.path)")
      #expect(String(match.1) == file.stem)
      let own = swift.filter { $0.folder == file.folder && $0.text.contains("public enum \(match.2)") }
      #expect(own.count == 1, "\(match.2) is not beside \(file.path)")
      twins.insert(String(match.2))
    }
    #expect(twins.isSuperset(of: StageKind.allCases.map { "\($0.stage)" }))
    let loops = swift.flatMap { file in
      file.text.split(separator: "\npublic enum ").dropFirst()
        .filter { $0.contains(/static func (?:run|store)\(\s*_ s: Strip/) }.map {
          String($0.prefix { $0.isLetter || $0.isNumber })
        }
    }
    #expect(Set(loops).isSubset(of: twins), "\(Set(loops).subtracting(twins)) have no GLSL")
  }

  @Test("each line of the list of stages is a case of `StageKind` with its type")
  func everyStageIsInTheList() throws {
    let rows = try SourceTree.text("Sources/Kernels/Stages.list").split(separator: "\n").filter { !$0.hasPrefix("#") }
      .map { $0.split(separator: " ") }
    #expect(rows.map { $0[0] } == StageKind.allCases.map { Substring($0.rawValue) })
    #expect(rows.map { $0[1] } == StageKind.allCases.map { "\($0)" })
    #expect(rows.map { $0[2] } == StageKind.allCases.map { "\($0.stage)" })
  }

  @Test func everyFilterIsOnItsPageAndInAFile() throws {
    let page = try SourceTree.text("docs/data/filters.md")
    let files = try SourceTree.allFiles("Sources/HDRPlan/Filters", extension: "swift")
    let types = files.flatMap { $0.text.matches(of: /enum (\w+): \w*Filter \{/).map { String($0.1) } }
    #expect(types.sorted() == Filters.all.map { "\($0)" }.sorted(), "a filter is missing from Filters.all")
    for filter in Filters.all {
      #expect(page.contains("\n| `\(filter.name)` |"), "docs/data/filters.md lacks a row for \(filter.name)")
    }
  }

  @Test func everyFormatOfLUTFilesIsOnItsPage() throws {
    let page = try SourceTree.text("docs/luts.md")
    for format in LUTFormat.allCases where format != .icc && format != .icm {
      #expect(page.contains("`.\(format.rawValue)`"), "docs/luts.md lacks .\(format.rawValue)")
    }
  }

  @Test func everyBuiltinConfigIsOnItsPage() throws {
    let page = try SourceTree.text("docs/ocio.md")
    for one in BuiltinConfig.aliases {
      let row = page.split(separator: "\n").first { $0.hasPrefix("| ") && $0.contains("`\(one.alias)`") }
      #expect(row?.contains("`\(one.name)`") == true, "docs/ocio.md lacks \(one.alias)")
    }
    // The files that are carried are those of the folder, and are not touched.
    let folder = SharedData.repository.appendingPathComponent("Sources/CBuiltinConfigs/configs")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".ocio") }
    #expect(files.map { String($0.dropLast(5)) }.sorted() == BuiltinConfig.names)
    for name in BuiltinConfig.names {
      let bytes = try #require(try BuiltinConfig("ocio://" + name)).bytes
      #expect(try Data(bytes) == Data(contentsOf: folder.appendingPathComponent(name + ".ocio")), "\(name)")
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
