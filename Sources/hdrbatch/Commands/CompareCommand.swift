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
      "map", .text("folder"), "Writes a heat map of each pair and rendition there, as PNG.")
    let mapOf = SettingKey(
      "map-of", .text("metric"), standard: Metric.deltaSeen.rawValue,
      "What heat maps and worst parts show: \(Metric.drawn.map(\.rawValue).joined(separator: ", ")).")
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
    let journal = SettingKey(
      "journal", .text("folder"),
      """
      Keeps what is compared in a journal there. The same command goes on after it: pairs whose files and options have \
      not changed are not compared again, and reports are the same.
      """)
    let shard = SettingKey(
      "shard", .text("i/n|auto"),
      "Compares the pairs of shard I of N alone (0-based; every Nth pair), or auto: what a scheduler says, as for run.")
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
      A is the reference. Two files print a table; two folders a line a pair, joined by name; two sequences are joined by the numbers of frames. Pictures are compared \
      in linear light, so kinds, depths and primaries may differ. Sizes may not, and HDR is not compared with SDR \
      unless --headrooms 1 says so. Options of reading are of both; --a.NAME and --b.NAME are of one. --baseline compares the outputs of two runs by their journals. Exits with 65 when \
      a pair is rejected, cannot be compared or has no partner; differences alone are 0.
      """,
    examples: [
      "compare photo.png photo.avif", "compare OLD NEW --accept good",
      "compare --baseline OLD NEW", "compare a.jpg b.jpg --metrics all --json -",
    ],
    arguments: [
      Command.Argument(
        name: "a", count: .optional, help: "A file, a folder or a sequence (shot.%04d.exr): the reference."),
      Command.Argument(
        name: "b", count: .optional, help: "The file, the folder or the sequence that is compared with it."),
    ],
    options: [options, processors] + SideOptions.shared + [Settings.decoders, SideOptions.a, SideOptions.b], run: run)

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
    let pairs = try inputs.pairs(of: invocation[options.shard])
    let drawings = try PairDrawings(invocation)
    var journal = try PairJournal(invocation, wanted)
    let bytes = invocation[processors.memory] ?? MemoryNeed.batch(allotted: Allotment.current.memory?.value)
    let codecs = CodecsAtUse(
      IsolationOptions(invocation[processors.isolation]), limits: invocation.values.decodeLimits)
    defer { _ = codecs.close() }
    let threads = invocation[processors.threads] ?? Allotment.threads
    let backends = try self.backends(invocation, threads, keptBytes: MemoryNeed.keptPictures(ofBatch: bytes))
    defer { backends.close() }
    let comparer = PairComparer(
      wanted: wanted, isOfRuns: inputs.runs != nil, sides: CompareSides(invocation.values),
      memory: MemoryBudget(ofBatch: bytes), threads: threads, codecs: codecs, backends: backends)
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
    for (index, pair) in pairs.enumerated() {
      if let reason = stop.reason {
        totals.left = pairs.count - index
        statuses.insert(reason.exitStatus)
        Terminal.error.line("hdrbatch: error: \(reason.message), \(totals.left) not compared")
        drawings.page = nil
        break
      }
      let place = journal?.place(of: pair)
      let earlier = journal?.row(place) { drawings.restore($0, $1, pair) }
      let report = earlier == nil ? comparer.report(pair, drawings.begin(pair)) : nil
      if let report {
        drawings.draw(report, pair)
        if drawings.areWhole { journal?.add(place, report, drawings.json) }
      }
      guard let row = earlier ?? report.map(PairRow.init) else { continue }
      totals.add(row)
      statuses.insert(report.map(status(of:)) ?? status(row.verdict))
      json.add(row.record.line)
      csv.add(CSV.line(row.cells))
      // Of runs, what is equal is only counted.
      if printsLines && (inputs.runs == nil || row.change != .equal) {
        for line in inputs.areMany ? [row.line] : report?.table ?? [row.line] { Terminal.output.line(line) }
      }
      if let error = report?.error, error.concernsAll || error.kind == .unavailable {
        totals.left = pairs.count - index - 1
        let rest = totals.left == 0 ? "" : "; stopped, \(totals.left) not compared"
        Terminal.error.line("hdrbatch: error: \(Terminal.text(error.line))\(rest)")
        break
      }
    }
    json.add(totals.json.line)
    if printsLines && inputs.areMany { totals.lines.forEach(Terminal.output.line) }
    statuses.insert(noting { () throws(ResultFileError) in try json.finish() })
    statuses.insert(noting { () throws(ResultFileError) in try csv.finish() })
    if let journal { statuses.insert(noting(journal.close)) }
    if drawings.page != nil {
      let facts = pageFacts(invocation, wanted, inputs, backends)
      statuses.insert(try finish(drawings, facts, comparer.sides, machine(invocation, memory: bytes)))
    }
    let status = ExitStatus.worst(statuses.union(drawings.statuses))
    if status != .success { throw ExitCode(status.code) }
  }

  private static func status(of report: PairReport) -> ExitStatus {
    if let error = report.error { return error.stops?.exitStatus ?? error.status }
    return status(report.verdict)
  }

  private static func status(_ verdict: PairReport.Verdict) -> ExitStatus {
    verdict.fails ? .failedItems : .success
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

  static func noteDropped(_ reason: String, _ backends: RenderBackends) {
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
      "at": .maybe(wanted.side), "mapOf": .maybe(wanted.draws ? wanted.drawn.rawValue : nil),
      "device": .string(backends.deviceName), "runsA": inputs.runs?.a.originsJSON ?? .null,
      "runsB": inputs.runs?.b.originsJSON ?? .null,
    ]
  }
}
