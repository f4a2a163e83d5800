import Foundation
import GPURender
import HDRPlan
import HDRRender
import Measure
import SPIRVExecutor
import ShaderTool
import TestSupport
import Testing

/// Faults that are put into kernels' text are found by the cases of `verify`: what these do not find in a fault of ours
/// they do not find in a driver's.
@Suite struct MutationTests {
  /// The files of the library in their order: shared ones, and those of stages and sinks.
  static let paths = Result {
    try LibrarySource.paths(
      shared: SharedData.repository.path + "/Sources/Shaders/glsl/shared",
      stages: SharedData.repository.path + "/Sources/Kernels")
  }

  static func stem(_ path: String) -> String {
    String((path.split(separator: "/").last ?? "").dropLast(".glsl".count))
  }

  /// Returns the library that the build makes of kernels with a fault.
  ///
  /// - Parameter isNeeded: tells whether a file is part of it; the shared ones always are.
  static func library(_ mutant: Mutant, _ isNeeded: (String) -> Bool = { _ in true }) throws -> [UInt32] {
    let files = try paths.get().filter { $0.contains("/shared/") || stem($0) == mutant.file || isNeeded($0) }
    return try LibrarySource(files) { path in
      var text = try String(contentsOfFile: path, encoding: .utf8)
      guard stem(path) == mutant.file else { return text }
      let place = try #require(text.range(of: mutant.text), "\(mutant.file) does not have it any more")
      text.replaceSubrange(place, with: mutant.fault)
      return text
    }.library()
  }

  /// Returns the library of what some cases run alone, which compiles faster; `nil` where that takes all files.
  static func library(_ mutant: Mutant, of tests: some Sequence<VerificationCase>) throws -> [UInt32]? {
    let passes = tests.flatMap(\.plan.passes)
    let names = Set(passes.flatMap { $0.stages.map(\.kind.rawValue) + [$0.sink.kind.rawValue] })
    guard !names.contains("user"), try names.subtracting(paths.get().map(stem)).isEmpty else { return nil }
    let folders = ["/JPEG/", "/Deflate/", "/Measure/"].filter { _ in
      tests.contains { if case .pixels = $0.compared { false } else { true } }
    }
    // A stage may call a function of another's file.
    return try? library(mutant) { path in names.contains(stem(path)) || folders.contains { path.contains($0) } }
  }

  static func isFound(_ test: VerificationCase, _ renderer: SPIRVRenderer) -> Bool {
    // A kernel that leaves its buffers is found too.
    guard let made = try? Verification.render(test.plan, test.compared, on: renderer) else { return true }
    return WordComparison(VerifiedPictures.expected(test), made).differing != 0
  }

  @Test("a fault in a kernel is found", arguments: Mutant.all)
  func faultsAreFound(mutant: Mutant) throws {
    let tests = try #require(VerifiedPictures.cases[mutant.stage])
    func find(_ tests: some Sequence<VerificationCase>, in library: [UInt32]) throws -> VerificationCase? {
      let renderer = try SPIRVRenderer(library: library, limits: ExecutorLimits(turns: 1 << 16))
      return tests.first { Self.isFound($0, renderer) }
    }
    // Most faults show in the first cases.
    let first = tests.prefix(8)
    var found = try Self.library(mutant, of: first).flatMap { try find(first, in: $0) }
    if found == nil { found = try find(tests, in: Self.library(mutant)) }
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
    #expect(try Set(Self.paths.get().map(Self.stem)).subtracting(faulty) == ["main", "probe"])
    #expect(faulty.count >= 60)
  }
}
