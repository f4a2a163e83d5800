import HDRCore
import HDRPlan
import HDRRecipe

/// Recipes and words of filters whose names are right: values of every kind, some of them wrong.
enum RecipeGrammar {
  @Sendable static func mutate(_ bytes: [UInt8], maxSize: Int, random: inout Random) -> [UInt8] {
    random.one(in: 2) ? Array(recipe(&random).utf8) : blindly(bytes, maxSize: maxSize)
  }

  @Sendable static func mutateWords(_ bytes: [UInt8], maxSize: Int, random: inout Random) -> [UInt8] {
    switch random.below(8) {
    case 0: Array(shard(&random).utf8)
    case 1, 2, 3: Array((0...random.below(2)).map { _ in words(&random) }.joined(separator: "\n").utf8)
    default: blindly(bytes, maxSize: maxSize)
    }
  }

  // MARK: Recipes

  private static func recipe(_ random: inout Random) -> String {
    var parts = (0..<random.below(4)).map { _ in setting(&random) }
    if !random.one(in: 4) { parts.append("\"steps\": " + steps(&random)) }
    if random.one(in: 4) { parts.append("\"sdr\": " + steps(&random)) }
    if random.one(in: 6) { parts.append("\"size\": " + random.pick(["[30, 20]", "{width: 3, height: 2}", "7"])) }
    if random.one(in: 8) { parts.append("\"map\": " + random.pick(["keep", "new"])) }
    if random.one(in: 3) {
      let inputs = [
        "{generator: checkerboard, width: 2, size: [8, 8]}", "sky.png", "{lut: a.cube}", "{picture: b.heic}", "[1]",
        "{generator: constant-color, color: [1, 0, 0]}",
      ]
      parts.append("\"inputs\": {a: \(random.pick(inputs)), b: \(random.pick(inputs))}")
    }
    if random.one(in: 2) {
      let outputs = (0...random.below(3)).map { _ -> String in
        var own = ["to: " + random.pick(KindNames.all + ["pqPng", "x"])]
        if random.one(in: 2) { own.append("name: " + random.pick(["'{stem}-a.{ext}'", "'{index}'", "'{nothing}'"])) }
        if random.one(in: 3) { own.append("steps: " + steps(&random)) }
        own += (0..<random.below(3)).map { _ in setting(&random) }
        return "{" + own.joined(separator: ", ") + "}"
      }
      parts.append("outputs: [" + outputs.joined(separator: ", ") + "]")
    }
    return "{" + parts.joined(separator: ", ") + "}\n"
  }

  private static func setting(_ random: inout Random) -> String {
    let all = Settings.recipeGroups.flatMap(\.rows), one = all[random.below(all.count)]
    var values = one.words + [one.standard ?? "1", "2", "0.5", "true", "a", "16.5", "-1"]
    if one.count == .list { values += ["[a, b]", "[1, 2]"] }
    let value = random.pick(values)
    return "\"\(one.name)\": " + (value.hasPrefix("[") ? value : "\"\(value)\"")
  }

  private static func steps(_ random: inout Random) -> String {
    let steps = (0..<random.below(4)).map { _ -> String in
      let filter = Filters.all[random.below(Filters.all.count)]
      var values = pairs(filter, &random).map { "\($0.name): \($0.yaml)" }
      if random.one(in: 3) {
        if random.one(in: 3) { values.append("as: " + random.pick(["one", "two"])) }
        return "{" + (["filter: \(filter.name)"] + values).joined(separator: ", ") + "}"
      }
      return values.isEmpty ? filter.name : "{\(filter.name): {" + values.joined(separator: ", ") + "}}"
    }
    return "[" + steps.joined(separator: ", ") + "]"
  }

  // MARK: Words

  private static func words(_ random: inout Random) -> String {
    let filter = Filters.all[random.below(Filters.all.count)]
    let values = pairs(filter, &random).map { "\($0.name):\($0.words)" }
    return filter.name + (values.isEmpty ? "" : "=" + values.joined(separator: ","))
  }

