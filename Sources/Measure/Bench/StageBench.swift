import BatchEngine
import CPURender
import CPlatform
import GPURender
import HDRCore
import HDRPlan
import HDRRender

/// Measures the cost of each stage of a fused recipe: the kernel with its first stages, then with one more.
///
/// A pass is a load, stages on registers and a sink, so each prefix of the stages is a kernel of its own; the extra
/// time of the longer one is the stage's. On the CPU one thread of the best build is measured, on a GPU its own clock.
package struct StageBench {
  package var width: Int
  package var height: Int
  package var repeats: Int

  package init(width: Int = 4032, height: Int = 3024, repeats: Int = 7) {
    self.width = width
    self.height = height
    self.repeats = repeats
  }

  package func run(device: String?, each: (BenchFigure) -> Void) {
    PictureMemory.keep(byteCount: MemoryNeed.keptPictures)
    defer { PictureMemory.keep(byteCount: 0) }
    let frames = (1...2).map { TestPictures.photoP010(width: width, height: height, seed: UInt64($0)) }
    let pool = BandPool(threads: 1)
    defer { pool.close() }
    run("CPU \(CPUBackend.best.instructionSet), 1 thread", frames, each) { plan in
      let start = hdr_process_cpu_seconds()
      _ = CPUBackend.best.render(plan, pool: pool)
      return hdr_process_cpu_seconds() - start
    }
    for info in benchDevices(device) {
      guard let renderer = try? GPURenderer(selection: .named(info.uuid)) else { continue }
      run(info.name, frames, each) { plan in
        guard (try? renderer.render(plan)) != nil else { return nil }
        return renderer.lastTimings.kernelNanoseconds.map { $0 * 1e-9 }
      }
    }
  }

  /// - Parameter seconds: of one run; `nil` where it failed.
  private func run(
    _ on: String, _ frames: [SampleImage], _ each: (BenchFigure) -> Void, _ seconds: (Plan) -> Double?
  ) {
    for (name, make) in KernelBench.recipes() {
      let plans = frames.compactMap(make)
      guard let first = plans.first, plans.count == frames.count else { continue }
      for pass in first.passes.indices {
        guard run(name, pass, of: plans, on, each, seconds) else { return }
      }
    }
  }

  /// Runs the prefixes of one pass, after the passes before it.
  ///
  /// - Returns: true if all runs succeeded.
  private func run(
    _ name: String, _ pass: Int, of plans: [Plan], _ on: String, _ each: (BenchFigure) -> Void,
    _ seconds: (Plan) -> Double?
  ) -> Bool {
    let stages = plans[0].passes[pass].stages
    // All prefixes in turn, so that other load affects all alike; the first is the part before the pass.
    var times = [[Double]](repeating: [], count: stages.count + 1)
    for i in 0...repeats {
      for count in 0...stages.count {
        if count == 0 && pass == 0 {
          times[0].append(0)
          continue
        }
        var plan = plans[i % plans.count]
        plan.passes.removeSubrange((count == 0 ? pass : pass + 1)...)
        if count > 0 { plan.passes[pass].stages = Array(stages.prefix(count)) }
        guard let time = seconds(plan) else { return false }
        times[count].append(time * 1e9 / Double(width * height))
      }
    }
    for (index, stage) in stages.enumerated() {
      // The first run warms up.
      let added = zip(times[index + 1], times[index]).dropFirst().map { $0 - $1 }
      let place = plans[0].passes.count == 1 ? "\(index + 1)" : "\(pass + 1).\(index + 1)"
      each(
        BenchFigure(
          .stages, "\(name) \(place): \(stage.kind.rawValue)\(index == 0 ? " and sink" : ""), \(on)", Spread(added),
          .nanosecondsPerPixel,
          details: [
            .init("recipe", .string(name)), .init("stage", .string(stage.kind.rawValue)), .init("on", .string(on)),
            .init("withSink", .bool(index == 0)),
            .init("upToHere", .number(rounded(Spread(Array(times[index + 1].dropFirst())).median))),
          ]))
    }
    return true
  }
}
