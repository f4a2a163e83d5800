import Foundation

/// A folder of its own for one test, gone with the value.
package final class TemporaryFolder: Sendable {
  package let url: URL

  package init() throws {
    url = Self.place.appendingPathComponent("hdrbatch-test-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  /// Where tests write: memory, if it has 4 GiB for them, for thousands of syncs to a disk take minutes.
  private static let place: URL = {
    var memory = statvfs()
    let isLarge = statvfs("/dev/shm", &memory) == 0 && UInt64(memory.f_bavail) * UInt64(memory.f_frsize) >= 4 << 30
    return isLarge ? URL(fileURLWithPath: "/dev/shm") : FileManager.default.temporaryDirectory
  }()

  deinit { try? FileManager.default.removeItem(at: url) }

  package func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// Makes a file, and the folders above it.
  @discardableResult
  package func file(_ name: String, _ text: String = "ok") throws -> String { try file(name, Array(text.utf8)) }

  @discardableResult
  package func file(_ name: String, _ bytes: [UInt8]) throws -> String {
    let target = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: target)
    return target.path
  }

  package func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: url.appendingPathComponent(name)))
  }

  package func text(_ name: String) -> String? {
    try? String(contentsOf: url.appendingPathComponent(name), encoding: .utf8)
  }

  /// All names, hidden ones too, but for journals.
  package var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).filter { $0 != ".hdrbatch" }.sorted()
  }

  /// All files below, relative, sorted; hidden ones too, but for journals.
  package func files(_ below: String = "") -> [String] {
    let base = below.isEmpty ? url : url.appendingPathComponent(below)
    guard let walk = FileManager.default.enumerator(atPath: base.path) else { return [] }
    return walk.compactMap { $0 as? String }.filter {
      var isFolder: ObjCBool = false
      let exists = FileManager.default.fileExists(
        atPath: base.appendingPathComponent($0).path, isDirectory: &isFolder)
      return exists && !isFolder.boolValue && !$0.hasPrefix(".hdrbatch/") && !$0.contains("/.hdrbatch/")
    }.sorted()
  }
}
