import CVulkan
import HDRCore
import HDRPlan

/// A slot of the ring: buffers that grow to the largest band seen, and its own command buffers and timeline.
///
/// A band passes through three submissions, upload, dispatch and readback, on queues of their own where the device has
/// them; each waits for the slot's timeline to reach the one before. Slots do not wait for each other, so one uploads
/// while another computes and a third reads back. Where host and device share memory there is the dispatch only.
/// One thread owns a slot at a time.
final class RingSlot: @unchecked Sendable {
  /// The traffic counts the submissions for a band, and the bytes that were moved.
  struct Traffic {
    var submissions = 0
    var bytesUploaded = 0
    var bytesReadBack = 0
    /// Bytes that the host wrote for the device.
    var bytesWritten = 0
  }

  private let context: GPUContext
  private let workGroup: (x: Int, y: Int)
  private let uploadCommands: CommandPool
  private let computeCommands: CommandPool
  private let readbackCommands: CommandPool
  /// Readback on the compute queue, for copy engines that cannot copy part of an image.
  private let imageCommands: CommandPool
  private let timeline: Timeline
  private let timestamps: TimestampPool?
  private let sets: DescriptorSets
  private var staging: GPUBuffer?
  private var input: GPUBuffer?
  private var scratch: GPUBuffer?
  private var output: GPUBuffer?
  private var readback: GPUBuffer?
  /// The place in the last band's output of the readback's first byte.
  private var readStart = 0
  private var image: GPUImage?
  private var images: [GPUImage] = []
  private var passCount = 0
  /// The dispatches of the last band: a pass with much work has several.
  private(set) var dispatchCount = 0
  /// The cost of the last band but for its dispatches, for `GPUTimings`.
  private(set) var traffic = Traffic()
  /// The estimated seconds of the band in flight.
  private var seconds = 0.0

  /// The most passes of a band.
  static let maxPasses = 256

  init(_ context: GPUContext, workGroup: (x: Int, y: Int)) throws(GPUError) {
    self.context = context
    self.workGroup = workGroup
    uploadCommands = try CommandPool(context, context.upload.family)
    computeCommands = try CommandPool(context, context.compute.family)
    readbackCommands = try CommandPool(context, context.readback.family)
    imageCommands = try CommandPool(context, context.compute.family)
    timeline = try Timeline(context)
    timestamps = TimestampPool(context, intervals: Self.maxPasses)
    sets = try DescriptorSets(context, capacity: Self.maxPasses)
  }

  /// Copies the band's pixels and words in and submits everything; returns before the device is done.
  ///
  /// - Parameters:
  ///   - kernels: one for each pass of the plan.
  ///   - work: the estimated time of the plan's bands.
  ///   - image: the picture that the band is a part of, `nil` for a band that is encoded; `pages` is the memory of the
  ///     picture and its sources.
  ///   - spares: buffers for reading back.
  func submit(
    _ band: Band, _ plan: Plan, kernels: [KernelPipeline], tables: GPUBuffer?, work: PlanWork, into image: SampleImage?,
    _ pages: PicturePages, spares: SpareBuffers
  ) throws(GPUError) {
    guard band.dispatches.count <= Self.maxPasses else {
      throw .badPlan("a band needs \(band.dispatches.count) dispatches")
    }
    let copied = band.copies.map { $0.suitsDevice ? pages.place(of: $0.buffer, $0.offset) : nil }
    let parts = UploadParts(band, direct: Set(copied.indices.filter { copied[$0] != nil }))
    let targets = (image.map { band.targets(in: $0) } ?? []).map { ($0.plane, pages.place(of: $0.buffer, $0.offset)) }
    // What the device copies to the picture itself needs no room.
    let isCopied = image != nil && targets.allSatisfy { $0.1 != nil }
    readStart = isCopied ? band.extraBytes?.lowerBound ?? 0 : 0
    try reserve(band, parts, readback: isCopied ? band.extraBytes?.count ?? 0 : band.readBytes, spares)
    passCount = band.dispatches.count
    dispatchCount = 0
    traffic = Traffic()
    seconds = work.seconds(of: band)
    context.workload.add(seconds)
    let transfer = VK_PIPELINE_STAGE_TRANSFER_BIT.rawValue, shader = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT.rawValue
    func submit(_ queue: DeviceQueue, _ commands: CommandPool, after stage: UInt32) throws(GPUError) {
      try timeline.submit(queue, commands, after: stage)
      traffic.submissions += 1
    }
    if let base = (context.isUnified ? input : staging)?.mapped {
      traffic.bytesWritten = band.writeInput(plan, to: base, parts)
    }
    if context.isUnified {
      try recordCompute(band, kernels: kernels, tables: tables, work)
      try submit(context.compute, computeCommands, after: 0)
    } else {
      let onCompute = band.usesImage && !context.readsBackImages
      let back = onCompute ? imageCommands : readbackCommands
      try recordUpload(band, parts, copied)
      // The host has waited for the slot's last band, on another queue. Waiting here, too, costs nothing and orders the
      // two uploads where a validation layer looks for it: on the device.
      try submit(context.upload, uploadCommands, after: transfer)
      try recordCompute(band, kernels: kernels, tables: tables, work)
      try submit(context.compute, computeCommands, after: shader)
      try recordReadback(band, targets, back)
      try submit(onCompute ? context.compute : context.readback, back, after: transfer)
    }
  }

