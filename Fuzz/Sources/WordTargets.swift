@testable import BatchEngine
import CodecService
@testable import HDRCore
@testable import HDRPlan
import HDRRecipe
import PlainData

/// Formats that are text.
extension Target {
  static let cube = Target("cube", maxLength: 1 << 14) { bytes in
    guard let lut = try? CubeLUT(parsing: bytes) else { return }
    demand(lut.isWhole, "a table of another size than it says")
  }

  static let threeDL = Target("3dl", maxLength: 1 << 14) { bytes in
    guard let lut = try? CubeLUT(parsing3DL: bytes) else { return }
    demand(lut.isWhole, "a table of another size than it says")
  }

  /// A LUT file behind a byte that names its format.
  static let lut = Target("lut", maxLength: 1 << 14) { bytes in
    guard let first = bytes.first else { return }
    let format = LUTFormat.allCases[Int(first) % LUTFormat.allCases.count]
    let chain: LUTChain
    do throws(LUTError) {
      chain = try LUTChain(parsing: Array(bytes.dropFirst()), as: format)
    } catch {
      return demand(!error.description.contains("\n"), "a reason of two lines")
    }
    for chain in [chain, try? chain.inverse()].compactMap({ $0 }) {
      for operation in chain.operations { demand(operation.isWhole, "an operation with a hole") }
      guard chain.operations.count < 8 else { continue }
      var recipe = RenderRecipe(target: OutputSignal(encoding: .pq, sink: .rgba16), display: .high)
      recipe.luts = [LUTChoice(lut: chain, space: .linear)]
      guard let plan = try? Planner.plan(.small, recipe) else { continue }
      demand(!plan.passes.isEmpty, "a plan of nothing")
    }
  }

  static let recipe = Target("recipe", maxLength: 1 << 13, mutate: RecipeGrammar.mutate) { bytes in
    guard var text = try? RecipeText(parsing: bytes, file: "fuzz.yaml", folder: "looks") else { return }
    try? text.check()
    for form in [text.recipe.yaml, text.recipe.canonical] {
      let again = try? RecipeText(parsing: Array(form.utf8), file: "again.yaml", folder: "")
      demand(again?.recipe == text.recipe, "another recipe than was written")
    }
    // As a manifest holds it.
    let kept = try? RecipeText(text.recipe.value, file: "manifest")
    demand(kept?.recipe == text.recipe, "another recipe than a manifest holds")
    demand(Set([text.recipe, kept?.recipe ?? Recipe()]).count == 1, "equal recipes with two hashes")
    demand(
      text.recipe.paths == text.recipe.replacingPaths { $0 }.paths && !text.recipe.decisive { $0 }.isEmpty,
      "other paths than the recipe's")
    for step in text.recipe.steps.common.prefix(2) {
      for parameter in Filters.named(step.filter)?.parameters ?? [] {
        try? text.set("\(step.name).\(parameter.name)=1")
      }
    }
    // Settings for all outputs and for one; steps and inputs that are not there.
    for change in ["tone-map=none", "quality=50", "sdr-jpeg.quality=\(bytes.count)", "x.y=1", "pq-png.x=2", "size"] {
      try? text.set(change)
    }
    text.setInput("a", Recipe.FilterInput.file("a.png"))
    demand(text.recipe.inputs["a"] != nil, "an input that is not set")
    plan(text.recipe.steps.common)
  }

  /// Words after `--filter`, a line each; and the plan of what they ask for.
  static let filter = Target("filter", maxLength: 1024, mutate: RecipeGrammar.mutateWords) { bytes in
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").prefix(4)
    plan(lines.compactMap { try? FilterText.step(String($0)) })
    for line in lines {
      guard let range = try? ItemRange(String(line)) else { continue }
      demand(range.fits(1000) || (0..<4).count(where: Shard.items(range).contains) <= 4, "items beyond all")
    }
    // The first line is a shard, the others may be variables of a scheduler.
    let words = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    let variables = words.dropFirst().prefix(6).compactMap { line -> (String, String)? in
      let sides = line.split(separator: "=", maxSplits: 1)
      return sides.count == 2 ? (String(sides[0]), String(sides[1])) : nil
    }
    let environment = Dictionary(variables) { first, _ in first }
    guard let word = words.first, let shard = try? Shard.parse(word, environment: { environment[$0] }).shard else {
      return
    }
    let taken = (0..<8).filter(shard.contains)
    demand(!shard.label.isEmpty && taken.allSatisfy { Shard.all.contains($0) }, "a shard without a name")
  }

  /// Plans of steps whose words are right must not trap, whatever their numbers are.
  private static func plan(_ recipeSteps: [RecipeStep]) {
    if recipeSteps.isEmpty || recipeSteps.count > 4 { return }
    let steps = recipeSteps.map { $0.step([.headroom: 4, .contentHeadroom: 8, .width: 30, .height: 20, .index: 0]) }
    var recipe = RenderRecipe(target: OutputSignal(encoding: .pq, sink: .rgba16), display: .high)
    recipe.edits = steps
    recipe.allowsSDRFilters = true
    for step in steps {
      for parameter in step.filter?.parameters ?? [] {
        guard case .input = parameter.kind, let name = step.values.input(parameter) else { continue }
        recipe.inputs[name] = FilterInput(.picture(.small))
      }
    }
    guard let plan = try? Planner.plan(.small, recipe) else { return }
    demand(!plan.passes.isEmpty, "a plan of nothing")
  }

