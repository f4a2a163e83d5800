/// The config of a small show: a view of SDR, two spaces of scenes beside ACES2065-1, one of them with an identifier of its
/// own, and a file rule for plates.
enum ShowConfig {
  static let text = """
    ocio_profile_version: 2.4
    name: show
    roles: {default: lin, scene_linear: lin, aces_interchange: aces}
    file_rules:
      - !<Rule> {name: Plates, colorspace: logc3, pattern: "*/plates/*", extension: "*"}
      - !<Rule> {name: Default, colorspace: default}
    displays:
      sRGB: [!<View> {name: Film, view_transform: tone, display_colorspace: sRGB, rule: Renders}]
    viewing_rules:
      - !<Rule> {name: Renders, colorspaces: lin, encodings: [scene-linear, log]}
    view_transforms:
      - !<ViewTransform> {name: tone, from_scene_reference: !<BuiltinTransform> {style: ACES-OUTPUT - ACES2065-1_to_CIE-XYZ-D65 - SDR-100nit-REC709_2.0}}
    display_colorspaces:
      - !<ColorSpace> {name: sRGB, encoding: sdr-video, from_display_reference: !<BuiltinTransform> {style: DISPLAY - CIE-XYZ-D65_to_sRGB}}
    colorspaces:
      - !<ColorSpace> {name: aces, encoding: scene-linear}
      - !<ColorSpace> {name: lin, encoding: scene-linear, to_scene_reference: !<BuiltinTransform> {style: ACEScg_to_ACES2065-1}}
      - !<ColorSpace> {name: logc3, interop_id: "show:logc3", encoding: log, to_scene_reference: !<BuiltinTransform> {style: ARRI_ALEXA-LOGC-EI800-AWG_to_ACES2065-1}}
    """
}
