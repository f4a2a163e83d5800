import HDRCore
import HDRPlan
import HDRRecipe
import Measure
import PlainData

/// The list of commands.
enum Commands {
  static let root = Command(
    name: "hdrbatch",
    summary: """
      Renders HDR photos in bulk: PQ, HLG, SDR or Adaptive HDR (Ultra HDR, gain maps), with filters, on a GPU or on the \
      CPU, with the same bits.
      """,
    discussion: """
      Exit codes: 0 all done, 64 bad usage, 65 finished with inputs that failed or were rejected, 69 a demanded device \
      is missing, 74 reading or writing failed, 75 stopped early with work left, 130 Ctrl-C, 1 a bug.
      """,
    examples: [
      "render PHOTOS -o OUT --to adaptive-jpeg", "render PHOTOS -o OUT --to sdr-jpeg", "info photo.heic", "doctor",
    ],
    commands: [
      RenderCommand.command, PairCommand.command, PlanCommand.command, RunCommand.command, FarmCommand.command,
      StatusCommand.command, WatchCommand.command, GalleryCommand.command, CleanCommand.command,
      ReproduceCommand.command,
      VideoCommand.command, FiltersCommand.command, CompareCommand.command,
      InfoCommand.command, ServeCommand.command, DoctorCommand.command, VerifyCommand.command, BenchCommand.command,
      CompletionCommand.command, ManCommand.command, OptionsCommand.command, SpacesCommand.command,
    ])

  /// All commands that do something, by the words that name them.
  static var all: [(path: String, command: Command)] { below(root, "") }

  private static func below(_ command: Command, _ path: String) -> [(path: String, command: Command)] {
    command.commands.flatMap { child in
      let name = path.isEmpty ? child.name : path + " " + child.name
      return child.commands.isEmpty ? [(name, child)] : below(child, name)
    }
  }

  /// Returns a command that has an option of this name.
  static func owner(of option: String) -> String? {
    all.first { $0.command.rows.contains { Nearest.match(option, among: [$0.name]) != nil } }?.path
  }
}
