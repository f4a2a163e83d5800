import Foundation
import HDRRender
import TestSupport

/// A folder of its own for one test, gone with the value.
final class TestFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("hdrbatch-door-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  func bytes(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: url.appendingPathComponent(name))) }

  /// All names, hidden ones too, but for journals.
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).filter { $0 != ".hdrbatch" }.sorted()
  }
}

/// `Examples/` of the repository.
func example(_ name: String) -> String { SharedData.repository.appendingPathComponent("Examples/" + name).path }

/// Programs that are built beside the tests.
enum Built {
  static func program(_ name: String) -> URL? {
    guard let tests = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else { return nil }
    let url = URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent(name)
    return FileManager.default.isExecutableFile(atPath: url.path) ? url : nil
  }
  static let hdrbatch = program("hdrbatch")
  static let codec = program("hdrbatch-codec")

  /// - Returns: the exit status of hdrbatch.
  static func run(_ arguments: [String]) throws -> Int32 {
    let process = Process()
    process.executableURL = hdrbatch
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }
}

/// The CPU, opened once for all tests.
let cpu = Result { () throws(HDRError) in try HDRRenderer(backend: .cpu) }

/// lavapipe, the software Vulkan device, for tests of bits.
enum Lavapipe {
  static let renderer = try? HDRRenderer(backend: .gpu, device: "llvmpipe")
}
