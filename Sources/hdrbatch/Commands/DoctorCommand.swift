import BatchEngine
import HDRCore
import HDRRecipe
import Measure

/// `hdrbatch doctor`: what this machine offers.
enum DoctorCommand {
  struct Options: SettingGroup {
    var title: String { "Report" }

    let json = SettingKey(flag: "json", "One JSON object on standard output.")
    let displays = SettingKey(flag: "displays", "The displays that --display knows by name, instead.")
  }
  static let options = Options()

  static let command = Command(
    name: "doctor", summary: "Shows devices, codecs, the CPU build in use and limits, and why a device is refused.",
    options: [options]
  ) { told in
    if told[options.displays] {
      for line in DisplayPreset.lines { Terminal.output.line(line) }
      return
    }
    let doctor = Doctor()
    if told[options.json] {
      Terminal.output.line(doctor.json.pretty)
    } else {
      for line in doctor.lines { Terminal.output.line(line) }
    }
  }
}

extension DisplayPreset {
  /// The table of `doctor --displays`.
  fileprivate static var lines: [String] {
    let rows =
      [["display", "peak", "SDR white", "headroom", "", ""]]
      + all.map { preset in
        [
          preset.name, short(preset.display.peak), short(preset.display.white),
          short(preset.display.potentialHeadroom.factor), preset.display.isReference ? "reference" : "", preset.note,
        ]
      }
    let widths = (0..<5).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return ["Luminances in cd/m². --display takes a name or PEAK:WHITE.", ""]
      + rows.map { row in
        let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
        return (cells + [row[5]]).joined(separator: "  ").trimmed
      }
  }
}

extension String {
  fileprivate var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }
}
