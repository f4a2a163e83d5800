import ArgumentParser
import BatchEngine

/// `hdrbatch doctor`: what this machine offers.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Shows devices, codecs, the CPU build in use and limits, and why a device is refused.")

  @Flag(help: "One JSON object on standard output.")
  var json = false

  func run() {
    let doctor = Doctor()
    if json {
      Terminal.output.line(doctor.json.pretty)
    } else {
      for line in doctor.lines { Terminal.output.line(line) }
    }
  }
}
