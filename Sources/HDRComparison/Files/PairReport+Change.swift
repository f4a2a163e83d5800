extension PairReport {
  /// An output is new, gone, equal or changed between two runs.
  package enum Change: String, Sendable, Hashable, CaseIterable {
    /// Only the later run has it.
    case new
    /// Only the earlier run has it.
    case gone
    /// Both files have the same bytes.
    case equal
    /// Both files have the same pixels, in other bytes.
    case metadata
    /// Other pixels.
    case changed

    /// The words for people.
    package var text: String { self == .metadata ? "same pixels" : rawValue }

    /// True if a line says it beside the verdict, which has the rest.
    var says: Bool { self == .new || self == .gone || self == .metadata }
  }

  /// The change that the report tells; `nil` for a pair that failed.
  package var foundChange: Change? {
    if a == nil { return .new }
    if b == nil { return .gone }
    if digestA != nil, digestA == digestB { return .equal }
    return comparison.map { $0.hasSamePixels ? .metadata : .changed }
  }
}

extension PairComparison {
  /// True if all samples and what they mean are the same, or all light is.
  package var hasSamePixels: Bool {
    let decide: Set<MetadataRow.Group> = [.picture, .cicp, .icc, .gainmap]
    let isSameWord = words?.count == 0 && (!hasMap || mapWords?.count == 0)
    if isSameWord && metadata.allSatisfy({ $0.isSame || !decide.contains($0.group) }) { return true }
    return !renditions.isEmpty && renditions.allSatisfy(\.isSame)
  }
}
