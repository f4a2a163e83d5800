import BatchEngine
import CodecService
import Gallery
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
    let at = SettingKey(
      "at", .integer(1...65536, "pixels"), assumed: "their own size",
      "Reduces both pictures alike, in linear light, to this longer side before they are compared.")
    let check = SettingKey(
      "check", .text("group,..."), assumed: "cicp,light,gainmap",
      "What counts in the metric metadata: \(MetadataRow.Group.counting.map(\.rawValue).joined(separator: ", ")).")
    let pairBy = SettingKey(
      "pair-by", .text("stem|name|template"), standard: FilePairing.Rule.stem.rawValue,
      """
      What makes files of two folders a pair: their path without or with the extension, or B's name by a template of \
      A's, as --name of render has them: '{stem}-{target}.{ext}'.
      """)
    let list = SettingKey(
      "list", .text("file"), "Compares the files of a list: a line a pair, A and B with a tab between.")
    let baseline = SettingKey(
      flag: "baseline",
      """
      A and B are runs: output folders, or their journals. Outputs of one path are a pair. Those with equal digests \
      in both journals are not decoded.
      """)
    let map = SettingKey(
      "map", .text("folder"), "Writes a heat map of dE-seen of each pair and rendition there, as PNG.")
    let worst = SettingKey(
      "worst", .integer(1...64), assumed: "4 with --html, else none",
      "Writes the n parts of each rendition that differ most beside its map, or into the page, enlarged.")
    let html = SettingKey(
      "html", .text("folder"),
      """
      Writes a page for a browser there: compare.html, with a list of the pairs, and of each its pictures, differences \
      and metadata.
      """)
    let export = SettingKey(
      "export", .text("folder"),
      "Writes what is compared for other programs: A and B of each rendition as 16-bit PQ PNG and as OpenEXR.")
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
      unless --headrooms 1 says so. --baseline compares the outputs of two runs by their journals. Exits with 65 when \
      a pair is rejected, cannot be compared or has no partner; differences alone are 0.
      """,
    examples: [
      "compare photo.png photo.avif", "compare OLD NEW --accept good",
      "compare --baseline OLD NEW", "compare a.jpg b.jpg --metrics all --json -",
    ],
    arguments: [
      Command.Argument(name: "a", count: .optional, help: "A file or a folder: the reference."),
      Command.Argument(name: "b", count: .optional, help: "The file or the folder that is compared with it."),
    ],
    options: [options, processors, Settings.reading, Settings.decoders], run: run)

  private static func run(_ invocation: Invocation) throws {
    var wanted = try comparison(invocation)
    try invocation.refuse(
      invocation[options.json] == "-" && invocation[options.csv] == "-",
      "--json and --csv cannot both go to standard output")
    let inputs = try CompareInputs(
      invocation,
      written: [options.map, options.html, options.export].compactMap { invocation[$0].map { FilePath($0) } })
    try refuseIdleOptions(invocation, wanted, inputs.way)
    if inputs.runs != nil { wanted.metrics.insert(.words) }
    try invocation.values.checkDecoders()
    try refuseReplacing(invocation, inputs.pairs)
    var page = try invocation[options.html].map { try ComparisonPage(in: FilePath($0)) }
    let limits = invocation.values.decodeLimits
    let bytes = invocation[processors.memory] ?? MemoryNeed.batch(allotted: Allotment.current.memory?.value)
    let memory = MemoryBudget(ofBatch: bytes)
    let codecs = CodecsAtUse(IsolationOptions(invocation[processors.isolation]), limits: limits)
    defer { _ = codecs.close() }
    let threads = invocation[processors.threads] ?? Allotment.threads
    let backends = try self.backends(invocation, threads, keptBytes: MemoryNeed.keptPictures(ofBatch: bytes))
    defer { backends.close() }
    var json = ReportLines(path: invocation[options.json]), csv = ReportLines(path: invocation[options.csv])
    let printsLines = json.path != "-" && csv.path != "-"
    var totals = CompareTotals(), statuses: Set<ExitStatus> = []
    let stop = StopSwitch()
    SignalWatcher.watch(stop) {}
    json.add(header(wanted, inputs, backends).line)
    csv.add(CSV.line(PairReport.columns))
    if let runs = inputs.runs, printsLines {
      Terminal.output.line(runs.a.line("A", invocation.arguments[0]))
      Terminal.output.line(runs.b.line("B", invocation.arguments[1]))
    }
    for (index, pair) in inputs.pairs.enumerated() {
      if let reason = stop.reason {
        totals.left = inputs.pairs.count - index
        statuses.insert(reason.exitStatus)
        Terminal.error.line("hdrbatch: error: \(reason.message), \(totals.left) not compared")
        page = nil
        break
      }
      let export = invocation[options.export].map { folder -> LightExport in
        { end, encode in
          let path = FilePath(folder).appending(pair.drawingName + Array(end.utf8))
          statuses.insert(noting { () throws(ResultFileError) in try write(path, encode) })
        }
      }
      var report = report(
        pair, wanted, isOfRuns: inputs.runs != nil, limits, memory, threads, codecs, backends, export)
      if inputs.runs != nil { report.change = report.foundChange }
      totals.add(report)
      statuses.insert(status(of: report))
      json.add(report.json.line)
      csv.add(CSV.line(report.cells))
      // Of runs, what is equal is only counted.
      let isTold = inputs.runs == nil || report.change != .equal
      if printsLines && isTold {
        for line in inputs.areMany ? [report.line] : report.table { Terminal.output.line(line) }
      }
      if let folder = invocation[options.map] {
        statuses.insert(noting { () throws(ResultFileError) in try draw(report, pair, into: FilePath(folder)) })
      }
      if page != nil {
        let status = noting { () throws(ResultFileError) in try page?.add(report, pair) }
        statuses.insert(status)
        // A page that lacks a pair is none.
        if status != .success { page = nil }
      }
      if let error = report.error, error.concernsAll || error.kind == .unavailable {
        totals.left = inputs.pairs.count - index - 1
        let rest = totals.left == 0 ? "" : "; stopped, \(totals.left) not compared"
        Terminal.error.line("hdrbatch: error: \(Terminal.text(error.line))\(rest)")
        break
      }
    }
    json.add(totals.json.line)
    if printsLines && inputs.areMany { totals.lines.forEach(Terminal.output.line) }
    for lines in [json, csv] { statuses.insert(noting(lines.finish)) }
    if page != nil {
      let facts = pageFacts(invocation, wanted, inputs, backends)
      statuses.insert(try finish(&page, facts, machine(invocation, memory: bytes)))
    }
    let status = ExitStatus.worst(statuses)
    if status != .success { throw ExitCode(status.code) }
  }

  private static func status(of report: PairReport) -> ExitStatus {
    if let error = report.error { return error.stops?.exitStatus ?? error.status }
    return report.verdict.fails ? .failedItems : .success
  }

  private static func backends(
    _ invocation: Invocation, _ threads: Int, keptBytes: Int
  ) throws(UnavailableError) -> RenderBackends {
    let backends: RenderBackends
    do {
      backends = try RenderBackends(
        invocation[processors.backend], device: invocation[processors.device],
        threads: threads, keptBytes: keptBytes)
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
  static func noting(_ write: () throws(ResultFileError) -> Void) -> ExitStatus {
    do throws(ResultFileError) {
      try write()
      return .success
    } catch {
      Terminal.error.line("hdrbatch: error: \(Terminal.text(error.message))")
      return .inputOutput
    }
  }

  private static func report(
    _ pair: FilePair, _ wanted: ComparisonOptions, isOfRuns: Bool, _ limits: DecodeLimits,
    _ memory: MemoryBudget, _ threads: Int, _ codecs: any CodecBorder, _ backends: RenderBackends,
    _ export: LightExport?
  ) -> PairReport {
    guard let a = pair.a, let b = pair.b else {
      return PairReport(unpairedA: pair.a?.path, unpairedB: pair.b?.path, because: pair.missing)
    }
    if let digest = pair.sharedDigest, wanted.accept?.acceptsSameBytes != false {
      return PairReport(a.path, b.path, sameBytes: digest, isAccepted: wanted.accept != nil)
    }
    let begin = monotonicSeconds()
    /// Refuses a file if two such files, and their light, do not fit in memory.
    func admit(_ head: DecodeHead, _ fileBytes: Int) throws(CodecError) {
      let source = MemoryNeed.Source(head, fileBytes: fileBytes)
      let bytes = MemoryNeed.comparison(source, MemoryNeed.Metrics(wanted.needed, of: head, threads: threads))
      if bytes > memory.limit { throw memory.refusal(bytes, for: "for two pictures of this kind") }
    }
    var report: PairReport
    do throws(HDRError) {
      let left = try ComparedFile(a, limits: limits, codecs: codecs, admit: admit)
      let right = try ComparedFile(b, limits: limits, codecs: codecs, admit: admit)
      func compare(_ options: ComparisonOptions, _ export: LightExport?) throws(HDRError) -> PairComparison {
        func notice(_ device: GPURings.LostDevice) {
          if device.isOpenAgain {
            Terminal.note("a GPU is opened again after a loss: \(printable(device.reason))")
          } else {
            noteDropped(device.reason, backends)
          }
        }
        return try PairComparison(left, right, options, on: backends, notice: notice, export: export)
      }
      // Of runs, light is compared only where samples differ.
      let isBrief = isOfRuns && wanted.accept == nil
      var comparison = try isBrief ? compare(wanted.ofFiles, nil) : compare(wanted, export)
      if isBrief && !comparison.hasSamePixels { comparison = try compare(wanted, export) }
      report = PairReport(a.path, b.path, comparison)
      (report.digestA, report.digestB) = (left.digest?.hex, right.digest?.hex)
    } catch {
      report = PairReport(a.path, b.path, failed: error)
    }
    report.seconds = monotonicSeconds() - begin
    return report
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
    result.side = invocation[options.at]
    result.drawsDifference = invocation.has(options.html)
    result.draws = result.drawsDifference || invocation.has(options.map)
    result.crops = invocation[options.worst] ?? (result.drawsDifference ? 4 : 0)
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

  /// Refuses options that would have no effect.
  private static func refuseIdleOptions(
    _ invocation: Invocation, _ wanted: ComparisonOptions, _ way: CompareInputs.Way
  ) throws(UsageError) {
    try invocation.refuse(
      invocation.values.takesAllPictures, "--image all has no effect on compare: give a number")
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
  private static func refuseReplacing(
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

  // MARK: Reports

  private static func header(
    _ wanted: ComparisonOptions, _ inputs: CompareInputs, _ backends: RenderBackends
  ) -> JSON {
    let metrics = Metric.allCases.filter(wanted.needed.contains)
    return [
      "type": .string("header"), "program": .string("hdrbatch"), "version": .string(hdrbatchVersion),
      "accept": .maybe(wanted.accept?.text),
      "metrics": .array(metrics.map { .string($0.rawValue) }),
      "cpuMetrics": .array(metrics.filter(\.isOfCPU).map { .string($0.rawValue) }),
      "check": .array(MetadataRow.Group.allCases.filter(wanted.groups.contains).map { .string($0.rawValue) }),
      "at": .maybe(wanted.side), "device": .string(backends.deviceName), "runsA": inputs.runs?.a.originsJSON ?? .null,
      "runsB": inputs.runs?.b.originsJSON ?? .null,
    ]
  }
}
