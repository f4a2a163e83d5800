import ArgumentParser
import BatchEngine

/// `hdrbatch bench`: how fast this machine is, ratios in one run.
struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench", abstract: "Measures kernels on every backend.", subcommands: [BenchKernel.self])
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
    Terminal.output.line("recipe       backend  isa         threads   ns/px  CPU ns/px  call ns/px  bytes/px   GB/s  of copy  device")
    KernelBench(width: width, height: height, repeats: repeats).run(device: device) { row in
      rows.append(row)
      Terminal.output.line(
        [
          pad(row.recipe, 12), pad(row.backend, 8), pad(row.isa, 11), left("\(row.threads)", 7),
          left(decimals(row.nsPerPixel, 2), 8), left(decimals(row.cpuNsPerPixel, 2), 10),
          left(decimals(row.callNsPerPixel, 2), 11), left(decimals(row.bytesPerPixel, 2), 9),
          left(decimals(row.gigabytesPerSecond, 2), 7), left(row.copyShare.map { decimals($0 * 100, 1) + " %" } ?? "-", 8),
          " " + row.device,
        ].joined(separator: " "))
    }
    if let json { try writeResultFile(JSON.array(rows.map(\.json)).pretty + "\n", to: json) }
  }

  private func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private func left(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  private func decimals(_ x: Double, _ places: Int) -> String {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let whole = Int((x * scale).rounded())
    let digits = String(whole % Int(scale))
    return "\(whole / Int(scale))." + String(repeating: "0", count: places - digits.count) + digits
  }
}
