import HDRCore
import HDRRecipe

/// An encode of a search, with what came of it.
package struct QualityTrial: Sendable, Hashable {
  package var quality: Int
  package var bytes: Int
  /// The value of the target's metric; `nil` without a target, and if it cannot be told.
  package var value: Double?

  package init(quality: Int, bytes: Int, value: Double? = nil) {
    (self.quality, self.bytes, self.value) = (quality, bytes, value)
  }
}

/// A search for the quality of one file: it is told each trial, and says the quality to try next
/// (docs/compare.md#quality-by-error).
///
/// With a target it finds the smallest quality that meets it; the most bytes then bound the result. Without, it finds
/// the largest quality whose file is not larger.
package struct QualitySearch: Sendable {
  /// A file keeps to a goal; one of the first two is given.
  package struct Goal: Sendable, Hashable {
    package var target: QualityTarget?
    package var maxBytes: Int?
    /// The largest quality.
    package var most: Int

    package init(target: QualityTarget? = nil, maxBytes: Int? = nil, most: Int = 100) {
      (self.target, self.maxBytes, self.most) = (target, maxBytes, most)
    }

    /// Takes the goal from an output's settings; `nil` if its quality is not searched for.
    package init?(_ values: SettingValues) {
      let files = Settings.files
      self.init(target: values[files.qualityTarget], maxBytes: values[files.maxBytes])
      if target == nil, maxBytes == nil { return nil }
      most = values[files.quality] ?? most
    }
  }

  /// The end of a search.
  package enum Outcome: Sendable, Hashable {
    case found(QualityTrial)
    /// No quality that was tried meets the target; the best did so much.
    case noQuality(QualityTrial)
    /// All files, or all that meet the target, are too large; the smallest has so many bytes.
    case tooLarge(QualityTrial)
    /// The metric has no value for this picture.
    case noValue(QualityTrial)

    /// The trial whose file is written or set aside.
    package var trial: QualityTrial {
      switch self {
      case .found(let trial), .noQuality(let trial), .tooLarge(let trial), .noValue(let trial): trial
      }
    }
  }

  /// The most encodes of a file.
  package static let maxTrials = 5
  /// The quality that is tried first.
  package static let firstQuality = 85
  /// A trial that meets the target by no more than this, in doublings, ends the search; a guess aims at a third.
  private static let near = -0.2345

  package let goal: Goal
  package private(set) var trials: [QualityTrial] = []
  private var bound: BoundSearch

  package init(_ goal: Goal) {
    self.goal = goal
    let start = goal.target == nil && goal.most < 100 ? goal.most : min(Self.firstQuality, goal.most)
    // Files become smaller towards the end of the scale: for bytes it begins at the largest quality.
    bound = BoundSearch(
      last: goal.most, start: goal.target == nil ? goal.most - start : start, most: Self.maxTrials,
      aim: goal.target == nil ? 0 : Self.near / 3)
  }

  /// The quality to try next; `nil` if the search is over.
  package var next: Int? {
    if let latest = trials.last, goal.target != nil {
      if latest.value == nil { return nil }
      if meets(latest), fits(latest), excess(latest) >= Self.near { return nil }
    }
    return bound.next.map { goal.target == nil ? goal.most - $0 : $0 }
  }

  /// Takes the result of the quality that was tried.
  package mutating func add(_ trial: QualityTrial) {
    trials.append(trial)
    bound.add(goal.target == nil ? goal.most - trial.quality : trial.quality, excess: excess(trial))
  }

  /// The best trial so far: once it is not the best any more, it never is again.
  package var best: QualityTrial? { trials.min { rank($0) < rank($1) } }

  /// The end, if the search is over; `nil` before the first trial.
  package var outcome: Outcome? {
    guard let best else { return nil }
    if goal.target != nil, trials.contains(where: { $0.value == nil }) { return .noValue(best) }
    return !meets(best) ? .noQuality(best) : fits(best) ? .found(best) : .tooLarge(best)
  }

  private func meets(_ trial: QualityTrial) -> Bool {
    guard let target = goal.target else { return true }
    return trial.value.map(target.isMet) ?? false
  }

  private func fits(_ trial: QualityTrial) -> Bool { goal.maxBytes.map { trial.bytes <= $0 } ?? true }

  /// Returns by how many doublings a trial misses its bound.
  private func excess(_ trial: QualityTrial) -> Double {
    guard let target = goal.target else {
      return ExactMath.log2(Double(max(1, trial.bytes)) / Double(max(1, goal.maxBytes ?? 1)))
    }
    guard let value = trial.value else { return .infinity }
    let excess = target.excess(value)
    // Rounding decides nothing.
    return target.isMet(value) ? min(excess, 0) : max(excess, .leastNormalMagnitude)
  }

  /// The order from good to bad: what meets the target, then what fits, then the smaller or better file.
  private func rank(_ trial: QualityTrial) -> (Int, Int, Double) {
    let number: Double
    if goal.target == nil {
      number = fits(trial) ? Double(-trial.quality) : Double(trial.bytes)
    } else {
      number = meets(trial) ? Double(trial.quality) : excess(trial)
    }
    return (meets(trial) ? 0 : 1, fits(trial) ? 0 : 1, number)
  }
}
