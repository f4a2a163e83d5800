import Foundation
import HDRCore
import OCIOConfig
import TestSupport
import Testing

/// Configs are read, or refused with a code.
@Suite struct ConfigReadingTests {
  @Test(
    "malformed configs are refused with their codes, in little time", .enabled(if: Self.rows != nil, "skipped: no data")
  )
  func malformedConfigsAreRefused() throws {
    let rows = try #require(Self.rows).filter { $0.key.hasSuffix(".ocio") }
    #expect(rows.count == 16)
    for (file, row) in rows {
      let expected = try #require(row["expect"])
      let start = ContinuousClock.now
      let error = Self.use(file)
      #expect(ContinuousClock.now - start < .seconds(1), "\(file)")
      if let code = expected.prefixMatch(of: /(config|transform)\.\w+/) {
        #expect(error?.code.rawValue == String(code.output.0), "\(file)")
        #expect(error?.message.description.contains("\n") == false, "\(file)")
        #expect(error?.message.description.hasPrefix(file) == true, "\(file)")
      } else {
        #expect(error == nil, "\(file)")
      }
      if expected.contains("FooTransform") { #expect(error?.reason.contains("FooTransform") == true) }
    }
  }

  private static let rows = SharedData.json("data/ocio/malformed/expect.json") as? [String: [String: String]]

  /// Reads a config, and takes its space, its looks and a long path through it.
  private static func use(_ file: String) -> ConfigError? {
    do {
      let config = try Config.shared("malformed/" + file)
      for look in config.lookNames { _ = try config.operations(looks: look, from: "lin", to: "lin", .all) }
      _ = try config.operations(from: "lin", to: .scene, .all)
      let path = String(repeating: "a", count: 4000) + "b"
      #expect(config.space(forFile: path).rule == "Default")
      return nil
    } catch {
      return error as? ConfigError
    }
  }

  @Test(arguments: ["1", "1.0", "2", "2.0", "2.6", "'2.3'"]) func knownVersionsAreRead(version: String) throws {
    _ = try Config.small(version: version)
  }

  @Test(arguments: ["0", "1.1", "2.7", "2.10", "3", "two", "", "-2", "2.", "+2"])
  func otherVersionsAreRefused(version: String) {
    #expect(throws: ConfigError.self) { try Config.small(version: version) }
  }

  @Test func sectionsOfVersion2AreRefusedInVersion1() {
    let error = #expect(throws: ConfigError.self) { try Config.small(version: "1", "file_rules: []") }
    #expect(error?.code == .version && error?.reason.contains("file_rules") == true && error?.place.line == 3)
  }

  @Test func archivesAreRefused() {
    let error = #expect(throws: ConfigError.self) {
      try Config(parsing: [0x50, 0x4B, 3, 4, 0], file: "a.ocioz", folder: "")
    }
    #expect(error?.code == .archive)
  }

  @Test("unknown keys are left out with a warning that names the line, and a hundred of them with few warnings")
  func unknownKeysAreWarnedOf() throws {
    let config = try Config.small("nonsense: 1", spaces: "  - !<ColorSpace> {name: x, wrong: [1, 2]}")
    #expect(config.warnings.map(\.code) == ["config.key", "config.key"])
    let texts = config.warnings.map(\.message.description)
    #expect(texts.contains("show.ocio:7: the key \"wrong\" in color space \"x\" is not known and left out"))
    #expect(texts.contains("show.ocio:3: the key \"nonsense\" is not known and left out"))
    let inner = try Config.small(
      transform: "!<ExposureContrastTransform> {style: log, exposure: {value: 1, dynamic: true, other: 2}}")
    #expect(inner.warnings.first?.message.description.contains("\"other\" in color space \"lin\"") == true)
    let many = try Config.small((0..<100).map { "k\($0): 1" }.joined(separator: "\n"))
    #expect(many.warnings.count == 21)
    #expect(many.warnings.last?.message.description == "show.ocio: 80 more keys are not known and left out")
  }

