import HDRCore
import HDRPlan
import HDRRecipe
import Testing

/// Recipe files as text: what they mean, and that every mistake is said with its place.
@Suite struct RecipeFileTests {
  static func parse(_ text: String) throws(UsageError) -> RecipeText {
    try RecipeText(parsing: Array(text.utf8), file: "looks/look.yaml", folder: "looks")
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
    \t{"source-over": {"input": "sky", "offset": [10, -2.5]}}],
     "inputs": {"sky":"sky.jpg", "mask": {"file": "/masks/m.png"}},
     "strategy": "sdr+hdr", "tone-map": "bt2390:knee=1",
     "outputs": [{"to": "pq-png", "name": "{stem}-hdr.{ext}", "headroom": 4}, {"to": "sdr-jpeg", "quality": 80}]}
    """

  @Test(arguments: [yaml, json]) func aRecipeMeansTheSameInYAMLAndJSON(text: String) throws {
    let recipe = try Self.parse(text).recipe
    #expect(
      recipe.steps.common == [
        RecipeStep("exposure", ["ev": .value(.number(0.5))]), RecipeStep("crop"),
        RecipeStep("exposure", as: "lift", ["ev": .value(.number(1))]),
        RecipeStep("source-over", ["input": .value(.word("sky")), "offset": .value(.numbers([10, -2.5]))]),
      ])
    #expect(recipe.steps.common.map(\.name) == ["exposure", "crop", "lift", "source-over"])
    // From the recipe's own folder.
    #expect(recipe.inputs == ["sky": .file("looks/sky.jpg"), "mask": .file("/masks/m.png")])
    #expect(recipe.settings[Settings.edits.editStrategy] == .sdrAndHDR)
    #expect(recipe.settings[Settings.light.toneMap] == .named("bt2390", ToneValues(["knee": 1])))
    #expect(recipe.outputs.map(\.kind) == ["pq-png", "sdr-jpeg"])
    #expect(recipe.outputs.map(\.name) == ["{stem}-hdr.{ext}", nil])
    #expect(recipe.outputs[0].settings[Settings.light.headroom] == Headroom(factor: 4))
    #expect(recipe.outputs[1].settings[Settings.files.quality] == 80)
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
    ("steps:\n  - gaussianBlur: {edges: clmap}", ":2:27: edges of gaussian-blur is clamp, transparent, not \"clmap\""),
    ("steps:\n  - sourceOver", ":2:5: source-over wants input: the name of an input"),
    ("steps:\n  - {exposure: {ev: 1}, crop: {}}", ":2:5: a step is NAME: {PARAMETER: VALUE}"),
    ("steps:\n  - {filter: crop, as: a}\n  - {filter: crop, as: a}", ":3:5: the step in line 2 is called \"a\" too"),
    ("stps: []", ":1:1: there is no \"stps\" here; did you mean \"steps\"?"),
    ("steps: []\nhedroom: 2", ":2:1: there is no \"hedroom\" here; did you mean \"headroom\"?"),
    ("to: pq-png", ":1:1: to belongs to an output"),
    ("outputs:\n  - {name: x}", ":2:5: an output says what to make: to"),
    ("outputs:\n  - {to: pq-png, jobs: 2}", ":2:18: there is no \"jobs\" here"),
    ("outputs:\n  - {to: sdr-jpg}", ":2:6: to has no value \"sdr-jpg\"; did you mean \"sdr-jpeg\"?"),
    ("outputs:\n  - {to: jpg}", ":2:6: to has no value \"jpg\"; .jpg files are adaptive-jpeg (SDR and HDR displays), "),
    ("outputs:\n  - {to: uhdr}", ":2:6: to has no value \"uhdr\": adaptive-jpeg is Ultra HDR; "),
    ("outputs:\n  - {to: webp}", ":2:6: to has no value \"webp\": WebP is read and not written: take sdr-avif"),
    (
      "outputs:\n  - {to: nonsense}",
      ":2:6: to has no value \"nonsense\"; there are adaptive-* (SDR and HDR displays), "
    ),
    ("filters: []", ":1:1: \"filters\" is no key of recipes: write steps"),
    ("headroom: 0.5", ":1:1: headroom is a factor from 1"), ("map: drop", ":1:6: map is keep"),
    ("size: [0, 4]", ":1:8: size is [width, height]"),
    (
      "steps:\n  - exposure: {ev: \"=hedroom\"}",
      ":2:20: in \"=hedroom\": there is no \"hedroom\"; did you mean \"headroom\"?"
    ),
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
      try RecipeText(parsing: broken, file: "x", folder: "")
    }
    // A message cannot start a line of its own.
    #expect(!Self.fault("\"a\\nhdrbatch: error\": 1").contains("\n"))
  }

  @Test func everyPrefixOfARecipeIsReadOrRefused() {
    var refused = 0
    for length in 0..<Self.yaml.utf8.count {
      let bytes = Array(Self.yaml.utf8.prefix(length))
      do {
        _ = try RecipeText(parsing: bytes, file: "x.yaml", folder: "")
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
    func value(_ step: Int, _ parameter: String) -> RecipeParameter? {
      recipe.recipe.steps.common[step].values[parameter]
    }
    try recipe.set("lift.ev=-2")
    #expect(value(2, "ev") == .value(.number(-2)))
    // The name of a filter means the step that is called by it before one that is of it.
    try recipe.set("exposure.ev=3")
    #expect(value(0, "ev") == .value(.number(3)))
    try recipe.set("crop.rect=1/2/30/40")
    #expect(value(1, "rect") == .value(.numbers([1, 2, 30, 40])))
    try recipe.set("crop.rect=0/0/=(width/2)/=height")
    let half = Expression.binary(.divide, .variable(.width), .number(2))
    #expect(value(1, "rect") == .list([.number(0), .number(0), half, .variable(.height)]))
  }

  @Test func setChangesSettings() throws {
    var text = try Self.parse(Self.yaml)
    try text.set("gamut=clip")
    try text.set("sdr-jpeg.quality=70")
    #expect(text.recipe.settings[Settings.color.gamut] == .clip)
    #expect(text.recipe.outputs[1].settings[Settings.files.quality] == 70)
    // For all outputs: what says the same goes.
    try text.set("display=iphone-14")
    #expect(text.recipe.outputs[0].settings[Settings.light.headroom] == nil)
    #expect(text.recipe.settings(of: text.recipe.outputs[0])[Settings.light.display]?.peak == 1600)
  }

  @Test(arguments: [
    ("lft.ev=1", "no step \"lft\"; did you mean \"lift\"?"), ("lift.eb=1", "did you mean \"ev\"?"),
    ("lift.ev=21", "ev of exposure is -20...20, not 21"), ("lift=1", "it is STEP.PARAMETER=VALUE or SETTING=VALUE"),
    ("qualty=3", "did you mean \"quality\"?"),
    ("gamut=clp", "did you mean \"clip\"?"), ("lift.ev==headrom", "did you mean \"headroom\"?"),
    ("lift.ev", "it is STEP.PARAMETER=VALUE"),
  ])
  func setSaysWhatIsWrong(text: String, message: String) throws {
    var recipe = try Self.parse(Self.yaml)
    do {
      try recipe.set(text)
      Issue.record("taken")
    } catch {
      #expect(error.description.contains(message))
      #expect(error.message.text(dashes: true).hasPrefix("--set \(text): "))
    }
  }

  @Test func aStepThatIsThereTwiceWantsAName() throws {
    var recipe = try Self.parse("steps: [exposure, exposure]")
    #expect(throws: UsageError.self) { try recipe.set("exposure.ev=1") }
  }

  @Test func filtersInWordsAreReadOrRefused() throws {
    #expect(try FilterText.step("exposure") == RecipeStep("exposure"))
    let crop = RecipeStep("crop", ["rect": .value(.numbers([10, 20, 300, 200]))])
    #expect(try FilterText.step("crop=rect:10/20/300/200") == crop)
    let blur = RecipeStep("gaussian-blur", ["radius": .value(.number(2.5)), "edges": .value(.word("transparent"))])
    #expect(try FilterText.step("gaussianBlur=radius:2.5,edges:transparent") == blur)
    #expect(try FilterText.step("gaussian-blur=radius:2.5,edges:transparent") == blur)
    let expression = Expression.call(.min, [.variable(.headroom), .number(2)])
    #expect(
      try FilterText.step("exposure=ev:=min(headroom,2)") == RecipeStep("exposure", ["ev": .expression(expression)]))
    #expect(try FilterText.step("exposure=ev:=1+1") == RecipeStep("exposure", ["ev": .value(.number(2))]))
    for text in [
      "", "exposure=", "exposure=ev", "exposure=ev:1,ev:2", "exposure=ev:1 ", "exposure=ev:inf", "crop=rect:1//2",
      "exposure=ev:=", "exposure=ev:=hedroom", "exposure=ev:=1/0", "gaussianBlur=edges:=width",
    ] {
      #expect(throws: UsageError.self, "\(text)") { try FilterText.step(text) }
    }
  }

  @Test func inputsAndStepsBelongTogether() throws {
    var recipe = Recipe()
    recipe.outputs = [Recipe.Output("pq-png")]
    recipe.steps.common = [RecipeStep("source-over", ["input": .value(.word("top"))])]
    let grey = Recipe.FilterInput.generator(RecipeStep("constant-color"), Recipe.Size(width: 1, height: 1))
    recipe.inputs = ["top": grey]
    try recipe.check()
    recipe.inputs = ["tip": grey]
    #expect(throws: RecipeFault.self) { try recipe.check() }
    recipe.inputs["top"] = grey
    #expect(throws: RecipeFault.self) { try recipe.check() }
  }
}
