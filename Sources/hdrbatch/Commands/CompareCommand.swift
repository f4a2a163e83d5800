import BatchEngine
import CodecService
import HDRComparison
import HDRCore
import HDRRecipe
import HDRRender
import PlainData

/// `hdrbatch compare`: what two pictures, or two folders of pictures, differ by.
enum CompareCommand {
  struct Options: SettingGroup {
    var title: String { "Comparison" }

    let accept = SettingKey(
      "accept", .text("expression"),
      """
      What may be accepted: exact, precise, near, good, web, or a condition such as 'p95(dE-seen)<2 and \
      abs(bias)<0.03'. Others are rejected, and the exit code is 65.
      """)
    let metrics = SettingKey(
      "metrics", .text("name,...|all"), assumed: Metric.standard.map(\.rawValue).joined(separator: ","),
      "What to compute: \(Metric.allCases.map(\.rawValue).joined(separator: ", ")).")
    let headrooms = SettingKey(
      "headrooms", .text("factor,...,full"), assumed: "1,2,4,full with two gain maps, else full; of SDR 1",
      "The displays whose renditions are compared, by headroom.")
    let check = SettingKey(
      "check", .text("group,..."), assumed: "cicp,light,gainmap",
      "What counts in the metric metadata: \(MetadataRow.Group.counting.map(\.rawValue).joined(separator: ", ")).")
    let pairBy = SettingKey(
      "pair-by", .choice(FilePairing.Rule.self, "rule"), standard: .stem,
      "What makes files of two folders a pair: their path without or with the extension.")
    let map = SettingKey(
      "map", .text("folder"), "Writes a heat map of dE-seen of each pair and rendition there, as PNG.")
    let json = SettingKey(
      "json", .text("file"), "Writes JSON Lines: a header, the pairs, a summary; - is standard output.")
    let csv = SettingKey("csv", .text("file"), "Writes a table of the worst renditions; - is standard output.")
  }
  static let options = Options()

  struct Processors: SettingGroup {
    var title: String { "Machine" }

    let backend = Settings.machine.backend
    let device = Settings.machine.device
    let threads = Settings.machine.threads
    let memory = Settings.machine.memory
    let isolation = SettingKey(
      "isolation", .choice(Isolation.self, "mode"), standard: .sandbox, "Where files are read, as for render.")
  }
  static let processors = Processors()

  static let command = Command(
    name: "compare", summary: "Says what two pictures differ by, in numbers, for each display.",
    discussion: """
      A is the reference. Two files print a table; two folders a line a pair, joined by name. Pictures are compared \
      in linear light, so kinds, depths and primaries may differ. Sizes may not, and HDR is not compared with SDR \
      unless --headrooms 1 says so. Exits with 65 when a pair is rejected, cannot be compared or has no partner; \
      differences alone are 0.
      """,
    examples: [
      "compare photo.png photo.avif", "compare OLD NEW --accept good", "compare a.jpg b.jpg --metrics all --json -",
    ],
    arguments: [
      Command.Argument(name: "a", count: .one, help: "A file or a folder: the reference."),
      Command.Argument(name: "b", count: .one, help: "The file or the folder that is compared with it."),
    ],
    options: [options, processors, Settings.reading, Settings.decoders], run: run)

