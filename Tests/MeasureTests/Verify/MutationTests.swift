import Foundation
import GPURender
import HDRPlan
import HDRRender
import Measure
import SPIRVExecutor
import TestSupport
import Testing

/// Faults that are put into kernels' text are found by the cases of `verify`: what these do not find in a fault of ours
/// they do not find in a driver's.
@Suite(.enabled(if: Mutant.tool != nil, "skipped: ShaderTool is not built beside the tests"))
struct MutationTests {
  /// The folders of GLSL: shared files, and those of stages and sinks.
  static let folders = ["Sources/Shaders/glsl/shared", "Sources/Kernels"]

  /// Returns the paths of GLSL files by their stems.
  static func files() throws -> [String: URL] {
    var result: [String: URL] = [:]
    for folder in folders.map(SharedData.repository.appendingPathComponent) {
      for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where path.hasSuffix(".glsl") {
        let file = folder.appendingPathComponent(path)
        result[file.deletingPathExtension().lastPathComponent] = file
      }
    }
    return result
  }

  /// The library that the build makes of kernels with a fault.
  static func library(_ mutant: Mutant?) throws -> [UInt32] {
    let folder = try TemporaryFolder(), copy = URL(fileURLWithPath: folder.path("glsl"))
    for part in ["shared", "stages"] {
      try FileManager.default.createDirectory(at: copy.appendingPathComponent(part), withIntermediateDirectories: true)
    }
    func place(_ file: URL) -> URL {
      copy.appendingPathComponent(file.path.contains("/shared/") ? "shared" : "stages")
        .appendingPathComponent(file.lastPathComponent)
    }
    let files = try files()
    for file in files.values { try FileManager.default.copyItem(at: file, to: place(file)) }
    if let mutant {
      let file = place(try #require(files[mutant.file]))
      var text = try String(contentsOf: file, encoding: .utf8)
      let place = try #require(text.range(of: mutant.text), "\(mutant.file) does not have it any more")
      text.replaceSubrange(place, with: mutant.fault)
      try text.write(to: file, atomically: false, encoding: .utf8)
    }
    let process = Process(), words = folder.path("library.spv")
    process.executableURL = Mutant.tool
    process.arguments = ["library", copy.path + "/shared", copy.path + "/stages", words]
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "the kernel does not compile")
    return try Data(contentsOf: URL(fileURLWithPath: words)).withUnsafeBytes { Array($0.bindMemory(to: UInt32.self)) }
  }

  static func isFound(_ test: VerificationCase, _ renderer: SPIRVRenderer) -> Bool {
    // A kernel that leaves its buffers is found too.
    guard let made = try? Verification.render(test.plan, test.compared, on: renderer) else { return true }
    return WordComparison(VerifiedPictures.expected(test), made).differing != 0
  }

  @Test("a fault in a kernel is found", arguments: Mutant.all)
  func faultsAreFound(mutant: Mutant) throws {
    let renderer = try SPIRVRenderer(library: Self.library(mutant), limits: ExecutorLimits(turns: 1 << 16))
    let tests = try #require(VerifiedPictures.cases[mutant.stage])
    let found = tests.first { Self.isFound($0, renderer) }
    #expect((found == nil) == (mutant.whyEqual != nil), "found by \(found?.name ?? "none of \(tests.count) cases")")
  }

  @Test("without a fault nothing is found", arguments: Set(Mutant.all.map(\.stage)).sorted())
  func nothingIsFoundWithoutFaults(stage: String) throws {
    let renderer = try SPIRVRenderer(limits: ExecutorLimits(turns: 1 << 16))
    for test in try #require(VerifiedPictures.cases[stage]).prefix(3) {
      #expect(!Self.isFound(test, renderer), "\(test.name)")
    }
  }

  @Test("every stage, sink and shared file has a fault")
  func everyKernelHasAFault() throws {
    let faulty = Set(Mutant.all.filter { $0.whyEqual == nil }.map(\.file))
    // The self-test is its own, and the frame of all kernels has no arithmetic.
    #expect(try Set(Self.files().keys).subtracting(faulty) == ["main", "probe"])
    #expect(faulty.count >= 60)
  }
}

extension Mutant {
  /// The program that compiles the kernels in builds.
  fileprivate static let tool = Program.beside("ShaderTool")
}
