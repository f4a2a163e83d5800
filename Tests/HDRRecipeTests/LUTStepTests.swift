import HDRPlan
import HDRRecipe
import Testing

/// Steps that name a LUT file: the file becomes an input of the recipe.
@Suite struct LUTStepTests {
  static func recipe(_ text: String) throws -> Recipe {
    try RecipeText(parsing: Array(text.utf8), file: "r.yaml", folder: "looks").recipe
  }

  @Test(
    "each way to write a correction's step means the same",
    arguments: [
      "steps: [cdl: \"a.ccc#shot 3\"]", "steps: [{filter: cdl, file: \"a.ccc#shot 3\"}]",
      "inputs: {\"a.ccc#shot 3\": \"a.ccc#shot 3\"}\nsteps: [cdl: {file: \"a.ccc#shot 3\"}]",
    ])
  func waysAreEqual(text: String) throws {
    let recipe = try Self.recipe(text)
    #expect(recipe.inputs == ["a.ccc#shot 3": .file("looks/a.ccc#shot 3")])
    #expect(recipe.steps.common == [RecipeStep("cdl", ["file": .value(.word("a.ccc#shot 3"))])])
  }

  @Test("clf and lut are names of color-cube: clf keeps the numbers and stops where tables end")
  func otherNamesOfTheFilter() throws {
    let recipe = try Self.recipe("steps: [clf: a.clf, lut: /b.cube, cdl: {sat: 0.5}]")
    #expect(recipe.inputs == ["a.clf": .file("looks/a.clf"), "/b.cube": .file("/b.cube")])
    #expect(recipe.steps.common.map(\.filter) == ["color-cube", "color-cube", "cdl"])
    #expect(recipe.steps.common[0].values["space"] == .value(.word("linear-bt2020")))
    #expect(recipe.steps.common[0].values["extrapolate"] == .value(.flag(false)))
    #expect(recipe.steps.common[1].values["space"] == nil)
  }

  @Test func aWordThatIsNoFileStaysTheNameOfAnInput() throws {
    #expect(throws: UsageError.self) {
      let text = try RecipeText(parsing: Array("steps: [lut: look]".utf8), file: "r.yaml", folder: "")
      try text.check()
    }
    let step = try FilterText.step("cdl=a.cc")
    #expect(step.values["file"] == .value(.word("a.cc")))
  }
}