  /// Waits until the device is done with the slot.
  func wait() throws(GPUError) {
    defer {
      context.workload.add(-seconds)
      seconds = 0
    }
    try timeline.wait()
  }

  /// The last band's output where host and device share memory, valid until the next submission.
  var result: UnsafeRawPointer? { context.isUnified ? output?.mapped.map { UnsafeRawPointer($0) } : nil }

  /// Gives away the buffer with the last band's output, but for what the device has copied to the picture itself; `nil`
  /// where that is all, or where host and device share memory.
  func takeReadback() -> GPUBuffer? {
    defer { readback = nil }
    return readback
  }

  /// The first `readBytes` of the last band's output, but for what the device has copied to the picture itself, which
  /// may not be in memory; valid until the next submission.
  var firstBytes: UnsafeRawPointer? {
    context.isUnified ? result : readback?.mapped.map { UnsafeRawPointer($0) - readStart }
  }

  /// Reads a part of the last band's output, in the place of the first bytes. It is waited for, and valid until the next
  /// submission.
  func read(_ band: Band, _ part: Range<Int>, _ spares: SpareBuffers) throws(GPUError) -> UnsafeRawPointer? {
    if context.isUnified { return result.map { $0 + part.lowerBound } }
    if (readback?.bytes ?? 0) < part.count {
      if let small = takeReadback() { spares.give(small) }
      readback = spares.take(part.count)
      if readback == nil { readback = try GPUBuffer(context, .readback, bytes: part.count, what: "readback") }
    }
    guard let readback else { return nil }
    let commands = try readbackCommands.begin()
    copyBack(band, commands, CopiedBytes(from: part.lowerBound, to: 0, count: part.count), to: readback.handle)
    context.functions.barrier(commands, from: .copyWrite, to: .hostRead)
    try readbackCommands.end()
    try timeline.submit(context.readback, readbackCommands, after: VK_PIPELINE_STAGE_TRANSFER_BIT.rawValue)
    traffic.submissions += 1
    try timeline.wait()
    return readback.mapped.map { UnsafeRawPointer($0) }
  }

  /// The bytes of device memory that the slot holds.
  var deviceBytes: Int {
    let buffers = (input?.bytes ?? 0) + (scratch?.bytes ?? 0) + (output?.bytes ?? 0)
    return (images + (image.map { [$0] } ?? [])).reduce(buffers) { $0 + 8 * $1.width * $1.height }
  }

  /// Nanoseconds of the last band's passes, in order; empty where the device has no clock.
  func kernelNanoseconds() -> [Double] { timestamps?.nanoseconds(passCount) ?? [] }

  /// Gives all memory back, for another try with smaller bands.
  func shrink() {
    staging = nil
    input = nil
    scratch = nil
    output = nil
    readback = nil
    image = nil
    images = []
  }

  // MARK: - Memory

  private func reserve(
    _ band: Band, _ parts: UploadParts, readback bytes: Int, _ spares: SpareBuffers
  ) throws(GPUError) {
    func grow(_ buffer: inout GPUBuffer?, _ kind: MemoryKind, _ bytes: Int, _ what: String) throws(GPUError) {
      if bytes == 0 || (buffer?.bytes ?? 0) >= bytes { return }
      // The old one is freed first: both at once might not fit.
      buffer = nil
      buffer = try GPUBuffer(context, kind, bytes: bytes, what: what)
    }
    try grow(&scratch, .device, band.scratchBytes, "intermediate planes")
    if context.isUnified {
      try grow(&input, .unified, band.uploadBytes, "input of a band")
      try grow(&output, .unified, band.outputBytes, "output of a band")
    } else {
      try grow(&staging, .staging, parts.hostBytes, "upload staging")
      try grow(&input, .device, band.uploadBytes, "input of a band")
      if !band.usesImage { try grow(&output, .device, band.outputBytes, "output of a band") }
      if (readback?.bytes ?? 0) < bytes { readback = spares.take(bytes) }
      try grow(&readback, .readback, bytes, "readback")
    }
    for (index, size) in band.images.enumerated() {
      if index < images.count {
        if ImageSize(width: images[index].width, height: images[index].height).holds(size) { continue }
        // The old one is freed first, and those after it.
        images.removeLast(images.count - index)
      }
      images.append(try GPUImage(context, width: size.width, height: size.height))
    }
    if band.usesImage {
      let fits = image.map { $0.width >= band.width && $0.height >= band.rows.count } ?? false
      if !fits {
        image = nil
        image = try GPUImage(context, width: band.width, height: band.rows.count)
      }
    }
  }