  @Test("keys that decide nothing here give no warning")
  func knownKeysAreQuiet() throws {
    let config = try Config.small(
      """
      description: d
      luma: [0.2126, 0.7152, 0.0722]
      family_separator: /
      strictparsing: true
      virtual_display: [!<View> {name: a, colorspace: b}]
      use_display_aliases: true
      """,
      spaces: """
          - !<ColorSpace>
            name: x
            family: f
            equalitygroup: ""
            bitdepth: 32f
            allocation: lg2
            allocationvars: [-15, 6]
            categories: [file-io]
            interchange: {amf_transform_ids: a}
            encoding: log
        """)
    #expect(config.warnings.isEmpty && config.space("x")?.encoding == "log")
  }

  @Test(arguments: [
    ("  - !<ColorSpace> {name: LIN}", "color space"), ("  - !<ColorSpace> {name: a, aliases: [Raw]}", "color space"),
    ("  - !<ColorSpace> {name: Scene_Linear}", "role"),
    ("named_transforms:\n  - !<NamedTransform> {name: Lin, transform: !<MatrixTransform> {}}", "color space"),
    ("looks:\n  - !<Look> {name: a, process_space: lin}\n  - !<Look> {name: A, process_space: lin}", "look"),
  ])
  func namesThatClashAreRefused(text: String, words: String) {
    let error = #expect(throws: ConfigError.self) { try Config.small(spaces: text) }
    #expect(error?.code == .name && error?.reason.contains(words) == true, "\(String(describing: error))")
  }

  @Test(arguments: [
    "roles: {default: raw, x: nope}", "looks: [!<Look> {name: a, process_space: nope}]",
    "displays: {d: [!<View> {name: v, colorspace: nope}]}",
    "displays: {d: [!<View> {name: v, colorspace: lin, looks: nope}]}",
    "displays: {d: [!<Views> [nope]]}", "default_view_transform: nope",
    "displays: {d: [!<View> {name: v, view_transform: nope, display_colorspace: lin}]}",
    "displays: {d: [!<View> {name: v, colorspace: lin}, !<View> {name: V, colorspace: lin}]}",
  ])
  func namesThatAreNotThereAreRefused(text: String) {
    let error = #expect(throws: ConfigError.self) {
      try Config(
        "ocio_profile_version: 2\n\(text.hasPrefix("roles") ? "" : "roles: {default: raw}")\n\(text)\n"
          + "colorspaces: [!<ColorSpace> {name: raw, isdata: true}, !<ColorSpace> {name: lin}]")
    }
    #expect(error?.code == .name)
  }

  @Test("a message names the nearest space")
  func theNearestNameIsNamed() throws {
    let error = #expect(throws: ConfigError.self) {
      try Config.small(spaces: "  - !<ColorSpace> {name: ACEScct}").operations(from: "ACEScc", to: "lin", .all)
    }
    #expect(error?.reason.contains("did you mean \"ACEScct\"") == true)
  }

  @Test("texts of a file cannot end a line of a message or start one")
  func messagesArePrintable() {
    let error = #expect(throws: ConfigError.self) {
      try Config.small(spaces: "  - !<ColorSpace> {name: \"a\\nb\\e[1m\", aliases: [lin]}")
    }
    let text = error?.message.description ?? ""
    #expect(text.contains("\\x0a") && text.contains("\\x1b") && !text.contains("\n"))
  }

  @Test("what a file can set has a bound")
  func boundsHold() {
    let spaces = (0..<21_000).map { "  - !<ColorSpace> {name: s\($0)}" }.joined(separator: "\n")
    let long = String(repeating: "n", count: 257)
    let shared = "shared_views: [!<View> {name: v, colorspace: lin}]\ndisplays:\n"
    let views = shared + (0..<10_001).map { "  d\($0): [!<Views> [v]]" }.joined(separator: "\n")
    let deep = String(repeating: "[", count: 65)
    let paths = "search_path: [" + (0..<101).map { "p\($0)" }.joined(separator: ", ") + "]"
    for (sections, more) in [
      ("", spaces), ("", "  - !<ColorSpace> {name: \(long)}"), (views, ""), (deep, ""), (paths, ""),
    ] {
      #expect(throws: ConfigError.self) { try Config.small(sections, spaces: more) }
    }
    let large =
      Array("ocio_profile_version: 2\ndescription: ".utf8) + Array(repeating: UInt8(ascii: "x"), count: 4 << 20)
    let error = #expect(throws: ConfigError.self) { try Config(parsing: large, file: "a", folder: "") }
    #expect(error?.code == .yaml)
  }
}
