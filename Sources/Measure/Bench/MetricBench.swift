import BatchEngine
import CPURender
import CPlatform
import HDRComparison
import HDRCore
import HDRPlan
import HDRRecipe
import HDRRender

/// `bench metrics`: the time that each metric of a comparison takes on one core of the CPU, and that of the default set.
///
/// Method: the light of a PQ photo and of the same photo with other noise, in binary32; medians of `repeats` after a
/// warm-up. Files are neither read nor rendered. A metric's figure is its time less that of a comparison without one.
package struct MetricBench {
  /// A line of the result. Times are in nanoseconds a pixel.
  package struct Row: Sendable {
    /// A metric's name; `none` and `default`.
    package var name: String
    package var isa: String
    package var pixels: Int
    package var time: Spread
    /// `time` less the median of `none` in the same run.
    package var added: Spread

    package var figure: BenchFigure {
      BenchFigure(
        .metrics, "\(name), CPU \(isa), 1 thread", added, .nanosecondsPerPixel,
        details: [
          .init("metric", .string(name)), .init("isa", .string(isa)), .init("pixels", .int(pixels)),
          .init("nsPerPixel", .number(rounded(time.median))), .init("addedNsPerPixel", .number(rounded(added.median))),
        ])
    }
  }

  private let width: Int
  private let height: Int
  private let repeats: Int
  private let metrics: [Metric]

  /// The metrics that are of a rendition's light.
  package static let all = Metric.allCases.filter { !$0.isOfFiles }

  /// - Parameter metrics: `nil`: all, and the default set.
  package init(width: Int, height: Int, repeats: Int, metrics: [Metric]? = nil) {
    (self.width, self.height, self.repeats) = (width, height, repeats)
    self.metrics = metrics ?? []
  }

  /// Runs everything; `each` is called as rows come in.
  package func run(each: (Row) -> Void) {
    PictureMemory.keep(byteCount: MemoryNeed.keptPictures)
    defer { PictureMemory.keep(byteCount: 0) }
    let pool = BandPool(threads: 1)
    defer { pool.close() }
    guard let a = light(1, pool), let b = light(2, pool) else { return }
    let isa = CPUBackend.best.instructionSet, pixels = width * height
    func time(_ metrics: Set<Metric>) -> Spread {
      let times = (0...repeats).map { _ in
        let start = hdr_process_cpu_seconds()
        _ = LightComparison(a, b, metrics, isSDR: metrics.contains(where: \.isOfSDR), pool: pool) {
          CPUBackend.best.render($0, pool: pool).image
        }
        return (hdr_process_cpu_seconds() - start) * 1e9 / Double(pixels)
      }
      return Spread(Array(times.dropFirst()))
    }
    let none = time([])
    func report(_ name: String, _ time: Spread, less: Double) {
      each(Row(name: name, isa: isa, pixels: pixels, time: time, added: time.map { $0 - less }))
    }
    report("none", none, less: 0)
    if metrics.isEmpty {
      report("default", time(Set(Metric.standard.filter(Self.all.contains))), less: none.median)
    }
    for metric in metrics.isEmpty ? Self.all : metrics { report(metric.rawValue, time([metric]), less: none.median) }
  }

  /// Returns the light of a made photo.
  private func light(_ seed: UInt64, _ pool: BandPool) -> SampleImage? {
    let photo = VerificationCases.source(
      TestPictures.photoP010(width: width, height: height, seed: seed), primaries: CICP.Primaries.bt2020,
      transfer: CICP.Transfer.pq, matrix: CICP.Matrix.bt2020, full: false)
    let target = OutputSignal(primaries: CICP.Primaries.bt2020, encoding: .linear, sink: .floatPlanes)
    var recipe = RenderRecipe(target: target, tone: .none, contentHeadroom: Headroom(stops: 4), gamut: .none)
    recipe.workingFormat = .rgba32f
    guard let plan = try? Planner.plan(photo, recipe) else { return nil }
    return CPUBackend.best.render(plan, pool: pool).image
  }
}
