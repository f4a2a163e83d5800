import HDRCore
import OCIOConfig
import TestSupport
import Testing

/// A pipeline runs through the right transforms. Each space and look multiplies by a prime of its own, so that a product
/// says what was done; the products are those of OpenColorIO 2.6.
@Suite struct ResolvingTests {
  private func primes() throws -> Config {
    try Config(
      """
      ocio_profile_version: 2.1
      roles: {default: raw, scene_linear: lin}
      displays:
        d:
          - !<View> {name: v, colorspace: lin}
          - !<View> {name: nt, colorspace: nt}
          - !<View> {name: ntl, colorspace: nt, looks: k}
          - !<View> {name: vt, view_transform: vt, display_colorspace: disp, looks: k}
          - !<View> {name: vtd, view_transform: vtd, display_colorspace: disp}
          - !<View> {name: r, colorspace: raw, looks: k}
          - !<View> {name: pl, colorspace: lin, looks: k}
          - !<View> {name: disp, colorspace: disp}
        disp:
          - !<Views> [shared]
      shared_views:
        - !<View> {name: shared, view_transform: vt, display_colorspace: <USE_DISPLAY_NAME>}
      looks:
        - !<Look> {name: k, process_space: two, transform: \(times(7))}
        - !<Look> {name: e, process_space: two}
        - !<Look> {name: rl, process_space: raw, transform: \(times(7))}
        - !<Look> {name: inv, process_space: lin, transform: \(times(7)), inverse_transform: \(times(29))}
        - !<Look> {name: miss, process_space: lin, transform: !<FileTransform> {src: nope.clf}}
      view_transforms:
        - !<ViewTransform> {name: vtd, from_display_reference: \(times(13))}
        - !<ViewTransform> {name: vt, from_scene_reference: \(times(11))}
      display_colorspaces:
        - !<ColorSpace> {name: disp, from_display_reference: \(times(17))}
      colorspaces:
        - !<ColorSpace> {name: raw, isdata: true, to_scene_reference: \(times(19))}
        - !<ColorSpace> {name: lin, aliases: [linear], interop_id: lin_ap0_scene}
        - !<ColorSpace> {name: two, to_scene_reference: \(times(2))}
        - !<ColorSpace> {name: three, from_scene_reference: \(times(3))}
      named_transforms:
        - !<NamedTransform> {name: nt, aliases: [NTA], transform: \(times(5))}
        - !<NamedTransform> {name: nt2, inverse_transform: \(times(23))}
      """)
  }

  private let noFiles = ConfigContext { _ in false }

  @Test(
    arguments: [
      ("two", "three", 6), ("two", "nt", 1.0 / 5), ("nt", "two", 5), ("nt", "nt2", 5 * 23), ("nta", "nt", 1),
      ("two", "raw", 1), ("raw", "two", 1), ("LIN", "disp", 187), ("disp", "lin", 1.0 / 187), ("nt", "raw", 5),
      ("raw", "nt", 1.0 / 5), ("two", "two", 1), ("scene_linear", "three", 3), ("Linear", "three", 3),
      ("lin_ap0_scene", "three", 3),
    ] as [(String, String, Double)])
  func spacesAreConverted(from: String, to: String, factor: Double) throws {
    #expect(abs(try primes().operations(from: from, to: to, noFiles).factor / factor - 1) < 1e-12)
  }

  @Test(
    arguments: [
      ("v", "two", 2), ("v", "disp", 1.0 / 187), ("v", "raw", 1), ("nt", "two", 5), ("nt", "raw", 1),
      ("ntl", "two", 35),
      ("ntl", "disp", 5 * 7 / (17 * 11 * 2)), ("vt", "two", 2618), ("vt", "disp", 7), ("vt", "raw", 1),
      ("vtd", "two", 4862), ("vtd", "disp", 13), ("r", "two", 1), ("pl", "two", 14), ("disp", "two", 374),
      ("disp", "disp", 1),
    ] as [(String, String, Double)])
  func viewsShowSpaces(view: String, from: String, factor: Double) throws {
    let config = try primes()
    let result = try config.operations(display: "D", view: view, from: from, noFiles)
    #expect(abs(result.all.factor / factor - 1) < 1e-12)
  }

