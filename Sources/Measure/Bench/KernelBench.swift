import BatchEngine
import CPURender
import CPlatform
import GPURender
import HDRCore
import HDRPlan
import HDRRender

/// `bench kernel`: the fused recipes alone, without files, on every backend of this machine.
///
/// Method: fresh image-like input with highlights, several frames larger than caches in turn, one warm-up, then the
/// median of `repeats`; CPU time beside wall time; a device's own clock for its kernels and a device-to-device copy in
/// the same run as the measure.
package struct KernelBench {
  /// The result of one recipe on one backend. Times are in nanoseconds a pixel.
  package struct Row: Sendable {
    package var recipe: String
    package var backend: String
    package var device: String
    package var isa: String
    package var threads: Int
    package var pixels: Int
    /// The wall time; on a GPU the time of its kernels by its own clock, where it has one.
    package var time: Spread
    /// CPU time of the whole process; GPU rows: upload, dispatch and readback included.
    package var cpuNsPerPixel: Double
    /// Wall time of the whole call.
    package var callNsPerPixel: Double
    /// Wall time with several pictures in flight, as in a batch; `nil` on the CPU.
    package var overlappedNsPerPixel: Double?
    /// Bytes the kernel reads and writes, each counted once.
    package var bytesPerPixel: Double
    /// Floating-point operations for a pixel, at least (`operationsPerPixel`).
    package var operationsPerPixel: Double
    /// The kernel's bytes a second over those of a copy (read + write) by the same device, or by as many threads.
    package var copyShare: Double?
    /// The kernel's arithmetic over the best of the same device or threads.
    package var arithmeticShare: Double?
    /// The time of the slower way over the bus alone, over the time with several pictures in flight; `nil` where
    /// nothing goes over a bus.
    package var busShare: Double?
    /// The counts of the last picture; `nil` on the CPU.
    package var timings: GPUTimings?

    /// The roof that is met first at the kernel's operations a byte, and the kernel's share of it.
    package var nearerRoof: (name: String, share: Double)? {
      let roofs = [("memory", copyShare), ("arithmetic", arithmeticShare)]
      return roofs.compactMap { roof in roof.1.map { (roof.0, $0) } }.max { $0.1 < $1.1 }
    }

    package var nsPerPixel: Double { time.median }
    package var gigabytesPerSecond: Double { bytesPerPixel / nsPerPixel }
    package var gigaoperationsPerSecond: Double { operationsPerPixel / nsPerPixel }

    /// The part that limits it, in words.
    package var limit: String {
      func percent(_ share: Double) -> String { "\(decimals(share * 100, 0)) %" }
      if backend == "gpu" {
        let kernel =
          "the kernel, at \(nearerRoof.map { "\(percent($0.share)) of \($0.name)" } ?? "an unknown share"), the nearer roof"
        guard callNsPerPixel > 2 * nsPerPixel else { return kernel }
        return "the way to the device and back: the kernel is \(percent(nsPerPixel / callNsPerPixel)) of a call; "
          + kernel + (busShare.map { "; pictures in flight use \(percent($0)) of the slower direction" } ?? "")
      }
      guard let copyShare, let arithmeticShare else { return "unknown" }
      let both = "\(percent(copyShare)) of a copy's bytes, \(percent(arithmeticShare)) of the peak of products and sums"
      if copyShare >= 0.6 { return "memory bandwidth: " + both }
      if arithmeticShare >= 0.5 { return "arithmetic: " + both }
      return "neither memory nor arithmetic but other instructions, table lookups first: " + both
    }

    package var figure: BenchFigure {
      let on = backend == "cpu" ? "CPU \(isa), \(threads) thread\(threads == 1 ? "" : "s")" : device
      return BenchFigure(
        .kernel, "\(recipe), \(on)", time, .nanosecondsPerPixel,
        details: [
          .init("recipe", .string(recipe)), .init("backend", .string(backend)), .init("device", .string(device)),
          .init("isa", .string(isa)), .init("threads", .int(threads)), .init("pixels", .int(pixels)),
          .init("nsPerPixel", .number(rounded(nsPerPixel))), .init("cpuNsPerPixel", .number(rounded(cpuNsPerPixel))),
          .init("callNsPerPixel", .number(rounded(callNsPerPixel))),
          .init("overlappedNsPerPixel", .maybe(overlappedNsPerPixel.map { rounded($0) })),
          .init("bytesPerPixel", .number(rounded(bytesPerPixel))),
          .init("operationsPerPixel", .number(rounded(operationsPerPixel))),
          .init("copyShare", .maybe(copyShare.map { rounded($0) })),
          .init("arithmeticShare", .maybe(arithmeticShare.map { rounded($0) })),
          .init("nearerRoof", .maybe(nearerRoof?.name)),
          .init("nearerRoofShare", .maybe(nearerRoof.map { rounded($0.share) })),
          .init("busShare", .maybe(busShare.map { rounded($0) })),
        ] + (timings?.counts ?? []),
        limit: limit)
    }
  }

  package var width: Int
  package var height: Int
  package var repeats: Int

  package init(width: Int = 4032, height: Int = 3024, repeats: Int = 7) {
    self.width = width
    self.height = height
    self.repeats = repeats
  }

  /// Returns recipes by name, each with a function that makes a plan for a frame.
  static func recipes() -> [(name: String, plan: (SampleImage) -> Plan?)] {
    let lut = TestPictures.look(size: 33)
    func pq(_ frame: SampleImage) -> SourceImage {
      VerificationCases.source(
        frame, primaries: CICP.Primaries.bt2020, transfer: CICP.Transfer.pq, matrix: CICP.Matrix.bt2020, full: false)
    }
    /// The frame's light in halves, as that of a scene.
    func scene(_ frame: SampleImage) -> SourceImage? {
      (try? Planner.plan(pq(frame), VerificationCases.linearHalf)).map {
        VerificationCases.source(
          CPUBackend.best.render($0, threads: 1), primaries: CICP.Primaries.bt2020, transfer: CICP.Transfer.linear,
          matrix: CICP.Matrix.identity, full: true)
      }
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
            VerificationCases.source(
              $0, primaries: CICP.Primaries.bt2020, transfer: CICP.Transfer.hlg, matrix: CICP.Matrix.bt2020, full: false
            ), Recipes.hlgToPQ)
        }
      ),
      ("aces-sdr", { frame in scene(frame).flatMap { try? Planner.plan($0, Recipes.view("sdr-709", .sdr)) } }),
      ("aces-hdr1000", { frame in scene(frame).flatMap { try? Planner.plan($0, Recipes.view("hdr1000-p3", .pq)) } }),
      ("aces1-sdr", { frame in scene(frame).flatMap { try? Planner.plan($0, Recipes.view("aces1-sdr", .sdr)) } }),
    ]
  }

  /// Runs everything; `each` is called as rows come in.
  ///
  /// - Parameters:
  ///   - device: only that one; else all, software devices too.
  ///   - roofs: `HostRoofs.all`; each CPU build runs with as many threads as each of them.
  package func run(device: String?, roofs: [HostRoofs], each: (Row) -> Void) {
    let devices = GPUDevice.available().filter { info in
      info.refusal == nil && (device.map { info.answers(to: $0) } ?? true)
    }
    run(devices: devices, roofs: roofs, each: each)
  }

  /// Runs everything on the CPU and on these devices.
  func run(devices: [GPUDeviceInfo], roofs: [HostRoofs], each: (Row) -> Void) {
    // As in a batch: a frame's memory serves the next, and no repeat pays for fresh pages.
    PictureMemory.keep(byteCount: MemoryNeed.keptPictures)
    defer { PictureMemory.keep(byteCount: 0) }
    let frames = (1...3).map { TestPictures.photoP010(width: width, height: height, seed: UInt64($0)) }
    let recipes = Self.recipes().compactMap { name, make -> Recipe? in
      let plans = frames.compactMap(make)
      guard plans.count == frames.count else { return nil }
      return Recipe(name: name, plans: plans, operations: (try? operationsPerPixel(plans[0])) ?? 0)
    }
    for recipe in recipes {
      for cpu in CPUBackend.available {
        for roof in roofs { each(onCPU(recipe, cpu, roof)) }
      }
    }
    for info in devices {
      guard let renderer = try? GPURenderer(selection: .named(info.uuid)) else { continue }
      let roofs = try? DeviceRoofs(renderer, repeats: repeats)
      let transfers = try? renderer.measureTransfers()
      for recipe in recipes { each(onGPU(recipe, renderer, roofs, transfers)) }
    }
  }

  /// The plans of one recipe, one for each frame.
  private struct Recipe {
    var name: String
    var plans: [Plan]
    var operations: Double
  }

  private var pixels: Int { width * height }

  private func onCPU(_ recipe: Recipe, _ cpu: CPUBackend, _ roof: HostRoofs) -> Row {
    let pool = BandPool(threads: roof.threads)
    defer { pool.close() }
    let (wall, cpuTime) = measure(recipe.plans) { _ = cpu.render($0, pool: pool) }
    let time = Spread(wall), bytes = recipe.plans[0].bytesPerPixel
    return Row(
      recipe: recipe.name, backend: "cpu", device: "cpu", isa: cpu.instructionSet, threads: roof.threads,
      pixels: pixels, time: time, cpuNsPerPixel: Spread(cpuTime).median, callNsPerPixel: time.median,
      bytesPerPixel: bytes, operationsPerPixel: recipe.operations,
      copyShare: bytes / time.median * 1e9 / Spread(roof.copy).median,
      arithmeticShare: recipe.operations / time.median * 1e9 / Spread(roof.arithmetic).median)
  }

  private func onGPU(
    _ recipe: Recipe, _ renderer: GPURenderer, _ roofs: DeviceRoofs?, _ transfers: TransferBandwidth?
  ) -> Row {
    var kernel: [Double] = []
    var timings = GPUTimings()
    let (wall, cpuTime) = measure(recipe.plans) { plan in
      guard (try? renderer.render(plan)) != nil else { return }
      timings = renderer.lastTimings
      if let time = timings.kernelNanoseconds { kernel.append(time / Double(pixels)) }
    }
    let call = Spread(wall).median
    // The first is the warm-up.
    let time = Spread(kernel.isEmpty ? wall : Array(kernel.dropFirst()))
    let bytes = Double(timings.bytesRead + timings.bytesWritten) / Double(pixels)
    let overlapped = overlappedTime(recipe.plans, renderer)
    func share(_ work: Double, _ roof: [Double]?) -> Double? {
      let roof = Spread(roof ?? []).median
      return roof > 0 && !kernel.isEmpty ? work / time.median * 1e9 / roof : nil
    }
    var busShare: Double?
    if let transfers, timings.bytesUploaded > 0 {
      let up = Double(timings.bytesUploaded) / Spread(transfers.upload).median
      let down = Double(timings.bytesReadBack) / Spread(transfers.readback).median
      busShare = max(up, down) * 1e9 / Double(pixels) / overlapped
    }
    return Row(
      recipe: recipe.name, backend: "gpu", device: renderer.device.name, isa: "spir-v", threads: 1, pixels: pixels,
      time: time, cpuNsPerPixel: Spread(cpuTime).median, callNsPerPixel: call, overlappedNsPerPixel: overlapped,
      bytesPerPixel: bytes, operationsPerPixel: recipe.operations,
      copyShare: share(bytes, roofs?.copy), arithmeticShare: share(recipe.operations, roofs?.arithmetic),
      busShare: busShare, timings: timings)
  }

  /// Returns wall nanoseconds a pixel with as many pictures in flight as there are threads, at most 8.
  private func overlappedTime(_ plans: [Plan], _ renderer: GPURenderer) -> Double {
    let callers = max(2, min(8, Allotment.threads)), count = callers * max(2, repeats / 2)
    let pool = BandPool(threads: callers)
    defer { pool.close() }
    func run(_ count: Int) {
      pool.run(count: count) {
        return { index in _ = try? renderer.render(plans[index % plans.count]) }
      }
    }
    // The first picture of each thread pays for the memory of the ring.
    run(callers)
    let start = ContinuousClock.now
    run(count)
    return (ContinuousClock.now - start) / .seconds(1) * 1e9 / Double(count * pixels)
  }

  /// Returns wall and CPU nanoseconds a pixel of `repeats` runs after one warm-up.
  private func measure(_ plans: [Plan], _ body: (Plan) -> Void) -> (wall: [Double], cpu: [Double]) {
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
    return (wall, cpu)
  }
}
