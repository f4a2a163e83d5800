import CPURender
import GPURender
import HDRCore
import HDRPlan
import HDRRecipe
import HDRRender
import ImageFiles

/// The choices of a comparison.
package struct ComparisonOptions: Sendable {
  package var metrics: Set<Metric>
  /// The renditions; `nil`: those that both files have.
  package var renditions: [AcceptExpression.Selector]?
  package var accept: AcceptExpression?
  /// The groups of metadata that count.
  package var groups = MetadataRow.Group.standard
  /// The metric of heat maps and worst parts.
  package var drawn = Metric.deltaSeen
  /// True to make a heat map of each rendition.
  package var draws = false
  /// The number of parts of each rendition that are drawn where it differs most.
  package var crops = 0
  /// True to draw the difference of the PQ signals of each rendition.
  package var drawsDifference = false
  /// The pixels of the longer side to which both are reduced; `nil`: their own size.
  package var side: Int?

  package init(metrics: Set<Metric> = Set(Metric.standard)) { self.metrics = metrics }

  /// The choices without what is of renditions.
  package var ofFiles: ComparisonOptions {
    var result = self
    result.metrics = metrics.filter(\.isOfFiles)
    (result.draws, result.crops, result.drawsDifference) = (false, 0, false)
    return result
  }

  /// All metrics that are needed.
  package var needed: Set<Metric> {
    metrics.union(accept?.metrics ?? []).union(draws || crops > 0 ? [drawn] : [])
      .union(drawsDifference ? [.psnrPQ] : [])
  }
}

/// Takes a file of light by the end of its name, and what encodes it.
package typealias LightExport = (_ end: String, _ encode: () throws(EncodeError) -> [UInt8]) -> Void

