import CPUReference
import CPlatform
import HDRCore
import HDRPlan

#if arch(x86_64)
  import CPUReferenceV3
#endif

/// The CPU executor for this machine: one build of `CPUReference`, chosen at start, over bands of rows on all cores.
package struct CPUBackend: Sendable {
  /// "x86-64", "x86-64-v3" or "native".
  package let instructionSet: String
  /// Makes a function that renders rows of passes with working memory of its own.
  let makeRowRenderer: @Sendable () -> (RowJob, Range<Int>) -> Void
  /// The bytes of pictures between passes up to which they are held whole.
  package var wholeBytes = MemoryNeed.wholePictures
  /// About this many pixels make a part of a larger picture: bands enough for the threads, before they wait for each other.
  package var partPixels = 1 << 23
  /// `ArithmeticPeak.run` of this build.
  package let arithmetic: @Sendable (_ rounds: Int) -> (operations: Double, sum: Float)
  /// The loops over rows of this build.
  package let loops: any RowLoops.Type

  private init(
    instructionSet: String, loops: any RowLoops.Type,
    arithmetic: @escaping @Sendable (Int) -> (operations: Double, sum: Float),
    makeRowRenderer: @escaping @Sendable () -> (RowJob, Range<Int>) -> Void
  ) {
    self.instructionSet = instructionSet
    self.loops = loops
    self.arithmetic = arithmetic
    self.makeRowRenderer = makeRowRenderer
  }

  /// The work on one pass of a plan: the outputs of earlier passes and the target.
  struct RowJob: Sendable {
    var plan: Plan
    var pass: Int
    var outputs: [SampleImage?]
    var target: SampleImage
  }

  /// The build for plain x86-64, or the only one on other machines.
  package static let baseline = CPUBackend(
    instructionSet: CPUReference.CPURenderer.instructionSet, loops: CPUReference.MetricRows.self,
    arithmetic: CPUReference.ArithmeticPeak.run
  ) {
    let workspace = CPUReference.CPURenderer.Workspace()
    return { job, rows in
      CPUReference.CPURenderer.render(
        job.plan, pass: job.pass, rows: rows, outputs: job.outputs, into: job.target, workspace: workspace)
    }
  }

  #if arch(x86_64)
    /// The build for x86-64-v3; must not run where `hdr_cpu_supports_v3()` is 0.
    static let v3 = CPUBackend(
      instructionSet: CPUReferenceV3.CPURenderer.instructionSet, loops: CPUReferenceV3.MetricRows.self,
      arithmetic: CPUReferenceV3.ArithmeticPeak.run
    ) {
      let workspace = CPUReferenceV3.CPURenderer.Workspace()
      return { job, rows in
        CPUReferenceV3.CPURenderer.render(
          job.plan, pass: job.pass, rows: rows, outputs: job.outputs, into: job.target, workspace: workspace)
      }
    }
  #endif

  /// All builds that this machine can run, the best last.
  package static var available: [CPUBackend] {
    #if arch(x86_64)
      return hdr_cpu_supports_v3() != 0 ? [baseline, v3] : [baseline]
    #else
      return [baseline]
    #endif
  }

  /// The best build for this machine.
  package static let best = available.last ?? baseline

  /// About this many pixels make a band: small enough to share evenly, large enough to make the cost of sharing
  /// negligible.
  static let bandPixels = 1 << 17
  /// Rotated pictures are read in blocks of this many rows, which bands do not divide.
  static let bandRowMultiple = 32

  /// Renders a plan, its passes in order, the rows of each over the pool's threads.
  ///
  /// - Parameters:
  ///   - rows: output rows, each range beginning with a multiple of 64; the others stay undefined. `nil` for all.
  ///   - memory: allocates blocks of the given size for the output.
  ///   - deadline: checked before each band; bands after it stay undefined.
  /// - Returns: the last pass's output in its sink's layout, and CPU seconds of the pool's other threads.
  package func render(
    _ plan: Plan, rows: [Range<Int>]? = nil, pool: BandPool,
    memory: (Int) -> PixelBuffer = { PixelBuffer(uninitializedByteCount: $0) }, deadline: Deadline = .none
  ) -> (image: SampleImage, helperSeconds: Double) {
    render(plan, rows, pool, memory, deadline)
  }

  /// Renders a plan, and measures each band while it is in the cache.
  ///
  /// - Parameter start, measure: make a thread's sums, and add rows of the output.
  /// - Returns: the output, the sums in no particular order, and CPU seconds of the pool's other threads.
  package func render<Part: Sendable>(
    _ plan: Plan, pool: BandPool, memory: (Int) -> PixelBuffer = { PixelBuffer(uninitializedByteCount: $0) },
    deadline: Deadline = .none, start: @escaping @Sendable () -> Part,
    measure: @escaping @Sendable (SampleImage, Range<Int>, inout Part) -> Void
  ) -> (image: SampleImage, parts: [Part], helperSeconds: Double) {
    let results = PartList<Part>()
    let (image, seconds) = render(plan, nil, pool, memory, deadline) { image, rows in
      var part = results.take() ?? start()
      measure(image, rows, &part)
      results.put(part)
    }
    return (image, results.all, seconds)
  }

  /// Renders a plan part by part, and calls `done` with the rows of each band of the result on the thread that rendered
  /// them.
  private func render(
    _ plan: Plan, _ rows: [Range<Int>]?, _ pool: BandPool, _ memory: (Int) -> PixelBuffer, _ deadline: Deadline,
    done: @escaping @Sendable (SampleImage, Range<Int>) -> Void = { _, _ in }
  ) -> (image: SampleImage, helperSeconds: Double) {
    let last = plan.passes.count - 1, pass = plan.passes[last]
    let target = CPUReference.CPURenderer.makeOutput(pass, memory: memory)
    let results = rows.map { [$0] } ?? parts(of: [plan], height: pass.height, width: pass.width)
    var pictures = PassPictures(plan), seconds = 0.0
    for part in plan.parts(results) {
      seconds += render(part, before: last, &pictures, pool, deadline)
      let job = RowJob(plan: plan, pass: last, outputs: pictures.images, target: target)
      seconds += render(job, part.rows[last], pool, deadline) { done(target, $0) }
      pictures.free(after: last, part)
    }
    return (target, seconds)
  }

  /// Renders rows of a pass, and calls `done` with each band's rows on the thread that rendered them; returns CPU
  /// seconds of the pool's other threads.
  func render(
    _ job: RowJob, _ rows: [Range<Int>], _ pool: BandPool, _ deadline: Deadline,
    done: @escaping @Sendable (Range<Int>) -> Void = { _ in }
  ) -> Double {
    let bands = Self.bands(of: job.plan.passes[job.pass], rows)
    return pool.run(count: bands.count) {
      let render = makeRowRenderer()
      return { index in
        if deadline.isPassed { return }
        render(job, bands[index])
        done(bands[index])
      }
    }
  }

  /// Cuts rows into bands of work.
  private static func bands(of pass: Pass, _ ranges: [Range<Int>]) -> [Range<Int>] {
    let step = bandRows(of: pass)
    return ranges.flatMap { range in
      stride(from: range.lowerBound, to: range.upperBound, by: step).map { $0..<min($0 + step, range.upperBound) }
    }
  }

  /// Returns the rows of a band, a multiple of what the pass needs.
  static func bandRows(of pass: Pass) -> Int {
    let alignment = max(CPUReference.CPURenderer.rowAlignment(pass), bandRowMultiple)
    return (max(1, bandPixels / max(1, pass.width)) + alignment - 1) / alignment * alignment
  }
}

extension CPUBackend {
  /// Renders a plan with threads of its own; for benchmarks, tests and one-off pictures.
  ///
  /// - Returns: the last pass's output in its sink's layout. The same bits for any number of threads.
  package func render(_ plan: Plan, threads: Int) -> SampleImage { render(plan, rows: nil, threads: threads) }

  /// Renders some rows of the output, or all for `nil`, with threads of its own.
  package func render(_ plan: Plan, rows: [Range<Int>]?, threads: Int) -> SampleImage {
    let pool = BandPool(threads: threads)
    defer { pool.close() }
    return render(plan, rows: rows, pool: pool).image
  }
}