  static let manifest = Target("manifest", maxLength: 1 << 13, mutate: JournalGrammar.mutateManifest) { bytes in
    guard let manifest = try? Manifest(parsing: bytes, name: "fuzz") else { return }
    let again = try? Manifest(parsing: manifest.bytes, name: "fuzz")
    demand(again == manifest, "another manifest than was written")
    demand((try? manifest.readableBytes()) == manifest.bytes, "a manifest that is read and not written")
    let place = manifest.inputs()
    for row in manifest.rows { demand(place(row).relative == row.input, "another place than the row's") }
  }

  /// Rows, who is done, and the report for people.
  static let journal = Target("journal", maxLength: 1 << 13, mutate: JournalGrammar.mutate) { bytes in
    let journal = Journal(parsing: bytes, name: "fuzz")
    do {
      var rows = 0
      let lost = try journal.eachRow(JournalRow.reportKeys) { _ in rows += 1 }
      demand(lost.tornBytes >= 0 && lost.tornBytes <= bytes.count, "torn bytes")
      demand(rows + lost.rows == bytes.count { $0 == UInt8(ascii: "\n") }, "a line that is no row and not lost")
      let index = try JournalIndex([journal])
      for entry in index.quarantine.entries {
        demand(
          index.quarantine.entry(byteCount: 1, recipe: entry.recipe ?? entry.digest, digest: { entry.digest })?.digest
            ?? entry.digest == entry.digest, "another input in quarantine")
      }
      let report = try StatusReport(JournalGrammar.manifest, [journal, journal])
      _ = (report.json.line, report.lines)
      // A file is read in parts, and as bytes in memory are.
      let files = try Journal.all(in: JournalGrammar.folder(bytes))
      demand(files.count == 1 && files[0].header?.version == journal.header?.version, "another journal in a file")
      demand(try files[0].eachRow(JournalRow.reportKeys) { _ in } == lost, "other losses in a file")
    } catch {
      fatalError("bytes in memory cannot be read: \(error)")
    }
    // What any text becomes as a row is read again.
    let text = String(decoding: bytes, as: UTF8.self)
    let row = Journal.line(["type": "item", "id": .string(text), "message": .string(text)])
    demand(
      (try? Journal(parsing: row, name: "").eachRow(JournalRow.outcomeKeys) { _ in }) == Journal.UnreadRows(),
      "a lost row")
  }

  static let json = Target("json", maxLength: 4096) { bytes in
    let json: JSON
    do throws(JSONError) {
      json = try JSON(parsing: bytes)
    } catch {
      return demand(!"\(error)".isEmpty, "refused without a word")
    }
    // One value is of one type.
    let types: [Bool] = [
      json.integer ?? 0 != 0 || json.double != nil, json.string != nil, json.array != nil, json.bool != nil,
    ]
    demand(types.count { $0 } <= 1, "a value of two types")
    let more = json.with("no key", .null)
    demand(more == json || more["no key"] != nil, "a field that is not added")
    let bounded = json.bounded
    demand(
      bounded.bounded == bounded && bounded.line.utf8.count <= json.line.utf8.count + 64 * bytes.count, "not bounded")
    let maybe: JSON = ["a": .maybe(json.string), "b": .maybe(json.double), "c": .maybe(json.integer)]
    demand((try? JSON(parsing: Array(maybe.line.utf8))) != nil, "values that are not there are not JSON")
    for text in [json.line, json.pretty] {
      guard let again = try? JSON(parsing: Array(text.utf8)) else { fatalError("what was written is not read") }
      demand(again.line == json.line, "another value than was written")
    }
  }
}

extension LUTOperation {
  /// True if tables have the size they say and all numbers are finite.
  fileprivate var isWhole: Bool {
    switch self {
    case .matrix(let matrix, let offset): (matrix.rows + offset).allSatisfy(\.isFinite) && offset.count == 3
    case .clamp(let low, let high): (low ?? 0).isFinite && (high ?? 0).isFinite
    case .table(let table): CubeLUT(shaper: table, cube: nil).isWhole
    case .cube(let cube, _): CubeLUT(shaper: nil, cube: cube).isWhole
    case .knots(let curves):
      curves.count == 3 && curves.allSatisfy { !$0.pieces.isEmpty && $0.value($0.end).isFinite }
    case .formulas(let formulas): formulas.count == 3 && formulas.allSatisfy { !$0.value(0.5).isNaN }
    case .cdl(let cdl): (cdl.slope + cdl.offset + cdl.power).allSatisfy(\.isFinite)
    case .luminancePower(let power): power.exponent.isFinite
    case .output, .output1, .head, .gamut, .coordinates: true
    }
  }
}

extension CubeLUT {
  fileprivate var isWhole: Bool {
    let one = shaper.map { $0.values.count == 3 * $0.size && $0.values.allSatisfy(\.isFinite) } ?? true
    return one && (cube.map { $0.values.count == 3 * $0.size * $0.size * $0.size } ?? true)
      && (shaper != nil || cube != nil)
  }
}