/// Two files and what they differ by.
package struct PairComparison: Sendable {
  /// The numbers of a rendition.
  package struct Rendition: Sendable {
    package var selector: AcceptExpression.Selector
    /// The metrics that it was to have.
    package var metrics: Set<Metric>
    package var values: [Metric: MetricValue]
    package var lightA: ComparedLight
    package var lightB: ComparedLight
    /// True if all light is the same.
    package var isSame: Bool
    package var map: HeatMap?
    package var crops: [WorstCrop] = []
    package var difference: DifferencePicture?
    /// The weights of two gain maps on this display, -1 to 1; `nil` unless gains are compared.
    package var weights: [Double]?
  }

  package internal(set) var alignment: Alignment
  package private(set) var renditions: [Rendition] = []
  /// The numbers of the files themselves.
  package internal(set) var values: [Metric: MetricValue] = [:]
  /// The differing samples of base and map, and the largest difference; `nil` where they cannot be compared.
  package private(set) var words: WordDifference?
  package private(set) var mapWords: WordDifference?
  /// The values of the gain maps themselves.
  var mapValues: [Metric: MetricValue] = [:]
  package private(set) var metadata: [MetadataRow]
  package private(set) var verdict: AcceptExpression.Verdict?
  package var notes: [Warning] { alignment.notes }
  package let width: Int
  package let height: Int
  package let kindA: ComparedFile.Kind
  package let kindB: ComparedFile.Kind
  /// The metrics that were needed; of files with float samples `nonfinite` too, since NaN becomes black light.
  package let asked: Set<Metric>
  /// True if a file has a gain map.
  package let hasMap: Bool
  /// True if a file has an alpha.
  private let hasAlpha: Bool

  /// Compares two decoded files.
  ///
  /// - Parameters:
  ///   - stored: the samples that the encoder of B got, if A is the light that they were made of: words are compared with
  ///     these. The metadata of B do not differ from what was asked for, since its writer has compared them.
  ///   - deadline: asked between bands of rows.
  ///   - notice: called once for every GPU that is retired or opened again.
  ///   - export: called with files of the light that is compared: `@full-A.png`, and what encodes it; `nil`: not made.
  /// - Throws: `HDRError`: `compare.size`, `compare.kind` or `compare.alpha` where numbers would mean nothing,
  ///   `render.timeout` after the deadline, and what rendering throws.
  package init(
    _ a: ComparedFile, _ b: ComparedFile, _ options: ComparisonOptions, stored: ComparedFile? = nil,
    on backends: RenderBackends, deadline: Deadline = .none, notice: (GPURings.LostDevice) -> Void = { _ in },
    export: LightExport? = nil
  ) throws(HDRError) {
    let aligned = try Alignment(a, b, wanted: options.renditions, side: options.side)
    alignment = aligned
    (width, height, kindA, kindB) = (aligned.width, aligned.height, a.kind, b.kind)
    metadata = stored == nil ? MetadataRow.rows(a.source, b.source) : []
    let sources = [a.source, b.source]
    let needed = options.needed.union(sources.allSatisfy(\.image.format.isInteger) ? [] : [.nonfinite])
    asked = needed
    hasMap = sources.contains { $0.gainMap != nil }
    hasAlpha = sources.contains { $0.image.alpha != nil }
    compareFiles(stored ?? a, b, needed, options.groups)
    if export != nil || needed.contains(where: { !$0.isOfFiles }) {
      let work = alignment.work(needed, isNamed: options.renditions != nil, hasAll: export != nil)
      for (selector, metrics) in work {
        func light(_ file: ComparedFile) throws(HDRError) -> SampleImage {
          try backends.picture(try file.plan(selector, aligned), deadline, notice)
        }
        let (lightA, lightB) = (try light(a), try light(b))
        if let export {
          for (name, light) in [("A", lightA), ("B", lightB)] {
            let signals = try backends.picture(ComparisonPlans.signals(of: light), deadline, notice)
            for file in LightFile.allCases {
              export("@\(selector.text)-\(name).\(file.rawValue)") { () throws(EncodeError) in
                try file.encode(light, signals: signals)
              }
            }
          }
        }
        let compared = try LightComparison(
          lightA, lightB, metrics, isSDR: selector == .headroom(1),
          drawn: options.drawn, draws: options.draws && metrics.contains(options.drawn),
          crops: metrics.contains(options.drawn) ? options.crops : 0,
          drawsDifference: options.drawsDifference && metrics.contains(.psnrPQ), pool: backends.pool, deadline: deadline
        ) { (plan) throws(HDRError) in try backends.picture(plan, deadline, notice) }
        try backends.check(deadline)
        renditions.append(
          Rendition(
            selector: selector, metrics: metrics, values: compared.values, lightA: compared.lightA,
            lightB: compared.lightB, isSame: compared.isSame, map: compared.map, crops: compared.crops,
            difference: compared.difference, weights: needed.contains(.maps) ? Self.mapWeights(sources, selector) : nil)
        )
      }
    }
    try compareMaps(a, b, needed, on: backends, deadline, notice)
    try backends.check(deadline)
    suspectWhite()
    noteShifts()
    for (name, source) in zip(["A", "B"], sources) {
      alignment.notes += source.warnings.map { Warning($0.code, "\(name): \($0.message)") }
    }
    verdict = options.accept.map { $0.verdict(numbers.value) }
  }

  private mutating func compareFiles(
    _ a: ComparedFile, _ b: ComparedFile, _ needed: Set<Metric>, _ groups: Set<MetadataRow.Group>
  ) {
    if needed.contains(.words) {
      words = WordDifference(a.source.image, b.source.image)
      let maps = (a.source.gainMap, b.source.gainMap)
      if let p = maps.0, let q = maps.1 { mapWords = WordDifference(p.image, q.image) }
      let hasMaps = (maps.0 != nil, maps.1 != nil)
      if let base = words, hasMaps.0 == hasMaps.1, !hasMaps.0 || mapWords != nil {
        values[.words] = .number(Double(base.count + (mapWords?.count ?? 0)))
      }
    }
    if needed.contains(.metadata) {
      let count = metadata.count { groups.contains($0.group) && $0.group != .picture && !$0.isSame }
      values[.metadata] = .number(Double(count))
    }
    if needed.contains(.nonfinite) {
      let (inA, inB) = (a.nonfinite, b.nonfinite)
      values[.nonfinite] = .number(Double(abs(inA - inB)))
      if inA + inB > 0 {
        alignment.notes.append(
          Warning("compare.nonfinite", "A has \(inA) samples that are NaN or infinite, and B \(inB)"))
      }
    }
    if needed.contains(.alpha), let difference = Self.alphaDifference(a.source, b.source) {
      values[.alpha] = .number(Double(difference))
    }
  }

  /// Returns the largest difference of two alphas that are stored alike, or of one that is opaque and none.
  private static func alphaDifference(_ a: SourceImage, _ b: SourceImage) -> Int? {
    guard let p = a.image.alpha, let q = b.image.alpha else {
      return (a.image.alpha == nil) == (b.image.alpha == nil) ? nil : 0
    }
    guard a.geometry == b.geometry, p.width == q.width, p.height == q.height else { return nil }
    var most = 0
    for y in 0..<p.height {
      for x in 0..<p.width {
        let difference =
          p.alpha(x, y, a.image.alphaFormat, a.image.alphaBitDepth)
          - q.alpha(x, y, b.image.alphaFormat, b.image.alphaBitDepth)
        most = max(most, abs(difference))
      }
    }
    return most
  }

  /// Notes a difference of brightness that another white explains.
  private mutating func suspectWhite() {
    guard let bias = renditions.last?.values[.bias]?[nil] else { return }
    for white in [100.0, 80] where abs(abs(bias) - ExactMath.log2(ReferenceWhite.nits / white)) <= 0.03 {
      let (brighter, darker) = bias < 0 ? ("A", "B") : ("B", "A")
      alignment.notes.append(
        Warning("white.suspected", "\(brighter) seems to have white at 203 cd/m² and \(darker) at \(Int(white))"))
    }
  }

  /// The differing samples of the base, and of the map if a file has one.
  package var wordParts: [(selector: AcceptExpression.Selector, words: WordDifference?)] {
    [(.base, words)] + (hasMap ? [(.map, mapWords)] : [])
  }

  /// The values for expressions.
  package var numbers: RenditionValues {
    let ofFiles = Set(Metric.allCases.filter(\.isOfFiles))
    var all = renditions.map { ($0.selector, $0.values, $0.metrics.union(ofFiles)) }
    if all.isEmpty { all = [(.full, [:], ofFiles)] }
    for index in all.indices { all[index].1.merge(values) { $1 } }
    for part in wordParts {
      let counted: [Metric: MetricValue] = part.words.map { [.words: .number(Double($0.count))] } ?? [:]
      let own = part.selector == .map ? mapValues : [:]
      all.append((part.selector, counted.merging(own) { $1 }, [.words, .shift]))
    }
    return RenditionValues(all)
  }

  /// Returns true if neither file has what a metric of files is about.
  private func isIdle(_ metric: Metric) -> Bool {
    metric == .alpha && !hasAlpha || metric == .maps && !hasMap
  }

  /// True if all numbers that were asked for could be told and show no difference. Files without alpha have no
  /// difference of it, nor those without gain maps, and the same light none of hue or banding.
  package var isEqual: Bool {
    asked.allSatisfy { metric in
      if metric.isOfFiles { return values[metric]?.isNone(of: metric) ?? isIdle(metric) }
      // Renditions that were not to have the metric must be the same, unless others have it.
      let own = renditions.filter { $0.metrics.contains(metric) }
      let shown = own.isEmpty ? renditions : own
      return !shown.isEmpty
        && shown.allSatisfy { rendition in rendition.values[metric]?.isNone(of: metric) ?? rendition.isSame }
    }
  }
}

extension RenderBackends {
  /// Runs a plan on any executor; all give the same words.
  func picture(
    _ plan: Plan, _ deadline: Deadline, _ notice: (GPURings.LostDevice) -> Void
  ) throws(HDRError) -> SampleImage {
    do throws(GPUError) {
      return try render(plan, deadline: deadline, notice: notice).image
    } catch {
      throw HDRError(error, hasNoDeviceLeft: hasNoDeviceLeft)
    }
  }

  /// Throws `render.timeout` after a deadline, when rows may be missing in what was counted.
  fileprivate func check(_ deadline: Deadline) throws(HDRError) {
    if deadline.isPassed { throw HDRError(.late, hasNoDeviceLeft: hasNoDeviceLeft) }
  }
}
