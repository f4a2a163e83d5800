import HDRPlan
import HDRRecipe
import Testing

/// Steps of users' kernels in recipes: they are inputs with parameters that only the kernel knows.
@Suite struct KernelStepTests {
  static func recipe(_ text: String) throws -> Recipe {
    try RecipeText(parsing: Array(text.utf8), file: "r.yaml", folder: "looks").recipe
  }

  @Test(
    "each way to write a kernel's step means the same",
    arguments: [
      "steps: [{kernel: a.glsl, gain: 2, tint: 1/0.5/0}]",
      "steps: [{kernel: {file: a.glsl, gain: 2, tint: [1, 0.5, 0]}}]",
      "steps: [{filter: kernel, file: a.glsl, gain: 2, tint: 1/0.5/0}]",
      "inputs: {a.glsl: a.glsl}\nsteps: [{kernel: a.glsl, gain: \"=1 + 1\", tint: 1/0.5/0}]",
    ])
  func waysAreEqual(text: String) throws {
    let recipe = try Self.recipe(text)
    #expect(recipe.inputs == ["a.glsl": .file("looks/a.glsl")])
    let step = RecipeStep(
      "kernel",
      ["file": .value(.word("a.glsl")), "gain": .value(.number(2)), "tint": .value(.numbers([1, 0.5, 0]))])
    #expect(recipe.steps.common == [step])
    // What is written reads as the same.
    #expect(try RecipeText(parsing: Array(recipe.canonical.utf8), file: "r", folder: "").recipe == recipe)
  }

  @Test("a kernel's name alone is a step, and its path is one of the recipe's")
  func namesAreSteps() throws {
    let recipe = try Self.recipe("steps: [kernel: /else/b.glsl]\noutputs: [{to: pq-png, steps: [kernel: c.glsl]}]")
    #expect(recipe.paths == ["/else/b.glsl", "looks/c.glsl"])
    #expect(recipe.decisive { $0 + "?" } != recipe.decisive { $0 })
  }

  @Test("words of the command line are a file and parameters of any kind")
  func wordsAreParameters() throws {
    let step = try FilterText.kernel("a b.glsl=gain:=headroom/2,on:true,name:sky,place:1/2")
    #expect(step.values["file"] == .value(.word("a b.glsl")))
    #expect(step.values["on"] == .value(.flag(true)) && step.values["name"] == .value(.word("sky")))
    #expect(step.values["place"] == .value(.numbers([1, 2])) && step.hasExpressions)
    #expect(throws: UsageError.self) { try FilterText.kernel("=gain:2") }
    #expect(throws: UsageError.self) { try FilterText.kernel("a.glsl=gain") }
    #expect(throws: UsageError.self) { try FilterText.step("kernel=gain:2") }
  }
}
