import ArgumentParser
import BatchEngine

/// `hdrbatch bench adaptive`: cost of an Adaptive HDR JPEG from pixels to bytes.
struct BenchAdaptive: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "adaptive",
    abstract: "User time of Adaptive HDR JPEGs from an RGBA8 SDR and a half-float HDR rendition, step by step.",
    discussion: """
      Both renditions are in memory; everything from there to the bytes of the file counts: both renditions as the \
      arithmetic wants them, light levels, gains, their statistics, codes, coding. Milliseconds of user time (all \
      threads) per megapixel of the base; medians of the repeats after a warm-up. On the CPU. \
      scripts/oracles/ultrahdr_bench.py runs this and libultrahdr on the same pair.
      """)

  @Option(help: ArgumentHelp("A real pair instead of a made one: the SDR picture.", valueName: "file"))
  var sdr: String?

  @Option(help: ArgumentHelp("The HDR picture of the pair.", valueName: "file"))
  var hdr: String?

  @OptionGroup
  var bench: BenchArguments

  @Option(help: ArgumentHelp("Writes the pair's pixels without headers to this folder.", valueName: "folder"))
  var keep: String?

  @OptionGroup
  var size: BenchSize

  @Option(help: "JPEG quality of base and map.")
  var quality = 90

  func validate() throws {
    guard (sdr == nil) == (hdr == nil) else { throw ValidationError("--sdr and --hdr come together") }
    guard (0...100).contains(quality) else { throw ValidationError("--quality takes 0 to 100") }
  }

  func run() throws {
    let pair: AdaptiveBench
    if let sdr, let hdr {
      pair = try AdaptiveBench(sdr: FilePath(sdr), hdr: FilePath(hdr), repeats: bench.repeats, quality: quality)
    } else {
      pair = try AdaptiveBench(width: size.width, height: size.height, repeats: bench.repeats, quality: quality)
    }
    defer { pair.close() }
    if let keep { try pair.keep(in: keep) }
    var report = BenchReport()
    let table = TextTable(
      [.text("user ms/MP", 16)] + AdaptiveBench.steps.map { .number($0, 8) }
        + [.number("whole"), .number("CPU"), .number("MB", 6)])
    Terminal.output.line(table.head)
    for map in AdaptiveBench.maps {
      let row = try pair.measure(channels: map.channels, scale: map.scale)
      report.figures.append(row.figure)
      Terminal.output.line(
        table.row(
          [row.name] + row.steps.map { decimals(row.milliseconds($0.cpu.user), 2) }
            + [
              decimals(row.milliseconds(row.whole.user), 2), decimals(row.milliseconds(row.whole.total), 2),
              decimals(Double(row.fileBytes) / 1e6, 2),
            ]))
    }
    try bench.write(report)
  }
}
