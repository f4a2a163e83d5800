import HDRPlan
import Kernels

/// A word of a stage: its property's path (`gain.table`, `matrix.m0`), and whether it is a number, not an offset, a count
/// or a choice.
package struct StageWord: Sendable {
  package var name: String
  package var isNumber: Bool

  /// The words of a stage in their order.
  package static func list<Parameters: StageParameters>(_: Parameters.Type) -> [StageWord] {
    var found: [StageWord] = []
    let memory = [UInt32](repeating: 0, count: Parameters.count)
    add(memory.withUnsafeBytes { $0.loadUnaligned(as: Parameters.self) }, "", to: &found)
    return found
  }

  private static func add(_ group: any StageParameters, _ prefix: String, to found: inout [StageWord]) {
    for (label, value) in Mirror(reflecting: group).children {
      let name = prefix + (label ?? "")
      if let value = value as? any StageParameters {
        add(value, name + ".", to: &found)
      } else {
        found.append(StageWord(name: name, isNumber: value is Float))
      }
    }
  }
}

extension StageKind {
  /// The stage's words, and those of the groups after them.
  package var wordGroups: [[StageWord]] {
    guard let words else { return [] }
    return [StageWord.list(words)] + (self == .mixedGains ? [StageWord.list(MixedGains.Curve.self)] : [])
  }

  package var hasNumbers: Bool { wordGroups.joined().contains(where: \.isNumber) }
}

extension Stage {
  /// Returns the stage's words, and those of the groups after them, of which there may be several.
  package func groups(_ words: [UInt32]) -> [[StageWord]] {
    let groups = kind.wordGroups, count = kind == .mixedGains ? Int(words[constants]) : 0
    return groups.prefix(1) + groups.dropFirst().flatMap { [[StageWord]](repeating: $0, count: count) }
  }
}
