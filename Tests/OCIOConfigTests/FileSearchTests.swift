import Foundation
import HDRCore
import OCIOConfig
import TestSupport
import Testing

/// Variables have values, and files are looked for in an order.
@Suite struct FileSearchTests {
  private func config(_ source: String, _ sections: String = "") throws -> Config {
    let text = """
      ocio_profile_version: 2.1
      roles: {default: raw}
      \(sections)
      colorspaces:
        - !<ColorSpace> {name: raw, isdata: true}
        - !<ColorSpace> {name: lin, to_reference: !<FileTransform> {src: "\(source)", cccid: $ID}}
      """
    return try Config(text, folder: "/show")
  }

  private func path(
    _ config: Config, _ files: [String], variables: [String: String] = [:], process: [String: String] = [:]
  ) throws -> String? {
    let context = ConfigContext(
      variables: ["ID": "x"].merging(variables) { $1 }, environment: process
    ) { files.contains($0) }
    return try config.operations(from: "lin", to: .scene, context).paths.first
  }

  @Test("files are looked for below search paths in their order, then beside the config")
  func searchPathsComeFirst() throws {
    let config = try config("a/b.clf", "search_path: [one, ./two, ../up, /abs/]")
    let all = ["/show/one/a/b.clf", "/show/two/a/b.clf", "/show/../up/a/b.clf", "/abs/a/b.clf", "/show/a/b.clf"]
    for first in all.indices { #expect(try path(config, Array(all[first...])) == all[first]) }
    #expect(throws: ConfigError.self) { try path(config, ["a/b.clf", "/a/b.clf"]) }
    #expect(try path(try self.config("x", "search_path: one:two"), ["/show/two/x"]) == "/show/two/x")
  }

  @Test func absolutePathsAreTakenAsTheyAre() throws {
    let config = try config("/luts/a.clf", "search_path: one")
    #expect(try path(config, ["/luts/a.clf"]) == "/luts/a.clf")
    #expect(throws: ConfigError.self) { try path(config, ["/show/luts/a.clf"]) }
  }

  @Test(arguments: ["../a.clf", "a/../../b.clf", "/x/../a.clf", "$UP/a.clf", ""])
  func pathsThatLeadUpwardsAreRefused(source: String) throws {
    #expect(throws: ConfigError.self) {
      let context = ConfigContext(variables: ["UP": "..", "ID": "x"]) { _ in true }
      return try self.config(source).operations(from: "lin", to: .scene, context)
    }
  }

  @Test(arguments: ["$SHOT/a", "${SHOT}/a", "%SHOT%/a", "$OUTER", "./$SHOT//./a"])
  func variablesAreReplaced(source: String) throws {
    let variables = ["SHOT": "s1", "OUTER": "${SHOT}/a"]
    #expect(try path(try config(source), ["/show/s1/a"], variables: variables) == "/show/s1/a")
  }

  @Test("a name is the longest that has a value")
  func theLongestVariableCounts() throws {
    let variables = ["S": "wrong", "SHOT": "s1"]
    #expect(try path(try config("$SHOT_a"), ["/show/s1_a"], variables: variables) == "/show/s1_a")
    #expect(try path(try config("a$"), ["/show/a$"], variables: variables) == "/show/a$")
    #expect(try path(try config("a%04d"), ["/show/a%04d"], variables: variables) == "/show/a%04d")
  }

  @Test("a value comes from the user, then from the process if the config names it, then from the config")
  func valuesHaveAnOrder() throws {
    let named = try config("$V", "environment: {V: config}"), other = try config("$V", "environment: {}")
    let open = try config("$V")
    let files = ["/show/user", "/show/process", "/show/config"]
    #expect(try path(named, files, variables: ["V": "user"], process: ["V": "process"]) == "/show/user")
    #expect(try path(named, files, process: ["V": "process"]) == "/show/process")
    #expect(try path(named, files) == "/show/config")
    #expect(try path(open, files, process: ["V": "process"]) == "/show/process")
    #expect(try path(other, files, variables: ["V": "user"]) == "/show/user")
    let error = #expect(throws: ConfigError.self) { try path(other, files, process: ["V": "process"]) }
    #expect(error?.code == .variable)
  }

  @Test("variables that contain themselves are refused, and texts that grow beyond a path")
  func variablesHaveBounds() throws {
    let own = #expect(throws: ConfigError.self) {
      try path(try config("$A"), [], variables: ["A": "$B", "B": "x$A"])
    }
    #expect(own?.code == .cycle)
    var variables = ["V0": "xxxxxxxxxx"]
    for index in 1..<30 { variables["V\(index)"] = "${V\(index - 1)}${V\(index - 1)}" }
    let long = #expect(throws: ConfigError.self) { try path(try config("$V29"), [], variables: variables) }
    #expect(long?.code == .variable)
  }

  @Test func correctionsHaveVariables() throws {
    let list = try config("a").operations(
      from: "lin", to: .scene, .files("/show/a", variables: ["ID": "grade"]))
    guard case .file(let file)? = list.first?.kind else { return #expect(Bool(false), "no file") }
    #expect(file.correction == "grade")
  }

  @Test(
    "files of the context test are those that OpenColorIO takes", .enabled(if: Self.vectors != nil, "skipped: no data"))
  func filesAreThoseOfOpenColorIO() throws {
    // The factor of each file's matrix.
    let factors =
      [
        "lut1.clf": 5, "shot1/lut1.clf": 10, "shot2/lut1.clf": 20, "shot2/lut2.clf": 2, "shot3/lut1.clf": 30,
        "shot3/subdir/lut3.clf": 3, "shot4/lut1.clf": 40, "shot4/lut4.clf": 4,
      ] as [String: Double]
    let config = try Config.shared("context_test1/config.ocio"), vectors = try #require(Self.vectors)
    #expect(vectors.count == 4)
    for (shot, spaces) in vectors {
      let context = ConfigContext(variables: ["SHOT": shot]) { FileManager.default.fileExists(atPath: $0) }
      for (space, values) in spaces {
        let list = try? config.operations(from: space, to: "reference", context)
        guard let values = values as? [[Double]] else {
          #expect(list == nil, "\(shot) \(space)")
          continue
        }
        let found = try #require(list, "\(shot) \(space)").paths.map { path in
          factors[String(path.dropFirst(config.folder.count + 1))] ?? .nan
        }
        #expect(found.reduce(1, *) == (values[1][0] / 0.5).rounded(), "\(shot) \(space)")
      }
    }
  }

  private static var vectors: [String: [String: Any]]? {
    SharedData.json("data/ocio/config-vectors.json")?["context_test1"] as? [String: [String: Any]]
  }
}
