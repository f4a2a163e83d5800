import BatchEngine
import HDRRecipe
import HDRRender
import PlainData

/// `hdrbatch completion`: prints completion scripts for shells.
enum CompletionCommand {
  static let command = Command(
    name: "completion", summary: "Prints a completion script for bash, zsh or fish.",
    discussion: """
      bash: source <(hdrbatch completion bash). zsh: save it as _hdrbatch in a folder of fpath. fish: save it as \
      ~/.config/fish/completions/hdrbatch.fish.
      """,
    examples: ["completion bash > ~/.local/share/bash-completion/completions/hdrbatch"],
    arguments: [Command.Argument(name: "shell", count: .one, help: "bash, zsh or fish.")]
  ) { invocation in
    let shell = invocation.arguments[0]
    guard let words = Completion.Shell(rawValue: shell) else {
      throw UsageError("completion is for bash, zsh, fish, not \(printable(shell))")
    }
    Terminal.output.write(Completion.script(for: words))
  }
}
