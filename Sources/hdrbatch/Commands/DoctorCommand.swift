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
    let views = SettingKey(
      flag: "views", "The views that --view knows by name, instead; with CONFIG those of a config of OpenColorIO.")
  }
  static let options = Options()

  static let command = Command(
    name: "doctor", summary: "Shows devices, codecs, the CPU build in use and limits, and why a device is refused.",
    examples: ["doctor", "doctor --views", "doctor --views builtin:studio"],
    arguments: [
      Command.Argument(
        name: "config", count: .optional, help: "With --views: a config's file, or a built-in one as --ocio takes it.")
    ],
    options: [options]
  ) { invocation in
    if let place = invocation.arguments.first {
      try invocation.refuse(!invocation[options.views], "doctor takes a config with --views alone")
      for line in try ConfigReport(place).lines { Terminal.output.line(line) }
      return
    }
    if invocation[options.displays] {
      for line in DisplayPreset.lines { Terminal.output.line(line) }
      return
    }
    if invocation[options.views] {
      for line in ACESView.page { Terminal.output.line(line) }
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

extension ConfigReport {
  /// The displays and views that a config has, a line each, then looks and spaces.
  fileprivate var lines: [String] {
    var lines = [printable(title)]
    for display in displays {
      lines += ["", "\(printable(display.name))  for \(display.signal)"]
      lines += display.views.map { view in
        printable("  \(view.name)" + (view.uses.isEmpty ? "" : "  for \(view.uses.joined(separator: ", "))"))
      }
    }
    if !lookNames.isEmpty { lines += ["", "Looks"] + lookNames.map { "  \(printable($0))" } }
    lines += ["", "Spaces"] + spaceNames.map { "  \(printable($0))" }
    return lines + warnings.map { "warning: \(printable($0.message.text(dashes: true))) [\($0.code)]" }
  }
}

extension ACESView {
  /// The page of `doctor --views`, which is docs/data/views.md.
  fileprivate static var page: [String] {
    [
      "# Views", "",
      "What `--view`, `--hdr-view` and the filter `aces-output` know; `hdrbatch doctor --views` prints this page. `--view`",
      "takes the names of OpenColorIO too. Peak: cd/m² of white. Colours: the gamut that they are brought into or cut to.",
      "", "| view | peak | colours | view in OpenColorIO | its style |", "|---|---|---|---|---|",
    ]
      + all.map { view in
        "| `\(view.name)` | \(short(view.peak)) | \(view.gamutName) | \(view.title) | \(view.style) |"
      }
  }

  private var gamutName: String {
    if case .aces1(let output) = self, output.limit == nil { return "all" }
    let names = [(CICP.Primaries.bt709, "BT.709"), (CICP.Primaries.p3, "P3"), (CICP.Primaries.bt2020, "BT.2020")]
    let name = names.first { Primaries(code: $0.0)?.red == limit.red }?.1 ?? ""
    return limit.white == Primaries.d65 ? name : name + " of D60"
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