  // MARK: - Commands

  /// - Parameter copied: for each of the band's copies the host's pages that the device copies from, if it does.
  private func recordUpload(
    _ band: Band, _ parts: UploadParts, _ copied: [(handle: VkBuffer, offset: Int)?]
  ) throws(GPUError) {
    guard let staging, let input else { return }
    let commands = try uploadCommands.begin()
    func upload(_ from: VkBuffer, _ bytes: [CopiedBytes]) {
      context.functions.copy(commands, from, to: input.handle, bytes)
      traffic.bytesUploaded += bytes.reduce(0) { $0 + $1.count }
    }
    upload(
      staging.handle, parts.written.map { CopiedBytes(from: $0.place, to: $0.range.lowerBound, count: $0.range.count) })
    for (copy, pages) in zip(band.copies, copied) {
      guard let pages else { continue }
      if copy.keepsRows {
        upload(pages.handle, [CopiedBytes(from: pages.offset, to: copy.target, count: copy.targetBytes)])
      } else {
        upload(
          pages.handle,
          (0..<copy.rows).map { row in
            CopiedBytes(
              from: pages.offset + row * copy.rowBytes, to: copy.target + row * copy.targetRowBytes, count: copy.bytes)
          })
      }
    }
    try uploadCommands.end()
  }

