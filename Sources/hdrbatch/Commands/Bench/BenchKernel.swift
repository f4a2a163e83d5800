import BatchEngine
import HDRCore
import HDRPlan
import HDRRecipe
import HDRRender
import ImageFiles
import Measure

/// `hdrbatch bench kernel`: measures the fused recipes without files.
enum BenchKernel {
  struct Options: SettingGroup {
    var title: String { "What to measure" }

    let kernel = SettingKey(
      "kernel", .text("file"), "Only what this kernel of yours adds to a picture.")
    let stages = SettingKey(flag: "stages", "What each stage of the recipes adds, too.")
  }
  static let options = Options()

  static let command = Command(
    name: "kernel",
    summary: "Fused recipes, as reference, lut-pq and aces-sdr, on every CPU build and device, in ns a pixel.",
    discussion: """
      reference: P010, PQ, gain map, 33³ LUT in PQ, Reference White, half. lut-pq: P010 PQ, LUT in PQ, 16-bit PQ. \
      hlg-to-pq: P010 HLG to 16-bit PQ. aces-sdr, aces-hdr1000, aces1-sdr: halves of a scene's light through the views \
      sdr-709, hdr1000-p3 and aces1-sdr to 16 bits. Medians of the repeats after a warm-up; the first figure is wall \
      time (on a GPU its kernels by its own clock), then CPU time of the process. "of roof" is the share of the nearer \
      of two roofs: bytes of a copy in the same memory, products and sums of the same cores or device, in the same run.
      """,
    options: [options, BenchDevice.all, BenchOptions.all, BenchSize.all], run: run)

  private static func run(_ invocation: Invocation) throws {
    var report = BenchReport()
    if let path = invocation[options.kernel] {
      try run(kernel: FilePath(path), invocation, &report)
      return try BenchOptions.write(report, invocation)
    }
    let roofs = HostRoofs.all(repeats: invocation[BenchOptions.all.repeats])
    report.figures += roofs.flatMap(\.figures)
    let table = TextTable([
      .text("recipe", 12), .text("backend", 8), .text("isa", 10), .number("threads", 7), .number("ns/px"),
      .number("CPU ns/px", 10), .number("call ns/px", 11), .number("bytes/px", 9), .number("GB/s", 7),
      .number("of copy"), .number("of roof"), .text("roof", 10), .text("device", 6),
    ])
    Terminal.output.line(table.head)
    KernelBench(
      width: BenchSize.width, height: BenchSize.height(invocation), repeats: invocation[BenchOptions.all.repeats]
    ).run(device: invocation[BenchDevice.all.device], roofs: roofs) {
      report.figures.append($0.figure)
      Terminal.output.line(
        table.row([
          $0.recipe, $0.backend, $0.isa, "\($0.threads)", decimals($0.nsPerPixel, 2), decimals($0.cpuNsPerPixel, 2),
          decimals($0.callNsPerPixel, 2), decimals($0.bytesPerPixel, 2), decimals($0.gigabytesPerSecond, 2),
          $0.copyShare.map { decimals($0 * 100, 1) + " %" } ?? "-",
          $0.nearerRoof.map { decimals($0.share * 100, 1) + " %" } ?? "-", $0.nearerRoof?.name ?? "-", $0.device,
        ]))
    }
    if invocation[options.stages] {
      let table = TextTable([.text("stage", 60), .number("adds ns/px", 10)])
      Terminal.output.line("")
      Terminal.output.line(table.head)
      StageBench(
        width: BenchSize.width, height: BenchSize.height(invocation), repeats: invocation[BenchOptions.all.repeats]
      ).run(device: invocation[BenchDevice.all.device]) {
        report.figures.append($0)
        Terminal.output.line(table.row([$0.name, decimals($0.spread.median, 2)]))
      }
    }
    for sentence in report.sentences { Terminal.output.line(sentence) }
    try BenchOptions.write(report, invocation)
  }

  /// Measures a user's kernel alone.
  private static func run(kernel path: FilePath, _ invocation: Invocation, _ report: inout BenchReport) throws {
    let kernel: UserKernel
    do throws(FilterInputs.Fault) {
      kernel = try KernelStore.read(path, limits: DecodeLimits(), codecs: InProcessCodecs()).kernel
    } catch {
      throw UsageError("--kernel \(error.message)")
    }
    let table = TextTable([.text("kernel", 60), .number("adds ns/px", 10)])
    Terminal.output.line(table.head)
    UserKernelBench(
      width: BenchSize.width, height: BenchSize.height(invocation), repeats: invocation[BenchOptions.all.repeats]
    ).run(kernel, device: invocation[BenchDevice.all.device]) {
      report.figures.append($0)
      Terminal.output.line(table.row([$0.name, decimals($0.spread.median, 2)]))
    }
  }
}
