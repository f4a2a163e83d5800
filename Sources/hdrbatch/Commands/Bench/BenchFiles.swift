import BatchEngine
import HDRCore
import HDRRecipe
import HDRRender
import ImageFiles
import Measure

/// `hdrbatch bench files`: measures the cost of a rendition in addition to its codecs.
enum BenchFiles {
  struct Options: SettingGroup {
    var title: String { "What to measure" }

    let to = SettingKey("to", .choice(OutputKind.self, "kind"), standard: .pqPNG, "What to make.")
    let backend = SettingKey(
      "backend", .choice(BackendChoice.self, "backend"), standard: .auto, "auto, gpu or cpu, as for render.")
    let device = SettingKey("device", .text("device"), "GPU by index, UUID, PCI address or any part of its name.")
    let batch = SettingKey(
      flag: "batch",
      "Then all files as one batch, with codec processes and the disk: images a second, and how phases overlap.")
    let scratch = SettingKey(
      "scratch", .text("folder"), standard: "/tmp", "Where --batch writes; everything is removed again.")
  }
  static let options = Options()

  static let command = Command(
    name: "files",
    summary: "CPU time of whole renditions beside that of their codecs alone, one file at a time.",
    discussion: """
      The whole is read, decode, plan, render, measure light, encode and verify in memory; writing to disk is not \
      counted. The codecs alone decode the same file and encode the same pixels. Seconds are CPU time of the process, \
      user and system; medians of the repeats after a warm-up. All options of render that decide pixels and file \
      settings apply.
      """,
    arguments: [RenderCommand.someInputs],
    options: [
      options, Settings.reading, Settings.light, Settings.color, Settings.views, Settings.config,
      Settings.files, Settings.decoders,
      BenchOptions.all,
    ], run: run)

  private static func run(_ invocation: Invocation) throws {
    try invocation.refuse(
      invocation[options.backend] == .cpu && invocation.has(options.device), "--device needs --backend gpu or auto")
    try invocation.refuse(invocation.values.takesAllPictures, "--image all has no effect on bench: give a number")
    try invocation.values.checkDecoders()
    var text = RecipeText()
    try text.set(invocation.values)
    text.recipe.outputs = [Recipe.Output(invocation[options.to].rawValue)]
    try text.check()
    let found = try InputCollector.collect(invocation.arguments)
    let rendition = try PreparedRecipe(
      text, inputs: found, limits: invocation.values.decodeLimits, isolation: IsolationOptions()
    ).options.rendition
    var report = BenchReport()
    let codecsSeconds = try measure(found, rendition, invocation, &report)
    if invocation[options.batch], let codecsSeconds {
      try measureBatch(found, rendition, invocation, codecsSeconds, &report)
    }
    try BenchOptions.write(report, invocation)
    if codecsSeconds == nil { throw ExitCode(ExitStatus.failedItems.code) }
  }

  private static func measureBatch(
    _ found: [InputReference], _ rendition: RenditionOptions, _ invocation: Invocation, _ codecsSeconds: Double,
    _ report: inout BenchReport
  ) throws {
    var settings = BatchOptions(rendition: rendition)
    settings.backend = invocation[options.backend]
    settings.device = invocation[options.device]
    settings.limits = invocation.values.decodeLimits
    let figure = try BatchBench(found, settings, scratch: FilePath(invocation[options.scratch])).run(
      images: 8, repeats: invocation[BenchOptions.all.repeats], codecsSeconds: codecsSeconds)
    if let figure {
      report.figures.append(figure)
      Terminal.output.line(
        "\(figure.name): \(significant(figure.spread.median)) images/s, "
          + "\(significant(figure["mpPerSecond"]?.double ?? 0)) MP/s; \(figure.limit ?? "")")
    }
  }

  /// Measures each file by itself.
  ///
  /// - Returns: CPU seconds of all codecs alone; `nil` if a file failed.
  private static func measure(
    _ found: [InputReference], _ rendition: RenditionOptions, _ invocation: Invocation, _ report: inout BenchReport
  ) throws -> Double? {
    let files = try FileBench(
      rendition, backend: invocation[options.backend], device: invocation[options.device],
      repeats: invocation[BenchOptions.all.repeats], limits: invocation.values.decodeLimits)
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
        if let timings = row.timings { Terminal.output.line("         device: \(timings.summary)") }
      } catch {
        hasFailures = true
        report.problems.append("\(item.path.display): \(error)")
        Terminal.error.line("hdrbatch: error: \(item.path.display): \(error) [\(error.code)]")
      }
    }
    return hasFailures ? nil : codecsSeconds
  }
}
