import HDRPlan
import Kernels

extension VerificationCases {
  /// Returns three of the other cases for each stage with numbers, on few pixels; no two numbers of a stage are equal.
  static func distinctNumbers() -> [VerificationCase] {
    var wanted = Dictionary(uniqueKeysWithValues: StageKind.allCases.filter(\.hasNumbers).map { ($0, 3) })
    let few = 2 * width
    let others = filters() + [gainMaps, cameras, layouts, stages].flatMap { $0(few) }
    return others.enumerated().compactMap { number, test in
      let found = test.stages.filter { wanted[$0, default: 0] > 0 }
      if found.isEmpty { return nil }
      for kind in found { wanted[kind]! -= 1 }
      return VerificationCase(
        name: "numbers, \(test.name)", plan: test.plan.withDistinctNumbers(seed: UInt64(number)))
    }
  }
}

extension Plan {
  /// Returns the plan with other numbers, each near its own; no two words of a stage are equal. Offsets, counts and
  /// choices stay. Arithmetic that takes one word for another has another result then.
  func withDistinctNumbers(seed: UInt64) -> Plan {
    var plan = self, random = SplitMix64(seed: seed)
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
    _ first: Int, _ words: [StageWord], _ kind: StageKind, _ random: inout SplitMix64
  ) {
    let bound = kind.stage.boundNumbers
    var taken = Set<UInt32>()
    for (index, word) in words.enumerated() where !word.isNumber || bound.contains(word.name) {
      taken.insert(constants[first + index])
    }
    for (index, word) in words.enumerated() where word.isNumber && !bound.contains(word.name) {
      let large = kind.stage.largeNumbers[word.name].map { Float($0) }
      let own = large ?? Float(bitPattern: constants[first + index])
      var drawn: Float
      repeat {
        let share = Float(Int32(truncatingIfNeeded: random.next())) * 0x1p-34
        drawn = own == 0 ? abs(share) : own * (1 + share)
      } while !taken.insert(drawn.bitPattern).inserted
      constants[first + index] = drawn.bitPattern
    }
  }
}
