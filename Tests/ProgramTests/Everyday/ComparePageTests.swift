import TestSupport
import Testing

/// Compares what docs/compare.md shows with what the program says.
@Suite(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct ComparePageTests {
  @Test(
    "the page's first example is what the program says of these pictures",
    .enabled(if: SharedData.url("data/compare/a/lamps.png") != nil, "skipped: no data"))
  func exampleIsReal() throws {
    let folder = SharedData.root.path + "/data/compare/"
    let found = try Program.run(
      ["compare", folder + "a/lamps.png", folder + "b/lamps_8-bit.png", "--backend", "cpu"])
    #expect(found.status == 0, "\(found.errors)")
    let said = found.output.replacing(folder, with: "")
    #expect(try SourceTree.text("docs/compare.md").contains("```\n\(said)```\n"), "the program says:\n\(said)")
  }
}
