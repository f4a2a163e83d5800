import BatchEngine
import CodecService
import Glibc
import HDRCore
import HDRRecipe
import HDRRender
import PlainData
import Threads

/// Turns the events of a batch into text on stderr, or JSON Lines on stdout.
final class ProgressReporter: Sendable {
  private struct State {
    var done = 0
    var failed = 0, rejected = 0
    var pixels = 0
    /// Sums over finished items: wall seconds by phase, CPU seconds, and wall seconds in which a GPU rendered.
    var phases: [Phase: Double] = [:]
    var cpuSeconds = 0.0
    var gpuSeconds = 0.0
    /// The columns of the bar that is on the terminal now.
    var barWidth = 0
    var lastLine = -Double.infinity
    /// The number of printed warnings, by code.
    var printedWarnings: [String: Int] = [:]
    var isOver = false
    /// Outcomes by input.
    var inputs: InputReports

    init(_ items: [BatchItem]) { inputs = InputReports(items) }
  }

  private let mode: ProgressMode
  private let total: Int
  /// True to print explanations as graphs.
  private let graphs: Bool
  /// True for lines on standard output, one a second.
  private var isForMachines: Bool { mode == .jsonl || mode == .openjd }
  private let isInteractive = Terminal.error.isInteractive
  private let begin = monotonicSeconds()
  private let state: Monitor<State>

  /// Seconds between progress lines without a terminal: few enough for logs, often enough for watchdogs.
  static let humanInterval = 10.0, machineInterval = 1.0, barInterval = 0.2
  /// The number of warnings of a code that are printed; the record has them all.
  static let maxPrintedWarnings = 3

  init(mode: ProgressMode, _ items: [BatchItem], graphs: Bool) {
    self.mode = mode
    total = items.count
    state = Monitor(State(items))
    self.graphs = graphs
  }

  /// Starts the clock that shows progress between events.
  func start() {
    guard mode != .none else { return }
    let interval = isForMachines ? Self.machineInterval : isInteractive ? Self.barInterval : Self.humanInterval
    WorkerThread(name: "progress", isService: true) { [self] in
      while state.wait(seconds: interval, until: { $0.isOver ? true : nil }) == nil {
        state.change { show(&$0, every: interval) }
      }
    }.detach()
  }

  func handle(_ event: BatchEvent) {
    state.change { state in
      switch event {
      case .started(_, let device, let fallback):
        if let fallback { say("hdrbatch: notice: rendering on the \(device): \(printable(fallback))", &state) }
      case .lessIsolated(let reason):
        say("hdrbatch: warning: \(reason)", &state)
      case .tightAddressSpace(let bytes, let jobs):
        say(
          "hdrbatch: notice: the address space is limited to \(bytes >> 20) MiB (ulimit -v): "
            + "\(jobs) picture\(jobs == 1 ? "" : "s") at a time, and little memory shared with codec processes", &state)
      case .fewOpenFiles(let count, let jobs):
        say(
          "hdrbatch: notice: at most \(count) files can be open (ulimit -n): "
            + "\(jobs) picture\(jobs == 1 ? "" : "s") at a time", &state)
      case .badRows(let count):
        say(
          "hdrbatch: warning: the journals have \(count) damaged row\(count == 1 ? "" : "s"), which "
            + "\(count == 1 ? "is" : "are") passed over; what they said is done again", &state)
      case .madeAgain(let count, let items, let change):
        say("hdrbatch: notice: \(change) changed: \(count) of \(items) are made again", &state)
      case .fellBack(let reason):
        say("hdrbatch: notice: the GPU is given up, the CPU goes on: \(printable(reason))", &state)
      case .deviceReopened(let reason):
        say("hdrbatch: notice: a GPU is opened again after a loss: \(printable(reason))", &state)
      case .deviceDropped(let reason, let others):
        say("hdrbatch: notice: a GPU is not used, \(others) goes on: \(printable(reason))", &state)
      case .explained(let item, let what):
        if graphs {
          if let graph = what.graph { Terminal.output.write(graph) }
        } else {
          let title = item.input.display + (what.title.isEmpty ? "" : ", \(what.title)")
          let to = item.relativeOutput.display
          let start = mode == .openjd ? "hdrbatch: " : ""
          say(
            ([start + title + " -> " + to] + what.lines.map { "  " + printable($0) }).joined(separator: "\n"),
            &state)
        }
      case .itemFinished(let record):
        state.done += 1
        if record.status == .ok || record.status == .warn { state.pixels += record.pixels }
        for (phase, seconds) in record.seconds {
          state.phases[phase, default: 0] += seconds.wall
          state.cpuSeconds += seconds.cpu
          if phase == .render && record.backend == "gpu" { state.gpuSeconds += seconds.wall }
        }
        switch record.status {
        case .failed: state.failed += 1
        case .rejected: state.rejected += 1
        case .ok, .warn, .skipped: break
        }
        tell(state.inputs.add(record), &state)
        show(&state, every: isForMachines ? Self.machineInterval : isInteractive ? 0 : Self.humanInterval)
      }
    }
  }

