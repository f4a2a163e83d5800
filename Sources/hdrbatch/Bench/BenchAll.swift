import ArgumentParser
import BatchEngine
import HDRCore
import ImageFiles

/// `hdrbatch bench all`: everything in one run, on one page.
struct BenchAll: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "all",
    abstract: "Everything in one run: memory and bus, kernels, stages, filters, codecs, whole files and batches.",
    discussion: """
      Files are INPUT, or a PQ HEIC and a gain-map JPEG made for the purpose. Each is rendered to PQ PNG, SDR JPEG and \
      PQ HEIC, alone and as a batch. --peers adds other programs that are installed, on the same file and job.
      """)

  @Argument(help: ArgumentHelp("Files, folders or @list.txt. Default: two made files.", valueName: "input"))
  var inputs: [String] = []

  @OptionGroup
  var decoders: DecoderArguments

  @OptionGroup
  var bench: BenchArguments

  @OptionGroup
  var size: BenchSize

  @Option(help: "Only this device, software devices too. Default: every GPU.")
  var device: String?

  @Flag(help: "ffmpeg (zscale, tonemap, lut3d, libplacebo), libvips and libultrahdr, where they are installed.")
  var peers = false

  @Option(
    help: ArgumentHelp("Where batches and made files are written; everything is removed again.", valueName: "folder"))
  var scratch = "/tmp"

  func run() throws {
    try decoders.check()
    var report = BenchReport()
    for line in report.machine.lines { Terminal.output.line(line) }
    let suite = BenchSuite(
      width: size.width, height: size.height, repeats: bench.repeats, device: device, scratch: FilePath(scratch),
      runsPeers: peers, limits: decoders.limits)
    try suite.run(try inputs.isEmpty ? [] : InputCollector.collect(inputs), into: &report) { step in
      Terminal.error.line("hdrbatch: bench: \(step)")
    }
    // The machine has been printed already.
    for line in report.lines.dropFirst(report.machine.lines.count) { Terminal.output.line(line) }
    try bench.write(report)
  }
}
