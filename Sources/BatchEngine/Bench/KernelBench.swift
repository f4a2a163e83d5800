import CPlatform
import GPURender
import HDRCore

/// `bench kernel`: the fused recipes alone, without files, on every backend of this machine.
///
/// Method: fresh image-like input with highlights, several frames larger than caches in turn, one warm-up, then the
/// median of `repeats`; CPU time beside wall time; a device's own clock for its kernels and a device-to-device copy in
/// the same run as the measure.
public struct KernelBench {
  /// One line of the result. Times in nanoseconds a pixel.
  public struct Row: Sendable {
    public var recipe: String
    public var backend: String
    public var device: String
    public var isa: String
    public var threads: Int
    public var pixels: Int
    /// Wall time; on a GPU that of its kernels by its own clock where it has one.
    public var nsPerPixel: Double
    /// CPU time of the whole process; GPU rows: upload, dispatch and readback included.
    public var cpuNsPerPixel: Double
    /// Wall time of the whole call.
    public var callNsPerPixel: Double
    /// Bytes the kernel reads and writes, each counted once.
    public var bytesPerPixel: Double
    /// The kernel's bytes a second over those of a device-to-device copy (read + write); `nil` on the CPU.
    public var copyShare: Double?

    public var gigabytesPerSecond: Double { bytesPerPixel / nsPerPixel }

    public var json: JSON {
      .object([
        .init("bench", .string("kernel")), .init("recipe", .string(recipe)), .init("backend", .string(backend)),
        .init("device", .string(device)), .init("isa", .string(isa)), .init("threads", .int(threads)),
        .init("pixels", .int(pixels)), .init("nsPerPixel", .number(nsPerPixel)),
        .init("cpuNsPerPixel", .number(cpuNsPerPixel)), .init("callNsPerPixel", .number(callNsPerPixel)),
        .init("bytesPerPixel", .number(bytesPerPixel)), .init("copyShare", copyShare.map(JSON.number) ?? .null),
      ])
    }
  }

  public var width: Int
  public var height: Int
  public var repeats: Int

  public init(width: Int = 4032, height: Int = 3024, repeats: Int = 7) {
    self.width = width
    self.height = height
    self.repeats = repeats
  }

  /// Recipes by name with a maker of plans from a frame.
  static func recipes() -> [(name: String, plan: (SampleImage) -> Plan?)] {
    let lut = TestPictures.look(size: 33)
    func pq(_ frame: SampleImage) -> SourceImage {
      VerificationCases.source(frame, primaries: 9, transfer: 16, matrix: 9, full: false)
    }
    return [
      (
        "reference",
        { frame in
          let source = VerificationCases.withGainMap(
            pq(frame), width: frame.width / 4, height: frame.height / 4, rgb: false, gamma: [1, 1, 1])
          return try? Planner.plan(source, Recipes.reference(lut))
        }
      ),
      ("lut-pq", { try? Planner.plan(pq($0), Recipes.lutPQ(lut)) }),
      (
        "hlg-to-pq",
        {
          try? Planner.plan(
            VerificationCases.source($0, primaries: 9, transfer: 18, matrix: 9, full: false), Recipes.hlgToPQ)
        }
      ),
    ]
  }

  /// Runs everything; `each` is called as rows come in. `device`: only that one, else all.
  public func run(device: String?, each: (Row) -> Void) {
    // As in a batch: a frame's memory serves the next, and no repeat pays for fresh pages.
    PictureMemory.keep(byteCount: RenderBackends.keptBytes)
    defer { PictureMemory.keep(byteCount: 0) }
    let frames = (1...3).map { TestPictures.photoP010(width: width, height: height, seed: UInt64($0)) }
    let pixels = width * height
    for (name, make) in Self.recipes() {
      let plans = frames.compactMap(make)
      guard plans.count == frames.count else { continue }
      let bytes = plans[0].bytesPerPixel
      for cpu in CPUBackend.available {
        for threads in Set([1, Allotment.threads]).sorted() {
          let pool = BandPool(threads: threads)
          let (wall, cpuTime) = median(plans, pixels: pixels) { _ = cpu.render($0, pool: pool) }
          pool.close()
          each(
            Row(
              recipe: name, backend: "cpu", device: "cpu", isa: cpu.instructionSet, threads: threads, pixels: pixels,
              nsPerPixel: wall, cpuNsPerPixel: cpuTime, callNsPerPixel: wall, bytesPerPixel: bytes, copyShare: nil))
        }
      }
    }
    for info in GPUDevice.available() where device.map({ info.answers(to: $0) }) ?? true {
      guard info.refusal == nil, let renderer = try? GPURenderer(selection: .named(info.uuid)) else { continue }
      let copy = (try? renderer.measureCopyBandwidth()) ?? 0
      for (name, make) in Self.recipes() {
        let plans = frames.compactMap(make)
        var kernel: [Double] = [], moved: [Double] = []
        let (wall, cpuTime) = median(plans, pixels: pixels) { plan in
          guard (try? renderer.render(plan)) != nil else { return }
          let timings = renderer.lastTimings
          kernel.append((timings.kernelNanoseconds ?? 0) / Double(pixels))
          moved.append(Double(timings.bytesRead + timings.bytesWritten) / Double(pixels))
        }
        let ns = Self.middle(kernel), bytes = Self.middle(moved)
        each(
          Row(
            recipe: name, backend: "gpu", device: info.name, isa: "spir-v", threads: 1, pixels: pixels,
            nsPerPixel: ns > 0 ? ns : wall, cpuNsPerPixel: cpuTime, callNsPerPixel: wall, bytesPerPixel: bytes,
            copyShare: copy > 0 && ns > 0 ? bytes / ns * 1e9 / copy : nil))
      }
    }
  }

  /// Median wall and CPU nanoseconds a pixel over `repeats` runs after one warm-up.
  private func median(_ plans: [Plan], pixels: Int, _ body: (Plan) -> Void) -> (wall: Double, cpu: Double) {
    var wall: [Double] = [], cpu: [Double] = []
    let clock = ContinuousClock()
    for i in 0...repeats {
      let cpuStart = hdr_process_cpu_seconds(), start = clock.now
      body(plans[i % plans.count])
      let seconds = (clock.now - start) / .seconds(1), cpuSeconds = hdr_process_cpu_seconds() - cpuStart
      if i == 0 { continue }
      wall.append(seconds * 1e9 / Double(pixels))
      cpu.append(cpuSeconds * 1e9 / Double(pixels))
    }
    return (Self.middle(wall), Self.middle(cpu))
  }

  static func middle(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
  }
}
