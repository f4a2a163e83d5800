import BatchEngine
import HDRRecipe
import Measure

/// `hdrbatch doctor`: what this machine offers.
enum DoctorCommand {
  struct Options: SettingGroup {
    var title: String { "Report" }

    let json = SettingKey(flag: "json", "One JSON object on standard output.")
  }
  static let options = Options()

  static let command = Command(
    name: "doctor", summary: "Shows devices, codecs, the CPU build in use and limits, and why a device is refused.",
    options: [options]
  ) { told in
    let doctor = Doctor()
    if told[options.json] {
      Terminal.output.line(doctor.json.pretty)
    } else {
      for line in doctor.lines { Terminal.output.line(line) }
    }
  }
}