  private static func run(_ invocation: Invocation) throws {
    let wanted = try comparison(invocation)
    try invocation.refuse(
      invocation[options.json] == "-" && invocation[options.csv] == "-",
      "--json and --csv cannot both go to standard output")
    let areFolders = try takesFolders(invocation)
    try refuseIdleOptions(invocation, wanted, areFolders: areFolders)
    try invocation.values.checkDecoders()
    let pairing = try pairs(invocation, areFolders)
    try refuseReplacing(invocation, pairing)
    let limits = invocation.values.decodeLimits
    let bytes = invocation[processors.memory] ?? MemoryNeed.batch(allotted: Allotment.current.memory?.value)
    let memory = MemoryBudget(ofBatch: bytes)
    let codecs = CodecsAtUse(IsolationOptions(invocation[processors.isolation]), limits: limits)
    defer { _ = codecs.close() }
    let backends = try self.backends(invocation, keptBytes: MemoryNeed.keptPictures(ofBatch: bytes))
    defer { backends.close() }
    var json = ReportLines(path: invocation[options.json]), csv = ReportLines(path: invocation[options.csv])
    let printsLines = json.path != "-" && csv.path != "-"
    var counts: [PairReport.Verdict: Int] = [:], statuses: Set<ExitStatus> = []
    json.add(header(wanted, backends).line)
    csv.add(CSV.line(PairReport.columns))
    for (index, pair) in pairing.enumerated() {
      let report = report(pair, wanted, limits, memory, codecs, backends)
      counts[report.verdict, default: 0] += 1
      statuses.insert(status(of: report))
      json.add(report.json.line)
      csv.add(CSV.line(report.cells))
      if printsLines { for line in areFolders ? [report.line] : report.table { Terminal.output.line(line) } }
      if let folder = invocation[options.map] {
        statuses.insert(noting { () throws(ResultFileError) in try draw(report, pair.b, into: FilePath(folder)) })
      }
      if let error = report.error, error.concernsAll || error.kind == .unavailable {
        let left = pairing.count - index - 1
        let rest = left == 0 ? "" : "; stopped, \(left) not compared"
        Terminal.error.line("hdrbatch: error: \(Terminal.text(error.line))\(rest)")
        break
      }
    }
    json.add(summary(counts).line)
    if printsLines && areFolders { Terminal.output.line(totals(counts)) }
    for lines in [json, csv] { statuses.insert(noting(lines.finish)) }
    let status = ExitStatus.worst(statuses)
    if status != .success { throw ExitCode(status.code) }
  }

  private static func status(of report: PairReport) -> ExitStatus {
    if let error = report.error { return error.stops?.exitStatus ?? error.status }
    return report.verdict.fails ? .failedItems : .success
  }

  private static func backends(_ invocation: Invocation, keptBytes: Int) throws(UnavailableError) -> RenderBackends {
    let backends: RenderBackends
    do {
      backends = try RenderBackends(
        invocation[processors.backend], device: invocation[processors.device],
        threads: invocation[processors.threads] ?? Allotment.threads,
        keptBytes: keptBytes)
    } catch {
      throw UnavailableError("\(error) [\(error.code)]")
    }
    if let reason = backends.reportedFallback {
      Terminal.note("comparing on the \(backends.deviceName): \(printable(reason))")
    }
    for reason in backends.notes { noteDropped(reason, backends) }
    return backends
  }

  private static func noteDropped(_ reason: String, _ backends: RenderBackends) {
    Terminal.note("a GPU is not used, \(backends.deviceName) goes on: \(printable(reason))")
  }

  /// Writes a file; an error is one line, and does not end the comparison.
  private static func noting(_ write: () throws(ResultFileError) -> Void) -> ExitStatus {
    do throws(ResultFileError) {
      try write()
      return .success
    } catch {
      Terminal.error.line("hdrbatch: error: \(Terminal.text(error.message))")
      return .inputOutput
    }
  }