  /// Removes the bar and prints the totals.
  func finish(_ summary: BatchSummary) {
    state.change { state in
      state.isOver = true
      clearBar(&state)
      for records in state.inputs.rest() { tell(records, &state) }
      for line in state.inputs.advice { Terminal.error.line(line) }
      for fault in summary.faults { Terminal.error.line("hdrbatch: error: \(fault)") }
      if let reason = summary.stopped {
        Terminal.error.line("hdrbatch: error: \(reason.message); \(summary.skipped) inputs were not rendered")
      }
      switch mode {
      case .none: break
      case .human: Terminal.error.line("hdrbatch: " + text(of: summary, state.inputs))
      case .jsonl:
        var fields = progressFields(state)
        fields.append(JSON.Field("finished", .bool(true)))
        fields.append(JSON.Field("exitCode", .int(Int(summary.exitStatus.code))))
        Terminal.output.line(JSON.object(fields).line)
      case .openjd:
        Terminal.output.line(OpenJDLines.progress(done: state.done, total: total, status: rateText(state)))
        if summary.exitStatus != .success { Terminal.output.line(OpenJDLines.failure(failure(summary))) }
      }
    }
  }

  /// Returns the failure text of a shard for a farm.
  private func failure(_ summary: BatchSummary) -> String {
    var parts: [String] = []
    if let reason = summary.stopped { parts.append("\(reason.message), \(summary.skipped) of \(total) items not done") }
    if summary.failed > 0 { parts.append("\(summary.failed) of \(total) items failed, see the journal") }
    if summary.rejected > 0 { parts.append("\(summary.rejected) of \(total) items rejected, see the journal") }
    return parts.isEmpty ? "exit code \(summary.exitStatus.code)" : parts.joined(separator: "; ")
  }

  private func text(of summary: BatchSummary, _ inputs: InputReports) -> String {
    let made = summary.ok + summary.warned
    var parts = ["\(made) rendered"]
    if inputs.hasSeveral {
      parts = ["\(inputs.rendered) of \(inputs.inputs) pictures, \(made) of \(total) files"]
    }
    if summary.warned > 0 { parts[0] += " (\(summary.warned) with warnings)" }
    if summary.failed > 0 { parts.append("\(summary.failed) failed") }
    if summary.rejected > 0 { parts.append("\(summary.rejected) rejected") }
    if summary.skipped > 0 { parts.append("\(summary.skipped) skipped") }
    let seconds = max(summary.wallSeconds, 1e-6)
    return parts.joined(separator: ", ")
      + " in \(decimals(seconds, 1)) s: \(decimals(Double(made) / seconds, 1)) \(inputs.hasSeveral ? "files" : "images")/s, "
      + "\(decimals(Double(summary.pixels) / 1e6 / seconds, 1)) MP/s; \(decimals(summary.cpuSeconds, 1)) CPU-s, "
      + "peak memory \(summary.peakResidentBytes >> 20) MiB"
      + (summary.sampledStrips > 0
        ? "; \(summary.sampledStrips) strip\(summary.sampledStrips == 1 ? "" : "s") compared with the CPU" : "")
  }

  /// Prints what went wrong with an input.
  private func tell(_ records: [ItemRecord], _ state: inout State) {
    for line in state.inputs.lines(of: records) { say(line, &state) }
    guard mode == .human else { return }
    var told: [Warning] = []
    for record in records {
      // Outputs of an input share what it is warned of.
      tellWarnings(record, leavingOut: told, &state)
      told += record.warnings
    }
  }

  private func tellWarnings(_ record: ItemRecord, leavingOut told: [Warning], _ state: inout State) {
    for warning in record.warnings where !told.contains(warning) {
      let count = state.printedWarnings[warning.code, default: 0]
      state.printedWarnings[warning.code] = count + 1
      if count == Self.maxPrintedWarnings {
        say("hdrbatch: notice: more warnings [\(warning.code)] are in the --record only", &state)
      } else if count < Self.maxPrintedWarnings {
        say(
          "hdrbatch: warning: \(record.item.input.display): \(Terminal.text(warning.message)) "
            + "[\(warning.code)]", &state)
      }
    }
  }

