import BatchEngine
import Foundation
import HDRCore
import HDRPlan
import HDRRecipe
import ImageFiles
import TestSupport
import Testing

/// Filters and recipes through the program itself.
@Suite(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct RecipeCommandTests {
  let folder: TemporaryFolder
  static let photo = SharedData.examples + "/temple.heic"
  init() throws { folder = try TemporaryFolder() }

  func render(_ arguments: [String]) throws -> Program.Result {
    try Program.run(["render", Self.photo, "--out", folder.path("out"), "--backend", "cpu"] + arguments)
  }

  /// Arguments, and what the one line must hold.
  @Test(arguments: [
    (["--to", "pq-png", "--filter", "exposur=ev:1"], "did you mean \"exposure\"?"),
    (["--to", "pq-png", "--filter", "exposure=ev:99"], "ev of exposure is -20...20, not 99"),
    (["--to", "pq-png", "--filter", "exposure=eb:1"], "did you mean \"ev\"?"),
    (["--to", "pq-png", "--filter", "crop=rect:1/2"], "rect of crop is 4 numbers"),
    (["--to", "pq-png", "--filter", "constant-color=color:p4(1,0,0)"], "has no space \"p4\"; did you mean \"p3\"?"),
    (["--to", "pq-png", "--filter", "constant-color=color:p3(1,0)"], "has 3 or 4 numbers in p3(r, g, b, a), not 2"),
    (["--to", "pq-png", "--filter", "constant-color=color:#12345"], "is #rrggbb or #rrggbbaa"),
    (["--to", "pq-png", "--filter", "constant-color=color:red"], "#rrggbb or a colour as in p3(1, 0, 0), not \"red\""),
    (["--to", "pq-png", "--filter", "color-cube=space:pp"], "space of color-cube is p3 or a curve"),
    (["--to", "pq-png", "--filter", "sourceOver=input:top"], "--input top=FILE"),
    (["--to", "pq-png", "--filter", "sourceOver=input:top", "--input", "top=/no/such.png"], "no such file"),
    (["--to", "pq-png", "--input", "top"], "it is NAME=FILE"),
    (["--to", "pq-png", "--edit-strategy", "hdr"], "need filters"),
    (["--to", "adaptive-jpeg", "--filter", "exposure=ev:1", "--edit-strategy", "sdr+gain"], "changes colour"),
    (
      ["--to", "adaptive-jpeg", "--filter", "vortex-distortion", "--edit-strategy", "sdr+gain"],
      "vortex-distortion mixes pixels of places far apart"
    ),
    (["--to", "adaptive-jpeg", "--filter", "triangle-kaleidoscope", "--edit-strategy", "sdr+gain"], "dims light"),
    (["--to", "adaptive-jpeg", "--filter", "box-blur", "--edit-strategy", "sdr+gain"], "mixes pixels by their light"),
    (["--extract", "base", "--filter", "exposure"], "--extract"),
    (["--to", "pq-png", "--set", "exposure.ev=1"], "--set needs --recipe"),
    (["--to", "pq-png", "--recipe", "/no/such.yaml"], "/no/such.yaml"),
  ])
  func mistakesAreUsageErrors(arguments: [String], names: String) throws {
    let result = try render(arguments)
    #expect(result.status == 64)
    #expect(result.errors.contains(names), "\(result.errors)")
    #expect(folder.files() == [])
  }

  /// Recipes, further arguments, and what the line must hold.
  @Test(arguments: [
    ("steps:\n  - exposure: {ev: 21}\n", ["--to", "pq-png"], "r.yaml:2:20: ev of exposure"),
    (
      "steps: []\nheadrom: 2\n", ["--to", "pq-png"],
      "r.yaml:2:1: there is no \"headrom\" here; did you mean \"headroom\"?"
    ),
    ("headroom: 0.5\n", ["--to", "pq-png"], "r.yaml:1:1: "),
    ("tone-map: filmic\n", ["--to", "pq-png"], "r.yaml:1:1: "),
    ("map-dither: perhaps\n", ["--to", "adaptive-jpeg"], "r.yaml:1:1: map-dither is true or false"),
    ("steps: []\n", [], "--to kind, or outputs in the recipe"),
    ("outputs: [{to: pq-png}]\n", ["--to", "pq-png"], "leave out --to"),
    ("outputs:\n  - {to: pq-png, quality: 3}\n", [], "r.yaml:2:18: "),
    ("outputs:\n  - {to: gif}\n", [], "r.yaml:2:6: "),
    ("outputs:\n  - {to: pq-png}\n  - {to: pq-png, dither: 1}\n", [], "outputs 1 and 2 of"),
    ("outputs:\n  - {to: sdr-png, headroom: 2}\n", [], "r.yaml:2:"),
    ("inputs:\n  top: gone.png\nsteps: [{sourceOver: {input: top}}]\n", ["--to", "pq-png"], "r.yaml:2:8: "),
    ("inputs:\n  top: {generator: exposure}\n", ["--to", "pq-png"], "no generator \"exposure\""),
  ])
  func mistakesInRecipesHaveTheirLine(recipe: String, arguments: [String], names: String) throws {
    let path = try folder.file("r.yaml", recipe)
    let result = try render(["--recipe", path] + arguments)
    #expect(result.status == 64)
    #expect(result.errors.contains(names), "\(result.errors)")
    #expect(folder.files() == ["r.yaml"])
  }

  @Test func aRecipeMakesItsOutputs() throws {
    let recipe = try folder.file(
      "look.yaml",
      """
      steps:
        - {filter: exposure, as: lift, ev: 2}
        - crop: {rect: [100, 200, 300, 400]}
      content-headroom: 8
      outputs:
        - {to: pq-png, name: '{stem}-hdr.{ext}', headroom: 4, tone-map: reference-white}
        - {to: sdr-jpeg, name: '{stem}-{target}.{ext}', quality: 70}
        - {to: adaptive-jpeg, name: '{stem}-all.{ext}', content-headroom: 4, strategy: hdr}
      """)
    let record = folder.path("r.jsonl")
    let result = try render([
      "--recipe", recipe, "--set", "lift.ev=0.5", "--filter", "gaussianBlur=radius:1", "--record", record,
    ])
    #expect(result.status == 0, "\(result.errors)")
    #expect(folder.files("out") == ["temple-all.jpg", "temple-hdr.png", "temple-sdr-jpeg.jpg"])
    let lines = try recordLines(record)
    #expect(lines[0]["to"] as? String == "pq-png,sdr-jpeg,adaptive-jpeg")
    let items = lines.filter { $0["type"] as? String == "item" }
    #expect(items.map { $0["width"] as? Int } == [300, 300, 300])
    #expect(items.map { $0["height"] as? Int } == [400, 400, 400])
    #expect(items.map { $0["contentHeadroom"] as? Double } == [8, 8, 4])
    #expect(items[0]["displayHeadroom"] as? Double == 4)
    let edits = try #require(items[0]["edits"] as? [[String: Any]])
    #expect(edits.map { $0["name"] as? String } == ["exposure", "crop", "gaussian-blur"])
    let info = try Program.run(["info", "--json", folder.path("out/temple-all.jpg")])
    #expect(info.output.contains("\"gainMap\":{"))
  }

  @Test func theCommandLineOverridesARecipe() throws {
    let recipe = try folder.file("look.json", #"{"headroom": 2, "gamut": "clip", "steps": ["exposure"]}"#)
    let record = folder.path("r.jsonl")
    let result = try render(["--recipe", recipe, "--to", "pq-png", "--display", "iphone-14", "--record", record])
    #expect(result.status == 0, "\(result.errors)")
    let item = try recordLines(record)[1]
    #expect(item["gamut"] as? String == "clip")
    #expect((item["outputHeadroom"] as? Double ?? 0) > 2)
  }

  @Test func inputsOfTheCommandLineReplaceThoseOfARecipe() throws {
    let recipe = try folder.file(
      "look.yaml", "steps: [{sourceOver: {input: top, fit: stretch}}]\ninputs: {top: gone.png}\n")
    // The recipe's own file is not there, and an input of the command line takes its place.
    let command = ["--recipe", recipe, "--to", "sdr-png"]
    let missing = try render(command)
    #expect(missing.status == 64)
    let result = try render(command + ["--input", "top=" + SharedData.examples + "/citadel.avif"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(folder.files("out") == ["temple.png"])
  }

  @Test func unknownHeadroomIsMeasured() throws {
    let record = folder.path("r.jsonl")
    func item(_ arguments: [String]) throws -> [String: Any] {
      let result = try render(
        ["--to", "sdr-jpeg", "--filter", "unsharp-mask", "--edit-strategy", "hdr"]
          + ["--on-existing", "replace", "--record", record] + arguments)
      #expect(result.status == 0, "\(result.errors)")
      return try recordLines(record)[1]
    }
    let measured = try item([])
    #expect((measured["edits"] as? [[String: Any]])?.map { $0["headroom"] as? Double } == [0])
    #expect(measured["contentHeadroomSource"] as? String == "measured")
    // The edited light's own peak: near that of the file, which says 6.9.
    #expect((3.0...12).contains(measured["contentHeadroom"] as? Double ?? 0))
    #expect(measured["operator"] as? String == "gain-map+reference-white")
    #expect(try item(["--content-headroom", "5"])["contentHeadroomSource"] as? String == "content-headroom")
    #expect(try item(["--tone-map", "none"])["contentHeadroomSource"] as? String == "gain map")
  }

  @Test("--explain prints headroom, edits, passes and operator")
  func explains() throws {
    let result = try render(["--to", "pq-png", "--filter", "gaussianBlur=radius:1", "--explain"])
    #expect(result.status == 0)
    let lines = result.errors.split(separator: "\n").map(String.init)
    for words in ["  content   gain-map (iso)", "gaussian-blur  headroom kept", "  passes    ", "  operator  gain-map"]
    {
      #expect(lines.contains { $0.contains(words) }, "\(words)")
    }
    let dot = try render(["--to", "pq-png", "--explain=dot", "--on-existing", "replace"])
    #expect(dot.status == 0)
    #expect(dot.output.hasPrefix("digraph plan {") && dot.output.hasSuffix("}\n"))
  }

  @Test("filters lists parameters with ranges and defaults")
  func listsFilters() throws {
    let all = try Program.run(["filters"])
    #expect(all.status == 0)
    #expect(all.output.contains("    ev  number -20...20, default 0: stops"))
    let json = try Program.run(["filters", "--json", "--category", "high-dynamic-range"])
    let list = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]])
    #expect(list.count == Filters.all.filter { $0.isHDRSafe }.count)
    #expect(list.allSatisfy { $0["hdrSafe"] as? Bool == true })
    let blur = try #require(list.first { $0["name"] as? String == "gaussian-blur" })
    let radius = try #require((blur["parameters"] as? [[String: Any]])?.first)
    #expect((radius["default"] as? Double, radius["kind"] as? String) == (10, "number"))
    #expect(radius["range"] as? [Double] == [0, 500])
    let named = try Program.run(["filters", "CITwirlDistortion"])
    #expect(named.output.hasPrefix("distortion\n  twirl-distortion: "), "\(named.errors)")
    let wrong = try Program.run(["filters", "--category", "blurr"])
    #expect(wrong.status == 64)
    #expect(wrong.errors.contains("did you mean \"blur\"?"))
    let markdown = try Program.run(["filters", "--markdown"])
    #expect(markdown.output == (try FilterList().markdown.joined(separator: "\n") + "\n"))
  }

  @Test("filters --core-image says what answers each of Core Image's filters") func listsCoreImage() throws {
    let json = try Program.run(["filters", "--core-image", "--json"])
    let list = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]])
    #expect(list.count == 238 && list.filter { $0["hdr"] as? Bool == true }.count == 178)
    for item in list {
      switch item["answer"] as? String {
      case "have", "alias": #expect(item["filter"] as? String != nil)
      case "cannot": #expect((item["reason"] as? String)?.isEmpty == false)
      default: Issue.record("\(item)")
      }
    }
    let text = try Program.run(["filters", "--core-image", "bicubic"])
    #expect(text.output.hasPrefix("CIBicubicScaleTransform  HDR  scale method:bicubic\n"))
    let odd = try Program.run(["render", "a.png", "--out", "o", "--to", "pq-png", "--filter", "CIXRay"])
    #expect(odd.status == 64 && odd.errors.contains("by a table that is not public"), "\(odd.errors)")
    #expect(try Program.run(["filters", "--core-image", "--category", "blur"]).status == 64)
  }

  /// A recipe can set what the command line can: all settings of pictures and files.
  @Test(arguments: Settings.recipe.keys.sorted()) func recipesKnowAllSettings(name: String) throws {
    let text = Array("\(name): [[]]\n".utf8)
    let error = #expect(throws: UsageError.self) { try RecipeText(parsing: text, file: "r.yaml", folder: "") }
    #expect(error?.description.contains("is a list of words") == true, "\(error?.description ?? "")")
  }
}
