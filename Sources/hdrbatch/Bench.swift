import ArgumentParser
import BatchEngine
import HDRCore

/// `hdrbatch bench`: how fast this machine is, ratios in one run.
struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench", abstract: "Measures kernels and whole files.",
    subcommands: [BenchKernel.self, BenchFilters.self, BenchFiles.self, BenchAdaptive.self])
}

/// `hdrbatch bench kernel`: the fused recipes without files.
struct BenchKernel: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "kernel",
    abstract: "The fused recipes reference, lut-pq and hlg-to-pq on every CPU build and device, in ns a pixel.",
    discussion: """
      reference: P010, PQ, gain map, 33³ LUT in PQ, Reference White, half. lut-pq: P010 PQ, LUT in PQ, 16-bit PQ. \
      hlg-to-pq: P010 HLG to 16-bit PQ. Medians of the repeats after a warm-up; the first figure is wall time (on a GPU \
      its kernels by its own clock), then CPU time of the process.
      """)

  @Option(help: ArgumentHelp("Writes the rows as JSON to this file.", valueName: "file"))
  var json: String?

  @Option(help: "Picture size in megapixels.")
  var megapixels = 12.2

  @Option(help: "Runs a row.")
  var repeats = 7

  @Option(help: "Only this device. Default: all that are here.")
  var device: String?

  func validate() throws {
    guard (0.1...400).contains(megapixels) else { throw ValidationError("--megapixels takes 0.1 to 400") }
    guard (1...1000).contains(repeats) else { throw ValidationError("--repeats takes 1 to 1000") }
  }

  func run() throws {
    let width = 4032
    let height = max(2, Int(megapixels * 1e6) / width / 2 * 2)
    var rows: [KernelBench.Row] = []
    Terminal.output.line(
      "recipe       backend  isa         threads   ns/px  CPU ns/px  call ns/px  bytes/px   GB/s  of copy  device")
    KernelBench(width: width, height: height, repeats: repeats).run(device: device) { row in
      rows.append(row)
      Terminal.output.line(
        [
          pad(row.recipe, 12), pad(row.backend, 8), pad(row.isa, 11), left("\(row.threads)", 7),
          left(decimals(row.nsPerPixel, 2), 8), left(decimals(row.cpuNsPerPixel, 2), 10),
          left(decimals(row.callNsPerPixel, 2), 11), left(decimals(row.bytesPerPixel, 2), 9),
          left(decimals(row.gigabytesPerSecond, 2), 7),
          left(row.copyShare.map { decimals($0 * 100, 1) + " %" } ?? "-", 8),
          " " + row.device,
        ].joined(separator: " "))
    }
    if let json { try writeResultFile(JSON.array(rows.map(\.json)).pretty + "\n", to: json) }
  }
}

/// `hdrbatch bench filters`: what each filter adds.
struct BenchFilters: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "filters",
    abstract: "What each filter adds to a render, in ns a pixel: one CPU core, and GPUs by their own clock.",
    discussion: """
      A PQ photo as 10-bit planes to half floats, with the filter and without; medians of the repeats after a warm-up. \
      The last rows are six per-pixel filters fused, beside the two slowest of them; and for each GPU the time to make \
      the kernels of a recipe, with an empty pipeline cache and from the cache file.
      """)

  @Argument(help: ArgumentHelp("Only these filters. Default: all.", valueName: "filter"))
  var names: [String] = []

  @Option(help: ArgumentHelp("Writes the rows as JSON to this file.", valueName: "file"))
  var json: String?

  @Option(help: "Picture size in megapixels.")
  var megapixels = 12.2

  @Option(help: "Runs a row.")
  var repeats = 5

  @Option(help: "This device, software devices too. Default: every GPU that is none.")
  var device: String?

  func validate() throws {
    guard (0.1...400).contains(megapixels) else { throw ValidationError("--megapixels takes 0.1 to 400") }
    guard (1...1000).contains(repeats) else { throw ValidationError("--repeats takes 1 to 1000") }
    for name in names where Filters.named(name) == nil {
      throw ValidationError(
        "there is no filter \"\(name)\"\(Nearest.hint(name, among: Filters.all.map { $0.name }))")
    }
  }

  func run() throws {
    let width = 4032, height = max(64, Int(megapixels * 1e6) / width / 2 * 2)
    var rows: [JSON] = []
    Terminal.output.line("filter                  backend  isa        passes   added      whole ns/px  device")
    FilterBench(width: width, height: height, repeats: repeats, names: names).run(device: device) { row in
      rows.append(row.json)
      Terminal.output.line(
        [
          pad(row.name, 23), pad(row.backend, 8), pad(row.isa, 10), left("\(row.passes)", 6),
          left(decimals(row.addedNsPerPixel, 2), 7), left(decimals(row.nsPerPixel, 2), 16), " " + row.device,
        ].joined(separator: " "))
    } kernels: { times in
      rows.append(times.json)
      Terminal.output.line(
        "\(times.kernels) kernels of \(times.recipe): \(decimals(times.coldMilliseconds, 1)) ms cold, "
          + "\(decimals(times.cachedMilliseconds, 1)) ms from the cache (\(decimals(times.composeMilliseconds, 1)) of them composing), \(times.device)"
      )
    }
    if let json { try writeResultFile(JSON.array(rows).pretty + "\n", to: json) }
  }
}

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

  @Option(help: ArgumentHelp("Writes the rows as JSON to this file.", valueName: "file"))
  var json: String?

  @Option(help: "Runs a row.")
  var repeats = 5

  func validate() throws {
    guard (1...1000).contains(repeats) else { throw ValidationError("--repeats takes 1 to 1000") }
    if backend == .cpu && device != nil { throw ValidationError("--device needs --backend gpu or auto") }
  }

  func run() throws {
    let found = try InputCollector.collect(inputs)
    let options = try rendition.options(inputs: found, limits: DecodeLimits())
    let bench = try FileBench(options, backend: backend, device: device, repeats: repeats)
    defer { bench.close() }
    var rows: [FileBench.Row] = [], hasFailures = false
    Terminal.output.line(
      "kind        MP  decode s  encode s  codecs s  whole s    added  user ms/MP  CPU ms/MP   MP/s  on   file")
    for item in found {
      do throws(FileBench.Failure) {
        let row = try bench.measure(item.path)
        rows.append(row)
        Terminal.output.line(text(row))
        Terminal.output.line(
          "            rest: " + row.phases.map { "\($0.name) \(decimals($0.seconds, 3)) s" }.joined(separator: ", "))
      } catch {
        hasFailures = true
        Terminal.error.line("hdrbatch: error: \(item.path.display): \(error) [\(error.code)]")
      }
    }
    if let json { try writeResultFile(JSON.array(rows.map(\.json)).pretty + "\n", to: json) }
    if hasFailures { throw ExitCode(ExitStatus.failedItems.code) }
  }

  private func text(_ row: FileBench.Row) -> String {
    [
      pad(row.kind.rawValue, 8), left(decimals(row.megapixels, 1), 5), left(decimals(row.decodeSeconds, 3), 9),
      left(decimals(row.encodeSeconds, 3), 9), left(decimals(row.codecs.total, 3), 9),
      left(decimals(row.whole.total, 3), 8), left(decimals(row.addedShare * 100, 1) + " %", 8),
      left(decimals(row.userMillisecondsPerMegapixel, 1), 11), left(decimals(row.cpuMillisecondsPerMegapixel, 1), 10),
      left(decimals(row.megapixelsPerSecond, 1), 6), " " + pad(row.backend, 3), " " + row.input.display,
    ].joined(separator: " ")
  }
}

