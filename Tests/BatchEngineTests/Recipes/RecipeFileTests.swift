import BatchEngine
import HDRCore
import HDRPlan
import Testing

/// Recipe files as text: what they mean, and that every mistake is said with its place.
@Suite struct RecipeFileTests {
  static let settings = ["tone-map", "headroom", "quality", "edit-strategy"]

  static func parse(_ text: String) throws(UsageError) -> RecipeFile {
    try RecipeFile(parsing: Array(text.utf8), path: FilePath("looks/look.yaml"), settings: settings)
  }

  /// The message of a recipe that is refused; empty where it is taken.
  static func fault(_ text: String) -> String {
    do {
      _ = try parse(text)
      return ""
    } catch {
      return error.description
    }
  }

  static let yaml = """
    # a look
    steps:
      - exposure: {ev: 0.5}
      - crop
      - {filter: exposure, as: lift, ev: 1e0}
      - sourceOver:
          input: sky
          offset: [10, -2.5]
    inputs:
      sky: sky.jpg
      mask: {file: '/masks/m.png'}
    strategy: sdr+hdr
    tone-map: bt2390:knee=1
    outputs:
      - {to: pq-png, name: '{stem}-hdr.{ext}', headroom: 4}
      - to: sdr-jpeg
        quality: 80
    """
  static let json = """
    {"steps": [{"exposure": {"ev": 0.5}}, "crop", {"filter": "exposure", "as": "lift", "ev": 1},
    \t{"sourceOver": {"input": "sky", "offset": [10, -2.5]}}],
     "inputs": {"sky":"sky.jpg", "mask": {"file": "/masks/m.png"}},
     "strategy": "sdr+hdr", "tone-map": "bt2390:knee=1",
     "outputs": [{"to": "pq-png", "name": "{stem}-hdr.{ext}", "headroom": 4}, {"to": "sdr-jpeg", "quality": 80}]}
    """

