import HDRCore
import HDRPlan

extension Recipe {
  /// Checks the views of an output, and what they leave nothing to decide for.
  static func checkViews(
    _ values: SettingValues, _ kind: String, _ fault: (String, Message) -> RecipeFault
  ) throws(RecipeFault) {
    let views = Settings.views
    guard let view = values[views.view] else {
      for row in [views.hdrView.setting, views.pairWhite.setting, views.exposure.setting]
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
    let isAdaptive = KindNames.isAdaptive(kind)
    if isAdaptive || KindNames.isSDR(kind), !view.isSDR {
      throw fault("view", "\(view.name) is an HDR view, and \(kind) wants one of SDR: \(sdrViews)")
    }
    guard isAdaptive else { return }
    guard let hdr = values[views.hdrView] else {
      throw fault("view", "\(kind) has two renditions: give \(setting: "hdr-view") too")
    }
    if hdr.isSDR {
      throw fault("hdr-view", "\(hdr.name) is an SDR view: \(setting: "hdr-view") wants one of HDR, as hdr1000-p3")
    }
  }

  private static let sdrViews = "sdr-709, sdr-p3, aces1-sdr and others"

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
