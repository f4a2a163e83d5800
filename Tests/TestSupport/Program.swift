import Foundation

/// The program itself, as built beside the tests.
package enum Program {
  package static let url = beside("hdrbatch")

  /// A program that is built beside the tests.
  package static func beside(_ name: String) -> URL? {
    guard let tests = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else { return nil }
    let url = URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent(name)
    return FileManager.default.isExecutableFile(atPath: url.path) ? url : nil
  }

  package struct Result {
    package var status: Int32
    package var output: String
    package var errors: String

    package init(status: Int32, output: String, errors: String) {
      (self.status, self.output, self.errors) = (status, output, errors)
    }
  }

  package static func start(
    _ arguments: [String], in folder: String? = nil, environment: [String: String] = [:], output: Any, errors: Any
  ) throws -> Process {
    let process = Process()
    process.executableURL = url
    process.arguments = arguments
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
    // The amount of free memory decides nothing.
    process.environment = ProcessInfo.processInfo.environment.merging(["HDRBATCH_MEMORY": "4G"]) { $1 }
      .merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    return process
  }

  /// - Parameter folder: the working folder; `nil`: that of the tests.
  package static func run(
    _ arguments: [String], in folder: String? = nil, environment: [String: String] = [:]
  ) throws -> Result {
    // Files instead of pipes: nothing to drain.
    let texts = try TemporaryFolder()
    let outputs = try ["out", "err"].map { name in
      FileHandle(forWritingAtPath: try texts.file(name, ""))!
    }
    let process = try start(arguments, in: folder, environment: environment, output: outputs[0], errors: outputs[1])
    process.waitUntilExit()
    let status = process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
    return Result(status: status, output: texts.text("out") ?? "", errors: texts.text("err") ?? "")
  }
}
