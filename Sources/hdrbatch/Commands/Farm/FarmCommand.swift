import HDRRecipe

/// `hdrbatch farm`: writes job files for engines that spread work over machines. Each engine has its own file here.
enum FarmCommand {
  static let command = Command(
    name: "farm", summary: "Writes a job file that runs a manifest on a render farm.",
    discussion: """
      hdrbatch plan makes the manifest, the engine runs its shards on many machines, hdrbatch status says what is done. \
      Machines need the manifest, the inputs and the output folder under the same paths.
      """,
    commands: [
      FarmSlurm.command, FarmOpenJD.command, FarmOpenCue.command, FarmKubernetes.command, FarmParallel.command,
    ])
}
