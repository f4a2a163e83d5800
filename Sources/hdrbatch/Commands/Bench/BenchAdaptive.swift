import BatchEngine
import HDRCore
import HDRRecipe
import HDRRender
import Measure

/// `hdrbatch bench adaptive`: measures the work of an Adaptive HDR JPEG between pixels and bytes.
enum BenchAdaptive {
  struct Options: SettingGroup {
    var title: String { "What to measure" }

    let sdr = SettingKey("sdr", .text("file"), "A real pair instead of a made one: the SDR picture.")
    let hdr = SettingKey("hdr", .text("file"), "The HDR picture of the pair.")
    let keep = SettingKey("keep", .text("folder"), "Writes the pair's pixels without headers to this folder.")
    let quality = SettingKey("quality", .integer(0...100), standard: 90, "JPEG quality of base and map.")
  }
  static let options = Options()

  static let command = Command(
    name: "adaptive",
    summary: "User time of Adaptive HDR JPEGs from an RGBA8 SDR and a half-float HDR rendition, step by step.",
    discussion: """
      Both renditions are in memory; everything from there to the bytes of the file counts: both renditions as the \
      arithmetic wants them, light levels, gains, their statistics, codes, coding. Milliseconds of user time (all \
      threads) per megapixel of the base; medians of the repeats after a warm-up. On the CPU.
      """,
    options: [options, BenchOptions.all, BenchSize.all], run: run)

  private static func run(_ invocation: Invocation) throws {
    try invocation.refuse(invocation.has(options.sdr) != invocation.has(options.hdr), "--sdr and --hdr come together")
    let quality = invocation[options.quality]
    let pair: AdaptiveBench
    if let sdr = invocation[options.sdr], let hdr = invocation[options.hdr] {
      pair = try AdaptiveBench(
        sdr: FilePath(sdr), hdr: FilePath(hdr), repeats: invocation[BenchOptions.all.repeats], quality: quality)
    } else {
      pair = try AdaptiveBench(
        width: BenchSize.width, height: BenchSize.height(invocation), repeats: invocation[BenchOptions.all.repeats],
        quality: quality)
    }
    defer { pair.close() }
    if let keep = invocation[options.keep] { try pair.keep(in: keep) }
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
    try BenchOptions.write(report, invocation)
  }
}
