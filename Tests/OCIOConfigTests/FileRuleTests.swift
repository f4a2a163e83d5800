import Foundation
import HDRCore
import OCIOConfig
import TestSupport
import Testing

/// File rules: patterns, regular expressions, names in paths.
@Suite struct FileRuleTests {
  /// Returns true if a rule matches a path.
  private func matches(_ rule: String, _ path: String) throws -> Bool {
    let config = try Config.small(
      """
      file_rules:
        - !<Rule> {name: A, colorspace: lin, \(rule)}
        - !<Rule> {name: Default, colorspace: default}
      """)
    return config.space(forFile: path) == FileRuleMatch(rule: "A", index: 0, space: "lin")
  }

  @Test(arguments: [
    ("*", "exr", ["a.exr", "a.EXR", "a.b.exr", ".exr", "a/b.exr"], ["exr", "a.exrs", "a.ex"]),
    ("a?b", "e?r", ["aXb.exr", "aéb.exr"], ["aXb.EXR", "axxb.exr"]),
    ("*/x/*", "[eE]xr", ["/x/a.exr", "q/x/a.Exr"], ["q/x/a.eXr", "x/a.exr"]),
    ("[!a]*", "exr", ["b.exr"], ["ab.exr"]), ("*_[a-c]*", "exr", ["x_b1.exr"], ["x_d.exr"]),
    ("\\\\*", "exr", ["*.exr"], ["a.exr"]), ("a(b)+|c", "exr", ["a(b)+|c.exr"], ["ab.exr"]),
  ])
  func patternsMatchWholePaths(pattern: String, ending: String, yes: [String], no: [String]) throws {
    let rule = "pattern: \"\(pattern)\", extension: \"\(ending)\""
    for path in yes { #expect(try matches(rule, path), "\(pattern) \(path)") }
    for path in no { #expect(try !matches(rule, path), "\(pattern) \(path)") }
  }

  @Test(arguments: [
    ("a", ["a"], ["ba", "ab", ""]), ("a.*$", ["ab"], ["a\nb", "b"]), ("(?:x|y)+", ["xy"], ["", "xz"]),
    (#"\d+\.exr"#, ["12.exr"], ["1a.exr", "12xexr"]), ("[[:alpha:]]+", ["ab"], ["a1"]),
    ("a{2,3}", ["aa", "aaa"], ["a", "aaaa"]), ("a{2}", ["aa"], ["a"]), ("a{2,}", ["aaaaa"], ["a"]),
    ("^a|b$", ["a", "b"], ["ab"]), (".", ["é", "a"], ["", "ab", "\n"]), ("a**", ["", "aa"], ["b"]),
    ("a+?b", ["aab"], ["b"]), (#"\w\W\s\S\D"#, ["a. ba"], ["a.1ba"]), ("]", ["]"], ["["]),
    (#"\x41\u0042"#, ["AB"], ["ab"]), (#"[\d\-x]*"#, ["1-x"], ["a"]), (#"[\]x]"#, ["]"], ["\\"]),
    ("[^a-c]", ["d"], ["b"]), (#"[\D]"#, ["a"], ["1"]), (#"a\bx|a\b-x"#, ["a-x"], ["ax"]), (#"a\Bx"#, ["ax"], ["a"]),
    ("(a|)(b|c)", ["b", "ac"], ["a"]), ("()*x", ["x"], [""]), (#"\cA\t"#, ["\u{1}\t"], ["A"]),
    (".*_(nrm|disp)\\.[^.]*$", ["t_nrm.tif"], ["t_nrm.tif.x", "nrm.tif"]),
  ])
  func expressionsMatchWholePaths(regex: String, yes: [String], no: [String]) throws {
    let rule = "regex: '\(regex)'"
    for path in yes { #expect(try matches(rule, path), "\(regex) \(path)") }
    for path in no { #expect(try !matches(rule, path), "\(regex) \(path)") }
  }

  @Test(arguments: [
    "(", "a)", "*a", "[z-a]", "a{3,2}", "x{", "x{a}", "[a", "(?=x)x", "(?<n>a)", #"(a)\1"#, #"\q"#, #"a\"#,
    "[[:nope:]]",
    #"\x4"#, "a{1001}", "((a{100}){100}){100}", "((){1000}){1000}", String(repeating: "(", count: 40), "",
    String(repeating: "a", count: 5000),
  ])
  func expressionsThatAreNotTakenAreRefused(regex: String) {
    let error = #expect(throws: ConfigError.self) { try matches("regex: '\(regex)'", "a") }
    #expect(error?.code == .rules)
  }

  @Test(arguments: [
    "pattern: \"a\"", "extension: a", "pattern: \"\", extension: exr", "pattern: \"[\", extension: a",
    "pattern: \"[]\", extension: a", "pattern: \"]\", extension: a", "pattern: \"[z-a]\", extension: a",
    "pattern: \"[[a]\", extension: a", "regex: a, pattern: b", "custom: {a: b}",
  ])
  func rulesThatAreNotTakenAreRefused(rule: String) {
    let error = #expect(throws: ConfigError.self) { try matches(rule, "a") }
    #expect(error?.code == .rules)
  }

  @Test("expressions that others need ages for are answered at once")
  func matchingTakesLinearTime() throws {
    let path = String(repeating: "a", count: 4000) + "b"
    for regex in ["(a+)+$", "(a*)*c", "(a|a)*c", "(.*a){20}c", "(a?){50}a{50}"] {
      let start = ContinuousClock.now
      #expect(try !matches("regex: '\(regex)'", path))
      #expect(ContinuousClock.now - start < .seconds(1), "\(regex)")
    }
  }

  @Test(arguments: [
    "[!<Rule> {name: Default, colorspace: default}, !<Rule> {name: A, colorspace: lin, regex: a}]",
    "[!<Rule> {name: A, colorspace: lin, regex: a}]",
    "[!<Rule> {name: A, colorspace: lin, regex: a}, !<Rule> {name: a, colorspace: lin, regex: a}, !<Rule> {name: Default, colorspace: lin}]",
    "[!<Rule> {name: ColorSpaceNamePathSearch, colorspace: lin}, !<Rule> {name: Default, colorspace: lin}]",
    "[!<Rule> {name: Default, colorspace: lin, regex: a}]", "[!<Rule> {name: Default}]",
  ])
  func listsOfRulesEndWithDefault(rules: String) {
    let error = #expect(throws: ConfigError.self) { try Config.small("file_rules: \(rules)") }
    #expect(error?.code == .rules)
  }

  @Test("the right-most name in a path counts, and of those that end there the longest")
  func namesInPathsAreFound() throws {
    let config = try Config.small(
      """
      file_rules:
        - !<Rule> {name: ColorSpaceNamePathSearch}
        - !<Rule> {name: Default, colorspace: scene_linear}
      """,
      spaces: """
          - !<ColorSpace> {name: log, aliases: [camlog]}
          - !<ColorSpace> {name: slog}
          - !<ColorSpace> {name: mylog2}
        """)
    for (path, space) in [
      ("raw_LOG.exr", "log"), ("log_raw.exr", "raw"), ("a_slog.exr", "slog"), ("a_camlog", "log"),
      ("mylog2/x", "mylog2"),
    ] {
      #expect(config.space(forFile: path) == FileRuleMatch(rule: "ColorSpaceNamePathSearch", index: 0, space: space))
    }
    #expect(config.space(forFile: "x.exr") == FileRuleMatch(rule: "Default", index: 1, space: "scene_linear"))
  }

  @Test("a config without rules takes the role default; of version 1 it looks for names, then for data")
  func configsWithoutRulesHaveThoseOfOpenColorIO() throws {
    #expect(try Config.small().space(forFile: "lin.exr").space == "default")
    let old = try Config.small(version: "1")
    #expect(old.space(forFile: "x_lin.exr").space == "lin" && old.space(forFile: "x.exr").space == "default")
    let spaces = "colorspaces: [!<ColorSpace> {name: a}, !<ColorSpace> {name: b, isdata: true}]"
    #expect(try Config("ocio_profile_version: 1\n" + spaces).space(forFile: "x.exr").space == "b")
    let error = #expect(throws: ConfigError.self) { try Config("ocio_profile_version: 2\n" + spaces) }
    #expect(error?.code == .rules)
  }

  @Test("rules give what OpenColorIO gives", .enabled(if: Self.vectors != nil, "skipped: no data"))
  func rulesAreThoseOfOpenColorIO() throws {
    let studio = try #require(try Config.builtIn("builtin:studio"))
    #expect(ACESVectors.fileRules.count == 8)
    for (path, row) in ACESVectors.fileRules {
      let match = studio.space(forFile: path)
      #expect(match.space == row.space && match.index == row.index, "\(path)")
    }
    let config = try Config.shared("configs/v2.ocio")
    for (path, space) in try #require(Self.vectors) { #expect(config.space(forFile: path).space == space, "\(path)") }
  }

  private static let vectors =
    (SharedData.json("data/ocio/config-vectors.json")?["v2"] as? [String: Any])?["file_rules"] as? [String: String]
}
