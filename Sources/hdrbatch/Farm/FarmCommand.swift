import ArgumentParser

/// `hdrbatch farm`: job files for engines that spread work over machines. Each engine is a file of its own beside this one.
struct FarmCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "farm",
    abstract: "Writes a job file that runs a manifest on a render farm.",
    discussion: """
      hdrbatch plan makes the manifest, the engine runs its shares on many machines, hdrbatch status says what is done. \
      Machines need the manifest, the inputs and the output folder under the same paths. docs/farm.md.
      """,
    subcommands: [FarmSlurm.self, FarmOpenJD.self, FarmOpenCue.self, FarmKubernetes.self, FarmParallel.self])
}
