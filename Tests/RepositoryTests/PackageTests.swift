import Foundation
import TestSupport
import Testing

/// Package.swift and the sources say the same of who uses whom.
@Suite struct PackageTests {
  /// Modules of the toolchain.
  static let system: Set<String> = [
    "Foundation", "FoundationXML", "Glibc", "Synchronization", "Testing", "PackageDescription",
  ]

  /// Dependencies of each target, read from the text of Package.swift: names in quotes after `dependencies:`.
  static func declared() throws -> [String: Set<String>] {
    let text = try String(contentsOf: SharedData.repository.appendingPathComponent("Package.swift"), encoding: .utf8)
    var result: [String: Set<String>] = [:]
    // Behind a name nothing of the next target.
    let target = try Regex(
      #"(?:\.target|\.executableTarget|\.testTarget)\(\s*name: "([\w-]+)"((?:(?!arget\()[^\]])*?dependencies: \[([^\]]*)\]([^\n]*(references|loops))?)?"#
    )
    for match in text.matches(of: target) {
      let name = String(match.output[1].substring ?? ""), list = match.output[3].substring ?? ""
      var names = Set(list.matches(of: /"([\w-]+)"/).map { String($0.output.1) })
      // Lists with a target for each build.
      switch match.output[5].substring {
      case "references": names.formUnion(["CPUReference", "CPUReferenceV3"])
      case "loops": names.formUnion(["LaneLoops", "LaneLoopsV3"])
      default: break
      }
      result[name] = names
    }
    return result
  }

  @Test("every module that a target imports is a dependency of the target")
  func importsAreDeclared() throws {
    let declared = try Self.declared()
    #expect(declared.count > 15)
    let folders = try Self.folders(), known = Set(folders.map(\.1))
    for (folder, name) in folders {
      let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
      var imported: Set<String> = []
      for file in files where file.hasSuffix(".swift") {
        let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
        for match in text.matches(of: /(?m)^\s*(?:@\w+ )?(?:public |package )?import (?:struct |func )?(\w+)/) {
          // Names of other languages' modules stand in texts.
          if known.contains(String(match.output.1)) { imported.insert(String(match.output.1)) }
        }
      }
      let missing = imported.subtracting(Self.system).subtracting(declared[name] ?? [])
      #expect(missing.isEmpty, "\(name) imports \(missing.sorted()) without naming them in Package.swift")
    }
  }

  @Test("scripts/check runs the test targets that start no program, and those start none")
  func checkStartsNoProgram() throws {
    let script = try SourceTree.text("scripts/check")
    let list = try #require(script.firstMatch(of: /\$\{\*:-([^}]*)\}/)).output.1
    let targets = try Self.declared().filter { $0.key.hasSuffix("Tests") && !$0.value.contains("hdrbatch") }.keys
      .sorted()
    #expect(list.split { $0.isWhitespace || $0 == "\\" }.map(String.init).sorted() == targets)
    for file in try targets.flatMap({ try SourceTree.allFiles("Tests/" + $0, extension: "swift") }) {
      #expect(!file.text.contains(/\bProgram\.(?:beside|run|start|url)\b/), "\(file.path) starts a program")
    }
  }

  @Test("the only symbolic links are those by which sources are built for two CPUs")
  func linksAreSecondBuilds() throws {
    let root = SharedData.repository
    var links: [String: String] = [:]
    for part in ["Examples", "Fuzz", "Plugins", "Python", "Sources", "Tests", "docs", "scripts"] {
      // Hidden folders are those of builds.
      let folder = FileManager.default.enumerator(
        at: root.appendingPathComponent(part), includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
      for case let file as URL in try #require(folder) {
        guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: file.path) else { continue }
        links[String(file.path.dropFirst(root.path.count + 1))] = target
      }
    }
    #expect(links == ["Sources/CPUReferenceV3": "CPUReference", "Sources/LaneLoopsV3": "LaneLoops"])
  }

  /// Folders of targets with their names.
  static func folders() throws -> [(URL, String)] {
    let rooms = try ["Sources", "Tests"].flatMap { part in
      let base = SharedData.repository.appendingPathComponent(part)
      return try FileManager.default.contentsOfDirectory(atPath: base.path).sorted().map {
        (base.appendingPathComponent($0).resolvingSymlinksInPath(), $0)
      }
    }
    return rooms + [(SharedData.repository.appendingPathComponent("Fuzz/Sources"), "fuzz")]
  }
}
