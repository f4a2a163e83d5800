import ArgumentParser
import BatchEngine
import Glibc

/// The command line program. Each subcommand is a file of its own and a line in `subcommands`.
@main
struct HDRBatch: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hdrbatch",
    abstract:
      "Renders HDR photos in bulk: PQ, HLG, SDR or Adaptive HDR, with filters, on a GPU or on the CPU, with the same bits.",
    discussion: """
      Exit codes: 0 all done, 64 bad usage, 65 finished with failed inputs, 69 a demanded device is missing, 74 reading \
      or writing failed, 75 stopped early with work left, 130 Ctrl-C, 1 a bug.
      """,
    version: hdrbatchVersion,
    subcommands: [
      Render.self, Pair.self, PlanCommand.self, RunCommand.self, FarmCommand.self, StatusCommand.self,
      CleanCommand.self, ReproduceCommand.self,
      FiltersCommand.self, Info.self, DoctorCommand.self, VerifyCommand.self, Bench.self,
    ])

  /// The program's arguments, in the form that the parser takes.
  static var arguments: [String] { parsable(CommandLine.arguments.dropFirst()) }

  /// Arguments in the form that the parser takes.
  static func parsable(_ words: some Sequence<String>) -> [String] {
    words.map { $0 == "--explain=dot" ? "--" + BatchArguments.dotFlag : $0 }
  }

  /// Runs the command; an error becomes one line and an exit code (docs/farm.md#exit-codes).
  static func main() {
    SignalWatcher.start()
    do {
      var command = try parseAsRoot(arguments)
      try command.run()
    } catch let error as UsageError {
      quit("\(error)", .usage)
    } catch let error as UnavailableError {
      quit("\(error)", .unavailable)
    } catch let error as ResultFileError {
      quit("\(error)", .inputOutput)
    } catch let error as RecordError {
      quit("\(error)", .inputOutput)
    } catch {
      // An exit code was reported before; help is no failure.
      if !(error is ExitCode), exitCode(for: error) != .success { announce(message(for: error)) }
      exit(withError: error)
    }
  }

  /// Writes the reason of an exit code other than 0 for a farm.
  private static func announce(_ message: String) {
    guard OpenJDLines.areWanted(arguments) else { return }
    let first = message.split(whereSeparator: \.isNewline).first.map(String.init) ?? message
    Terminal.output.line(OpenJDLines.failure(first))
  }

  private static func quit(_ message: String, _ status: ExitStatus) -> Never {
    Terminal.error.line("hdrbatch: error: " + message)
    announce(message)
    Glibc.exit(status.code)
  }
}
