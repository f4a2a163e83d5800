import BatchEngine
import CodecService
import HDRRecipe
import HDRRender
import Measure
import PlainData

/// `hdrbatch verify`: compares every stage and whole recipes on every backend to the baseline CPU build, word by word.
enum VerifyCommand {
  struct Options: SettingGroup {
    var title: String { "What to compare" }

    let pixels = SettingKey(
      "pixels", .integer(1...1 << 26), assumed: "131072, with spirv 8192", "Pixels a case.")
    let random = SettingKey(
      "random", .integer(0...1_000_000), standard: 100, "Recipes of drawn filters with drawn values.")
    let seed = SettingKey("seed", .integer(0...Int.max), standard: 2026, "What they are drawn by.")
    let cases = SettingKey(
      "cases", .text("text"), assumed: "all", "Only cases whose names contain this, as --verbose prints them.")
    let shard = SettingKey(
      "shard", .shard, assumed: "all",
      """
      The shard number I of N (0-based): every Nth case of single stages and filters, and all others. For devices that \
      differ in their memory and queues alone.
      """)
    let device = SettingKey(
      "device", .text("device,...|all|spirv"), assumed: "all devices, software too",
      """
      Only these devices: indices, UUIDs, PCI addresses, parts of names, or all GPUs. spirv: the kernels' SPIR-V on the \
      CPU without a driver, in all that Vulkan leaves to one.
      """)
    let requireGPU = SettingKey(
      flag: "require-gpu", "Fails with 69 unless a GPU, no software device, is among what is compared.")
    let verbose = SettingKey(flag: "verbose", "A line a case.")
    let json = SettingKey("json", .text("file"), "Writes all of it as one JSON object.")
  }
  static let options = Options()

  static let command = Command(
    name: "verify", summary: "Compares all devices and CPU builds word by word; any difference is a failure.",
    discussion: """
      One page: what was compared, a line a group of cases with the 32-bit words that differ on each backend, and the \
      verdict in the last line. Exits with 0 when no word differs, with 1 when one does, a case fails or a device does \
      not pass its self-test, with 69 when --device or --require-gpu ask for what is not here.
      """,
    examples: ["verify", "verify --random 500 --verbose"], options: [options], run: run)

  private static func run(_ invocation: Invocation) throws {
    let random = invocation[options.random], seed = UInt64(invocation[options.seed])
    let device = invocation[options.device], verbose = invocation[options.verbose]
    let pixels = invocation[options.pixels] ?? (device == Verification.spirv ? 8192 : 131_072)
    let begin = monotonicSeconds()
    let verification = Verification(device: device)
    var report = VerificationReport(verification)
    for line in report.head { Terminal.output.line(line) }
    if invocation[options.requireGPU] && report.hardwareCount == 0 {
      throw UnavailableError("no GPU to verify: `hdrbatch doctor` says why [gpu.no-device]")
    }
    if device != nil && verification.backends.allSatisfy({ $0.name.hasPrefix("cpu") }) {
      throw UnavailableError("--device \(printable(device ?? "")) cannot be had [gpu.no-match]")
    }
    Terminal.output.line("")
    Terminal.output.line(report.titles)
    func add(_ test: VerificationCase, _ group: VerificationGroup) {
      if let wanted = invocation[options.cases], !test.name.contains(wanted) { return }
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
        for (place, test) in VerificationCases.cases(of: group, pixels: pixels).enumerated()
        where invocation[options.shard]?.has(place, of: group) ?? true {
          add(test, group)
        }
      }
      // Each line is printed at once, so that slow cases are visible.
      if let last = report.groups.last, last.group == group {
        Terminal.output.line(report.line(group.rawValue, last.sums))
      }
    }
    Terminal.output.line(report.line("all", report.total))
    if report.total.cases == 0, let wanted = invocation[options.cases] {
      throw UsageError("no case of verify has --cases \(printable(wanted)) in its name")
    }
    let seconds = monotonicSeconds() - begin
    if !verbose {
      for line in report.differences { Terminal.output.line("DIFF " + line) }
    }
    if let json = invocation[options.json] {
      try writeResultFile(
        report.json(pixels: pixels, random: random, seed: seed, seconds: seconds).pretty + "\n", to: json)
    }
    Terminal.output.line(report.verdict(seconds))
    if !report.passed { throw ExitCode(ExitStatus.bug.code) }
  }
}

extension SettingType where Value == VerificationShard {
  fileprivate static var shard: SettingType {
    SettingType("i/n") { text throws(SettingFault) in
      let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
      guard numbers.count == 2, let index = numbers[0], let count = numbers[1],
        let shard = VerificationShard(index, of: count)
      else { throw SettingFault("is I/N with I from 0 to N - 1, not \(text)") }
      return shard
    } text: {
      "\($0.index)/\($0.count)"
    }
  }
}
