import Foundation
import HDRCore
import HDRPlan
import OCIOConfig
import TestSupport
import Testing

/// Pipelines of configs against OpenColorIO 2.6: resolved, made shorter, and run through the stages that plans have.
@Suite(.enabled(if: ACESVectors.isHere, "skipped: no data")) struct ConfigViewTests {
  private static let folder = "data/ocio/"
  private static let context = ConfigContext { SharedData.url(relative($0)) != nil }

  /// Returns a path below the data without the folders that lead back.
  private static func relative(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", !parts.isEmpty { parts.removeLast() } else { parts.append(part) }
    }
    return parts.joined(separator: "/")
  }

  private static func config(_ path: String) throws -> Config {
    let bytes = try #require(SharedData.bytes(folder + path), "\(path)")
    let place = (folder + path).split(separator: "/").dropLast().joined(separator: "/")
    return try Config(parsing: bytes, file: path, folder: place)
  }

  private static func run(_ operations: [ConfigOperation], _ colors: [[Double]]) throws -> [[Double]] {
    let chain = try LUTChain(operations) { (file) throws(LUTError) -> LUTChain in
      guard let place = LUTPlace(file.path), let bytes = SharedData.bytes(relative(file.path)) else {
        throw LUTError(.format, reason: "no file")
      }
      return try LUTChain(parsing: bytes, as: place.format, id: file.correction)
    }
    return try LUTVectorTests.run(chain, colors)
  }

  private static func expect(
    _ got: [[Double]], _ want: [[Double]], _ tolerance: Double, _ what: String
  ) {
    #expect(got.count == want.count && !got.isEmpty, "\(what)")
    for (a, b) in zip(got, want) {
      let size = max(1, b.map(abs).max() ?? 0)
      #expect(
        zip(a, b).allSatisfy { abs($0 - $1) <= tolerance * size || abs($1) > 0x1p20 }, "\(what): \(a), wanted \(b)")
    }
  }

  @Test(arguments: ["studio-config-v5.0.0_aces-v2.1_ocio-v2.6.ocio"])
  func viewsOfTheStudioConfigFollowOpenColorIO(name: String) throws {
    let config = try Self.config("builtin/" + name)
    #expect(ACESVectors.views.count == 16)
    for row in ACESVectors.views {
      let operations = try config.operations(
        display: row.display, view: row.view, from: row.space, Self.context)
      Self.expect(try Self.run(operations.all, row.input), row.output, 1e-4, "\(row.display), \(row.view)")
    }
  }

  @Test func looksOfTheStudioConfigFollowOpenColorIO() throws {
    let config = try Self.config("builtin/studio-config-v5.0.0_aces-v2.1_ocio-v2.6.ocio")
    #expect(ACESVectors.looks.count == 3)
    for row in ACESVectors.looks {
      let operations: [ConfigOperation]
      if let target = row.target {
        operations = try config.operations(looks: row.look, from: row.space, to: target, Self.context)
      } else {
        operations = try config.operations(
          display: row.display, view: row.view, from: row.space, looks: row.look, Self.context
        ).all
      }
      Self.expect(try Self.run(operations, row.input), row.output, 1e-4, "\(row.look) \(row.display)")
    }
  }

  /// Conversions, views and looks of configs of version 1 and 2 with files of every kind.
  @Test(arguments: ["v1", "v2"]) func configsFollowOpenColorIO(name: String) throws {
    let config = try Self.config("configs/\(name).ocio"), vectors = ConfigVectors(name)
    var compared = 0
    for (pair, want) in vectors.conversions {
      let names = pair.components(separatedBy: " -> ")
      let operations = try config.operations(from: names[0], to: names[1], Self.context)
      if name == "v1", names[0] == "srgb8", names[1] != "raw" {
        // Its file is a 3D table.
        let error = #expect(throws: ConfigError.self) { try Self.run(operations, ConfigVectors.input) }
        #expect(error?.code == .file && error?.reason.contains("lut.inverse") == true)
        continue
      }
      // The inverse of an output transform takes what it cannot show to its edge, each program in its own way.
      if name == "v2", ["xyz", "sRGB", "PQ"].contains(names[0]), !["xyz", "sRGB", "PQ", "raw"].contains(names[1]) {
        continue
      }
      // Codes of PQ end at 1.5.
      let kept = ConfigVectors.input.indices.filter { i in
        name == "v1" || names[0] != "PQ" || ConfigVectors.input[i].allSatisfy { abs($0) < 1.4 }
      }
      Self.expect(
        try Self.run(operations, kept.map { ConfigVectors.input[$0] }), kept.map { want[$0] }, 1e-4, "\(name) \(pair)")
      compared += 1
    }
    for (pair, want) in vectors.views {
      let names = pair.components(separatedBy: " / "), first = name == "v1" ? "lnf" : "lin"
      let operations = try config.operations(display: names[0], view: names[1], from: first, Self.context)
      Self.expect(try Self.run(operations.all, ConfigVectors.input), want, 1e-4, "\(name) \(pair)")
      compared += 1
    }
    for (looks, want) in vectors.looks {
      let space = name == "v1" ? "lnf" : "lin"
      let operations = try config.operations(looks: looks, from: space, to: space, Self.context)
      Self.expect(try Self.run(operations, ConfigVectors.input), want, 1e-4, "\(name) \(looks)")
      compared += 1
    }
    #expect(compared > 20)
  }

  /// Files and spaces that variables name.
  @Test func contextsFollowOpenColorIO() throws {
    let config = try Self.config("context_test1/config.ocio"), input = Array(ConfigVectors.input[1...2])
    var compared = 0
    for (shot, spaces) in ConfigVectors.contexts {
      var context = Self.context
      context.variables = ["SHOT": shot]
      for (space, want) in spaces {
        let list = try? config.operations(from: space, to: "reference", context)
        guard let want else {
          #expect(list == nil, "\(shot) \(space)")
          continue
        }
        Self.expect(try Self.run(try #require(list), input), want, 1e-6, "\(shot) \(space)")
        compared += 1
      }
    }
    #expect(compared == 46)
  }

  @Test func everyBuiltinStyleHasItsOperations() {
    for style in BuiltinStyle.all { #expect(LUTChain(builtin: style.name) != nil, "\(style.name)") }
    #expect(BuiltinStyle.all.count == 99)
  }
}
