import BatchEngine
import CPURender
import CPlatform
import GPURender
import HDRCore
import HDRPlan
import HDRRender
import Kernels

/// Measures the time that a user's kernel adds when a picture is read, made linear and stored as halves: on one thread
/// of each CPU build, and on devices by their own clocks.
package struct UserKernelBench {
  package var width: Int
  package var height: Int
  package var repeats: Int

  package init(width: Int = 4032, height: Int = 3024, repeats: Int = 7) {
    self.width = width
    self.height = height
    self.repeats = repeats
  }

  /// - Parameter device: only that one; else all, software devices too.
  package func run(_ kernel: UserKernel, device: String?, each: (BenchFigure) -> Void) {
    let frame = TestPictures.photoP010(width: width, height: height, seed: 1)
    guard let without = Self.plan(frame, nil), let with = Self.plan(frame, kernel) else { return }
    var twin: Plan?
    if kernel.head.name == FilmCurveTwin.name {
      twin = Self.plan(frame, kernel.replaced(by: FilmCurveTwin()))
    }
    let pool = BandPool(threads: 1)
    defer { pool.close() }
    for backend in CPUBackend.available {
      func seconds(_ plan: Plan) -> Double {
        let start = hdr_process_cpu_seconds()
        _ = backend.render(plan, pool: pool)
        return hdr_process_cpu_seconds() - start
      }
      let name = "CPU \(backend.instructionSet), 1 thread", own = added(with, without, seconds)
      each(figure(kernel, name, own))
      guard let twin else { continue }
      let other = added(twin, without, seconds)
      var same = figure(kernel, name + ", the same in Swift", other)
      same.details.append(.init("ratio", .number(rounded(Spread(own).median / Spread(other).median))))
      each(same)
    }
    for info in benchDevices(device) {
      guard let renderer = try? GPURenderer(selection: .named(info.uuid)) else { continue }
      func seconds(_ plan: Plan) -> Double {
        guard (try? renderer.render(plan)) != nil else { return .nan }
        return (renderer.lastTimings.kernelNanoseconds ?? .nan) * 1e-9
      }
      each(figure(kernel, info.name, added(with, without, seconds)))
    }
  }

  /// Returns the plan that reads a PQ frame, makes it linear, applies the kernel and stores halves.
  static func plan(_ frame: SampleImage, _ kernel: UserKernel?) -> Plan? {
    var recipe = RenderRecipe(target: OutputSignal(encoding: .linear, sink: .rgba16f), display: .high, tone: .none)
    if let kernel {
      recipe.inputs["kernel"] = FilterInput(.kernel(kernel))
      recipe.edits = [FilterStep("kernel", ["file": .word("kernel")])]
    }
    recipe.allowsSDRFilters = true
    return try? Planner.plan(
      VerificationCases.source(
        frame, primaries: CICP.Primaries.bt2020, transfer: CICP.Transfer.pq, matrix: CICP.Matrix.bt2020, full: false),
      recipe)
  }

  /// Returns the added nanoseconds a pixel, after a warm-up; both run in turn, so that other load affects both alike.
  private func added(_ with: Plan, _ without: Plan, _ seconds: (Plan) -> Double) -> [Double] {
    (0...repeats).map { _ in (seconds(with) - seconds(without)) * 1e9 / Double(width * height) }.dropFirst().map { $0 }
  }

  private func figure(_ kernel: UserKernel, _ on: String, _ times: [Double]) -> BenchFigure {
    BenchFigure(
      .kernel, "\(kernel.head.name), \(on)", Spread(times), .nanosecondsPerPixel,
      details: [
        .init("kernel", .string(kernel.head.name)), .init("sha256", .string(kernel.digest)), .init("on", .string(on)),
        .init("operations", .int(kernel.module.operations)),
      ])
  }
}

/// Examples/kernels/film-curve.glsl written as a loop in Swift, for comparison.
final class FilmCurveTwin: KernelProgram {
  static let name = "film-curve"

  func makeRunner() -> KernelRunner { Runner() }

  private final class Runner: KernelRunner {
    override func run(_ s: Strip, _ c: StageContext) {
      let words = c.words(UserStage.Parameters.self), white = words.contentHeadroom
      let parameters = c.constants + UserStage.Parameters.count
      let contrast = Float(bitPattern: parameters[0]), grey = Float(bitPattern: parameters[1])
      let k = Self.power(grey, contrast) * (white * E32.reciprocal(grey) - 1)
      for channel in 0..<3 {
        let plane = s.plane(channel), alpha = s.alpha
        for i in 0..<s.padded {
          let a: Float = alpha[i] > 0 ? alpha[i] : 1
          let power = Self.power(plane[i] * E32.reciprocal(a), contrast)
          let made = E32.sanitize(white * power * E32.reciprocal(power + k) * a)
          plane[i] = alpha[i] > 0 ? made : plane[i]
        }
      }
    }

    @inline(__always) private static func power(_ x: Float, _ y: Float) -> Float {
      let low: Float = x > 0x1p-125 ? x : 0x1p-125
      let power = E32.exp2(y * E32.log2(low))
      return x > 0x1p-125 ? power : 0
    }
  }
}
