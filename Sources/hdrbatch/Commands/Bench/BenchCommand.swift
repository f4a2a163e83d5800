import HDRRecipe
import Measure

/// `hdrbatch bench`: measures the speed of this machine, with ratios of figures from one run.
enum BenchCommand {
  static let command = Command(
    name: "bench",
    summary: "Measures this machine: kernels, codecs, memory and bus, whole files; ratios in one run.",
    commands: [
      BenchAll.command, BenchKernel.command, BenchFilters.command, BenchMetrics.command, BenchCodecs.command,
      BenchTransfer.command, BenchFiles.command, BenchAdaptive.command, BenchVideo.command, BenchCompare.command,
    ])
}
