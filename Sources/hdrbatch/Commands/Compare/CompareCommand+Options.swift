import BatchEngine
import HDRComparison
import HDRCore
import HDRRecipe
import HDRRender
import PlainData

/// The options of `compare` become a comparison here, and those that cannot stand together are refused.
extension CompareCommand {
  /// Returns what is asked for.
  static func comparison(_ invocation: Invocation) throws(UsageError) -> ComparisonOptions {
    var result = ComparisonOptions()
    if let text = invocation[options.accept] {
      do throws(AcceptExpression.Fault) {
        result.accept = try AcceptExpression(text)
      } catch {
        throw UsageError("--accept, column \(error.column): \(printable(error.message))")
      }
    }
    if let text = invocation[options.metrics], text != "all" {
      result.metrics = Set(
        try words(text, of: options.metrics.name, Metric.allCases.map(\.rawValue)).compactMap(Metric.named))
    } else if invocation.has(options.metrics) {
      result.metrics = Set(Metric.allCases)
    }
    if let text = invocation[options.headrooms] {
      var list: [AcceptExpression.Selector] = []
      for word in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
        guard let selector = AcceptExpression.Selector(argument: word) else {
          throw UsageError("--headrooms is factors from 1 and full (1,2,4,full), not \(printable(text))")
        }
        if !list.contains(selector) { list.append(selector) }
      }
      result.renditions = list
    }
    result.side = invocation[options.at]
    result.drawsDifference = invocation.has(options.html)
    let drawn = try words(invocation[options.mapOf], of: options.mapOf.name, Metric.drawn.map(\.rawValue))
    guard drawn.count == 1, let metric = Metric.named(drawn[0]) else {
      throw UsageError("--map-of is one metric: give it alone")
    }
    result.drawn = metric
    result.draws = result.drawsDifference || invocation.has(options.map)
    result.crops = invocation[options.worst] ?? (result.drawsDifference ? 4 : 0)
    if let text = invocation[options.check] {
      result.groups = Set(
        try words(text, of: options.check.name, MetadataRow.Group.counting.map(\.rawValue)).compactMap {
          MetadataRow.Group(rawValue: $0)
        })
    }
    return result
  }

  /// Returns the names that the words of a list mean.
  private static func words(
    _ text: String, of option: String, _ names: [String]
  ) throws(UsageError) -> [String] {
    var result: [String] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
      guard let name = Nearest.match(word, among: names) else {
        throw UsageError("--\(option) \(printable(SettingFault.notOne(of: names, word).message))")
      }
      result.append(name)
    }
    return result
  }

  /// Refuses options that would have no effect.
  static func refuseIdleOptions(
    _ invocation: Invocation, _ wanted: ComparisonOptions, _ way: CompareInputs.Way
  ) throws(UsageError) {
    for side in [SideOptions.a, .b] {
      try invocation.refuse(
        side.values(invocation.values).takesAllPictures, "--image all has no effect on compare: give a number")
      try invocation.refuse(
        way == .runs && side.areGiven(invocation.values),
        "--\(side.side).NAME is not of runs, whose outputs are read alike")
    }
    try invocation.refuse(
      invocation.has(options.journal) && way == .files, "--journal is for many pairs: folders, a list or runs")
    try invocation.refuse(
      invocation.has(options.shard) && way == .files, "--shard is for many pairs: folders, a list or runs")
    try invocation.refuse(
      invocation.has(options.mapOf) && !wanted.draws, "--map-of needs --map or --html, the folder for its pictures")
    try invocation.refuse(
      invocation[processors.backend] == .cpu && invocation[processors.device] != nil,
      "--device needs --backend gpu or auto")
    try invocation.refuse(
      invocation.has(options.worst) && !wanted.draws, "--worst needs --map or --html, the folder for its pictures")
    try invocation.refuse(invocation.has(options.pairBy) && way != .folders, "--pair-by is for folders")
    try invocation.refuse(
      invocation.has(options.check) && !wanted.needed.contains(.metadata), "--check needs the metric metadata")
    try invocation.refuse(
      wanted.renditions != nil && wanted.needed.allSatisfy(\.isOfFiles) && !invocation.has(options.export),
      "--headrooms has no effect on metrics of files: name another with --metrics")
    try invocation.refuse(
      wanted.side != nil && wanted.needed.allSatisfy(\.isOfFiles) && !invocation.has(options.export),
      "--at has no effect on metrics of files: name another with --metrics")
    try invocation.refuse(
      wanted.renditions?.contains(.headroom(1)) == false && invocation[options.metrics] != "all"
        && wanted.needed.contains(where: \.isOfSDR),
      "ssimulacra2, dE-2000 and dE-OK need headroom 1: add it to --headrooms")
  }

  /// Refuses reports that would replace an input or each other, and maps among inputs.
  static func refuseReplacing(
    _ invocation: Invocation, _ pairs: [FilePair]
  ) throws(UsageError) {
    let reports = [options.json, options.csv].compactMap { invocation[$0] }.filter { $0 != "-" }.map { FilePath($0) }
    let files = reports.isEmpty ? [] : pairs.flatMap { [$0.a, $0.b] }
    var inputs = Set(files.compactMap { $0.flatMap { FileIdentity($0.path) } })
    if let list = invocation[options.list], let identity = FileIdentity(FilePath(list)) { inputs.insert(identity) }
    for report in reports {
      try invocation.refuse(
        FileIdentity(report).map(inputs.contains) ?? false, "\(report.display) is an input: give another file")
    }
    try invocation.refuse(
      reports.count == 2 && reports[0].name == reports[1].name
        && FileIdentity(reports[0].parent) == FileIdentity(reports[1].parent),
      "--json and --csv are one file: give two")
    for key in [options.map, options.html, options.export] {
      guard let text = invocation[key], let folder = FileIdentity(FilePath(text)) else { continue }
      try invocation.refuse(
        invocation.arguments.contains { FileIdentity(FilePath($0)) == folder },
        "--\(key.name) is A or B: give another folder")
    }
  }
}
