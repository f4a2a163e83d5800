import BatchEngine
import HDRCore
import HDRRecipe
import HDRRender
import Measure
import PlainData

/// `hdrbatch doctor`: reports the machine's capabilities.
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
  ) { invocation in
    if invocation[options.displays] {
      for line in DisplayPreset.lines { Terminal.output.line(line) }
      return
    }
    let doctor = Doctor(), defaults = try Defaults.all()
    if invocation[options.json] {
      let list = defaults.map { value -> JSON in
        ["setting": .string(value.setting.name), "value": .string(value.word), "source": .string(value.source)]
      }
      Terminal.output.line(doctor.json.with("defaults", .array(list)).pretty)
    } else {
      for line in doctor.lines { Terminal.output.line(line) }
      for value in defaults {
        Terminal.output.line(printable("default  --\(value.setting.name) \(value.word), by \(value.source)"))
      }
    }
  }
}

extension DisplayPreset {
  /// The table of `doctor --displays`.
  fileprivate static var lines: [String] {
    let table = TextTable([
      .text("display", all.map(\.name.count).max() ?? 0), .number("peak"), .number("SDR white", 10),
      .number("headroom"),
      .text("", 10), .text("", 0),
    ])
    return ["Luminances in cd/m². --display takes a name or PEAK:WHITE.", "", table.head]
      + all.map { preset in
        let display = preset.display
        return table.row([
          preset.name, short(display.peak), short(display.white), short(display.potentialHeadroom.factor),
          display.isReference ? " reference" : "", preset.note,
        ])
      }
  }
}
