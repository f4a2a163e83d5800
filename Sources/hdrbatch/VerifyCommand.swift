import ArgumentParser
import BatchEngine
import CodecService

/// `hdrbatch verify`: every stage and whole recipes on every backend against the baseline CPU build, word by word.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Compares all devices and CPU builds word by word; any difference is a failure.",
    discussion: """
      One page: what was compared, a line a group of cases with the 32-bit words that differ on each backend, and the \
      verdict in the last line. Exits with 0 when no word differs, with 1 when one does, a case fails or a device does \
      not pass its self-test, with 69 when --device or --require-gpu ask for what is not here.
      """)

  @Option(help: ArgumentHelp("Pixels a case.", valueName: "n"))
  var pixels = 131_072

  @Option(help: ArgumentHelp("Recipes of drawn filters with drawn values.", valueName: "n"))
  var random = 100

  @Option(help: ArgumentHelp("What they are drawn by.", valueName: "n"))
  var seed: UInt64 = 2026

  @Option(
    help: ArgumentHelp(
      "Only these devices: indices, UUIDs, PCI addresses, parts of names, or all GPUs. Default: all devices, software too.",
      valueName: "device,...|all"))
  var device: String?

  @Flag(help: "Fails with 69 unless a GPU, no software device, is among what is compared.")
  var requireGpu = false

  @Flag(help: "A line a case.")
  var verbose = false

  @Option(help: ArgumentHelp("Writes all of it as one JSON object.", valueName: "file"))
  var json: String?

  func validate() throws {
    guard (1...1 << 26).contains(pixels) else { throw ValidationError("--pixels takes 1 to \(1 << 26)") }
    guard (0...1_000_000).contains(random) else { throw ValidationError("--random takes 0 to 1000000") }
  }

  func run() throws {
    let begin = monotonicSeconds()
    let verification = Verification(device: device)
    var report = VerificationReport(verification)
    for line in report.head { Terminal.output.line(line) }
    if requireGpu && report.hardwareCount == 0 {
      throw UnavailableError(description: "no GPU to verify: `hdrbatch doctor` says why [gpu.no-device]")
    }
    if device != nil && verification.backends.allSatisfy({ $0.name.hasPrefix("cpu") }) {
      throw UnavailableError(description: "--device \(FilePath.printable(device ?? "")) cannot be had [gpu.no-match]")
    }
    Terminal.output.line("")
    Terminal.output.line(report.titles)
    func add(_ test: VerificationCase, _ group: VerificationGroup) {
      let row = verification.run(test)
      report.add(row, group)
      guard verbose else { return }
      let counts = row.differing.map { $0.map(String.init) ?? "failed" }.joined(separator: " ")
      Terminal.output.line("\(row.isClean ? "ok  " : "DIFF") \(counts)  \(row.name) (\(row.pixels) pixels)")
      for line in VerificationReport.details(of: row, backends: report.backends) {
        Terminal.output.line("     " + line)
      }
    }
    for group in VerificationGroup.allCases {
      if group == .random {
        VerificationCases.random(random, seed: seed) { test, _ in add(test, group) }
      } else {
        for test in VerificationCases.cases(of: group, pixels: pixels) { add(test, group) }
      }
      // Each line is printed at once, so that slow cases are visible.
      if let last = report.groups.last, last.group == group {
        Terminal.output.line(report.line(group.rawValue, last.sums))
      }
    }
    Terminal.output.line(report.line("all", report.total))
    let seconds = monotonicSeconds() - begin
    if !verbose {
      for line in report.differences { Terminal.output.line("DIFF " + line) }
    }
    if let json {
      try writeResultFile(
        report.json(pixels: pixels, random: random, seed: seed, seconds: seconds).pretty + "\n", to: json)
    }
    Terminal.output.line(report.verdict(seconds))
    if !report.passed { throw ExitCode(ExitStatus.bug.code) }
  }
}