  private static func pairs(
    _ filter: any Filter.Type, _ random: inout Random
  ) -> [(name: String, words: String, yaml: String)] {
    var result: [(name: String, words: String, yaml: String)] = []
    for parameter in filter.parameters where !random.one(in: 3) {
      let one: String
      var list: [String]?
      switch parameter.kind {
      case .choice(_, let names): one = random.one(in: 12) ? "no-such-choice" : names[random.below(names.count)]
      case .flag: one = random.pick(["true", "false", "maybe"])
      case .input: one = random.pick(["a", "b", "c"])
      case .vector(_, let size, _):
        list = (0..<(random.one(in: 12) ? size + 1 : size)).map { _ in number(&random) }
        one = ""
      case .color where random.one(in: 2): one = color(&random)
      case .color: (list, one) = ((0..<random.pick([3, 3, 4, 2])).map { _ in number(&random) }, "")
      case .space: one = space(&random)
      default: one = number(&random)
      }
      let quoted = { (text: String) in
        text.hasPrefix("=") || text.hasPrefix("#") || text.contains("(") ? "\"\(text)\"" : text
      }
      result.append(
        (
          parameter.name, list?.joined(separator: "/") ?? one,
          list.map { "[" + $0.map(quoted).joined(separator: ", ") + "]" } ?? quoted(one)
        ))
    }
    return result
  }

  private static func space(_ random: inout Random) -> String {
    random.pick(ColorSpace.all.map(\.name) + ["bt2020-linear", "srgb-p3", "p4", "pq-", "-"])
  }

  private static func color(_ random: inout Random) -> String {
    if random.one(in: 3) { return random.pick(["#ff8000", "#FF800080", "#12345", "#+1234567", "#", "#gg0000"]) }
    let parts = (0..<random.pick([3, 3, 4, 2])).map { _ in
      random.pick(["0", "1", "-0.5", "2.5", "1e9", "", "=1", "0x1", "nan", "1.995", " 0.25 "])
    }
    return space(&random) + "(" + parts.joined(separator: random.pick([",", "/", ", "])) + random.pick([")", ")", ""])
  }

  private static func number(_ random: inout Random) -> String {
    switch random.below(6) {
    case 0: "=" + expression(&random, depth: 0)
    case 1: random.pick(["0", "-1", "1e3", "1e300", "0.001", "65536", "nan", "-0", "1048576"])
    default: "\(Double(random.below(400)) / 100)"
    }
  }

  private static func expression(_ random: inout Random, depth: Int) -> String {
    if depth > 3 { return "\(random.below(9))" }
    func part() -> String { expression(&random, depth: depth + 1) }
    switch random.below(7) {
    case 0: return random.pick(["headroom", "contentHeadroom", "width", "height", "index", "time", "headrom"])
    case 1: return part() + random.pick(["+", "-", " * ", "/"]) + part()
    case 2: return "-(" + part() + ")"
    case 3:
      let name = random.pick(["min", "max", "clamp", "pow", "log"])
      let count = name == "clamp" ? 3 : random.one(in: 12) ? 1 : 2
      return name + "(" + (0..<count).map { _ in part() }.joined(separator: ", ") + ")"
    default: return random.pick(["2", "0.5", "1e-3", "7", "1e300", "3."])
    }
  }

  private static func shard(_ random: inout Random) -> String {
    func number() -> String { "\(random.number())" }
    switch random.below(5) {
    case 0: return number() + "/" + number()
    case 1:
      return "auto" + random.pick(["", "/4", "/x"]) + "\nSLURM_ARRAY_TASK_ID=" + number()
        + random.pick(["", "\nSLURM_ARRAY_TASK_COUNT=" + number()])
        + random.pick(["", "\nSLURM_ARRAY_TASK_MIN=1\nSLURM_ARRAY_TASK_STEP=" + number()])
    case 2: return "auto/" + number() + "\nJOB_COMPLETION_INDEX=" + number()
    case 3: return "auto\nCUE_IFRAME=" + number() + random.pick(["", "\nCUE_CHUNK=" + number()])
    default: return number() + "-" + number() + random.pick(["", ":2", ":0"]) + "," + number()
    }
  }
}