  @Test("a view ends its light at the reference, and codes follow")
  func viewsHaveTwoParts() throws {
    let config = try primes()
    let light = try config.operations(display: "disp", view: "shared", from: "two", noFiles)
    #expect(light.light.factor == 22 && light.codes.factor == 17 && light.hasLight && light.reference == .display)
    #expect(light.space == "disp")
    let scene = try config.operations(display: "d", view: "pl", from: "two", noFiles)
    #expect(scene.light.factor == 14 && scene.codes.isEmpty && scene.hasLight && scene.reference == .scene)
    for (view, source) in [("r", "two"), ("v", "raw"), ("nt", "two"), ("disp", "disp")] {
      let other = try config.operations(display: "d", view: view, from: source, noFiles)
      #expect(!other.hasLight && other.codes.isEmpty, "\(view)")
    }
  }

  @Test("looks that are given replace those of the view, and none remove them")
  func looksOfAViewAreReplaced() throws {
    let config = try primes()
    for (looks, factor) in [("", 2), ("-k", 2.0 / 7), ("k:k", 98)] {
      let result = try config.operations(display: "d", view: "pl", from: "two", looks: looks, noFiles)
      #expect(abs(result.all.factor / factor - 1) < 1e-12)
    }
  }

  @Test(
    arguments: [
      ("k", "three", 7.0 / 3), ("k", "lin", 7), ("k", "raw", 14), ("e", "three", 1.0 / 3), ("e", "raw", 2),
      ("rl", "three", 7), ("k, k", "lin", 49), ("-k", "lin", 1.0 / 7), ("+k:e", "lin", 7), ("", "three", 1.0 / 3),
      ("k,,e", "lin", 7), ("|k", "lin", 1), ("miss|k", "lin", 7), ("miss,k|e", "raw", 2),
      ("miss | miss | -k", "lin", 1.0 / 7),
      ("inv", "lin", 7), ("-inv", "lin", 29), ("- k", "lin", 1.0 / 7),
    ] as [(String, String, Double)])
  func looksAreApplied(looks: String, from: String, factor: Double) throws {
    let result = try primes().operations(looks: looks, from: from, to: "lin", noFiles)
    #expect(abs(result.factor / factor - 1) < 1e-12)
  }

  @Test(
    arguments: [
      ("nope", .name), ("nope|k", .name), ("miss", .file), ("miss|miss", .file), ("k|nope", nil),
    ] as [(String, ConfigError.Code?)])
  func looksAreRefused(looks: String, code: ConfigError.Code?) throws {
    let config = try primes()
    do throws(ConfigError) {
      _ = try config.operations(looks: looks, from: "lin", to: "lin", noFiles)
      #expect(code == nil)
    } catch {
      #expect(error.code == code)
    }
  }

  @Test("both kinds of light are starts and ends")
  func referencesAreEnds() throws {
    let config = try primes()
    #expect(try config.operations(from: "two", to: .scene, noFiles).factor == 2)
    #expect(try config.operations(from: "two", to: .display, noFiles).factor == 22)
    #expect(try config.operations(from: .scene, to: "disp", noFiles).factor == 187)
    #expect(try config.operations(from: .display, to: "disp", noFiles).factor == 17)
    #expect(try config.operations(from: "raw", to: .scene, noFiles).isEmpty)
    #expect(throws: ConfigError.self) { try config.operations(from: "nt", to: .scene, noFiles) }
  }

