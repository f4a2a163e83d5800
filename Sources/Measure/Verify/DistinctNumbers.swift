import HDRCore
import HDRPlan
import Kernels

/// A word of a stage: its property's path (`gain.table`, `matrix.m0`), and whether it is a number, not an offset, a count
/// or a choice.
package struct StageWord: Sendable {
  package var name: String
  package var isNumber: Bool

  /// The words of a stage in their order.
  package static func list<Words: StageWords>(_: Words.Type) -> [StageWord] {
    var found: [StageWord] = []
    let memory = [UInt32](repeating: 0, count: Words.count)
    add(memory.withUnsafeBytes { $0.loadUnaligned(as: Words.self) }, "", to: &found)
    return found
  }

  private static func add(_ group: any StageWords, _ prefix: String, to found: inout [StageWord]) {
    for (label, value) in Mirror(reflecting: group).children {
      let name = prefix + (label ?? "")
      if let value = value as? any StageWords {
        add(value, name + ".", to: &found)
      } else {
        // The words of a line are chosen as bits.
        found.append(StageWord(name: name, isNumber: value is Float || group is SignedCurve.Line))
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

  /// Numbers that count or address entries of tables, which must be the tables'.
  package var boundNumbers: Set<String> {
    switch self {
    case .binIndex: ["last"]
    case .gainTableMap: ["depth"]
    case .hueSatMap: ["saturations", "layer", "hue.last", "saturation.last", "value.last"]
    default: []
    }
  }

  /// Larger values for numbers that hardly any picture tells from 0.
  fileprivate var largeNumbers: [String: Float] {
    [.warpProjective, .warpBicubic].contains(self) ? ["horizon": 0.25] : [:]
  }
}

extension Plan {
  /// Returns the plan with other numbers, each near its own; no two words of a stage are equal. Offsets, counts and
  /// choices stay. Arithmetic that takes one word for another has another result then.
  func withDistinctNumbers(seed: UInt64) -> Plan {
    var plan = self, random = TestPictures.Generator(seed: seed)
    for pass in passes {
      for stage in pass.stages {
        var first = stage.constants
        for list in stage.groups(constants) {
          plan.drawNumbers(first, list, stage.kind, &random)
          first += list.count
        }
      }
    }
    // Other numbers read other rows.
    for index in passes.indices {
      for (number, source) in passes[index].sources.enumerated() {
        guard case .earlier(let from, let rows) = source else { continue }
        plan.passes[index].sources[number] = .earlier(
          pass: from, rows: .all(height: rows.firstRow.count, of: passes[from].height))
      }
    }
    return plan
  }

  private mutating func drawNumbers(
    _ first: Int, _ words: [StageWord], _ kind: StageKind, _ random: inout TestPictures.Generator
  ) {
    let bound = kind.boundNumbers
    var taken = Set<UInt32>()
    for (index, word) in words.enumerated() where !word.isNumber || bound.contains(word.name) {
      taken.insert(constants[first + index])
    }
    for (index, word) in words.enumerated() where word.isNumber && !bound.contains(word.name) {
      let own = kind.largeNumbers[word.name] ?? Float(bitPattern: constants[first + index])
      var drawn: Float
      repeat {
        let share = Float(Int32(truncatingIfNeeded: random.next())) * 0x1p-34
        drawn = own == 0 ? abs(share) : own * (1 + share)
      } while !taken.insert(drawn.bitPattern).inserted
      constants[first + index] = drawn.bitPattern
    }
  }
}

extension Stage {
  /// Returns the stage's words, and those of the groups after them, of which there may be several.
  package func groups(_ words: [UInt32]) -> [[StageWord]] {
    let groups = kind.wordGroups, count = kind == .mixedGains ? Int(words[constants]) : 0
    return groups.prefix(1) + groups.dropFirst().flatMap { [[StageWord]](repeating: $0, count: count) }
  }
}
