import BatchEngine
import HDRComparison
import HDRCore
import HDRRecipe
import HDRRender
import PlainData
import Serve

/// Reads options of requests as the commands of the same names do.
struct CommandWords: RequestWords {
  /// The commands with the options that requests may have; the others are the server's.
  private static let root = Command(
    name: "hdrbatch", summary: "",
    commands: [
      Command(name: "render", summary: "", options: RecipeOptions.groups),
      Command(name: "info", summary: "", options: [InfoOptions(), Settings.reading]),
      Command(
        name: "compare", summary: "",
        options: [CompareOptions()] + SideOptions.shared + [SideOptions.a, SideOptions.b]),
    ])

  private struct InfoOptions: SettingGroup {
    var title: String { InfoCommand.options.title }
    let check = InfoCommand.options.check
    let ocio = InfoCommand.options.ocio
    let context = InfoCommand.options.context
  }

  private struct CompareOptions: SettingGroup {
    var title: String { CompareCommand.options.title }
    let accept = CompareCommand.options.accept
    let metrics = CompareCommand.options.metrics
    let headrooms = CompareCommand.options.headrooms
    let at = CompareCommand.options.at
    let check = CompareCommand.options.check
  }

  private static func invocation(_ name: String, _ options: [String]) throws(UsageError) -> Invocation {
    guard case .run(let invocation) = try CommandLineParser.parse([name] + options, root) else {
      throw UsageError("help and version are of the command line")
    }
    return invocation
  }

  /// Runs what reads options; an error of theirs is one of the request.
  private static func reading<R>(_ body: () throws(UsageError) -> R) throws(RequestFault) -> R {
    do throws(UsageError) {
      return try body()
    } catch {
      throw RequestFault(error)
    }
  }

  func recipe(_ options: [String], _ recipe: JSON?, _ files: ServedFiles) throws(RequestFault) -> RecipeText {
    let invocation = try Self.reading { () throws(UsageError) in try Self.invocation("render", options) }
    if let name = invocation[RecipeOptions.make.recipe] {
      guard recipe == nil else { throw RequestFault("request.options", "--recipe and recipe are both one: give one") }
      try files.check(name)
    }
    return try Self.reading { () throws(UsageError) in
      let given = try recipe.map { value throws(UsageError) in
        try RecipeText(parsing: Array(value.line.utf8), file: "recipe", folder: "")
      }
      return try RecipeOptions.recipe(invocation, after: given)
    }
  }

  func info(_ options: [String], of path: FilePath, _ files: ServedFiles) throws(RequestFault) -> InfoOrder {
    let invocation = try Self.reading { () throws(UsageError) in
      let invocation = try Self.invocation("info", options)
      try invocation.refuse(invocation.values.takesAllPictures, "--image all is of the command line: give a number")
      return invocation
    }
    if let place = invocation[InfoCommand.options.ocio] { try files.check(place) }
    return try Self.reading { () throws(UsageError) in
      InfoOrder(
        reading: ReadingOptions(invocation.values), config: try InfoCommand.config(invocation, [path]),
        standard: invocation[InfoCommand.options.check])
    }
  }

  func comparison(
    _ options: [String], _ tools: ServeTools
  ) throws(RequestFault) -> (FilePair) -> PairReport {
    try Self.reading { () throws(UsageError) in
      let invocation = try Self.invocation("compare", options)
      let wanted = try CompareCommand.comparison(invocation)
      try CompareCommand.refuseIdleOptions(invocation, wanted, .files)
      let comparer = PairComparer(
        wanted: wanted, isOfRuns: false, sides: CompareSides(invocation.values, limits: tools.machine.limits),
        memory: tools.budget, threads: tools.machine.threads, codecs: tools.codecs, backends: tools.backends,
        share: MemoryShare(tools.budget))
      return { comparer.report($0, nil) }
    }
  }
}
