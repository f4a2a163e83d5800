import ArgumentParser
import BatchEngine

/// `hdrbatch verify`: every stage and whole recipes on every backend against the baseline CPU build, word by word.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Compares all devices and CPU builds word by word; any difference is a failure.",
    discussion: "Prints one line a case with the differing 32-bit words. Exits with 1 unless all are 0.")

  @Option(help: "Pixels a case.")
  var pixels = 262_144

  @Option(help: "Only this device: index, UUID, PCI address or part of its name. Default: all that are here.")
  var device: String?

  @Flag(help: "Only the cases that differ, and the sums.")
  var quiet = false

  func validate() throws {
    guard (1...1 << 26).contains(pixels) else { throw ValidationError("--pixels takes 1 to \(1 << 26)") }
  }

  func run() throws {
    let verification = Verification(device: device)
    let names = verification.backends.map(\.name)
    Terminal.output.line("baseline: cpu \(CPUBackend.baseline.instructionSet)")
    for (index, name) in names.enumerated() { Terminal.output.line("backend \(index + 1): \(name)") }
    for (name, reason) in verification.refused { Terminal.output.line("REFUSED \(name): \(reason)") }
    var totals = [Int](repeating: 0, count: names.count)
    var pixelsDone = 0, cases = 0, bad = 0
    for test in VerificationCases.all(pixels: pixels) {
      let row = verification.run(test)
      cases += 1
      pixelsDone += row.pixels
      for (i, count) in row.differing.enumerated() { totals[i] += count ?? 1 }
      if !row.isClean { bad += 1 }
      if !quiet || !row.isClean {
        let counts = row.differing.map { $0.map(String.init) ?? "failed" }.joined(separator: " ")
        Terminal.output.line("\(row.isClean ? "ok  " : "DIFF") \(counts)  \(row.name) (\(row.pixels) pixels)")
      }
      for failure in row.failures { Terminal.output.line("     \(failure)") }
    }
    Terminal.output.line(
      "\(cases) cases, \(pixelsDone) pixels, differing words: "
        + zip(names, totals).map { "\($0): \($1)" }.joined(separator: ", "))
    if bad > 0 || !verification.refused.isEmpty { throw ExitCode(1) }
  }
}
