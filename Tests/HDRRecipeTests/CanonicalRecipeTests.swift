import Foundation
import HDRCore
import HDRPlan
import HDRRecipe
import Testing

/// Equal recipes have equal bytes, whatever they were written as.
@Suite struct CanonicalRecipeTests {
  /// Values of settings that take no words and no numbers between 0 and 2, and some of others.
  static let values: [String: [String]] = [
    "headroom": ["4", "2ev", "1"], "display": ["1600:200", "reference-mode"], "constrained-limit": ["3"],
    "content-headroom": ["8", "p99.9"], "hdr10": ["hlg", "0.005:1000"], "clli": ["1000:400", "none"],
    "mdcv": ["p3:0.005:1000", "file"], "tone-map": ["none", "bt2390:knee=1", "auto"], "tone-metadata": ["m.bin"],
    "lut": ["a.cube", "b c.cube"], "lut-space": ["pq-p3"], "icc-output": ["p.icc"], "quality": ["80", "90"],
    "quality-target": ["dE-seen:2", "psnr-pq:45", "tile(dE-seen) < 3"],
    "image": ["2", "beauty"], "from": ["raw:p010,16x8", "raw:rgb48,16x8,range=full"], "cicp": ["9/16/9"],
    "from-space": ["ACEScg", "ARRI LogC3 (EI800)"], "to-space": ["ACES2065-1"],
    "view": ["sdr-709", "Film (v2)"], "hdr-view": ["hdr1000-p3"], "ocio": ["show.ocio", "builtin:cg"],
    "ocio-display": ["sRGB - Display"], "look": ["a, -b | c", ""], "context": ["SHOT=sh010", "SEQ="],
    "fps": ["24000/1001"], "map-quality": ["70"], "map-range": ["full", "1.5"], "map-headroom": ["max"],
    "map-metadata": ["iso"], "decode-scale": ["4", "auto", "1"],
    "resize": ["2048", "1920x1080:fill", "50%"], "raw-exposure": ["-1"],
    "pair-white": ["match", "203"], "scene-exposure": ["-2.5"],
    "accept": ["good", "p95(dE-seen@4) < 2 and (words == 0 or not bias > 0.5)"],
    "hdr-white": ["100"], "log-black": ["95", "64"], "log-white": ["685", "940"],
    "raw-white": ["5500", "5500:10", "0.3457:0.3585"], "raw-shadow-bias": ["0.01"],
  ]

  /// Returns values that a setting takes, for drawn recipes.
  static func samples(_ row: Setting) -> [[String]] {
    let words = values[row.name] ?? row.words + ["0", "0.5", "1.5", "2"]
    let samples = row.count == .list ? [words] : words.map { [$0] }
    return samples.filter { (try? row.normalized($0)) != nil }
  }

  /// The settings of recipes by name, each with its samples.
  static let drawable = Settings.recipe.values.sorted { $0.name < $1.name }.map { (row: $0, samples: samples($0)) }

  struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ state >> 29
    }
  }

  /// Settings that fit a kind of output, each with one probability.
  static func drawn(_ kind: String, _ random: inout Generator) throws -> SettingValues {
    var result = SettingValues(), seen: Set<String> = []
    for (row, samples) in drawable where Bool.random(using: &random) {
      if !row.outputs.matches(kind) { continue }
      if let label = row.alternative, !seen.insert(label).inserted { continue }
      try result.set(row, try #require(samples.randomElement(using: &random)))
    }
    return result
  }

  @Test func everyRecipeSettingHasSampleValues() {
    for row in Settings.recipe.values {
      let samples = Self.samples(row), own = row.count == .list ? nil : Self.values[row.name]
      #expect(samples.count >= own?.count ?? 1, "\(row.name)")
    }
    #expect(Set(Self.values.keys).isSubset(of: Settings.recipe.keys))
  }

  @Test("a recipe survives YAML, JSON and Codable", arguments: 0..<200) func roundTrips(seed: Int) throws {
    var random = Generator(state: UInt64(seed))
    var recipe = Recipe()
    recipe.settings = try Self.drawn("adaptive-jpeg", &random)
    for kind in KindNames.all where Int.random(in: 0..<3, using: &random) == 0 {
      var output = Recipe.Output(kind, name: Bool.random(using: &random) ? "{stem} é\u{1F600}\n{ext}" : nil)
      output.settings = try Self.drawn(kind, &random)
      if Bool.random(using: &random) { output.steps.common = [RecipeStep("flip")] }
      recipe.outputs.append(output)
    }
    recipe.steps.common = [
      RecipeStep("exposure", as: "lift", ["ev": .expression(.call(.min, [.variable(.headroom), .number(2)]))]),
      RecipeStep("crop", ["rect": .list([.number(0), .number(-1.5), .variable(.width), .number(9)])]),
      RecipeStep("source-over", ["input": .value(.word("sky"))]), RecipeStep("exposure", ["ev": .value(.number(0))]),
    ]
    recipe.inputs = [
      "sky": .file("/a b/#c: d.png"),
      "true": .generator(RecipeStep("checkerboard", ["width": .value(.number(7))]), Recipe.Size(width: 8, height: 9)),
    ]
    if seed % 2 == 0 { recipe.steps.sdr = [RecipeStep("gamma")] }
    if seed % 3 == 0 { recipe.size = Recipe.Size(width: 3, height: 4) }
    if seed % 5 == 0 { recipe.keepsMap = true }
    func read(_ text: String) throws -> Recipe {
      try RecipeText(parsing: Array(text.utf8), file: "r.yaml", folder: "").recipe
    }
    let again = try read(recipe.yaml)
    #expect(again.canonical == recipe.canonical, "\(recipe.yaml)")
    let coded = try JSONDecoder().decode(Recipe.self, from: JSONEncoder().encode(recipe))
    #expect(coded.canonical == recipe.canonical)
    for index in recipe.outputs.indices {
      let wanted = recipe.settings(of: recipe.outputs[index]).words
      let got = again.settings(of: again.outputs[index]).words
      for name in Settings.recipe.keys {
        let (want, read) = (wanted[name], got[name])
        let standard = Settings.recipe[name]?.standard.map { [$0] }
        #expect((read ?? standard) == (want ?? standard), "\(name) of \(recipe.outputs[index].kind)")
      }
    }
  }

  /// Two texts of one recipe.
  @Test(arguments: [
    ("headroom: 4\noutputs: [{to: pq-png}]", "{\"outputs\": [{\"to\": \"pq-png\"}], \"headroom\": \"2ev\"}"),
    ("gamut: auto\noutputs: [{to: pq-png, name: '{stem}.{ext}'}]", "outputs: [{to: PQ-PNG}]"),
    ("gamut: clip\noutputs: [{gamut: clip, to: pq-png}]", "gamut: clip\noutputs: [{to: pq-png}]"),
    ("steps: [gaussian-blur]", "steps: [{gaussianBlur: {radius: 10}}]"),
    ("steps: [{exposure: {ev: '=1+1'}}]", "steps: [{filter: exposure, ev: 2.0}]"),
    ("steps: [{constant-color: {color: '#ff0033'}}]", "steps: [{constantColor: {color: [1, 0, 0.2, 1.0]}}]"),
    ("steps: [{constant-color: {color: 'srgb(1, 0, 0)'}}]", "steps: [constant-color]"),
    ("steps: [{constant-color: {color: P3( 1/0 /0)}}]", "steps: [{constant-color: {color: 'srgb-p3(1.0,0,0,1)'}}]"),
    ("steps: [{color-cube: {lut: a, space: bt2020-linear}}]", "steps: [{color-cube: {lut: a, space: linear-bt2020}}]"),
    ("strategy: hdr\ntoneMap: referenceWhite", "edit-strategy: hdr\ntone-map: reference-white"),
  ])
  func orderAndSpellingDoNotMatter(one: String, other: String) throws {
    let recipes = try [one, other].map { try RecipeText(parsing: Array($0.utf8), file: "r", folder: "").recipe }
    #expect(recipes[0].canonical == recipes[1].canonical)
  }

  @Test func aDefaultThatReplacesAnotherValueIsKept() throws {
    let text = "gamut: clip\noutputs: [{to: pq-png, gamut: auto}]"
    let recipe = try RecipeText(parsing: Array(text.utf8), file: "r", folder: "").recipe
    #expect(recipe.canonical.contains("\"gamut\":\"auto\""))
  }

  @Test("a digest depends on what files hold, not on where they lie or what steps are called") func decisive() throws {
    func decisive(_ text: String) throws -> String {
      try RecipeText(parsing: Array(text.utf8), file: "r", folder: "").recipe.decisive { _ in "content" }
    }
    #expect(try decisive("lut: a.cube\nsteps: [flip]") == decisive("lut: /b/c.cube\nsteps: [{filter: flip, as: turn}]"))
    #expect(try decisive("lut: a.cube") != decisive("lut: [a.cube, a.cube]"))
  }
}