/// `hdrbatch bench adaptive`: what an Adaptive HDR JPEG costs between pixels and bytes.
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

  @Option(help: ArgumentHelp("Writes the rows as JSON to this file.", valueName: "file"))
  var json: String?

  @Option(help: ArgumentHelp("Writes the pair's pixels without headers to this folder.", valueName: "folder"))
  var keep: String?

  @Option(help: "Size of a made pair in megapixels.")
  var megapixels = 12.2

  @Option(help: "JPEG quality of base and map.")
  var quality = 90

  @Option(help: "Runs a row.")
  var repeats = 7

  func validate() throws {
    guard (sdr == nil) == (hdr == nil) else { throw ValidationError("--sdr and --hdr come together") }
    guard (0.1...400).contains(megapixels) else { throw ValidationError("--megapixels takes 0.1 to 400") }
    guard (0...100).contains(quality) else { throw ValidationError("--quality takes 0 to 100") }
    guard (1...1000).contains(repeats) else { throw ValidationError("--repeats takes 1 to 1000") }
  }

  func run() throws {
    let bench: AdaptiveBench
    if let sdr, let hdr {
      bench = try AdaptiveBench(sdr: FilePath(sdr), hdr: FilePath(hdr), repeats: repeats, quality: quality)
    } else {
      let width = 4032
      bench = try AdaptiveBench(
        width: width, height: max(2, Int(megapixels * 1e6) / width / 2 * 2), repeats: repeats, quality: quality)
    }
    defer { bench.close() }
    if let keep { try bench.keep(in: keep) }
    let steps = AdaptiveBench.steps
    Terminal.output.line(
      "user ms/MP       " + steps.map { left($0, max(8, $0.count + 2)) }.joined() + "   whole     CPU     MB")
    var rows: [AdaptiveBench.Row] = []
    for map in AdaptiveBench.maps {
      let row = try bench.measure(channels: map.channels, scale: map.scale)
      rows.append(row)
      Terminal.output.line(
        pad(row.name, 17)
          + row.steps.map { left(decimals(row.milliseconds($0.cpu.user), 2), max(8, $0.name.count + 2)) }.joined()
          + left(decimals(row.milliseconds(row.whole.user), 2), 8)
          + left(decimals(row.milliseconds(row.whole.total), 2), 8) + left(decimals(Double(row.fileBytes) / 1e6, 2), 7))
    }
    if let json { try writeResultFile(JSON.array(rows.map(\.json)).pretty + "\n", to: json) }
  }
}

// Columns of a table.

private func pad(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}

private func left(_ text: String, _ width: Int) -> String {
  String(repeating: " ", count: max(0, width - text.count)) + text
}

private func decimals(_ x: Double, _ places: Int) -> String {
  guard x.isFinite, abs(x) < 1e12 else { return "-" }
  var scale = 1
  for _ in 0..<places { scale *= 10 }
  let units = Int((x * Double(scale)).rounded())
  let digits = String(abs(units) % scale)
  return (units < 0 ? "-" : "") + "\(abs(units) / scale)."
    + String(repeating: "0", count: places - digits.count) + digits
}
