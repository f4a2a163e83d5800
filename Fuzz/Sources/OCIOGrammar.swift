import OCIOConfig

/// Configs whose keys are right: spaces, looks and views that name each other, transforms with numbers of every kind.
enum OCIOGrammar {
  @Sendable static func mutate(_ bytes: [UInt8], maxSize: Int, random: inout Random) -> [UInt8] {
    random.one(in: 2) ? Array(config(&random).utf8.prefix(maxSize)) : blindly(bytes, maxSize: maxSize)
  }

  private static let names = ["lin", "log", "raw", "aces", "disp", "nt"]
  private static let files = ["a.clf", "no.cube", "$SHOT/b.spi1d", "../c.csp", "${A}.ccc", "%V%/d.lut"]

  private static func config(_ random: inout Random) -> String {
    var text = "ocio_profile_version: \(random.pick(["1", "2", "2.1", "2.4", "2.6"]))\n"
    text += "roles: {default: \(random.pick(names)), scene_linear: \(random.pick(names))}\n"
    if random.one(in: 3) { text += "environment: {SHOT: x, V: $A}\n" }
    if random.one(in: 2) { text += "search_path: [luts, $SHOT, ./no]\n" }
    if random.one(in: 2) { text += "file_rules: [\(rules(&random))]\n" }
    if random.one(in: 2) {
      text += "looks:\n"
      for name in ["k", "l"] {
        text += "  - !<Look> {name: \(name), process_space: \(random.pick(names)), \(transforms(&random))}\n"
      }
    }
    if random.one(in: 2) {
      text += "view_transforms: [!<ViewTransform> {name: vt, from_scene_reference: \(transform(&random, 0))}]\n"
      text += "display_colorspaces: [!<ColorSpace> {name: disp, from_display_reference: \(transform(&random, 0))}]\n"
    }
    if random.one(in: 2) {
      text +=
        "displays:\n  disp:\n    - !<View> {name: v, colorspace: \(random.pick(names)), looks: \(random.pick(["k", "-l|k", "''"]))}\n"
      if random.one(in: 2) {
        text += "    - !<View> {name: w, view_transform: vt, display_colorspace: <USE_DISPLAY_NAME>}\n"
      }
    }
    text += "colorspaces:\n  - !<ColorSpace> {name: raw, isdata: true}\n"
    for name in ["lin", "log", "aces"] {
      let key = random.pick(["to_scene_reference", "from_scene_reference", "to_reference"])
      text += "  - !<ColorSpace> {name: \(name), \(key): \(transform(&random, 0))}\n"
    }
    if random.one(in: 2) { text += "named_transforms: [!<NamedTransform> {name: nt, \(transforms(&random))}]\n" }
    return text
  }

  private static func rules(_ random: inout Random) -> String {
    let parts = [
      "a", "(a|b)+", "[^x]*", "\\\\d{2,9}", ".", "^", "$", "(", "]", "x*?", "[[:alpha:]]", "(?:a*)*", "\\\\b",
    ]
    let regex = (0...random.below(5)).map { _ in random.pick(parts) }.joined()
    let glob = (0...random.below(3)).map { _ in random.pick(["*", "?", "a", "[!b-d]", "[", "/"]) }.joined()
    return "!<Rule> {name: A, colorspace: lin, regex: \"\(regex)\"}, "
      + "!<Rule> {name: B, colorspace: log, pattern: \"\(glob)\", extension: \"\(random.pick(["exr", "[eE]*", "p?g"]))\"}, "
      + "!<Rule> {name: ColorSpaceNamePathSearch}, !<Rule> {name: Default, colorspace: default}"
  }

  private static func transforms(_ random: inout Random) -> String {
    let forward = "transform: \(transform(&random, 0))", back = "inverse_transform: \(transform(&random, 0))"
    return random.pick([forward, back, forward + ", " + back])
  }

  private static func transform(_ random: inout Random, _ depth: Int) -> String {
    func number() -> String {
      random.pick(["0", "1", "2", "0.5", "-1", "1e9", "1e-9", ".inf", "x", "\(random.below(1000))"])
    }
    func list(_ count: Int) -> String { "[" + (0..<count).map { _ in number() }.joined(separator: ", ") + "]" }
    let direction = random.one(in: 2) ? ", direction: inverse" : ""
    let name = random.pick(names), other = random.pick(names), style = random.pick(BuiltinStyle.all.map(\.name))
    switch random.below(14) {
    case 0 where depth < 3:
      let children = (0...random.below(3)).map { _ in transform(&random, depth + 1) }.joined(separator: ", ")
      return "!<GroupTransform> {children: [\(children)]\(direction)}"
    case 1: return "!<ColorSpaceTransform> {src: \(name), dst: \(other)\(direction)}"
    case 2:
      return "!<LookTransform> {src: \(name), dst: \(other), looks: \(random.pick(["k", "-l", "k|l"]))\(direction)}"
    case 3: return "!<DisplayViewTransform> {src: \(name), display: disp, view: v\(direction)}"
    case 4: return "!<FileTransform> {src: \"\(random.pick(files))\", cccid: $V\(direction)}"
    case 5: return "!<BuiltinTransform> {style: \"\(style)\"\(direction)}"
    case 6: return "!<CDLTransform> {slope: \(list(3)), power: \(list(3)), sat: \(number())\(direction)}"
    case 7:
      return "!<ExponentTransform> {value: \(list(4)), style: \(random.pick(["clamp", "mirror", "x"]))\(direction)}"
    case 8: return "!<LogCameraTransform> {base: \(number()), lin_side_break: \(number())\(direction)}"
    case 9: return "!<RangeTransform> {min_in_value: \(number()), min_out_value: \(number())\(direction)}"
    case 10: return "!<ExposureContrastTransform> {style: log, exposure: \(number()), pivot: \(number())\(direction)}"
    case 11: return "!<FixedFunctionTransform> {style: Lin_TO_GammaLog, params: \(list(10))\(direction)}"
    case 12: return "!<GradingPrimaryTransform> {style: log, gain: {rgb: \(list(3)), master: \(number())}\(direction)}"
    default: return "!<MatrixTransform> {matrix: [\(number()),0,0,0, 0,\(number()),0,0, 0,0,1,0, 0,0,0,1]\(direction)}"
    }
  }
}
