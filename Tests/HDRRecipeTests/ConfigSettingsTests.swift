import HDRCore
import HDRPlan
import HDRRecipe
import Testing

/// Names of configs in recipes: when a config is meant, and what needs none.
@Suite struct ConfigSettingsTests {
  private static func recipe(_ text: String) throws -> RecipeText {
    try RecipeText(parsing: Array(text.utf8), file: "r.yaml", folder: "/shows")
  }

  private static func values(_ pairs: (String, String)...) throws -> SettingValues {
    var values = SettingValues()
    for (name, text) in pairs { try values.set(try #require(Settings.recipe[name]), [text]) }
    return values
  }

  @Test func namesOfTheListNeedNoConfig() throws {
    #expect(try !Self.values(("view", "sdr-709"), ("from-space", "ACEScg")).usesConfig)
    #expect(try !Self.values(("view", "ACES 2.0 - SDR 100 nits (Rec.709)")).usesConfig)
    #expect(try Self.values(("view", "Film")).usesConfig)
    for (name, text) in [("ocio", "builtin:cg"), ("look", ""), ("context", "A=b"), ("ocio-display", "sRGB")] {
      #expect(try Self.values((name, text)).usesConfig, "\(name)")
    }
  }

  @Test("codecs are told a space of the list, or that there is one of a config") func reading() throws {
    #expect(ReadingOptions(try Self.values(("from-space", "ACEScct"))).space?.name == "ACEScct")
    let ofConfig = try Self.values(("from-space", "plates"), ("ocio", "show.ocio"))
    #expect(ReadingOptions(ofConfig).space == .ofConfig)
    #expect(ReadingOptions(try Self.values(("ocio", "show.ocio"), ("view", "Film"))).space == nil)
  }

  @Test("paths of configs are counted from the recipe, names of built-in ones stay") func paths() throws {
    let own = try Self.recipe("ocio: show.ocio\nview: Film\noutputs: [{to: sdr-png}]").recipe
    #expect(own.settings[Settings.config.ocio] == "/shows/show.ocio" && own.paths == ["/shows/show.ocio"])
    for name in ["builtin:studio", "ocio://default"] {
      let built = try Self.recipe("ocio: \(name)\nview: Film\noutputs: [{to: sdr-png}]").recipe
      #expect(built.settings[Settings.config.ocio] == name && built.paths == [])
    }
  }

  @Test(
    "a config is asked for where a name may be one of it",
    arguments: [
      ("view: sdr-709", true), ("from-space: ACEScg", true), ("steps: [ocio: {to: ACEScct}]", true),
      ("steps: [look: warm]", true), ("overrides: [{match: a, view: Film}]", true), ("quality: 80", false),
      ("ocio: builtin:cg\nview: Film", false), ("steps: [exposure: 1]", false),
    ]) func asking(text: String, asks: Bool) throws
  {
    #expect(try Self.recipe(text + "\noutputs: [{to: sdr-jpeg}]").recipe.asksForConfig == asks)
  }

  @Test(
    "names without a config, and looks without an end, are refused",
    arguments: [
      ("from-space: ACESgg", "space.unknown"), ("to-space: ACEScct", "has a curve"), ("look: warm", "view or to-space"),
      ("ocio-display: sRGB", "needs view"), ("view: hdr1000-p3", "is an HDR view"),
    ]) func refusals(text: String, reason: String) throws
  {
    let kind = text.hasPrefix("to-space") ? "exr" : "sdr-jpeg"
    do {
      try Self.recipe(text + "\noutputs: [{to: \(kind)}]").check()
      Issue.record("it was not refused")
    } catch {
      #expect("\(error)".contains(reason), "\(error)")
    }
  }

  @Test func stepsTakeNamesAsWords() throws {
    let steps = try Self.recipe(
      "steps: [ocio: {from: \"ACEScct\", to: Linear Rec.2020}, look: \"warm, -cool\", ocio: {to: '42'}]\noutputs: [{to: exr}]"
    ).recipe.steps.common
    let asked = steps.compactMap { ConfigStep($0.step([:])) }
    #expect(
      asked == [
        .conversion(from: "ACEScct", to: "Linear Rec.2020"), .looks("warm, -cool"), .conversion(from: "", to: "42"),
      ])
    #expect(try ConfigStep(FilterText.step("ocio=to:ACEScct").step([:])) == .conversion(from: "", to: "ACEScct"))
    #expect(try ConfigStep(FilterText.step("look=warm").step([:])) == .looks("warm"))
    #expect(ConfigStep(FilterStep("exposure")) == nil && ConfigStep(FilterStep("ocio")) == nil)
  }
}