  private static func report(
    _ pair: (a: InputReference?, b: InputReference?), _ wanted: ComparisonOptions, _ limits: DecodeLimits,
    _ memory: MemoryBudget, _ codecs: any CodecBorder, _ backends: RenderBackends
  ) -> PairReport {
    guard let a = pair.a, let b = pair.b else { return PairReport(unpairedA: pair.a?.path, unpairedB: pair.b?.path) }
    let begin = monotonicSeconds()
    /// Refuses a file if two such files, and their light, do not fit in memory.
    func admit(_ head: DecodeHead, _ fileBytes: Int) throws(CodecError) {
      let source = MemoryNeed.Source(head, fileBytes: fileBytes)
      let bytes = MemoryNeed.item(source, MemoryNeed.Work(isWide: true), sources: 2)
      if bytes > memory.limit { throw memory.refusal(bytes, for: "for two pictures of this kind") }
    }
    var report: PairReport
    do throws(HDRError) {
      let left = try ComparedFile(a, limits: limits, codecs: codecs, admit: admit)
      let right = try ComparedFile(b, limits: limits, codecs: codecs, admit: admit)
      let comparison = try PairComparison(left, right, wanted, on: backends) { device in
        if device.isOpenAgain {
          Terminal.note("a GPU is opened again after a loss: \(printable(device.reason))")
        } else {
          noteDropped(device.reason, backends)
        }
      }
      report = PairReport(a.path, b.path, comparison)
      (report.digestA, report.digestB) = (left.digest?.hex, right.digest?.hex)
    } catch {
      report = PairReport(a.path, b.path, failed: error)
    }
    report.seconds = monotonicSeconds() - begin
    return report
  }

  /// Writes the maps of a pair, named by its B and the rendition: `day/photo.avif@full.png`.
  private static func draw(_ report: PairReport, _ b: InputReference?, into folder: FilePath) throws(ResultFileError) {
    guard let b else { return }
    for rendition in report.comparison?.renditions ?? [] {
      guard let map = rendition.map else { continue }
      let path = folder.appending(b.relative.bytes + Array("@\(rendition.selector.text).png".utf8))
      let bytes: [UInt8]
      do throws(EncodeError) {
        bytes = try map.png()
      } catch {
        throw ResultFileError("\(path.display): \(printable("\(error)"))")
      }
      do throws(FileFault) {
        _ = try LinuxFileSystem().makeFolders(path.parent, isDurable: false)
      } catch {
        throw ResultFileError(error.message)
      }
      try writeBytes(bytes, to: path)
    }
  }

  // MARK: Options

