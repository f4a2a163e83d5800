import Foundation
import GPURender
import HDRCore
import ImageFiles
import Kernels
import SPIRVExecutor
import TestFiles
import TestSamples
import TestSupport
import Testing

/// The kernels that decode, run by the executor on damaged streams, tables and geometry. HDRBATCH_MUTATIONS asks for more
/// executions than a run of all tests has, HDRBATCH_MUTATION_SEED for others.
@Suite struct JPEGMutationTests {
  /// Executions, and what became of them.
  struct Counts: CustomStringConvertible {
    var executions = 0, flagged = 0, equal = 0
    /// Files that the reader hands to no kernel.
    var refused = 0
    /// Executions of scans with changed numbers, which are no file's: compared with the twin.
    var numbers = 0

    var description: String {
      "\(executions) executions: \(flagged) flagged, \(equal) equal to the library's, \(numbers) of changed numbers "
        + "equal to the twin's; \(refused) files refused"
    }
  }

  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }

  /// Pictures of all layouts: tiny ones of a chunk to four, and some larger ones.
  static let files: (tiny: [DamagedJPEG], larger: [DamagedJPEG]) = {
    let small = JPEGDecodeTests.small.filter { $0.width <= 64 && $0.height <= 40 }
    func files(_ isTiny: Bool) -> [DamagedJPEG] {
      small.filter { ($0.width <= 17 && $0.height <= 16) == isTiny }.map { DamagedJPEG($0.file) }
    }
    return (files(true), files(false))
  }()

  @Test("of streams, tables and geometry that are damaged kernels flag what the library would read otherwise")
  func damageIsFlaggedByKernels() throws {
    let wanted = Self.number("HDRBATCH_MUTATIONS") ?? 1500
    var random = SplitMix(state: UInt64(Self.number("HDRBATCH_MUTATION_SEED") ?? 1)), counts = Counts()
    let variants = [ExecutorVariant(width: 8), ExecutorVariant(isReversed: true, width: 24)]
    let executors = try variants.map { try SPIRVRenderer(variant: $0) }
    let start = Date()
    while counts.executions < wanted {
      let files = Int.random(in: 0..<16, using: &random) == 0 ? Self.files.larger : Self.files.tiny
      let bytes = files[Int.random(in: 0..<files.count, using: &random)].changed(&random)
      guard let scan = try? JPEGDecoder.scan(bytes), scan.fault == nil, scan.width * scan.height <= 1 << 13 else {
        counts.refused += 1
        continue
      }
      let executor = executors[counts.executions % executors.count]
      if counts.executions % 4 == 3 {
        let other = scan.changed(&random)
        guard other.fault == nil, other.width * other.height <= 1 << 13 else { continue }
        let decoding = JPEGDecoding(other), made = try executor.decodeJPEG(decoding)
        counts.executions += 1
        counts.numbers += 1
        try #require(made.differing(from: JPEGScanDecoder(decoding).decode()) == 0, "\(other)")
        continue
      }
      let made = try executor.decodeJPEG(JPEGDecoding(scan))
      counts.executions += 1
      if counts.executions % 10_000 == 1, wanted > 10_000 {
        FileHandle.standardError.write(Data("\(counts), \(Int(-start.timeIntervalSinceNow)) s\n".utf8))
      }
      guard made.flags.isEmpty else {
        counts.flagged += 1
        continue
      }
      let expected = try #require(try? decodeImage(bytes), "the library refuses what is not flagged: \(bytes)")
      try #require(!expected.warnings.contains { $0.code == "jpeg.extraneous" }, "\(bytes)")
      try #require(JPEGDecodeTests.differing(made.image, expected.image) == 0, "\(bytes)")
      counts.equal += 1
    }
    print("kernels that decode, in the executor: \(counts), \(Int(-start.timeIntervalSinceNow)) s")
    #expect(counts.flagged > wanted / 10 && counts.equal > wanted / 10 && counts.numbers > wanted / 40, "\(counts)")
  }
}