  /// Prints a line above the bar.
  private func say(_ line: String, _ state: inout State) {
    clearBar(&state)
    Terminal.error.line(line)
  }

  private func clearBar(_ state: inout State) {
    guard state.barWidth > 0 else { return }
    Terminal.error.write("\r" + String(repeating: " ", count: state.barWidth) + "\r")
    state.barWidth = 0
  }

  private func show(_ state: inout State, every interval: Double) {
    let now = monotonicSeconds()
    guard !state.isOver, now - state.lastLine >= interval else { return }
    switch mode {
    case .none: return
    case .jsonl: Terminal.output.line(JSON.object(progressFields(state)).line)
    case .openjd:
      Terminal.output.line(OpenJDLines.progress(done: state.done, total: total, status: rateText(state)))
    case .human:
      if isInteractive {
        // One write over the old bar, so that it does not flicker.
        let bar = barText(state)
        Terminal.error.write("\r" + bar + String(repeating: " ", count: max(0, state.barWidth - bar.count)))
        state.barWidth = bar.count
      } else {
        // The first line comes after an interval, so short batches print only their totals.
        guard now - begin >= interval else { return }
        Terminal.error.line("hdrbatch: " + rateText(state))
      }
    }
    state.lastLine = now
  }

  private func rates(_ state: State) -> (images: Double, megapixels: Double, secondsLeft: Double?) {
    let seconds = max(monotonicSeconds() - begin, 1e-3)
    let images = Double(state.done) / seconds
    return (images, Double(state.pixels) / 1e6 / seconds, images > 0 ? Double(total - state.done) / images : nil)
  }

  private func rateText(_ state: State) -> String {
    let rates = rates(state)
    var text = "\(state.done)/\(total), \(decimals(rates.images, 1)) images/s, \(decimals(rates.megapixels, 1)) MP/s"
    if let left = rates.secondsLeft { text += ", ETA \(StatusReport.clock(left))" }
    if state.failed > 0 { text += ", \(state.failed) failed" }
    if state.rejected > 0 { text += ", \(state.rejected) rejected" }
    let load = load(state)
    if let phase = load.phase { text += "; \(phase) \(percent(load.share)), CPU \(decimals(load.cpus, 1))" }
    if load.gpu > 0 { text += ", GPU \(percent(load.gpu))" }
    return text
  }

  /// Returns the phase that items spend most of their time in, with its share; the number of busy processors; the share
  /// of the time in which a GPU had work, at most 1.
  private func load(_ state: State) -> (phase: String?, share: Double, cpus: Double, gpu: Double) {
    let seconds = max(monotonicSeconds() - begin, 1e-3), whole = state.phases.values.reduce(0, +)
    let most = Phase.allCases.max { state.phases[$0, default: 0] < state.phases[$1, default: 0] }
    guard whole > 0, let most else { return (nil, 0, 0, 0) }
    return (
      most.rawValue, state.phases[most, default: 0] / whole, state.cpuSeconds / seconds,
      min(1, state.gpuSeconds / seconds)
    )
  }

  private func barText(_ state: State) -> String {
    let text = rateText(state)
    let room = min(30, Terminal.error.columns - text.count - 4)
    guard room >= 5 else { return String(text.prefix(max(0, Terminal.error.columns - 1))) }
    let filled = total > 0 ? room * state.done / total : room
    return "[" + String(repeating: "#", count: filled) + String(repeating: ".", count: room - filled) + "] " + text
  }

  private func progressFields(_ state: State) -> [JSON.Field] {
    let rates = rates(state), load = load(state)
    return [
      JSON.Field("type", .string("progress")), JSON.Field("done", .int(state.done)),
      JSON.Field("total", .int(total)), JSON.Field("failed", .int(state.failed)),
      JSON.Field("rejected", .int(state.rejected)),
      JSON.Field("imagesPerSecond", .number((rates.images * 100).rounded() / 100)),
      JSON.Field("megapixelsPerSecond", .number((rates.megapixels * 100).rounded() / 100)),
      JSON.Field("etaSeconds", .maybe(rates.secondsLeft.map { $0.rounded() })),
      JSON.Field("bottleneck", .maybe(load.phase)),
      JSON.Field("bottleneckShare", .number((load.share * 100).rounded() / 100)),
      JSON.Field("cpusBusy", .number((load.cpus * 100).rounded() / 100)),
      JSON.Field("gpuBusy", .number((load.gpu * 100).rounded() / 100)),
    ]
  }
}

private func percent(_ share: Double) -> String { "\(Int((min(max(share, 0), 1) * 100).rounded())) %" }