  private func recordCompute(
    _ band: Band, kernels: [KernelPipeline], tables: GPUBuffer?, _ work: PlanWork
  ) throws(GPUError) {
    let f = context.functions
    try sets.reset()
    let commands = try computeCommands.begin()
    timestamps?.reset(commands)
    if band.usesImage, let image { f.discard(commands, image.handle) }
    for image in images.prefix(band.images.count) { f.discard(commands, image.handle) }
    // The host has waited for the band that wrote them, on this queue.
    if band.readsPlanes {
      f.barrier(commands, from: .shaderWrite, to: .shaderRead)
      f.barrier(commands, from: .copyWrite, to: .shaderRead)
    }
    for (index, dispatch) in band.dispatches.enumerated() {
      if index > 0 { f.barrier(commands, from: .shaderWrite, to: .shaderReadWrite) }
      var set: VkDescriptorSet? = try sets.make(bindings(dispatch, tables: tables))
      f.cmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, kernels[dispatch.kernel].pipeline)
      f.cmdBindSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, context.pipelineLayout, 0, 1, &set, 0, nil)
      timestamps?.begin(commands, index)
      let columns = UInt32((dispatch.columns + workGroup.x - 1) / workGroup.x)
      for rows in work.pieces(of: dispatch, workGroup: workGroup) {
        // Most passes are one dispatch, for which no base is needed.
        if rows.lowerBound == 0 {
          f.cmdDispatch(commands, columns, UInt32(rows.count), 1)
        } else {
          f.cmdDispatchBase(commands, 0, UInt32(rows.lowerBound), 0, columns, UInt32(rows.count), 1)
        }
        dispatchCount += 1
      }
      timestamps?.end(commands, index)
    }
    if let kept = band.kept { keep(kept, band, commands) }
    if band.usesImage, let image {
      f.finish(commands, image.handle, to: context.isUnified ? .copyRead : .semaphore)
    }
    if context.isUnified {
      if band.usesImage, let image, let output {
        f.copy(commands, image.handle, width: band.width, height: band.rows.count, to: output.handle)
        f.barrier(commands, from: .copyWrite, to: .hostRead)
      } else {
        f.barrier(commands, from: .shaderWrite, to: .hostRead)
      }
    }
    try computeCommands.end()
  }

  /// Copies pixels to the memory in which they stay.
  private func keep(_ kept: KeptPixels, _ band: Band, _ commands: VkCommandBuffer) {
    let f = context.functions, target = kept.picture.buffer.handle, plane = kept.plane
    switch kept.pixels {
    case .intermediate(let index):
      f.finish(commands, images[index].handle, to: .copyRead)
      f.copy(commands, images[index].handle, width: band.width, height: band.rows.count, to: target, at: plane.offset)
    case .scratch(let offset, _):
      f.barrier(commands, from: .shaderWrite, to: .copyRead)
      guard let scratch else { return }
      f.copy(commands, scratch.handle, to: target, [CopiedBytes(from: offset, to: plane.offset, count: plane.bytes)])
    case .output(let offset, _):
      f.barrier(commands, from: .shaderWrite, to: .copyRead)
      guard let output else { return }
      f.copy(commands, output.handle, to: target, [CopiedBytes(from: offset, to: plane.offset, count: plane.bytes)])
    case .input, .planes, .image: break
    }
  }

  /// - Parameter targets: the band's planes, each with the host's pages that the device copies it to, if it does.
  private func recordReadback(
    _ band: Band, _ targets: [(plane: BandPlane, pages: (handle: VkBuffer, offset: Int)?)], _ pool: CommandPool
  ) throws(GPUError) {
    let f = context.functions, commands = try pool.begin()
    // Planes without pages stay together: one copy moves them all if none has any.
    if targets.allSatisfy({ $0.pages == nil }), let readback {
      copyBack(band, commands, CopiedBytes(from: 0, to: 0, count: band.readBytes), to: readback.handle)
    } else {
      for (plane, pages) in targets {
        guard let place = pages ?? readback.map({ ($0.handle, plane.offset) }) else { continue }
        let bytes = CopiedBytes(from: plane.offset, to: place.offset, count: plane.bytes)
        copyBack(band, commands, bytes, to: place.handle)
      }
      if let extra = band.extraBytes, let readback {
        let bytes = CopiedBytes(from: extra.lowerBound, to: extra.lowerBound - readStart, count: extra.count)
        copyBack(band, commands, bytes, to: readback.handle)
      }
    }
    f.barrier(commands, from: .copyWrite, to: .hostRead)
    try pool.end()
  }

  /// Copies a part of the band's output; an image is one part.
  private func copyBack(_ band: Band, _ commands: VkCommandBuffer, _ bytes: CopiedBytes, to target: VkBuffer) {
    if band.usesImage, let image {
      context.functions.copy(
        commands, image.handle, width: band.width, height: band.rows.count, to: target, at: bytes.to)
    } else if let output {
      context.functions.copy(commands, output.handle, to: target, [bytes])
    }
    traffic.bytesReadBack += bytes.count
  }

  /// Bindings of a dispatch (glsl/shared/prelude.glsl): frame, constants, tables, sources, output, images.
  private func bindings(_ dispatch: BandDispatch, tables: GPUBuffer?) -> [Int: Bound] {
    var result: [Int: Bound] = [:]
    func bind(_ number: Int, _ region: Region) {
      switch region {
      case .input(let offset, let bytes):
        result[number] = input.map { .buffer($0.handle, offset: offset, bytes: bytes) }
      case .scratch(let offset, let bytes):
        result[number] = scratch.map { .buffer($0.handle, offset: offset, bytes: bytes) }
      case .output(let offset, let bytes):
        result[number] = output.map { .buffer($0.handle, offset: offset, bytes: bytes) }
      case .planes(let planes, let offset, let bytes):
        result[number] = .buffer(planes.buffer.handle, offset: offset, bytes: bytes)
      case .image: result[SharedLayout.image] = image.map { .image($0.view) }
      case .intermediate(let index): result[SharedLayout.image] = .image(images[index].view)
      }
    }
    bind(0, .input(offset: dispatch.frameOffset, bytes: SharedLayout.frameBytes))
    bind(1, .input(offset: dispatch.constantsOffset, bytes: SharedLayout.constantBytes))
    // Every buffer binding is filled: a kernel may name a source that this pass does not have, after a constant test.
    for number in 2...7 { result[number] = result[0] }
    if let tables { result[2] = .buffer(tables.handle, offset: 0, bytes: tables.bytes) }
    var halves: [Bound] = []
    for (index, source) in dispatch.sources.enumerated() {
      if case .intermediate(let image) = source {
        halves.append(.image(images[image].view))
      } else {
        bind(3 + index, source)
      }
    }
    // A kernel that reads one of the images names all.
    if let first = halves.first {
      for index in 0..<Pass.maxHalfSources {
        result[SharedLayout.firstSourceImage + index] = index < halves.count ? halves[index] : first
      }
    }
    bind(7, dispatch.output)
    return result
  }
}
