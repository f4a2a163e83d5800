import CodecService
import HDRCore
import HDRRecipe
import ImageFiles

extension RenderJob {
  /// Throws `option.value` for an error that nobody here can measure, before any work.
  func checkGoal() throws(HDRError) {
    guard choice.qualityGoal?.target != nil, !keepsReference else { return }
    throw HDRError(
      code: "option.value",
      message:
        "\(setting: Settings.files.qualityTarget.name) is of batches: the program compares files, this library none")
  }

  /// Encodes a file at one quality after the other until its goal is met, from one picture that stays in memory.
  ///
  /// - Returns: the best file.
  /// - Throws: `HDRError`; of kind `.rejected` if even that does not meet the goal.
  func searchQuality(
    _ request: FileRequest, _ goal: QualitySearch.Goal, _ destination: OutputDestination
  ) throws(HDRError) -> StagedOutput {
    var search = QualitySearch(goal), best: (output: StagedOutput, reason: Message?)?
    var known: [Digest?: Judgement?] = [:]
    do throws(HDRError) {
      while let quality = search.next {
        try hooks.check()
        let output = try encode(request.with(quality: quality, mapQuality: mapQuality(following: quality)), destination)
        let judgement: Judgement?
        do throws(HDRError) {
          judgement = try self.judgement(of: output, goal, &known)
        } catch {
          discard(output)
          throw error
        }
        search.add(
          QualityTrial(quality: quality, bytes: output.byteCount, value: judgement?.values.first?.number))
        found.qualityTrials = search.trials
        if search.best?.quality == quality {
          if let best { discard(best.output) }
          (best, found.quality) = ((output, judgement?.reason), quality)
        } else {
          discard(output)
        }
      }
    } catch {
      if let best { discard(best.output) }
      throw error
    }
    guard let best, let outcome = search.outcome else { preconditionFailure("a search tries at least one quality") }
    note(best.output)
    guard let failure = failure(outcome, goal, best.reason) else { return best.output }
    let rejection = rejection(of: best.output.main, destination, code: failure.code, failure.message)
    discard(best.output)
    throw rejection
  }

  /// Compares a file with its rendition, unless one of the same bytes was compared before.
  private func judgement(
    of output: StagedOutput, _ goal: QualitySearch.Goal, _ known: inout [Digest?: Judgement?]
  ) throws(HDRError) -> Judgement? {
    guard let target = goal.target else { return nil }
    let digest = output.written.mainDigest
    if let judgement = known[digest] { return judgement }
    note(output)
    let judgement = try judge(output.main.part, by: target.expression)
    known[digest] = .some(judgement)
    return judgement
  }

  private func mapQuality(following quality: Int) -> Int? {
    guard case .adaptive(let adaptive) = choice.product, adaptive.mapFollowsQuality else { return nil }
    return quality
  }

  /// Returns the code and the reason of a file that does not meet its goal; `nil` if it does.
  ///
  /// - Parameter reason: the value of the best file against the target.
  private func failure(
    _ outcome: QualitySearch.Outcome, _ goal: QualitySearch.Goal, _ reason: Message?
  ) -> (code: String, message: Message)? {
    let bytes = Settings.files.maxBytes.name, trial = outcome.trial
    switch outcome {
    case .found: return nil
    case .noValue: return ("metric.unavailable", reason ?? "the metric has no value")
    case .noQuality:
      let advice: Message = hasHalfChroma ? "; \(setting: Settings.files.chroma.name) 444 loses less" : ""
      return (
        "quality.unreachable",
        "\(reason ?? "the target is not met") at quality \(trial.quality), the best of \(found.qualityTrials.count)\(advice)"
      )
    case .tooLarge:
      let most = goal.maxBytes ?? 0
      guard let target = goal.target else {
        return (
          "bytes.unreachable",
          "the smallest file, of quality \(trial.quality), has \(trial.bytes) bytes, and \(setting: bytes) is \(most): "
            + "\(setting: Settings.edits.resize.name) makes smaller ones"
        )
      }
      return (
        "bytes.unreachable",
        "\(target.text) takes quality \(trial.quality) and \(trial.bytes) bytes, and \(setting: bytes) is \(most)"
      )
    }
  }

  /// True if the file has a chroma sample for four pixels, and might have one for each.
  private var hasHalfChroma: Bool {
    switch choice.product {
    case .adaptive(let adaptive): adaptive.container.isPlanar && choice.rendition.chroma == .s420
    case .rendition: choice.rendition.kind.layout == .planarYCC && choice.rendition.chroma == .s420
    default: false
    }
  }
}
