import HDRCore
import Kernels

/// Collects the words of a plan.
package struct PlanDataBuilder {
  package private(set) var constants: [UInt32] = []
  package private(set) var tables: [UInt32] = []
  /// The number of values that were computed for tables.
  package private(set) var evaluations = 0
  private var known: [[UInt32]: Int] = [:]
  /// The deadline for making the plan.
  var deadline = Deadline.none

  package init() {}

  /// Adds a stage's parameters and returns the stage.
  package mutating func stage(_ kind: StageKind, _ words: [UInt32], kernel: UserKernel? = nil) -> Stage {
    defer { constants += words }
    return Stage(kind: kind, constants: constants.count, kernel: kernel)
  }

  package mutating func sink(
    _ kind: SinkKind, _ words: [UInt32], channels: Int = 4, chroma: ChromaSubsampling = .s444, bitDepth: Int = 16
  ) -> Sink {
    defer { constants += words }
    return Sink(kind: kind, constants: constants.count, channels: channels, chroma: chroma, bitDepth: bitDepth)
  }

  /// Checks the deadline between tables and steps.
  func checkTime() throws(PlanError) { if deadline.isPassed { throw .late } }

  /// Counts values that are computed on the way to a table.
  mutating func count(evaluations more: Int) { evaluations += more }

  /// Adds a table and returns its word offset; equal tables are stored once. Offsets are multiples of 4 words.
  package mutating func table(_ words: [UInt32]) -> UInt32 {
    count(evaluations: words.count)
    if let offset = known[words] { return UInt32(offset) }
    while tables.count % 4 != 0 { tables.append(0) }
    let offset = tables.count
    tables += words
    known[words] = offset
    return UInt32(offset)
  }
}
