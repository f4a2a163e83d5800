import BatchEngine
import Gallery
import HDRComparison
import HDRCore
import HDRRecipe
import HDRRender
import PlainData

/// The page of `compare --html`.
extension CompareCommand {
  /// Returns the machine for the page's pictures.
  static func machine(_ invocation: Invocation, memory: Int) -> BatchOptions {
    var machine = BatchOptions(outputs: [])
    (machine.backend, machine.device) = (invocation[processors.backend], invocation[processors.device])
    if let threads = invocation[processors.threads] { machine.threads = threads }
    (machine.memory, machine.limits) = (memory, invocation.values.decodeLimits)
    machine.isolation = IsolationOptions(invocation[processors.isolation])
    return machine
  }

  /// Returns what the comparison was asked for.
  static func pageFacts(
    _ invocation: Invocation, _ wanted: ComparisonOptions, _ inputs: CompareInputs, _ backends: RenderBackends
  ) -> [JSON.Field] {
    let names = invocation.arguments.map(printable), list = invocation[options.list].map(printable)
    let runs = inputs.runs.map { [$0.a.line("A", names[0]), $0.b.line("B", names[1])] } ?? []
    return [
      JSON.Field("title", .string(list ?? names.joined(separator: " | "))),
      JSON.Field("mapOf", .string(wanted.drawn.rawValue)), JSON.Field("accept", .maybe(wanted.accept?.text)),
      JSON.Field("device", .string(backends.deviceName)), JSON.Field("runs", .array(runs.map(JSON.string))),
    ]
  }

  /// Finishes the page and prints its place.
  static func finish(
    _ drawings: PairDrawings, _ facts: [JSON.Field], _ sides: CompareSides, _ machine: BatchOptions
  ) throws -> ExitStatus {
    do {
      guard
        let made = try drawings.page?.finish(
          facts, readings: (sides.a.settings, sides.b.settings), machine,
          watch: { runner in
            SignalWatcher.watch(runner.stop) { runner.abandon() }
          })
      else { return .success }
      GalleryCommand.note(made.unseen)
      Terminal.error.line("hdrbatch: the pairs are in \(made.page.display)")
      return made.summary?.stopped?.exitStatus ?? .success
    } catch let error as ResultFileError {
      return noting { () throws(ResultFileError) in throw error }
    }
  }
}
