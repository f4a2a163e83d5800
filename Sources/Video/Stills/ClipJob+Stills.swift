import CodecService
import HDRCore
import HDRPlan
import HDRRecipe
import HDRRender
import PlainData
import VideoStreams

extension ClipJob {
  /// Makes the stills of a clip.
  func makeStills(_ stills: StillOptions, _ item: Item, _ record: inout ClipRecord) throws(HDRError) {
    var (clip, plan) = try open(item), best: Int?
    (record.plan, record.warnings) = (plan, plan.warnings)
    record.digest = Digest(reading: clip.descriptor)
    if isLeftOut(plan, &record) { return }
    if stills.measures(plan) {
      let light = try light(of: clip, plan, item, record.digest)
      best = light.posterFrame
      plan.use(light)
      record.plan = plan
      if plan.measuresOnly { return record.frames = light.frames.count }
    }
    let work = try StillWork(self, stills, item, clip, plan)
    var facts = StillFacts(work), made: StillWork.Made
    switch stills.choice {
    case .sequence:
      guard let names = item.frames else { preconditionFailure("a sequence has names") }
      made = try work.makeSequence(names)
      facts.numbers = stills.firstNumber...stills.firstNumber + made.times.count - 1
    case .poster(let place):
      let times = try work.times(), number = try place.frame(times, best: best ?? 0)
      made = try work.makePoster(number, times)
      (facts.numbers, facts.seconds) = (number + 1...number + 1, times.seconds(number))
    case .sheet(let grid):
      let times = try work.times(), numbers = grid.frames(times)
      made = try work.makeSheet(grid, numbers, times)
      facts.numbers = (numbers.first ?? 0) + 1...(numbers.last ?? 0) + 1
    }
    facts.kept = made.kept
    record.stills = facts
    record.warnings += made.warnings.filter { warning in !record.warnings.contains { $0.code == warning.code } }
    (record.frames, record.outputBytes) = (made.files, made.bytes)
    if made.files == 1 { record.outputDigest = made.digest }
    if made.files == 0 { record.status = .skipped }
  }

  /// Returns the record of a clip with what stills would be made.
  func planned(
    _ stills: StillOptions, _ item: Item, _ clip: InputFile, _ record: ClipRecord
  ) throws(HDRError) -> ClipRecord {
    guard let plan = record.plan else { return record }
    var record = record
    if isLeftOut(plan, &record) { return record }
    let work = try StillWork(self, stills, item, clip, plan)
    var facts = StillFacts(work)
    if !plan.facts.isCountUnsure {
      let times = try work.times(), count = times.times.count
      switch stills.choice {
      case .sequence: facts.numbers = stills.firstNumber...stills.firstNumber + max(0, count - 1)
      case .poster(.best): break
      case .poster(let place):
        let number = try place.frame(times, best: 0)
        (facts.numbers, facts.seconds) = (number + 1...number + 1, times.seconds(number))
      case .sheet(let grid):
        let numbers = grid.frames(times)
        facts.numbers = (numbers.first ?? 0) + 1...(numbers.last ?? 0) + 1
      }
    }
    record.stills = facts
    return record
  }

  /// Returns true for a clip without HDR that is not to become an Adaptive HDR file.
  private func isLeftOut(_ plan: ClipPlan, _ record: inout ClipRecord) -> Bool {
    guard case .adaptive = options.choice.product, !plan.input.isHDR,
      options.choice.settings[Settings.adaptive.ifSDR] == .skip
    else { return false }
    (record.status, record.skipReason) = (.skipped, "a clip without HDR")
    return true
  }
}

extension StillOptions {
  /// Returns true if the clip's light is measured before stills are made: for a few of its frames only if that is asked for,
  /// or decides which they are.
  func measures(_ plan: ClipPlan) -> Bool {
    switch choice {
    case .poster(.best): true
    case .sequence: plan.measuresLight
    case .poster, .sheet: plan.measuresLight && plan.lightOptions.isAsked
    }
  }
}

extension ClipPlan {
  /// Gives HLG that was not measured the headroom of its display, so that all stills of a clip have one.
  mutating func settleHLG() {
    guard var frames, input.transfer == CICP.Transfer.hlg, frames.headrooms.isEmpty,
      frames.choice.rendition.recipe.contentHeadroom == nil, frames.choice.rendition.recipe.hlg == .automatic
    else { return }
    peak = (ReferenceWhite.nominalHeadroom * ReferenceWhite.nits, TonePeak.Source.nominal.rawValue)
    frames.setPeaks([ReferenceWhite.nominalHeadroom * ReferenceWhite.nits])
    self.frames = frames
  }
}

extension LightOptions {
  /// True if a pass over all frames was asked for.
  fileprivate var isAsked: Bool { measuresOnly || measure != nil && measure != .metadata }
}

/// A record describes stills so.
package struct StillFacts: Sendable {
  /// The word after `--to`.
  package let target: String
  /// The size of a frame's still before filters.
  package let size: (width: Int, height: Int)
  /// The numbers of the first and the last frame; `nil`: not known.
  package internal(set) var numbers: ClosedRange<Int>?
  /// The time of a poster's frame in seconds behind the start of the file.
  package internal(set) var seconds: Double?
  /// Files that were there and are kept.
  package internal(set) var kept = 0

  init(_ work: StillWork) {
    (target, size) = (work.recipe.choice.target, (work.shape.size.width, work.shape.size.height))
  }

  var json: JSON {
    [
      "target": .string(target), "size": .array([.int(size.width), .int(size.height)]),
      "first": .maybe(numbers?.lowerBound), "last": .maybe(numbers?.upperBound), "seconds": .maybe(seconds),
      "kept": .int(kept),
    ]
  }
}
