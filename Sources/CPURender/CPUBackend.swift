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
    let needed = rows?.map { plan.neededRows($0) }
    let (job, seconds) = lastJob(of: plan, needed, pool, memory, deadline)
    return (job.target, seconds + render(job, needed, pool, deadline))
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
    let (job, seconds) = lastJob(of: plan, nil, pool, memory, deadline), results = PartList<Part>()
    let helperSeconds = render(job, nil, pool, deadline) { rows in
      var part = results.take() ?? start()
      measure(job.target, rows, &part)
      results.put(part)
    }
    return (job.target, results.all, seconds + helperSeconds)
  }

  /// Renders the passes before the last; returns what is left, and CPU seconds of the pool's other threads.
  private func lastJob(
    of plan: Plan, _ needed: [[Range<Int>?]]?, _ pool: BandPool, _ memory: (Int) -> PixelBuffer, _ deadline: Deadline
  ) -> (job: RowJob, helperSeconds: Double) {
    let last = plan.passes.count - 1
    let (outputs, seconds) = renderPasses(before: last, of: plan, needed, pool, deadline)
    let target = CPUReference.CPURenderer.makeOutput(plan.passes[last], memory: memory)
    return (RowJob(plan: plan, pass: last, outputs: outputs, target: target), seconds)
  }

  /// Renders the passes before one.
  ///
  /// - Parameter needed: the rows of each pass that each range of the result needs; `nil`: all.
  /// - Returns: the outputs that it or later ones read, and CPU seconds of the pool's other threads.
  func renderPasses(
    before end: Int, of plan: Plan, _ needed: [[Range<Int>?]]? = nil, _ pool: BandPool, _ deadline: Deadline
  ) -> (outputs: [SampleImage?], helperSeconds: Double) {
    var outputs = [SampleImage?](repeating: nil, count: plan.passes.count)
    var seconds = 0.0
    let lastUse = plan.lastUses
    for index in 0..<end {
      let target = CPUReference.CPURenderer.makeOutput(plan.passes[index])
      let job = RowJob(plan: plan, pass: index, outputs: outputs, target: target)
      seconds += render(job, needed, pool, deadline)
      outputs[index] = target
      for (earlier, last) in lastUse.enumerated() where last == index { outputs[earlier] = nil }
    }
    return (outputs, seconds)
  }

  /// Renders a pass, and calls `done` with each band's rows on the thread that rendered them; returns CPU seconds of
  /// the pool's other threads.
  private func render(
    _ job: RowJob, _ needed: [[Range<Int>?]]?, _ pool: BandPool, _ deadline: Deadline,
    done: @escaping @Sendable (Range<Int>) -> Void = { _ in }
  ) -> Double {
    let pass = job.plan.passes[job.pass]
    let rows = needed.map { Self.merged($0.compactMap { $0[job.pass] }) } ?? [0..<pass.height]
    let bands = Self.bands(of: pass, rows)
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

  /// Returns ranges in order, joining those that overlap.
  private static func merged(_ ranges: [Range<Int>]) -> [Range<Int>] {
    var result: [Range<Int>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = result.last, range.lowerBound <= last.upperBound {
        result[result.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        result.append(range)
      }
    }
    return result
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
