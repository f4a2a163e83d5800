import CVulkan
import Glibc
import HDRCore
import HDRPlan
import Kernels
import Synchronization

/// The options of a renderer.
package struct GPUOptions: Sendable {
  /// The most bands in flight, of all pictures; at least 3, so that upload, dispatch and readback overlap. Memory may
  /// allow fewer.
  package var slots = MemoryNeed.slots(jobs: 1)
  /// Device memory for the ring and tables in bytes, and as much for pictures that stay; `nil` takes `MemoryNeed.ring`.
  package var memoryBudget: Int?
  /// The memory of this process in bytes, which bounds staging and readback; `nil` if it is not known.
  package var hostMemory: Int?
  /// The most device memory of a band in bytes; `nil` takes what the plan and the device suggest.
  package var bandBytes: Int?
  /// The folder of the pipeline cache; `nil` or empty keeps none.
  package var cacheFolder: String?
  /// Runs the Khronos validation layer with synchronisation validation where it is installed.
  package var validation: Bool
  /// Compares the device's arithmetic with the CPU's before first use.
  package var selfTest = true
  /// Stages uploads and readbacks even where host and device share memory, as for a card: tests run both ways.
  package var alwaysStages = false
  /// The most estimated seconds of one dispatch, on a slow graphics card (`PlanWork`).
  package var dispatchSeconds = 0.2
  /// Leaves bounds checks of buffers out of the program's own kernels, to measure what they cost. Users' kernels and
  /// stages that follow a file's tables keep theirs. It needs VK_EXT_pipeline_robustness, else all kernels check. With
  /// `validation` none does: GPU-assisted validation looks for accesses outside buffers.
  package var leavesOutChecks: Bool
  /// Lets the device copy from and to the pages of pictures where it can (VK_EXT_external_memory_host); without, the
  /// host copies every byte into staging memory and out of it.
  package var importsPages: Bool

  /// Creates the defaults. The cache goes to `$XDG_CACHE_HOME/hdrbatch`; HDRBATCH_VALIDATION=1 turns validation on,
  /// HDRBATCH_UNCHECKED=1 leaves checks out, HDRBATCH_STAGED=1 imports no pages.
  package init() {
    cacheFolder = PipelineCacheFile.defaultFolder()
    func isSet(_ name: String) -> Bool { getenv(name).map { String(cString: $0) == "1" } ?? false }
    validation = isSet("HDRBATCH_VALIDATION")
    leavesOutChecks = isSet("HDRBATCH_UNCHECKED")
    importsPages = !isSet("HDRBATCH_STAGED")
  }
}

/// The cost of one `render` on the device. `bytesRead` and `bytesWritten` count pixels once each, parameters not at all.
package struct GPUTimings: Sendable, Hashable {
  /// The sum over all dispatches; `nil` where the device has no clock.
  package var kernelNanoseconds: Double?
  package var bytesRead = 0
  package var bytesWritten = 0
  /// The bytes that went over the bus; 0 where host and device share memory.
  package var bytesUploaded = 0
  package var bytesReadBack = 0
  /// The bytes that the host copied: into memory that the device reads or copies, and results out of such memory.
  package var bytesCopied = 0
  /// Host blocks that were imported for this picture, and those that the device did not take.
  package var imports = 0
  package var failedImports = 0
  package var bands = 0
  package var dispatches = 0
  /// The calls of `vkQueueSubmit`.
  package var submissions = 0
  package init() {}

  fileprivate mutating func add(_ band: Band, _ slot: RingSlot) {
    bytesRead += band.bytesRead
    bytesWritten += band.bytesWritten
    bytesUploaded += slot.traffic.bytesUploaded
    bytesReadBack += slot.traffic.bytesReadBack
    bytesCopied += slot.traffic.bytesWritten
    bands += 1
    dispatches += slot.dispatchCount
    submissions += slot.traffic.submissions
  }
}

