import BatchEngine
import CPlatform
import CodecService
import Glibc
import HDRCore
import HDRRecipe
import HDRRender

/// The command line program.
@main
struct HDRBatch {
  /// The program's arguments without its name.
  static var arguments: [String] { Array(programArguments.dropFirst()) }

  /// Runs the command; an error becomes one line and an exit code (docs/farm.md#exit-codes).
  static func main() {
    SignalWatcher.start()
    hdr_raise_open_files()
    // Each arena of the allocator takes 64 MiB of addresses.
    hdr_keep_memory(4 << 20, 16 << 20, Allotment.current.addressSpace == nil ? 0 : 4)
    do {
      switch try CommandLineParser.parse(arguments) {
      case .run(var invocation):
        try Defaults.add(to: &invocation)
        try invocation.command.run(invocation)
      case .help(let path, let all): Terminal.output.write(HelpText(path: path, all: all).text)
      case .noCommand(let path):
        // A job with an empty variable has done nothing, and must not look successful.
        Terminal.error.write(HelpText(path: path, all: false).text)
        end(ExitStatus.usage.code)
      case .version: Terminal.output.line(hdrbatchVersion)
      }
    } catch let error as ExitCode {
      end(error.code)
    } catch let error as UsageError {
      quit(error.message, .usage)
    } catch let error as UnavailableError {
      quit(error.message, error.mayPass ? .stoppedEarly : .unavailable)
    } catch let error as ResultFileError {
      quit(error.message, .inputOutput)
    } catch let error as RecordError {
      quit(error.message, .inputOutput)
    } catch {
      quit("\(error)", .bug)
    }
    end(0)
  }

  /// Ends the process; without the driver's own end if a device hangs, because that would wait for it.
  private static func end(_ code: Int32) -> Never {
    if !RenderBackends.hasHungDevice { Glibc.exit(code) }
    fflush(nil)
    _exit(code)
  }

  /// Writes the reason of a nonzero exit code for a farm.
  private static func announce(_ message: String) {
    guard OpenJDLines.areWanted(arguments) else { return }
    let first = message.split(whereSeparator: \.isNewline).first.map(String.init) ?? message
    Terminal.output.line(OpenJDLines.failure(first))
  }

  private static func quit(_ message: Message, _ status: ExitStatus) -> Never {
    let message = message.text(dashes: true)
    Terminal.error.line("hdrbatch: error: " + message)
    announce(message)
    end(status.code)
  }
}
