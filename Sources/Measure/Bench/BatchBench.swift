import BatchEngine
import HDRCore
import HDRRender
import ImageFiles
import PlainData

/// `bench files`, all inputs as one batch: the speed of a farm, with the disk, codec processes and overlapping phases.
package struct BatchBench {
  /// The result of one run; CPU seconds count codec processes too.
  package struct Run: Sendable {
    package var images: Int
    package var pixels: Int
    package var wallSeconds: Double
    package var cpuSeconds: Double
  }

  private let inputs: [InputReference]
  private let options: BatchOptions
  private let scratch: FilePath

  /// - Parameters:
  ///   - options: with one output.
  ///   - scratch: a folder for outputs; a folder of our own is made in it and removed afterwards.
  package init(_ inputs: [InputReference], _ options: BatchOptions, scratch: FilePath) {
    self.inputs = inputs
    self.options = options
    self.scratch = scratch
  }

  /// Renders every input until there are at least `images` outputs, `repeats` times after one warm-up.
  ///
  /// - Parameter codecsSeconds: CPU seconds of the codecs alone over all inputs once, for the comparison.
  /// - Returns: `nil` where an item failed: an incomplete batch is not measured.
  package func run(images wanted: Int, repeats: Int, codecsSeconds: Double?) throws -> BenchFigure? {
    let rounds = max(1, (wanted + inputs.count - 1) / max(1, inputs.count))
    var runs: [Run] = []
    for i in 0...repeats {
      let folder = try ScratchFolder(in: scratch)
      defer { folder.remove() }
      guard let run = try run(rounds, folder.path) else { return nil }
      if i > 0 { runs.append(run) }
    }
    let images = Spread(runs.map { Double($0.images) / $0.wallSeconds })
    let cpu = Spread(runs.map(\.cpuSeconds)).median, wall = Spread(runs.map(\.wallSeconds)).median
    let jobs =
      options.jobs
      ?? BatchRunner.usualJobs(inputs.map(\.path), isolates: options.isolation.isolation != .none)
    let busy = cpu / (wall * Double(options.threads))
    var details: [JSON.Field] = [
      .init("kind", .string(options.rendition.kind.rawValue)), .init("images", .int(runs[0].images)),
      .init("jobs", .int(jobs)), .init("threads", .int(options.threads)),
      .init("isolation", .string("\(options.isolation.isolation.rawValue)")),
      .init("mpPerSecond", .number(rounded(Double(runs[0].pixels) / 1e6 / wall))),
      .init("wallSeconds", .number(rounded(wall))), .init("cpuSeconds", .number(rounded(cpu))),
      .init("cpuBusy", .number(rounded(busy))),
    ]
    var limit =
      busy >= 0.85
      ? "CPU time, phases overlap: the cores are \(decimals(busy * 100, 0)) % busy"
      : "waiting for the disk, a device or other work: the cores are \(decimals(busy * 100, 0)) % busy with it"
    if let codecsSeconds {
      let share = cpu / (codecsSeconds * Double(rounds))
      details.append(.init("overCodecs", .number(rounded(share))))
      limit += "; CPU time is \(decimals(share, 2)) times that of the codecs alone"
    }
    return BenchFigure(
      .batch,
      "\(inputs.count == 1 ? inputs[0].path.display : "\(inputs.count) files") to \(options.rendition.kind.rawValue), "
        + "\(jobs) at a time", images, .imagesPerSecond, details: details, limit: limit)
  }

  private func run(_ rounds: Int, _ folder: FilePath) throws -> Run? {
    var items: [BatchItem] = []
    let rule = NameRule(NameTraits(options.rendition.kind), try NameTemplate("{stem}"))
    for round in 0..<rounds {
      for var item in try OutputNaming.make(
        inputs, out: folder.appending("\(round)"), outputs: [rule], onExisting: .replace)
      {
        item.index += round * inputs.count
        item.inputNumber += round * inputs.count
        items.append(item)
      }
    }
    let runner = try BatchRunner(items, options) { _ in }
    let summary = runner.run()
    guard summary.failed == 0, summary.finished == items.count else { return nil }
    return Run(
      images: items.count, pixels: summary.pixels, wallSeconds: summary.wallSeconds, cpuSeconds: summary.cpuSeconds)
  }
}