/// Runs plans on a Vulkan device: the twin of CPUReference's renderer, with the same bits.
///
/// Several threads may call `render` at once; they share the ring.
package final class GPURenderer: Sendable {
  /// The device in use.
  package let device: GPUDeviceInfo
  /// The messages of the validation layer; `nil` unless it runs.
  package let validationLog: ValidationLog?

  let context: GPUContext
  let kernels: KernelCache
  private let tables: TableCache
  private let slots: SlotPool
  /// `nil` where the host copies all bytes.
  private let imports: HostImports?
  /// The bytes that bands aim at, and their most.
  private let bandAim: Int, largestBand: Int
  private let dispatchSeconds: Double
  private let remembered = Mutex<RememberedSize?>(nil)
  private let timings = Mutex(GPUTimings())
  /// True once the kernels that encode and those that decode have passed their test.
  let codecsPassed = Mutex(false)
  let decodingPassed = Mutex(false)
  /// The kernels of rows that have passed their test, with those that deflate.
  let deflatePassed = Mutex<Set<BandKernel>>([])

  /// Opens a device, compares its arithmetic with the CPU's and makes the ring.
  ///
  /// - Throws: `.noLoader`, `.noDevice`, `.noMatch`, `.unsuitable`, `.selfTest`, or the error of a Vulkan call.
  package init(selection: GPUSelection = .automatic, options: GPUOptions = GPUOptions()) throws(GPUError) {
    let context = try GPUContext(
      selection, validation: options.validation, alwaysStages: options.alwaysStages,
      leavesOutChecks: options.leavesOutChecks, importsPages: options.importsPages)
    self.context = context
    device = context.info
    validationLog = context.instance.log
    let folder = options.cacheFolder.flatMap { $0.isEmpty ? nil : $0 }
    let kernels = try KernelCache(context, folder: folder)
    self.kernels = kernels
    let heap = context.info.heaps.filter(\.deviceLocal).map(\.bytes).max()
    let free = context.freeMemory
    let budget = options.memoryBudget ?? MemoryNeed.ring(heap: heap, free: free, host: options.hostMemory)
    let largest = min(MemoryNeed.largestBand(ring: budget), context.limits.allocation)
    bandAim = min(options.bandBytes ?? MemoryNeed.band, largest)
    // The CPU's caches hold no more of a software device's bands, however much memory there is.
    largestBand = options.bandBytes != nil || context.info.type == .cpu ? bandAim : largest
    dispatchSeconds = options.dispatchSeconds
    imports = context.importsPages ? HostImports(context) : nil
    tables = TableCache(context, capacityBytes: MemoryNeed.tables(ring: budget))
    slots = try SlotPool(
      context, most: max(3, options.slots), bytes: MemoryNeed.bands(ring: budget),
      held: MemoryNeed.heldPlanes(ring: budget, free: free), workGroup: kernels.localSize)
    // A device that does not promise its rounding must pass the test.
    if options.selfTest || !device.floatControls.roundToNearestEven {
      let differing = try runSelfTest()
      if differing > 0 { throw .selfTest(device: device.name, differing: differing) }
    }
  }

  /// True if the device did not answer in time.
  package var hangs: Bool { context.hangs }

  /// The cost of the last finished `render`.
  package var lastTimings: GPUTimings { timings.withLock { $0 } }

  /// The cost of making kernels so far.
  package var kernelStatistics: KernelStatistics { kernels.statistics }

  /// Renders a plan.
  ///
  /// - Parameters:
  ///   - memory: allocates blocks of the given size for the output.
  ///   - deadline: asked before each band.
  /// - Returns: the last pass's output in its sink's layout (`Sink.makeImage`), in host memory.
  /// - Throws: `.outOfMemory` when the smallest bands do not fit, `.tooLarge`, `.deviceLost`, `.badPlan`, `.kernel`,
  ///   `.late`, `.samplesLost` for samples that another device alone holds.
  package func render(
    _ plan: Plan, memory: (Int) -> PixelBuffer = { PixelBuffer(uninitializedByteCount: $0) },
    deadline: Deadline = .none
  ) throws(GPUError) -> SampleImage {
    try render(plan, measuring: nil, memory: memory, deadline: deadline).image
  }

  /// Renders a plan and measures the picture on the device, as `render` does otherwise.
  ///
  /// - Returns: also what was measured; for `nil` sums of nothing.
  /// - Throws: as `render`; `.badPlan` for a measurement of another sink, `.mismatch` for impossible numbers.
  package func render(
    _ plan: Plan, measuring measurement: Measurement?,
    memory: (Int) -> PixelBuffer = { PixelBuffer(uninitializedByteCount: $0) }, deadline: Deadline = .none
  ) throws(GPUError) -> (image: SampleImage, sums: PixelSums) {
    let last = try lastPass(of: plan)
    let image = last.sink.makeImage(width: last.width, height: last.height, memory: memory)
    let target = RenderTarget(image, measurement)
    _ = try run(plan, target, deadline)
    return (image, target.sums)
  }

  /// Renders a plan and measures the picture, which stays on the device: only sums come back.
  ///
  /// - Throws: as `render`; `.badPlan` for a measurement of another sink, `.mismatch` for impossible numbers.
  package func measure(
    _ plan: Plan, _ measurement: Measurement, deadline: Deadline = .none
  ) throws(GPUError) -> PixelSums {
    _ = try lastPass(of: plan)
    let target = RenderTarget(measuring: measurement)
    _ = try run(plan, target, deadline)
    return target.sums
  }

  /// Renders a plan, measures the picture, and leaves it on the device (`DevicePlanes`): plans that this renderer renders read
  /// it where it is.
  ///
  /// - Returns: `nil` if there is no room to keep it, or its sink has several planes.
  /// - Throws: as `measure`.
  package func keep(
    _ plan: Plan, measuring measurement: Measurement, deadline: Deadline = .none
  ) throws(GPUError) -> (image: SampleImage, sums: PixelSums)? {
    let last = try lastPass(of: plan)
    guard let planes = DevicePlanes(last, context, slots) else { return nil }
    let target = RenderTarget(measuring: measurement)
    target.keeper = planes
    _ = try run(plan, target, deadline)
    return (planes.image(last), target.sums)
  }

  /// Renders a plan, encodes the picture, and leaves it on the device, as `keep` does otherwise.
  ///
  /// - Throws: as `encodeJPEG`.
  package func keep(
    _ plan: Plan, encoding coding: JPEGCoding, deadline: Deadline = .none
  ) throws(GPUError) -> (image: SampleImage, scan: EncodedScan)? {
    try testCodecs()
    let last = try lastPass(of: plan)
    guard !coding.keepsPixels, let planes = DevicePlanes(last, context, slots) else { return nil }
    return (planes.image(last), try encode(plan, coding, keeper: planes, deadline))
  }

  /// Renders a plan and encodes the picture on the device.
  ///
  /// - Parameters:
  ///   - plan: its last pass makes R G B A of 8 bits (`SinkKind.rgba8`); alpha is ignored, and of a grey picture all but
  ///     the first channel.
  ///   - memory: allocates a block of the given size for the samples, if they are kept.
  ///   - deadline: asked before each band.
  /// - Throws: as `render`; `.tooLarge` also for a row of MCUs that does not fit.
  package func encodeJPEG(
    _ plan: Plan, _ coding: JPEGCoding, memory: (Int) -> PixelBuffer = { PixelBuffer(uninitializedByteCount: $0) },
    deadline: Deadline = .none
  ) throws(GPUError) -> EncodedScan {
    try testCodecs()
    return try encode(plan, coding, memory: memory, deadline)
  }

  func encode(
    _ plan: Plan, _ coding: JPEGCoding, memory: (Int) -> PixelBuffer = { PixelBuffer(uninitializedByteCount: $0) },
    keeper: DevicePlanes? = nil, _ deadline: Deadline = .none
  ) throws(GPUError) -> EncodedScan {
    let last = try lastPass(of: plan)
    var timings = GPUTimings()
    return try coding.encode(keeper: keeper) {
      last.sink.makeImage(width: last.width, height: last.height, memory: memory)
    } run: { target throws(GPUError) in
      timings = try run(plan, target, deadline, after: timings)
    }
  }

  /// Renders a plan and deflates its rows on the device.
  ///
  /// - Parameters:
  ///   - plan: its last pass makes what `coding` deflates.
  ///   - measurement: what is measured of the pixels, if anything.
  ///   - memory: allocates a block of the given size for the stream.
  ///   - deadline: asked before each band.
  /// - Throws: as `render`; `.tooLarge` also for a chunk that does not fit.
  package func deflate(
    _ plan: Plan, _ coding: DeflateCoding, measuring measurement: Measurement? = nil,
    memory: (Int) -> PixelBuffer = { PixelBuffer(uninitializedByteCount: $0) }, deadline: Deadline = .none
  ) throws(GPUError) -> DeflatedPicture {
    try testDeflate(coding.rowsKernel)
    return try deflated(plan, coding, measurement, memory: memory, deadline)
  }

  func deflated(
    _ plan: Plan, _ coding: DeflateCoding, _ measurement: Measurement? = nil,
    memory: (Int) -> PixelBuffer = { PixelBuffer(uninitializedByteCount: $0) }, _ deadline: Deadline = .none
  ) throws(GPUError) -> DeflatedPicture {
    _ = try lastPass(of: plan)
    let target = RenderTarget(coding, measurement)
    _ = try run(plan, target, deadline)
    return target.finish(coding, memory: memory)
  }

  /// Decodes a scan on the device.
  ///
  /// - Parameter memory: allocates blocks of the given size for the planes.
  /// - Returns: the planes as they are coded, or why the library must decode the scan.
  /// - Throws: `.outOfMemory` or `.tooLarge` when the scan does not fit, `.deviceLost`, `.kernel`.
  package func decodeJPEG(
    _ decoding: JPEGDecoding, memory: (Int) -> PixelBuffer = { PixelBuffer(uninitializedByteCount: $0) }
  ) throws(GPUError) -> DecodedScan {
    try testDecoding()
    return try decode(decoding, memory: memory)
  }

  /// Decodes scans on the device together, and leaves the planes there (`DevicePlanes`): plans that this renderer renders
  /// read them where they are.
  ///
  /// - Returns: the scans in order; `nil` if there is no room to keep planes.
  /// - Throws: as `decodeJPEG`.
  package func decodeJPEG(keeping decodings: [JPEGDecoding]) throws(GPUError) -> [DecodedScan]? {
    try testDecoding()
    var scans: [(decoding: JPEGDecoding, planes: DevicePlanes)] = []
    for decoding in decodings {
      guard let planes = DevicePlanes(decoding, context, slots) else { return nil }
      scans.append((decoding, planes))
    }
    let made = try JPEGDecodeBand(keeping: scans, limits(slotBytes: largestBand))
    return try decode(made.band) { output in
      zip(scans, made.flags).map { scan, place in
        DecodedScan(flags: JPEGDecodeFlags(output, place), image: scan.planes.image(scan.decoding))
      }
    }
  }

  func decode(
    _ decoding: JPEGDecoding, memory: (Int) -> PixelBuffer = { PixelBuffer(uninitializedByteCount: $0) }
  ) throws(GPUError) -> DecodedScan {
    let made = try JPEGDecodeBand(decoding, limits(slotBytes: largestBand)), image = decoding.makeImage(memory: memory)
    return try decode(made.band) { made.decoded(decoding, $0, image) }
  }

  /// Runs a band that decodes, and reads its output.
  private func decode<R>(_ band: Band, _ read: (UnsafeRawPointer) -> R) throws(GPUError) -> R {
    try context.checkAlive()
    let followers = BandKernel.planes
    let work = PlanWork(.none, followers: followers, dispatchSeconds: dispatchSeconds)
    let pipelines = try pipelines(followers)
    var report = GPUTimings()
    let pages = PicturePages(.none, nil, nil, &report), slot = try slots.acquire(band.cost)
    defer { slots.release(slot) }
    do throws(GPUError) {
      try slot.submit(
        band, .none, kernels: pipelines, tables: nil, work: work, into: nil, pages, spares: slots.spares)
    } catch {
      // A part of the band may have been submitted.
      try? slot.wait()
      throw error
    }
    try slot.wait()
    guard let bytes = slot.firstBytes else { throw .badPlan("a decoded scan has no output") }
    report.kernelNanoseconds = context.hasTimestamps ? slot.kernelNanoseconds().reduce(0, +) : nil
    report.add(band, slot)
    timings.withLock { $0 = report }
    return read(bytes)
  }

  private func limits(slotBytes: Int) -> BandLimits {
    BandLimits(
      slotBytes: slotBytes, storageRange: context.limits.storageRange, alignment: context.limits.storageAlignment,
      imageSide: context.limits.imageSide, groups: context.limits.groups, localSize: kernels.localSize)
  }

  private func pipelines(_ followers: [BandKernel]) throws(GPUError) -> [KernelPipeline] {
    var result: [KernelPipeline] = []
    for kernel in followers { result.append(try kernels.kernel(named: kernel.rawValue)) }
    return result
  }

  private func lastPass(of plan: Plan) throws(GPUError) -> Pass {
    try context.checkAlive()
    guard let last = plan.passes.last, last.width > 0, last.height > 0, last.width <= 1 << 20, last.height <= 1 << 20
    else { throw .badPlan("it has no passes, or no pixels") }
    return last
  }

  /// Renders all bands of a plan, with smaller ones where memory does not suffice.
  ///
  /// - Parameter earlier: the cost of what was run before for the same picture.
  /// - Returns: the cost with that.
  private func run(
    _ plan: Plan, _ target: RenderTarget, _ deadline: Deadline, after earlier: GPUTimings = GPUTimings()
  ) throws(GPUError) -> GPUTimings {
    var report = earlier
    report.kernelNanoseconds = context.hasTimestamps ? earlier.kernelNanoseconds ?? 0 : nil
    let pages = PicturePages(plan, target.image, imports, &report)
    // Every band is waited for before this method returns.
    defer { withExtendedLifetime(pages) {} }
    var bytes = remembered.withLock { $0?.bytes(at: .now) } ?? largestBand
    while true {
      var tried = 0
      do throws(GPUError) {
        target.restart()
        return try render(plan, target, pages, report, slotBytes: bytes, deadline, largest: &tried)
      } catch {
        // Other item threads must not wait for this one's slots any longer.
        if case .deviceLost = error { slots.wakeAll() }
        // Out of memory: free slots give back what they hold, and the bands get smaller.
        guard case .outOfMemory = error, bytes > 1 << 20 else { throw error }
        bytes = min(bytes, max(tried, 1 << 20)) / 4
        remembered.withLock { $0 = RememberedSize(bytes: bytes, until: .now + RememberedSize.duration) }
        slots.shrink()
      }
    }
  }

  /// The most bands of one picture in flight: upload, dispatch and readback overlap, and one waits.
  private static let bandsOfPicture = 4

  private func render(
    _ plan: Plan, _ target: RenderTarget, _ pages: PicturePages, _ start: GPUTimings, slotBytes: Int,
    _ deadline: Deadline, largest: inout Int
  ) throws(GPUError) -> GPUTimings {
    var planner = BandPlanner(
      plan: plan, limits: limits(slotBytes: slotBytes), coding: target.coding, measurement: target.measurement,
      returnsPixels: target.returnsPixels, on: context)
    planner.keeper = target.keeper
    // Bands let uploads and readbacks overlap with dispatches.
    let bands = try planner.bands(aim: planner.wantsLargeBands ? largestBand : bandAim)
    largest = bands.reduce(0) { max($0, $1.cost) }
    var passKernels: [KernelPipeline] = []
    for (index, pass) in plan.passes.enumerated() {
      passKernels.append(try kernels.kernel(for: pass, halfSources: plan.halfSources(of: index)))
    }
    passKernels += try pipelines(planner.followers)
    let work = PlanWork(plan, followers: planner.followers, dispatchSeconds: dispatchSeconds),
      held = try tables.acquire(plan.tables)
    defer { tables.release(held) }

    var report = start
    var inFlight: [(slot: RingSlot, band: Band)] = []
    func wait(_ slot: RingSlot) throws(GPUError) {
      do throws(GPUError) {
        try slot.wait()
      } catch {
        // A device that failed may still write.
        pages.abandon()
        throw error
      }
    }
    func retireOldest() throws(GPUError) {
      let (slot, band) = inFlight.removeFirst()
      var isHeld = true
      defer { if isHeld { slots.release(slot) } }
      try wait(slot)
      report.kernelNanoseconds = report.kernelNanoseconds.map { $0 + slot.kernelNanoseconds().reduce(0, +) }
      if let encoded = band.encoded {
        // Samples first: the stream takes their place in the memory.
        if let image = target.image, let bytes = slot.firstBytes {
          report.bytesCopied += band.copyOutput(bytes, to: image) { pages.place(of: $0, 0) == nil }
        }
        let isPossible =
          try slot.firstBytes.map { (output) throws(GPUError) in
            try target.append(encoded, output) { (part) throws(GPUError) in try slot.read(band, part, slots.spares) }
          } ?? false
        guard isPossible else { throw .mismatch(device: device.name, words: 1, first: "the head of a band's codes") }
        return report.add(band, slot)
      }
      report.add(band, slot)
      if band.sums != nil, slot.firstBytes.map({ target.measure(band, $0) }) != true {
        throw .mismatch(device: device.name, words: 1, first: "what was measured of a band")
      }
      guard let image = target.image else { return }
      if let readback = slot.takeReadback() {
        // The device part serves the next band while this thread copies.
        slots.release(slot)
        isHeld = false
        if let result = readback.mapped {
          report.bytesCopied += band.copyOutput(result, to: image) { pages.place(of: $0, 0) == nil }
        }
        slots.spares.give(readback)
      } else if let result = slot.result {
        report.bytesCopied += band.copyOutput(result, to: image)
      }
    }
    do throws(GPUError) {
      for band in bands {
        if deadline.isPassed { throw .late }
        // An item thread that holds slots never waits for other threads' slots, only for the device, so no deadlock is
        // possible.
        var slot: RingSlot?
        while slot == nil {
          if inFlight.isEmpty {
            slot = try slots.acquire(band.cost)
          } else {
            if inFlight.count < Self.bandsOfPicture { slot = try slots.tryAcquire(band.cost) }
            if slot == nil { try retireOldest() }
          }
        }
        guard let slot else { continue }
        do throws(GPUError) {
          try slot.submit(
            band, plan, kernels: passKernels, tables: held?.buffer, work: work, into: target.image, pages,
            spares: slots.spares)
        } catch {
          // A part of the band may have been submitted.
          try? wait(slot)
          slots.release(slot)
          throw error
        }
        inFlight.append((slot, band))
      }
      while !inFlight.isEmpty { try retireOldest() }
    } catch {
      for (slot, _) in inFlight {
        try? wait(slot)
        slots.release(slot)
      }
      throw error
    }
    timings.withLock { [report] in $0 = report }
    return report
  }
}
