import ArgumentParser
import BatchEngine
import HDRCore
import ImageFiles

/// `hdrbatch bench files`: what a rendition costs beside its codecs.
struct BenchFiles: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "files",
    abstract: "CPU time of whole renditions beside that of their codecs alone, one file at a time.",
    discussion: """
      The whole is read, decode, plan, render, measure light, encode and verify in memory; writing to disk is not \
      counted. The codecs alone decode the same file and encode the same pixels. Seconds are CPU time of the process, \
      user and system; medians of the repeats after a warm-up. All options of render that decide pixels and file \
      settings apply.
      """)

  @Argument(help: ArgumentHelp("Files, folders (all pictures below them) or @list.txt.", valueName: "input"))
  var inputs: [String]

  @OptionGroup(title: "Rendition")
  var rendition: RenditionArguments

  @Option(help: ArgumentHelp("auto, gpu or cpu, as for render.", valueName: "backend"))
  var backend = BackendChoice.auto

  @Option(help: ArgumentHelp("GPU by index, UUID, PCI address or any part of its name.", valueName: "device"))
  var device: String?

  @OptionGroup
  var decoders: DecoderArguments

  @OptionGroup
  var bench: BenchArguments

  @Flag(
    help: "Then all files as one batch, with codec processes and the disk: images a second, and how phases overlap.")
  var batch = false

  @Option(help: ArgumentHelp("Where --batch writes; everything is removed again.", valueName: "folder"))
  var scratch = "/tmp"

  func validate() throws {
    if backend == .cpu && device != nil { throw ValidationError("--device needs --backend gpu or auto") }
  }

  func run() throws {
    try decoders.check()
    let found = try InputCollector.collect(inputs)
    let options = try rendition.options(inputs: found, limits: decoders.limits)
    var report = BenchReport()
    let codecsSeconds = try measure(found, options, &report)
    if batch, let codecsSeconds {
      var settings = BatchOptions(rendition: options)
      settings.backend = backend
      settings.device = device
      settings.limits = decoders.limits
      let figure = try BatchBench(found, settings, scratch: FilePath(scratch)).run(
        images: 8, repeats: bench.repeats, codecsSeconds: codecsSeconds)
      if let figure {
        report.figures.append(figure)
        Terminal.output.line(
          "\(figure.name): \(significant(figure.spread.median)) images/s, "
            + "\(significant(figure["mpPerSecond"]?.double ?? 0)) MP/s; \(figure.limit ?? "")")
      }
    }
    try bench.write(report)
    if codecsSeconds == nil { throw ExitCode(ExitStatus.failedItems.code) }
  }

  /// Each file by itself.
  ///
  /// - Returns: CPU seconds of all codecs alone; `nil` when a file failed.
  private func measure(
    _ found: [InputItem], _ options: RenditionOptions, _ report: inout BenchReport
  ) throws -> Double? {
    let files = try FileBench(
      options, backend: backend, device: device, repeats: bench.repeats, limits: decoders.limits)
    defer { files.close() }
    let table = TextTable([
      .text("kind", 8), .number("MP", 5), .number("decode s", 9), .number("encode s", 9), .number("codecs s", 9),
      .number("whole s", 8), .number("added"), .number("user ms/MP", 11), .number("CPU ms/MP", 10), .number("MP/s", 6),
      .text("on", 3), .text("file", 4),
    ])
    var codecsSeconds = 0.0, hasFailures = false
    Terminal.output.line(table.head)
    for item in found {
      do throws(FileBench.Failure) {
        let row = try files.measure(item.path)
        report.figures.append(row.figure)
        codecsSeconds += row.codecs.total
        Terminal.output.line(
          table.row([
            row.kind.rawValue, decimals(row.megapixels, 1), decimals(row.decodeSeconds, 3),
            decimals(row.encodeSeconds, 3), decimals(row.codecs.total, 3), decimals(row.whole.total, 3),
            decimals(row.addedShare * 100, 1) + " %", decimals(row.userMillisecondsPerMegapixel, 1),
            decimals(row.cpuMillisecondsPerMegapixel, 1), decimals(row.megapixelsPerSecond, 1), row.backend,
            row.input.display,
          ]))
        Terminal.output.line(
          "         rest: " + row.phases.map { "\($0.name) \(decimals($0.seconds, 3)) s" }.joined(separator: ", "))
      } catch {
        hasFailures = true
        report.problems.append("\(item.path.display): \(error)")
        Terminal.error.line("hdrbatch: error: \(item.path.display): \(error) [\(error.code)]")
      }
    }
    return hasFailures ? nil : codecsSeconds
  }
}
