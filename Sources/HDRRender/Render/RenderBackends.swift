import CPURender
import GPURender
import HDRCore
import HDRPlan
import HDRRecipe
import Kernels
import Synchronization

/// A picture and the executor that rendered it.
package struct Rendered: Sendable {
  package var image: SampleImage
  package var executor = ExecutorFacts()
  /// The cost on the device; of another picture if several are in flight. `nil` on the CPU.
  package var timings: GPUTimings?
  var helperSeconds = 0.0
}

/// The executors of a batch: GPUs shared by all items, and the CPU. A GPU that fails is not used again; a lost one is
/// opened once more.
package final class RenderBackends: Sendable {
  package let choice: BackendChoice
  /// The processor that encodes and measures where a device can.
  let codecs: CodecDevice
  package let cpu: CPUBackend
  package let pool: BandPool
  /// The wanted devices that could not be opened while others could, with the reason.
  package let notes: [String]
  let rings: GPURings
  let sampling: Sampling
  /// The reason why no GPU was opened, if one was wanted.
  private let reason: String?
  /// True if no GPU was asked for and the machine has none: no message is needed.
  private let hasNone: Bool

  /// True if a device of this process did not answer in time: its driver may then wait for it for ever when the process
  /// ends.
  package static var hasHungDevice: Bool { HungDevice.isThere }

  /// Opens the devices.
  ///
  /// - Parameters:
  ///   - device: see `DeviceChoice`. Naming a device demands it.
  ///   - threads: the number of CPU threads for a picture.
  ///   - jobs: the number of pictures in flight; `nil`: as many as threads.
  ///   - codecs: whether devices encode what they render.
  ///   - sampling: the strips of GPUs' pictures that are compared with the CPU's.
  ///   - keptBytes: the bytes of finished pictures that are kept for the next ones.
  /// - Throws: `GPUError` if a GPU was demanded and is not available.
  package init(
    _ choice: BackendChoice, device: String?, threads: Int, jobs: Int? = nil, codecs: CodecDevice = .auto,
    sampling: Sampling.Choice = .newKernels, cpu: CPUBackend = .best, keptBytes: Int = MemoryNeed.keptPictures
  ) throws(GPUError) {
    self.choice = choice
    self.codecs = codecs
    self.cpu = cpu
    self.sampling = Sampling(sampling)
    var opened: [GPURings.Ring] = [], notes: [String] = [], reason: String?, hasNone = false
    if choice != .cpu {
      do throws(GPUError) {
        (opened, notes) = try Self.open(device, jobs: jobs ?? threads)
      } catch {
        if choice == .gpu || device != nil { throw error }
        reason = "\(error)"
        switch error {
        case .noLoader, .noDevice: hasNone = !GPUNodes.areThere
        default: break
        }
      }
    }
    self.hasNone = hasNone
    (rings, self.notes, self.reason) = (GPURings(opened), notes, reason)
    pool = BandPool(threads: threads)
    PictureMemory.keep(byteCount: keptBytes)
  }

  /// Opens the devices; devices that were not named may fail.
  private static func open(
    _ device: String?, jobs: Int
  ) throws(GPUError) -> (rings: [GPURings.Ring], notes: [String]) {
    var options = GPUOptions()
    options.slots = MemoryNeed.slots(jobs: jobs)
    options.hostMemory = Allotment.current.memory?.value
    let isNamed = device != nil && device?.lowercased() != "all", allotment = Allotment.current
    // There is nothing to choose by, so the renderer lists the devices itself.
    if device == nil && allotment.gpus == nil {
      return ([try GPURings.Ring(number: 0) { [options] () throws(GPUError) in try GPURenderer(options: options) }], [])
    }
    let wanted = try DeviceChoice.devices(device, among: GPUDevice.available(), allotment)
    var rings: [GPURings.Ring] = [], failures: [GPUError] = []
    for (number, (info, label)) in zip(wanted, DeviceChoice.labels(wanted)).enumerated() {
      do throws(GPUError) {
        if let refusal = info.refusal { throw .unsuitable(device: label, reason: refusal) }
        rings.append(
          try GPURings.Ring(number: number, label: label) { [options] () throws(GPUError) in
            try GPURenderer(selection: .named(info.uuid), options: options)
          })
      } catch {
        if isNamed { throw error }
        failures.append(error)
      }
    }
    if rings.isEmpty, let failure = failures.first { throw failure }
    return (rings, failures.map { "\($0)" })
  }

  /// The reason why a wanted GPU is not in use; `nil` if one is, or none was wanted.
  package var fallbackReason: String? { rings.isEmpty ? rings.lostDevice.map { "\($0.error)" } ?? reason : nil }

  /// The reason of `fallbackReason` if a user should see it: a GPU was lost, or is present and not used.
  package var reportedFallback: String? { hasNone && rings.lostDevice == nil ? nil : fallbackReason }

  /// The name of the device that renders now, or the names of several.
  package var deviceName: String {
    let labels = rings.labels
    return labels.isEmpty ? "CPU (\(cpu.instructionSet))" : labels.joined(separator: ", ")
  }

  /// True if a GPU was demanded and none is left.
  package var hasNoDeviceLeft: Bool { choice == .gpu && rings.isEmpty }

  /// Renders on a GPU, or on the CPU if there is none or all fail.
  ///
  /// - Parameters:
  ///   - memory: allocates blocks of the given size for the output.
  ///   - deadline: checked between bands.
  ///   - notice: called once for every GPU that is retired or opened again.
  /// - Throws: `GPUError` if GPUs were demanded (`BackendChoice.gpu`) and none is left or none can render this picture;
  ///   `.mismatch`, `.late` and `.samplesLost` for every choice.
  package func render(
    _ plan: Plan, memory: (Int) -> PixelBuffer = { PixelBuffer(uninitializedByteCount: $0) },
    deadline: Deadline = .none, notice: (GPURings.LostDevice) -> Void
  ) throws(GPUError) -> Rendered {
    try render(plan, memory: memory, gauge: nil as LightGauge?, deadline: deadline, notice: notice).0
  }

  /// Renders, encodes and measures as `render`.
  ///
  /// - Parameters:
  ///   - coding: how the picture will be encoded, if a device may do it: the picture then has what was encoded, and channels
  ///     only if they are kept.
  ///   - gauge: what is measured, if anything.
  /// - Returns: also the sums, `nil` if the picture's channels have to be measured yet.
  package func render<Gauge: PixelGauge>(
    _ plan: Plan, memory: (Int) -> PixelBuffer = { PixelBuffer(uninitializedByteCount: $0) },
    coding: DeviceCoding? = nil, gauge: Gauge?, deadline: Deadline = .none,
    notice: (GPURings.LostDevice) -> Void
  ) throws(GPUError) -> (Rendered, Gauge.Sums?) {
    let planes = plan.devicePlanes
    if let image = plan.kept {
      try bring(planes)
      return (Rendered(image: image), nil)
    }
    while let ring = rings.take(holding: planes.first) {
      do throws(GPUError) {
        if let rendered = try render(plan, on: ring, memory, coding, gauge, deadline) { return rendered }
      } catch {
        switch error {
        case .late, .samplesLost: throw error
        default: break
        }
        // A picture that is too large, or a kernel that does not compile, does not affect the next picture.
        if error.concernsThisPictureOnly {
          if choice == .gpu { throw error }
          return try onCPU(plan, memory, gauge, deadline, fallback: "\(error)")
        }
        // The other pictures in flight on a ring that another thread dropped are rendered elsewhere.
        guard retire(ring, because: error, notice) else { continue }
        if case .mismatch = error { throw error }
      }
    }
    if choice == .gpu, let lostDevice = rings.lostDevice { throw lostDevice.error }
    return try onCPU(plan, memory, gauge, deadline, fallback: fallbackReason)
  }

  /// Measures what a plan makes on a GPU that encodes and measures, where the pixels stay.
  ///
  /// - Returns: `nil` if the plan has to be rendered: where no GPU measures so, or its pixels are to be compared.
  /// - Throws: `.mismatch`, `.late` and `.samplesLost`.
  package func measure<Gauge: PixelGauge>(
    _ plan: Plan, _ gauge: Gauge, deadline: Deadline = .none, notice: (GPURings.LostDevice) -> Void
  ) throws(GPUError) -> Gauge.Sums? {
    guard let measurement = gauge.measurement, let last = plan.passes.last else { return nil }
    let found = try staying(plan, kernels: [measurement.kernelName], notice: notice) {
      (renderer) throws(GPUError) -> PixelSums? in
      try renderer.measure(plan, measurement, deadline: deadline)
    }
    return found.flatMap { gauge.sums(of: $0.made, pixels: last.width * last.height) }
  }

  /// Retires a device.
  ///
  /// - Returns: false if another thread has already done so.
  func retire(_ ring: GPURings.Ring, because error: GPUError, _ notice: (GPURings.LostDevice) -> Void) -> Bool {
    guard let lostDevice = rings.drop(ring, because: error) else { return false }
    if lostDevice.left > 0 || choice != .gpu { notice(lostDevice) }
    return true
  }

  /// Renders on a ring; `nil` if the ring is no longer trusted.
  private func render<Gauge: PixelGauge>(
    _ plan: Plan, on ring: GPURings.Ring, _ memory: (Int) -> PixelBuffer, _ coding: DeviceCoding?, _ gauge: Gauge?,
    _ deadline: Deadline
  ) throws(GPUError) -> (Rendered, Gauge.Sums?)? {
    let pixels = plan.passes.last.map { $0.width * $0.height } ?? 0
    let isUsed = codecs.isUsed(pixels: pixels, on: ring.renderer.device)
    let coding = isUsed ? coding : nil
    let measurement = isUsed ? gauge?.measurement?.kernelName : nil
    let strips = sampling.rows(of: plan, measuredBy: measurement, on: ring.number)
    let image: SampleImage, timings: GPUTimings
    var encoded: SampleImage?, sums: Gauge.Sums?
    do throws(GPUError) {
      // The CPU renders strips of what is compared.
      try bring(plan.devicePlanes.filter { !strips.isEmpty || !ring.renderer.holds($0) })
      // A picture that is compared is encoded on the CPU, from the samples that were compared.
      if let coding, strips.isEmpty {
        (encoded, sums) = try encode(plan, coding, on: ring, memory, gauge, pixels: pixels, deadline)
      }
      if let encoded {
        image = encoded
      } else if isUsed, let gauge, let measurement = gauge.measurement, !measurement.staysOnDevice {
        let made = try ring.renderer.render(plan, measuring: measurement, memory: memory, deadline: deadline)
        image = made.image
        sums = gauge.sums(of: made.sums, pixels: pixels)
        if !strips.isEmpty, sums != nil, sums != gauge.measure(image, pool) {
          throw .mismatch(device: ring.label, words: 1, first: "what was measured of the picture")
        }
      } else {
        image = try ring.renderer.render(plan, memory: memory, deadline: deadline)
      }
      timings = ring.renderer.lastTimings
      if let coding, let strip = strips.first, sampling.comparesCodes(of: coding, on: ring.number) {
        try check(coding, image, rows: strip, gauge, on: ring)
      } else if isUsed, coding == nil, gauge?.measurement == .light, let strip = strips.first {
        try checkLight(image, rows: strip, on: ring)
      }
    } catch {
      if !strips.isEmpty { sampling.forget(plan, measuredBy: measurement, coding, on: ring.number) }
      rings.giveBack(ring)
      throw error
    }
    rings.giveBack(ring)
    var rendered = Rendered(
      image: image,
      executor: ExecutorFacts(
        backend: "gpu", device: ring.label, rounding: ring.renderer.device.floatControls.rounding), timings: timings)
    if !strips.isEmpty {
      let (expected, seconds) = cpu.render(plan, rows: strips, pool: pool)
      let comparison = WordComparison(expected, image, rows: strips)
      if let first = comparison.place {
        throw .mismatch(device: ring.label, words: comparison.differing, first: first)
      }
      rendered.executor.sampledStrips = strips.count
      rendered.helperSeconds = seconds
    }
    return rings.finish(ring) ? (rendered, sums) : nil
  }

  /// Renders passes together on the CPU, and measures the light and the gains that are made of it.
  ///
  /// - Throws: `GPUError.late`.
  func render(
    _ passes: BandedPasses, deadline: Deadline
  ) throws(GPUError) -> (light: LightStatistics, gains: GainStatistics, helperSeconds: Double, executor: ExecutorFacts)
  {
    typealias Part = (light: LightStatistics, gains: GainStatistics)
    let planes = passes.madeImage.channels.count
    @Sendable func start() -> Part { (LightStatistics(), GainStatistics(planes: planes, countsBuckets: false)) }
    let (parts, seconds) = cpu.render(passes, pool: pool, deadline: deadline, start: start) {
      (light, gains, rows, part: inout Part) in
      part.light.add(light, rows: rows)
      part.gains.add(gains, rows: rows)
    }
    if deadline.isPassed { throw .late }
    var sum = start()
    for part in parts {
      sum.light.merge(part.light)
      sum.gains.merge(part.gains)
    }
    return (sum.light, sum.gains, seconds, facts(fallback: fallbackReason))
  }

  /// Renders and encodes a picture on a ring, and measures it.
  ///
  /// - Returns: `nil` in place of the picture if its samples have to be measured.
  private func encode<Gauge: PixelGauge>(
    _ plan: Plan, _ coding: DeviceCoding, on ring: GPURings.Ring, _ memory: (Int) -> PixelBuffer, _ gauge: Gauge?,
    pixels: Int, _ deadline: Deadline
  ) throws(GPUError) -> (SampleImage?, Gauge.Sums?) {
    switch coding {
    case .jpeg(let coding):
      let scan = try ring.renderer.encodeJPEG(plan, coding, memory: memory, deadline: deadline)
      let isMeasured = gauge?.measurement == .codes
      return (coding.picture(scan), isMeasured ? gauge?.sums(of: scan.light, pixels: pixels) : nil)
    case .deflate(let coding):
      let measurement = gauge?.measurement
      if gauge != nil, measurement == nil { return (nil, nil) }
      let made = try ring.renderer.deflate(plan, coding, measuring: measurement, memory: memory, deadline: deadline)
      let sums = gauge?.sums(of: made.sums, pixels: pixels)
      return (gauge == nil || sums != nil ? coding.picture(made.rows) : nil, sums)
    }
  }

  /// Lets a device encode rows of a picture, and compares the bytes with those that they must have; and what it measures of
  /// them, if nothing else has compared that.
  ///
  /// - Throws: `.mismatch`, or what renderers throw.
  private func check<Gauge: PixelGauge>(
    _ coding: DeviceCoding, _ image: SampleImage, rows: Range<Int>, _ gauge: Gauge?, on ring: GPURings.Ring
  ) throws(GPUError) {
    let part = image.rows(rows), plan = Plan.copying(part)
    let isSame: Bool, bytes: [UInt8], expected: [UInt8]
    switch coding {
    case .jpeg(let coding):
      let own = coding.rows(rows), scan = try ring.renderer.encodeJPEG(plan, own).scan, right = own.scan(of: part)
      (isSame, bytes, expected) = (scan == right, scan.bytes, right.bytes)
    case .deflate(let coding):
      let own = coding.rows(rows), measurement = gauge?.measurement.flatMap { $0.staysOnDevice ? $0 : nil }
      let made = try ring.renderer.deflate(plan, own, measuring: measurement), right = own.rows(of: part)
      let measured = measurement.flatMap { _ in gauge?.sums(of: made.sums, pixels: part.pixelCount) }
      if measurement != nil, measured != gauge?.measure(part, pool) {
        throw .mismatch(device: ring.label, words: 1, first: "what was measured of rows \(rows.lowerBound) on")
      }
      (isSame, bytes, expected) = (made.rows == right, made.rows.bytes, right.bytes)
    }
    guard isSame else {
      let first = zip(bytes, expected).prefix { $0 == $1 }.count
      throw .mismatch(
        device: ring.label, words: 1, first: "byte \(first) of what is encoded of rows \(rows.lowerBound) on")
    }
  }

  /// True if pictures are rendered on the CPU alone.
  var isCPUOnly: Bool { rings.isEmpty && choice != .gpu }

  private func facts(fallback: String?) -> ExecutorFacts {
    ExecutorFacts(backend: "cpu", device: "CPU", isa: cpu.instructionSet, fallback: fallback)
  }

  private func onCPU<Gauge: PixelGauge>(
    _ plan: Plan, _ memory: (Int) -> PixelBuffer, _ gauge: Gauge?, _ deadline: Deadline, fallback: String?
  ) throws(GPUError) -> (Rendered, Gauge.Sums?) {
    try bring(plan.devicePlanes)
    let image: SampleImage, seconds: Double
    var sums: Gauge.Sums?
    if let gauge {
      let made = cpu.render(plan, pool: pool, memory: memory, deadline: deadline) {
        gauge.start()
      } measure: {
        gauge.add($0, $1, &$2)
      }
      (image, seconds) = (made.image, made.helperSeconds)
      sums = gauge.sums(of: made.parts, pixels: image.pixelCount)
    } else {
      (image, seconds) = cpu.render(plan, pool: pool, memory: memory, deadline: deadline)
    }
    if deadline.isPassed { throw .late }
    return (Rendered(image: image, executor: facts(fallback: fallback), helperSeconds: seconds), sums)
  }

  package func close() {
    pool.close()
    PictureMemory.keep(byteCount: 0)
  }
}