  private static func comparison(_ invocation: Invocation) throws(UsageError) -> ComparisonOptions {
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
        try words(text, of: options.metrics, Metric.allCases.map(\.rawValue)).compactMap(Metric.named))
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
    result.draws = invocation.has(options.map)
    if let text = invocation[options.check] {
      result.groups = Set(
        try words(text, of: options.check, MetadataRow.Group.counting.map(\.rawValue)).compactMap {
          MetadataRow.Group(rawValue: $0)
        })
    }
    return result
  }

  /// Returns the names that the words of a list mean.
  private static func words(
    _ text: String, of key: SettingKey<String?>, _ names: [String]
  ) throws(UsageError) -> [String] {
    var result: [String] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
      guard let name = Nearest.match(word, among: names) else {
        throw UsageError("--\(key.name) \(printable(SettingFault.notOne(of: names, word).message))")
      }
      result.append(name)
    }
    return result
  }

  /// Returns true for two folders, false for two files.
  private static func takesFolders(_ invocation: Invocation) throws(UsageError) -> Bool {
    let areFolders = try invocation.arguments.map { (argument) throws(UsageError) in
      guard let status = fileStatus(FilePath(argument)) else {
        throw UsageError("\(printable(argument)): no such file or folder")
      }
      return status.isFolder
    }
    try invocation.refuse(
      areFolders[0] != areFolders[1], "compare takes two files or two folders, not one of each")
    return areFolders[0]
  }

  /// Refuses options that would have no effect.
  private static func refuseIdleOptions(
    _ invocation: Invocation, _ wanted: ComparisonOptions, areFolders: Bool
  ) throws(UsageError) {
    try invocation.refuse(
      invocation.values.takesAllPictures, "--image all has no effect on compare: give a number")
    try invocation.refuse(
      invocation[processors.backend] == .cpu && invocation[processors.device] != nil,
      "--device needs --backend gpu or auto")
    try invocation.refuse(invocation.has(options.pairBy) && !areFolders, "--pair-by is for folders")
    try invocation.refuse(
      invocation.has(options.check) && !wanted.needed.contains(.metadata), "--check needs the metric metadata")
    try invocation.refuse(
      wanted.renditions != nil && wanted.needed.allSatisfy(\.isOfFiles),
      "--headrooms has no effect on metrics of files: name another with --metrics")
  }

  /// Refuses reports that would replace an input or each other, and maps among inputs.
  private static func refuseReplacing(
    _ invocation: Invocation, _ pairs: [(a: InputReference?, b: InputReference?)]
  ) throws(UsageError) {
    let inputs = Set(pairs.flatMap { [$0.a, $0.b] }.compactMap { $0.flatMap { FileIdentity($0.path) } })
    let reports = [options.json, options.csv].compactMap { invocation[$0] }.filter { $0 != "-" }.map { FilePath($0) }
    for report in reports {
      try invocation.refuse(
        FileIdentity(report).map(inputs.contains) ?? false, "\(report.display) is an input: give another file")
    }
    try invocation.refuse(
      reports.count == 2 && reports[0].name == reports[1].name
        && FileIdentity(reports[0].parent) == FileIdentity(reports[1].parent),
      "--json and --csv are one file: give two")
    if let map = invocation[options.map], let folder = FileIdentity(FilePath(map)) {
      try invocation.refuse(
        invocation.arguments.contains { FileIdentity(FilePath($0)) == folder }, "--map is A or B: give another folder")
    }
  }

  private static func pairs(
    _ invocation: Invocation, _ areFolders: Bool
  ) throws(UsageError) -> [(a: InputReference?, b: InputReference?)] {
    let paths = invocation.arguments.map { FilePath($0) }
    guard areFolders else { return [(InputReference(paths[0]), InputReference(paths[1]))] }
    let maps = invocation[options.map].map { FilePath($0) }
    let files = try paths.map { (path) throws(UsageError) in
      try InputCollector.pictures(below: path, excluding: maps, note: Terminal.note)
    }
    try invocation.refuse(
      files.allSatisfy(\.isEmpty), "nothing to do: no pictures in \(paths[0].display) and \(paths[1].display)")
    do throws(FilePairing.Fault) {
      return try FilePairing(files[0], files[1], by: invocation[options.pairBy]).pairs
    } catch {
      throw UsageError(printable(error.message))
    }
  }

  // MARK: Reports

  private static func header(_ wanted: ComparisonOptions, _ backends: RenderBackends) -> JSON {
    [
      "type": .string("header"), "program": .string("hdrbatch"), "version": .string(hdrbatchVersion),
      "accept": .maybe(wanted.accept?.text),
      "metrics": .array(Metric.allCases.filter(wanted.needed.contains).map { .string($0.rawValue) }),
      "check": .array(MetadataRow.Group.allCases.filter(wanted.groups.contains).map { .string($0.rawValue) }),
      "device": .string(backends.deviceName),
    ]
  }

  private static func summary(_ counts: [PairReport.Verdict: Int]) -> JSON {
    .object(
      [JSON.Field("type", .string("summary"))]
        + PairReport.Verdict.allCases.map { JSON.Field($0.rawValue, .int(counts[$0] ?? 0)) })
  }

  private static func totals(_ counts: [PairReport.Verdict: Int]) -> String {
    let all = counts.values.reduce(0, +)
    let parts = PairReport.Verdict.allCases.compactMap { verdict in
      counts[verdict].map { "\($0) \(verdict.rawValue)" }
    }
    return "\(all) pair\(all == 1 ? "" : "s"): " + parts.joined(separator: ", ")
  }
}

/// The lines of a report: of standard output as they come, of a file at the end.
private struct ReportLines {
  /// `nil` if no report was asked for.
  let path: String?
  private var lines: [String] = []

  init(path: String?) { self.path = path }

  mutating func add(_ line: @autoclosure () -> String) {
    guard let path else { return }
    if path == "-" { Terminal.output.line(line()) } else { lines.append(line()) }
  }

  func finish() throws(ResultFileError) {
    guard let path, path != "-" else { return }
    try writeResultFile(lines.joined(separator: "\n") + "\n", to: path)
  }
}
