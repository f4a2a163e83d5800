import BatchEngine
import CodecService
import HDRComparison
import HDRCore
import HDRPlan
import HDRRecipe
import HDRRender
import PlainData

/// A and B are read by the options of both, and by those of one.
struct CompareSides {
  struct Reading {
    let limits: DecodeLimits
    let look: CameraLook
    /// The given settings of reading.
    let settings: SettingValues

    fileprivate init(_ values: SettingValues, _ limits: DecodeLimits?) {
      let names = Set(SideOptions.shared.flatMap(\.rows).map(\.name))
      var own = limits ?? values.decodeLimits
      own.reading = ReadingOptions(values)
      (self.limits, look, settings) = (own, CameraLook(values), values.filter(names.contains))
    }
  }

  let a: Reading
  let b: Reading

  /// - Parameter limits: those of the run; `nil`: as the settings say.
  init(_ values: SettingValues, limits: DecodeLimits? = nil) {
    (a, b) = (Reading(SideOptions.a.values(values), limits), Reading(SideOptions.b.values(values), limits))
  }
}

/// Compares pairs, one after the other.
struct PairComparer {
  let wanted: ComparisonOptions
  /// True for outputs of runs, whose light is compared only where samples differ.
  let isOfRuns: Bool
  let sides: CompareSides
  let memory: MemoryBudget
  let threads: Int
  let codecs: any CodecBorder
  let backends: RenderBackends
  /// The memory that pairs take of the budget, where several are compared at once.
  var share: MemoryShare?

  /// Compares a pair.
  ///
  /// - Parameter export: takes the light that is compared.
  func report(_ pair: FilePair, _ export: LightExport?) -> PairReport {
    var report = found(pair, export)
    if isOfRuns { report.change = report.foundChange }
    return report
  }

  private func found(_ pair: FilePair, _ export: LightExport?) -> PairReport {
    guard let a = pair.a, let b = pair.b else {
      return PairReport(unpairedA: pair.a?.path, unpairedB: pair.b?.path, because: pair.missing)
    }
    if let digest = pair.sharedDigest, wanted.accept?.acceptsSameBytes != false {
      return PairReport(a.path, b.path, sameBytes: digest, isAccepted: wanted.accept != nil)
    }
    let begin = monotonicSeconds()
    var report: PairReport
    do throws(HDRError) {
      let left = try file(a, sides.a), right = try file(b, sides.b)
      let isBrief = isOfRuns && wanted.accept == nil
      var comparison = try isBrief ? compare(left, right, wanted.ofFiles, nil) : compare(left, right, wanted, export)
      if isBrief && !comparison.hasSamePixels { comparison = try compare(left, right, wanted, export) }
      report = PairReport(a.path, b.path, comparison)
      (report.digestA, report.digestB) = (left.digest?.hex, right.digest?.hex)
    } catch {
      report = PairReport(a.path, b.path, failed: error)
    }
    report.seconds = monotonicSeconds() - begin
    return report
  }

  /// Reads a file. It is refused if two such files, and their light, do not fit in memory.
  private func file(_ input: InputReference, _ reading: CompareSides.Reading) throws(HDRError) -> ComparedFile {
    try ComparedFile(input, limits: reading.limits, look: reading.look, codecs: codecs) {
      (head, fileBytes) throws(CodecError) in
      let source = MemoryNeed.Source(head, fileBytes: fileBytes)
      let bytes = MemoryNeed.comparison(source, MemoryNeed.Metrics(wanted.needed, of: head, threads: threads))
      let fits = share?.take(bytes) ?? (bytes <= memory.limit)
      if !fits { throw memory.refusal(bytes, for: "for two pictures of this kind") }
    }
  }

  private func compare(
    _ left: ComparedFile, _ right: ComparedFile, _ options: ComparisonOptions, _ export: LightExport?
  ) throws(HDRError) -> PairComparison {
    func notice(_ device: GPURings.LostDevice) {
      if device.isOpenAgain {
        Terminal.note("a GPU is opened again after a loss: \(printable(device.reason))")
      } else {
        CompareCommand.noteDropped(device.reason, backends)
      }
    }
    return try PairComparison(left, right, options, on: backends, notice: notice, export: export)
  }
}
