import HDRRecipe
import HDRRender
import Testing

/// Searches for a quality, with coders that are formulas.
@Suite struct QualitySearchTests {
  /// A coder: the p95 of dE-seen and the bytes of a quality.
  private struct Coder {
    var value: (Int) -> Double?
    var bytes: (Int) -> Int = { 1000 + $0 * $0 * 20 }
  }

  /// Halves the error every 20 steps: 2 at quality 70.
  private static func falling(_ quality: Int) -> Double { 2 * power(Double(70 - quality) / 20) }

  /// Returns 2 to the power of a number, closely.
  private static func power(_ x: Double) -> Double {
    let whole = x.rounded(.down), rest = (x - whole) * 0.693_147_180_559_945_3
    let part = (1...12).reversed().reduce(1.0) { 1 + rest / Double($1) * $0 }
    return (0..<Int(abs(whole))).reduce(part) { value, _ in whole < 0 ? value / 2 : value * 2 }
  }

  private func run(_ goal: QualitySearch.Goal, _ coder: Coder) throws -> (QualitySearch, QualitySearch.Outcome) {
    var search = QualitySearch(goal)
    while let quality = search.next {
      try #require((0...goal.most).contains(quality))
      try #require(!search.trials.contains { $0.quality == quality }, "quality \(quality) is tried twice")
      let best = search.best
      let value = goal.target == nil ? nil : coder.value(quality)
      let trial = QualityTrial(quality: quality, bytes: coder.bytes(quality), value: value)
      search.add(trial)
      // A file that is given up is never wanted again.
      #expect(search.best == best || search.best == trial)
    }
    #expect(search.trials.count <= QualitySearch.maxTrials)
    return (search, try #require(search.outcome))
  }

  private func target(_ text: String) throws -> QualitySearch.Goal { .init(target: try QualityTarget(text)) }

  @Test func theFirstHitEndsASearch() throws {
    let (search, outcome) = try run(try target("dE-seen:2"), Coder { _ in 1.9 })
    #expect(outcome == .found(QualityTrial(quality: 85, bytes: search.trials[0].bytes, value: 1.9)))
    #expect(search.trials.count == 1)
  }

  @Test(arguments: [0.8, 1, 1.5, 2, 3, 5, 10]) func aFallingErrorIsMetWithoutWaste(_ bound: Double) throws {
    let (_, outcome) = try run(try target("dE-seen:\(bound)"), Coder { Self.falling($0) })
    guard case .found(let trial) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    let best = try #require((0...100).first { Self.falling($0) <= bound })
    #expect(trial.value! <= bound)
    #expect(trial.quality - best <= 5, "\(trial.quality) instead of \(best)")
  }

  @Test(arguments: [(1.0, 95), (0.5, 95), (2.2, 90)]) func jumpsAtOneQualityAreCrossed(
    _ bound: Double, _ best: Int
  ) throws {
    // As JPEG, which has whole chroma from 95 on.
    let coder = Coder { quality in quality >= 95 ? 0.4 : 2.2 * Self.power(Double(90 - quality) / 25) }
    let (search, outcome) = try run(try target("dE-seen:\(bound)"), coder)
    guard case .found(let trial) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(trial.value! <= bound)
    #expect(trial.quality - best <= 3, "\(search.trials)")
  }

  @Test func equalNeighboursDoNotHoldASearchUp() throws {
    // As AVIF, which has a quantiser for every two or three qualities.
    let coder = Coder(
      value: { Self.falling(100 - ((100 - $0) * 2 / 5) * 5 / 2) }, bytes: { 1000 + ($0 * 2 / 5) * 100 })
    for bound in [0.8, 1, 1.7, 2, 3.3] {
      let (_, outcome) = try run(try target("dE-seen:\(bound)"), coder)
      guard case .found(let trial) = outcome else {
        Issue.record("\(bound): \(outcome)")
        continue
      }
      #expect(trial.value! <= bound)
    }
  }

  @Test func anErrorThatNeverFitsIsSaidOfTheLargestQuality() throws {
    let (search, outcome) = try run(try target("dE-seen:2"), Coder { 2.28 + Double(100 - $0) / 50 })
    #expect(outcome == .noQuality(QualityTrial(quality: 100, bytes: search.trials.last!.bytes, value: 2.28)))
  }

  @Test func whatOnlyTheLargestQualityMeetsIsFound() throws {
    let (_, outcome) = try run(try target("dE-seen:2"), Coder { $0 == 100 ? 0 : 2.1 })
    #expect(outcome.trial.quality == 100)
    #expect(outcome == .found(outcome.trial))
  }

  @Test(
    "a largest quality without any error does not hide those before it", arguments: [(2.0, 98), (3, 93), (1.2, 100)])
  func losslessEndsSayNothing(_ bound: Double, _ best: Int) throws {
    // As JPEG XL, which is lossless at 100.
    let coder = Coder { $0 == 100 ? 0 : 5.16 * Self.power(Double(85 - $0) / 9) }
    let (search, outcome) = try run(try target("dE-seen:\(bound)"), coder)
    #expect(outcome == .found(outcome.trial))
    #expect((best...best + 1).contains(outcome.trial.quality), "\(search.trials)")
  }

  @Test func errorsThatRiseAndFallEndASearchAllTheSame() throws {
    for seed in 0..<200 {
      let coder = Coder { quality in Double((quality * 7919 + seed * 104_729) % 1000) / 250 + 0.001 }
      let (search, outcome) = try run(try target("dE-seen:2"), coder)
      if case .found(let trial) = outcome { #expect(trial.value! <= 2) }
      if case .noQuality = outcome { #expect(search.trials.contains { $0.quality == 100 }) }
    }
  }

  @Test func aMetricWithoutValueEndsASearchAtOnce() throws {
    let (search, outcome) = try run(try target("dE-seen:2"), Coder { _ in nil })
    #expect(search.trials.count == 1)
    guard case .noValue = outcome else {
      Issue.record("\(outcome)")
      return
    }
  }

  @Test func decibelsLeadToTheSameQualityAsTheirErrors() throws {
    let errors = try run(try target("dE-seen:2"), Coder { Self.falling($0) }).0.trials.map(\.quality)
    let decibels = try run(
      try target("psnr-pq:40"), Coder { 40 + Double($0 - 70) / 20 * 6.020_599_913_279_624 }
    ).0.trials.map(\.quality)
    #expect(errors == decibels)
  }

  // MARK: Bytes

  @Test(arguments: [2000, 20_000, 100_000, 145_000, 190_000]) func theLargestFileThatFitsIsFound(_ limit: Int) throws {
    let coder = Coder(value: { _ in nil })
    let (_, outcome) = try run(.init(maxBytes: limit), coder)
    guard case .found(let trial) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    let best = try #require((0...100).last { coder.bytes($0) <= limit })
    #expect(trial.bytes <= limit)
    #expect(best - trial.quality <= 3, "\(trial.quality) instead of \(best)")
  }

  @Test func aFileThatIsAlwaysTooLargeIsSaidOfTheSmallestQuality() throws {
    let (_, outcome) = try run(.init(maxBytes: 999), Coder(value: { _ in nil }))
    #expect(outcome == .tooLarge(QualityTrial(quality: 0, bytes: 1000)))
  }

  @Test func aStatedQualityIsTheLargestAndTheFirst() throws {
    let coder = Coder(value: { _ in nil })
    let (search, outcome) = try run(.init(maxBytes: 1 << 20, most: 60), coder)
    #expect(search.trials.map(\.quality) == [60] && outcome == .found(search.trials[0]))
    let (less, _) = try run(.init(maxBytes: 20_000, most: 60), coder)
    #expect(less.trials.allSatisfy { $0.quality <= 60 } && less.trials.count > 1)
  }

  @Test func bytesBoundWhatMeetsATarget() throws {
    let goal = try QualitySearch.Goal(target: QualityTarget("dE-seen:2"), maxBytes: 50_000)
    let (_, outcome) = try run(goal, Coder { Self.falling($0) })
    guard case .tooLarge(let trial) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(trial.value! <= 2 && trial.bytes > 50_000)
    let wide = try QualitySearch.Goal(target: QualityTarget("dE-seen:2"), maxBytes: 110_000)
    guard case .found(let fits) = try run(wide, Coder { Self.falling($0) }).1 else {
      Issue.record("does not fit")
      return
    }
    #expect(fits.value! <= 2 && fits.bytes <= 110_000)
  }
}