  @Test("displays and views that are not there are refused with the nearest")
  func unknownViewsAreRefused() throws {
    let config = try primes()
    for (display, view, words) in [
      ("e", "v", "display \"e\""), ("d", "ntx", "did you mean \"nt\""), ("d", "zzz", "zzz"),
    ] {
      let error = #expect(throws: ConfigError.self) {
        try config.operations(display: display, view: view, from: "lin", noFiles)
      }
      #expect(error?.code == .name && error?.reason.contains(words) == true)
    }
    #expect(throws: ConfigError.self) { try config.operations(display: "d", view: "v", from: "nt", noFiles) }
  }

  @Test("transforms that name spaces, looks and views run both ways")
  func transformsNameOthers() throws {
    let sections =
      "looks: [!<Look> {name: k, process_space: two, transform: \(times(7))}]\n"
      + "displays: {d: [!<View> {name: v, colorspace: two, looks: k}]}"
    let cases: [(String, Double)] = [
      ("!<ColorSpaceTransform> {src: two, dst: three}", 6),
      ("!<ColorSpaceTransform> {src: two, dst: three, direction: inverse}", 1.0 / 6),
      ("!<ColorSpaceTransform> {src: two, dst: raw}", 1),
      ("!<ColorSpaceTransform> {src: two, dst: raw, data_bypass: false}", 2),
      ("!<LookTransform> {src: three, dst: two, looks: k}", 7.0 / 6),
      ("!<LookTransform> {src: three, dst: two, looks: k, direction: inverse}", 6.0 / 7),
      ("!<LookTransform> {src: three, dst: two, looks: k, skip_color_space_conversion: true}", 7),
      ("!<DisplayViewTransform> {src: three, display: d, view: v}", 7.0 / 6),
      ("!<DisplayViewTransform> {src: three, display: d, view: v, direction: inverse}", 6.0 / 7),
      ("!<DisplayViewTransform> {src: three, display: d, view: v, looks_bypass: true}", 1.0 / 6),
    ]
    for (transform, factor) in cases {
      let config = try Config.small(
        sections,
        spaces: """
            - !<ColorSpace> {name: two, to_scene_reference: \(times(2))}
            - !<ColorSpace> {name: three, from_scene_reference: \(times(3))}
          """, transform: transform)
      let found = try config.operations(from: "lin", to: .scene, noFiles).factor
      #expect(abs(found / factor - 1) < 1e-12, "\(transform)")
    }
  }

  @Test(arguments: [
    ("!<ColorSpaceTransform> {src: b, dst: c}", "!<ColorSpaceTransform> {src: lin, dst: raw}"),
    ("!<ColorSpaceTransform> {src: b, dst: c}", "!<LookTransform> {src: c, dst: c, looks: own}"),
    ("!<DisplayViewTransform> {src: c, display: d, view: v}", times(2)),
  ])
  func cyclesAreRefused(lin: String, b: String) throws {
    let config = try Config.small(
      """
      looks: [!<Look> {name: own, process_space: b}]
      displays: {d: [!<View> {name: v, colorspace: lin}]}
      """,
      spaces: """
          - !<ColorSpace> {name: b, to_scene_reference: \(b)}
          - !<ColorSpace> {name: c}
        """, transform: lin)
    let error = #expect(throws: ConfigError.self) { try config.operations(from: "lin", to: .scene, noFiles) }
    #expect(error?.code == .cycle)
  }

  @Test("chains of 32 levels are followed, longer ones and floods of operations are refused")
  func depthAndNumberHaveBounds() throws {
    func chain(_ count: Int, _ each: Int) throws -> Config {
      let spaces = (0..<count).map { index in
        let child = index == count - 1 ? times(2) : "!<ColorSpaceTransform> {src: s\(index + 1), dst: lin}"
        let children = Array(repeating: child, count: each).joined(separator: ", ")
        return "  - !<ColorSpace> {name: s\(index), to_reference: !<GroupTransform> {children: [\(children)]}}"
      }
      return try Config.small(spaces: spaces.joined(separator: "\n"))
    }
    #expect(try chain(15, 1).operations(from: "s0", to: "lin", noFiles).factor == 2)
    for config in [try chain(40, 1), try chain(20, 2), try chain(30, 3)] {
      let error = #expect(throws: ConfigError.self) { try config.operations(from: "s0", to: "lin", noFiles) }
      #expect(error?.code == .depth)
    }
    // Alternatives that all lack a file, level after level.
    let looks = (0..<20).map { index in
      let inner =
        index == 19
        ? "!<FileTransform> {src: no}" : "!<LookTransform> {src: lin, dst: lin, looks: l\(index + 1)|l\(index + 1)}"
      return "  - !<Look> {name: l\(index), process_space: lin, transform: \(inner)}"
    }
    let config = try Config.small("looks:\n" + looks.joined(separator: "\n"))
    let error = #expect(throws: ConfigError.self) {
      try config.operations(looks: "l0", from: "lin", to: "lin", noFiles)
    }
    #expect(error?.code == .depth)
  }

  @Test("lists have active names in the order of the active list, and hide inactive spaces")
  func listsAreOfActiveNames() throws {
    let config = try Config.small(
      """
      displays:
        a: [!<View> {name: v, colorspace: lin}, !<View> {name: w, colorspace: lin}]
        b: [!<View> {name: w, colorspace: lin}]
        c: [!<View> {name: x, colorspace: lin}]
      active_displays: [C, a, unknown]
      active_views: [w]
      inactive_colorspaces: [RAW]
      """)
    #expect(config.warnings.map(\.code) == ["config.name"])
    #expect(config.displayNames == ["c", "a"] && config.viewNames(display: "A") == ["w"])
    #expect(config.viewNames(display: "c") == ["x"] && config.viewNames(display: "nope").isEmpty)
    #expect(config.spaceNames == ["lin"] && config.space("raw") != nil)
    #expect(try config.operations(display: "b", view: "w", from: "lin", noFiles).all.isEmpty)
  }

  @Test("lists of the vectors' configs are those of OpenColorIO", .enabled(if: Self.vectors != nil, "skipped: no data"))
  func listsAreThoseOfOpenColorIO() throws {
    let vectors = try #require(Self.vectors)
    for name in ["v1", "v2"] {
      let config = try Config.shared("configs/\(name).ocio"), expected = try #require(vectors[name] as? [String: Any])
      #expect(config.displayNames.first == expected["default_display"] as? String)
      let displays = try #require(expected["displays"] as? [String: [String]])
      #expect(Set(config.displayNames) == Set(displays.keys))
      for (display, views) in displays { #expect(config.viewNames(display: display) == views) }
      for (pair, values) in try #require(expected["conversions"] as? [String: Any]) {
        let names = pair.split(separator: ">").map { $0.split(separator: " ").first.map(String.init) ?? "" }
        let list = try config.operations(from: names[0], to: names[1], .all)
        let output = try #require(values as? [[Double]]), isSame = output == vectors["input"] as? [[Double]]
        #expect(list.isEmpty == isSame, "\(name): \(pair)")
      }
      for (pair, _) in try #require(expected["views"] as? [String: Any]) {
        let parts = pair.split(separator: "/").map { $0.split(separator: " ").first.map(String.init) ?? "" }
        let source = config.space("scene_linear")?.name ?? ""
        let result = try config.operations(display: parts[0], view: parts[1], from: source, .all)
        #expect(result.all.isEmpty == (parts[1] == "Raw"), "\(name): \(pair)")
      }
      for (looks, value) in try #require(expected["looks"] as? [String: Any]) {
        let source = config.space("scene_linear")?.name ?? ""
        let list = try? config.operations(looks: looks, from: source, to: source, .all)
        #expect((list == nil) == (value is String), "\(name): \(looks)")
      }
    }
  }

  private static var vectors: [String: Any]? { SharedData.json("data/ocio/config-vectors.json") }
}