  @Test(arguments: [yaml, json]) func meansTheSameInYAMLAndJSON(text: String) throws {
    let recipe = try Self.parse(text)
    #expect(
      recipe.steps.map(\.filter) == [
        FilterStep("exposure", ["ev": .number(0.5)]), FilterStep("crop"), FilterStep("exposure", ["ev": .number(1)]),
        FilterStep("sourceOver", ["input": .word("sky"), "offset": .numbers([10, -2.5])]),
      ])
    #expect(recipe.steps.map(\.label) == ["exposure", "crop", "lift", "sourceOver"])
    #expect(recipe.inputs.map(\.name) == ["sky", "mask"])
    guard case .file(let sky) = recipe.inputs[0].content, case .file(let mask) = recipe.inputs[1].content else {
      Issue.record("inputs are files")
      return
    }
    #expect(recipe.beside(sky).display == "looks/sky.jpg")
    #expect(recipe.beside(mask).display == "/masks/m.png")
    #expect(recipe.settings.map(\.name) == ["edit-strategy", "tone-map"])
    #expect(recipe.settings.map(\.values) == [["sdr+hdr"], ["bt2390:knee=1"]])
    #expect(recipe.outputs.map { $0.settings.map(\.name) } == [["to", "name", "headroom"], ["to", "quality"]])
  }

  /// A recipe, and what its message must hold.
  @Test(arguments: [
    ("", ":1:1: the recipe is empty"),
    ("- exposure", ":1:1: a recipe is a map"),
    ("steps:\n  - exposur", "look.yaml:2:5: there is no filter \"exposur\"; did you mean \"exposure\"?"),
    ("steps:\n  - exposure: {ef: 1}", ":2:16: exposure has no parameter \"ef\"; did you mean \"ev\"?"),
    ("steps:\n  - exposure:\n      ev: 99", ":3:11: ev of exposure is -20...20, not 99"),
    ("steps:\n  - exposure: {ev: .nan}", ":2:20: ev of exposure is a number"),
    ("steps:\n  - exposure: {ev: [1, b]}", ":2:24: a list here has numbers only"),
    ("steps:\n  - crop: {rect: [1, 2]}", ":2:18: rect of crop is 4 numbers"),
    ("steps:\n  - gaussianBlur: {edges: clmap}", ":2:27: edges of gaussianBlur is clamp, transparent, not \"clmap\""),
    ("steps:\n  - sourceOver", ":2:5: sourceOver wants input: the name of an input"),
    ("steps:\n  - {exposure: {ev: 1}, crop: {}}", ":2:5: a step is NAME: {PARAMETER: VALUE}"),
    ("steps:\n  - {filter: crop, as: a}\n  - {filter: crop, as: a}", ":3:5: the step in line 2 is called \"a\" too"),
    ("stps: []", ":1:1: there is no \"stps\" here; did you mean \"steps\"?"),
    ("steps: []\nhedroom: 2", ":2:1: there is no \"hedroom\" here; did you mean \"headroom\"?"),
    ("to: pq-png", ":1:1: to belongs to an output"),
    ("outputs:\n  - {name: x}", ":2:5: an output says what to make: to"),
    ("outputs:\n  - {to: pq-png, jobs: 2}", ":2:18: there is no \"jobs\" here"),
    ("inputs: {a: {generator: chess}}", ":1:25: there is no generator \"chess\""),
    ("inputs: {a: {file: x, size: [1, 2]}}", ":1:23: an input of a file has no \"size\""),
    ("inputs: {a: {}}", ":1:13: an input is a file, or a map with file or generator"),
    ("steps: []\nsteps: []", ":2:1: \"steps\" stands in line 1 already"),
    ("a: &x 1\nb: *x", ":1:4: anchors (&name) are not taken"),
    ("steps: *x", ":1:8: aliases (*name) are not taken"),
    ("steps: !!set {}", ":1:8: tags (!name) are not taken"),
    ("steps: []\n---\nsteps: []", "a recipe is one document"),
    ("steps: [\n  exposure", "this is not YAML"),
    ("steps:\n\t- exposure", "look.yaml:2:1: this is not YAML"),
    ("{1: {}: 2}", "this is not YAML"),
    ("{[1]: 2}", ":1:2: a key is a word"),
  ])
  func mistakesHaveTheirPlace(text: String, message: String) {
    #expect(Self.fault(text).contains(message), "\(Self.fault(text))")
    #expect(!Self.fault(text).contains("\n"))
  }

  @Test func hostileFilesAreRefused() {
    let deep = String(repeating: "[", count: 100_000)
    #expect(Self.fault("steps: " + deep).contains("nested deeper than 32"))
    let large = "steps: [" + String(repeating: " ", count: 1 << 20) + "]"
    #expect(Self.fault(large).contains("is the limit"))
    // Bytes that are no text, at their place.
    let broken = Array("steps: []\nx: ".utf8) + [0xff, 0xfe]
    #expect(throws: UsageError.self) {
      try RecipeFile(parsing: broken, path: FilePath("x"), settings: [])
    }
    // A message cannot start a line of its own.
    #expect(!Self.fault("\"a\\nhdrbatch: error\": 1").contains("\n"))
  }

  @Test func everyPrefixOfARecipeIsReadOrRefused() {
    var refused = 0
    for length in 0..<Self.yaml.utf8.count {
      let bytes = Array(Self.yaml.utf8.prefix(length))
      do {
        _ = try RecipeFile(parsing: bytes, path: FilePath("x.yaml"), settings: Self.settings)
      } catch {
        refused += 1
        #expect(error.description.hasPrefix("x.yaml:"))
      }
    }
    #expect(refused > 50)
  }

  @Test("--set changes the step with that label before one of that filter")
  func setChangesAStep() throws {
    var recipe = try Self.parse(Self.yaml)
    try recipe.set("lift.ev=-2")
    #expect(recipe.steps[2].filter.values.values["ev"] == .number(-2))
    // The name of a filter means the step that is called by it before one that is of it.
    try recipe.set("exposure.ev=3")
    #expect(recipe.steps[0].filter.values.values["ev"] == .number(3))
    try recipe.set("crop.rect=1/2/30/40")
    #expect(recipe.steps[1].filter.values.values["rect"] == .numbers([1, 2, 30, 40]))
  }

  @Test(arguments: [
    ("lft.ev=1", "no step \"lft\"; did you mean \"lift\"?"), ("lift.eb=1", "did you mean \"ev\"?"),
    ("lift.ev=21", "ev of exposure is -20...20, not 21"), ("lift=1", "it is STEP.PARAMETER=VALUE"),
    ("lift.ev", "it is STEP.PARAMETER=VALUE"),
  ])
  func setSaysWhatIsWrong(text: String, message: String) throws {
    var recipe = try Self.parse(Self.yaml)
    do {
      try recipe.set(text)
      Issue.record("taken")
    } catch {
      #expect(error.description.contains(message))
      #expect(error.description.hasPrefix("--set \(text): "))
    }
  }

  @Test func aStepThatIsThereTwiceWantsAName() throws {
    var recipe = try Self.parse("steps: [exposure, exposure]")
    #expect(throws: UsageError.self) { try recipe.set("exposure.ev=1") }
  }

  @Test("a filter on the command line is the same as in a recipe")
  func filtersAsWords() throws {
    #expect(try FilterText.step("exposure") == FilterStep("exposure"))
    #expect(
      try FilterText.step("crop=rect:10/20/300/200")
        == FilterStep("crop", ["rect": .numbers([10, 20, 300, 200])]))
    #expect(
      try FilterText.step("gaussianBlur=radius:2.5,edges:transparent")
        == FilterStep("gaussianBlur", ["radius": .number(2.5), "edges": .word("transparent")]))
    for text in [
      "", "exposure=", "exposure=ev", "exposure=ev:1,ev:2", "exposure=ev:1 ", "exposure=ev:inf", "crop=rect:1//2",
    ] {
      #expect(throws: UsageError.self, "\(text)") { try FilterText.step(text) }
    }
  }

  @Test func inputsAndStepsBelongTogether() throws {
    let grey = EditInput(.generated(FilterStep("constantColor"), width: 1, height: 1))
    let over = [FilterStep("sourceOver", ["input": .word("top")])]
    try EditInputs.check(over, ["top": grey])
    #expect(throws: UsageError.self) { try EditInputs.check(over, ["tip": grey]) }
    #expect(throws: UsageError.self) { try EditInputs.check([], ["top": grey]) }
  }
}
