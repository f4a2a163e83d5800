import CPURender
import GPURender
import HDRCore
import HDRPlan
import HDRRender
import Kernels
import Measure
import SPIRVExecutor
import Synchronization
import TestSupport
import Testing

/// A kernel that takes one word of its stage for another is found: for any two words of a stage or a sink there is a case
/// of `verify` that renders otherwise when they are exchanged.
@Suite struct WordSwapTests {
  /// Words that may be exchanged without a change, with the reason.
  static let equivalent = [
    "rcd_directions: green, redRow": "the kernel reads neither",
    "rcd_opposite: green, redRow": "the kernel reads neither",
    "load_cfa: rows, columnInverse": "only the CPU's loop reads them",
    "load_cfa: rows, rowInverse": "only the CPU's loop reads them",
    "load_cfa: columnInverse, rowInverse": "only the CPU's loop reads them",
    "gain_map: isSameSize, stretch": "only the CPU's loop reads them",
  ]

  static let lists: [(name: String, words: (any StageParameters.Type)?)] =
    StageKind.allCases.map { ($0.rawValue, $0.words) } + SinkKind.allCases.map { ($0.rawValue, $0.words) }

  @Test("exchanged words change a picture", arguments: lists.filter { $0.words != nil }.map(\.name))
  func exchangedWordsAreSeen(name: String) throws {
    let renderer = try Self.renderer.get()
    let tests = try #require(VerifiedPictures.cases[name])
    var groups: [Int: [StageWord]] = [:]
    for place in tests.flatMap({ Self.places(of: name, in: $0.plan) }) { groups[place.group] = place.words }
    var unseen: [String] = []
    for (group, words) in groups {
      for i in words.indices {
        for j in i + 1..<words.count {
          let isSeen = tests.contains { Self.differs($0, name, group, i, j, renderer) }
          if !isSeen { unseen.append("\(name): \(words[i].name), \(words[j].name)") }
        }
      }
    }
    let known = Self.equivalent.keys.filter { $0.hasPrefix(name + ": ") }
    #expect(unseen.sorted() == known.sorted())
  }

  @Test("in the cases of numbers no number of a stage is another word of it")
  func numbersDiffer() {
    let tests = VerificationCases.cases(of: .numbers, pixels: 1)
    var seen = Set<StageKind>()
    for test in tests {
      for stage in test.plan.passes.flatMap(\.stages) {
        var first = stage.constants
        for words in stage.groups(test.plan.constants) {
          let values = test.plan.constants[first..<first + words.count]
          let numbers = zip(words, values).filter {
            $0.0.isNumber && !stage.kind.stage.boundNumbers.contains($0.0.name)
          }
          for (word, value) in numbers {
            #expect(values.count { $0 == value } == 1, "\(test.name): \(stage.kind.rawValue) \(word.name)")
          }
          if !numbers.isEmpty { seen.insert(stage.kind) }
          first += words.count
        }
      }
    }
    #expect(Set(StageKind.allCases.filter(\.hasNumbers)).subtracting(seen).isEmpty)
  }

  /// The executor, whose loops end early: a loop that takes another word for its number of turns fails soon.
  static let renderer = Result { try SPIRVRenderer(limits: ExecutorLimits(turns: 1 << 16)) }

  /// Returns the words of a stage or a sink in a plan: its own, and those of the groups after them (group 1).
  static func places(of name: String, in plan: Plan) -> [(first: Int, group: Int, words: [StageWord])] {
    var found: [(Int, Int, [StageWord])] = [], known = Set<Int>()
    for pass in plan.passes {
      if pass.sink.kind.rawValue == name, let words = pass.sink.kind.words, known.insert(pass.sink.constants).inserted {
        found.append((pass.sink.constants, 0, StageWord.list(words)))
      }
      for stage in pass.stages where stage.kind.rawValue == name && known.insert(stage.constants).inserted {
        var first = stage.constants
        for (number, words) in stage.groups(plan.constants).enumerated() {
          found.append((first, min(number, 1), words))
          first += words.count
        }
      }
    }
    return found
  }

  /// Returns true if the picture is another one when words i and j change places.
  static func differs(
    _ test: VerificationCase, _ name: String, _ group: Int, _ i: Int, _ j: Int, _ renderer: SPIRVRenderer
  ) -> Bool {
    var plan = test.plan
    for place in places(of: name, in: plan) where place.group == group {
      plan.constants.swapAt(place.first + i, place.first + j)
    }
    if plan.constants == test.plan.constants { return false }
    // A kernel that leaves its buffers is seen too.
    guard let made = try? renderer.render(plan) else { return true }
    return WordComparison(VerifiedPictures.expected(test), made).differing != 0
  }
}

/// Cases of `verify` on few pixels, and their pictures by the CPU.
enum VerifiedPictures {
  /// The cases by the names of their stages and sinks, cheap ones first: most faults show in any of them.
  static let cases: [String: [VerificationCase]] = {
    let groups: [VerificationGroup] = [
      .numbers, .stages, .gainMaps, .filters, .decoding, .operators, .luts, .recipes, .cameras, .codecs, .sums,
    ]
    var found: [String: [VerificationCase]] = [:]
    for test in groups.flatMap({ VerificationCases.cases(of: $0, pixels: 2042) }) {
      let passes = test.plan.passes.flatMap { $0.stages.map(\.kind.rawValue) + [$0.sink.kind.rawValue] }
      let names: Set<String> =
        switch test.compared {
        case .pixels: Set(passes)
        case .scan: ["JPEG"]
        case .rows: ["deflate"]
        case .planes: ["JPEG scan"]
        case .sums: ["sums"]
        }
      for name in names { found[name, default: []].append(test) }
    }
    return found.mapValues { tests in tests.sorted { $0.plan.cost.operations < $1.plan.cost.operations } }
  }()

  private static let pictures = Mutex<[String: SampleImage]>([:])

  static func expected(_ test: VerificationCase) -> SampleImage {
    if let known = pictures.withLock({ $0[test.name] }) { return known }
    let made = Verification.render(test.plan, test.compared, on: .best, threads: 1)
    pictures.withLock { $0[test.name] = made }
    return made
  }
}
