import HDRCore
import HDRPlan

extension Recipe {
  /// Checks the views of an output, and what they leave nothing to decide for. Names that a config has are checked when it
  /// is read.
  static func checkViews(
    _ values: SettingValues, _ kind: String, _ fault: (String, Message) -> RecipeFault
  ) throws(RecipeFault) {
    let views = Settings.views
    guard let view = values[views.view] else {
      for row in [
        views.hdrView.setting, views.pairWhite.setting, views.exposure.setting, Settings.config.display.setting,
      ]
      where values.words[row.name] != nil {
        throw fault(row.name, "\(setting: row.name) needs \(setting: "view")")
      }
      return
    }
    for name in decidedByViews where values.words[name] != nil {
      throw fault(name, "\(setting: "view") decides the light: leave out \(setting: name)")
    }
    if values[Settings.reading.exrLuminance] == .absolute {
      throw fault(
        "exr-luminance", "\(setting: "view") takes light relative to the scene: leave out \(setting: "exr-luminance")")
    }
    let isAdaptive = KindNames.isAdaptive(kind), takesConfig = values.usesConfig
    if !takesConfig, let view = view.known, isAdaptive || KindNames.isSDR(kind), !view.isSDR {
      throw fault("view", notSDR(view.name, kind))
    }
    guard isAdaptive else { return }
    guard let hdr = values[views.hdrView] else {
      throw fault("view", "\(kind) has two renditions: give \(setting: "hdr-view") too")
    }
    if !takesConfig, let hdr = hdr.known, hdr.isSDR { throw fault("hdr-view", notHDR(hdr.name)) }
  }

  /// Returns what is wrong with a view of HDR where one of SDR is needed.
  package static func notSDR(_ view: String, _ kind: String) -> Message {
    "\(view) is an HDR view, and \(kind) wants one of SDR: sdr-709, sdr-p3, aces1-sdr and others"
  }

  /// Returns what is wrong with a view of SDR where one of HDR is needed.
  package static func notHDR(_ view: String) -> Message {
    "\(view) is an SDR view: \(setting: "hdr-view") wants one of HDR, as hdr1000-p3"
  }

  /// Checks the names of spaces that no config has.
  static func checkSpaces(
    _ values: SettingValues, _ fault: (String, Message) -> RecipeFault
  ) throws(RecipeFault) {
    if values.usesConfig { return }
    for key in [Settings.reading.fromSpace, Settings.color.toSpace] {
      guard let name = values[key] else { continue }
      do throws(SettingFault) {
        guard let space = name.known else { throw .unknownSpace(name.text) }
        if key.name == Settings.color.toSpace.name { _ = try space.linear() }
      } catch {
        throw fault(key.name, "\(setting: key.name) \(error.message)")
      }
    }
  }

  /// Checks that looks have something to be seen by.
  static func checkLooks(
    _ values: SettingValues, _ fault: (String, Message) -> RecipeFault
  ) throws(RecipeFault) {
    let look = Settings.config.look
    guard values.has(look), !values.has(Settings.views.view), !values.has(Settings.color.toSpace) else { return }
    throw fault(
      look.name,
      "\(setting: look.name) is seen through a view or kept in a space: give \(setting: "view") or \(setting: "to-space")"
    )
  }

  /// True if names of the recipe may be those of a config, and it says nowhere of which.
  package var asksForConfig: Bool {
    let levels = [settings] + outputs.map(\.settings), config = Settings.config.ocio
    guard outputs.contains(where: { config.setting.outputs.matches($0.kind) }),
      !levels.contains(where: { $0.has(config) })
    else { return false }
    let steps = stepLists.flatMap(\.steps)
    let changed = overrides.flatMap(\.changes.keys).compactMap { $0.split(separator: ".").last.map(String.init) }
    return levels.contains { $0.namesAreOfConfig || $0.usesConfig }
      || steps.contains { ConfigStep($0.step([:])) != nil } || changed.contains(where: SettingValues.isNamed)
  }

  /// The settings that have no effect beside a view.
  private static var decidedByViews: [String] {
    let light = Settings.light, color = Settings.color
    let rows: [any SettingRow] = [
      light.toneMap, light.headroom, light.display, light.dynamicRange, light.beyond, light.sdrBelow,
      light.contentHeadroom, light.hdr10, light.hlg, color.gamut,
    ]
    return rows.map(\.setting.name)
  }
}
