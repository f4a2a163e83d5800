import Glibc
import HDRCore
import HDRPlan
import Kernels
import Synchronization

/// The planes of a JPEG that a device has decoded, or the pixels of a picture that it has rendered, and keeps: passes on the
/// same device read them where they are. They are brought to the host for all other readers.
package final class DevicePlanes: DeviceSamples {
  let context: GPUContext
  let buffer: GPUBuffer
  /// The places of the planes in the buffer, and in host memory.
  let layout: PlanesLayout
  private let slots: SlotPool
  private let reserved: UInt
  private struct State {
    var isHere = false
    var loss: String?
  }
  private let state = Mutex(State())

  /// - Returns: `nil` where the device or the host has no room for them.
  convenience init?(_ decoding: JPEGDecoding, _ context: GPUContext, _ slots: SlotPool) {
    self.init(PlanesLayout(decoding, alignment: context.limits.storageAlignment), context, slots)
  }

  /// - Returns: `nil` also for pixels of several planes.
  convenience init?(_ pass: Pass, _ context: GPUContext, _ slots: SlotPool) {
    guard let layout = PlanesLayout(pass, alignment: context.limits.storageAlignment) else { return nil }
    self.init(layout, context, slots)
  }

  private init?(_ layout: PlanesLayout, _ context: GPUContext, _ slots: SlotPool) {
    guard layout.bytes <= context.limits.storageRange, slots.hold(layout.bytes) else { return nil }
    let base = mmap(
      nil, HostBlock.wholePages(layout.bytes), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard let base, base != MAP_FAILED else {
      slots.letGo(layout.bytes)
      return nil
    }
    guard let buffer = try? GPUBuffer(context, .device, bytes: layout.bytes, what: "samples of a picture") else {
      munmap(base, HostBlock.wholePages(layout.bytes))
      slots.letGo(layout.bytes)
      return nil
    }
    (self.context, self.slots, self.layout, self.buffer) = (context, slots, layout, buffer)
    reserved = UInt(bitPattern: base)
  }

  deinit {
    munmap(base, HostBlock.wholePages(bytes))
    slots.letGo(bytes)
    // A device that hangs may still write.
    if context.hangs { _ = Unmanaged.passRetained(buffer) }
  }

  package var bytes: Int { layout.bytes }
  package var areHere: Bool { state.withLock { $0.isHere } }
  /// Why another decoder has made the samples in host memory; `nil` if none had to.
  package var loss: String? { state.withLock { $0.loss } }
  private var base: UnsafeMutableRawPointer { UnsafeMutableRawPointer(bitPattern: reserved)! }

  /// The picture, whose samples the device has.
  func image(_ decoding: JPEGDecoding) -> SampleImage {
    let buffer = PixelBuffer(self, at: base, byteCount: bytes)
    var image = decoding.makeImage { _ in buffer }
    for (index, plane) in layout.planes.enumerated() { image.channels[index].offset = plane.offset }
    return image
  }

  /// The picture that a pass has made, whose pixels the device has.
  func image(_ pass: Pass) -> SampleImage {
    let buffer = PixelBuffer(self, at: base, byteCount: bytes)
    return pass.sink.makeImage(width: pass.width, height: pass.height) { _ in buffer }
  }

  /// Copies the samples to host memory, if they are not there.
  ///
  /// - Throws: `.samplesLost`.
  package func bring() throws(GPUError) {
    try state.withLock { (state) throws(GPUError) in
      if state.isHere { return }
      do throws(GPUError) {
        try readBack { (bytes) throws(GPUError) in
          try openMemory()
          memcpy(base, bytes, layout.bytes)
        }
      } catch {
        throw .samplesLost(reason: "\(error)")
      }
      state.isHere = true
    }
  }

  /// Takes the samples from a picture in host memory, as another decoder has made it of the same scan, or another renderer of
  /// the same plan.
  ///
  /// - Parameter loss: why the device cannot give them.
  /// - Throws: `.samplesLost` for a picture of another shape.
  package func fill(from image: SampleImage, because loss: String) throws(GPUError) {
    try state.withLock { (state) throws(GPUError) in
      if state.isHere { return }
      let step = layout.stepBytes
      guard image.format == layout.format, image.channels.count == layout.sizes.count,
        zip(image.channels, layout.sizes).allSatisfy({ ($0.width, $0.height) == $1 && $0.stepBytes == step })
      else { throw .samplesLost(reason: "another decoder makes another picture") }
      try openMemory()
      for (source, target) in zip(image.channels, layout.planes) {
        for row in 0..<source.height {
          memcpy(
            base + target.offset + row * target.rowBytes, source.buffer.base + source.offset + row * source.rowBytes,
            source.width * step)
        }
      }
      state = State(isHere: true, loss: loss)
    }
  }

  private func openMemory() throws(GPUError) {
    if mprotect(base, HostBlock.wholePages(bytes), PROT_READ | PROT_WRITE) != 0 {
      throw .outOfMemory(what: "decoded planes in host memory", bytes: bytes)
    }
  }

  /// Copies the buffer to memory that the host reads.
  private func readBack(_ use: (UnsafeRawPointer) throws(GPUError) -> Void) throws(GPUError) {
    try context.checkAlive()
    let copy = try GPUBuffer(context, .readback, bytes: bytes, what: "decoded planes")
    let commands = try CommandPool(context, context.compute.family), timeline = try Timeline(context)
    let f = context.functions, recorded = try commands.begin()
    f.barrier(recorded, from: .shaderWrite, to: .copyRead)
    f.barrier(recorded, from: .copyWrite, to: .copyRead)
    f.copy(recorded, buffer.handle, to: copy.handle, bytes: bytes)
    f.barrier(recorded, from: .copyWrite, to: .hostRead)
    try commands.end()
    do throws(GPUError) {
      try timeline.submit(context.compute, commands, after: 0)
      try timeline.wait()
    } catch {
      if context.hangs {
        for held in [copy, commands, timeline] as [AnyObject] { _ = Unmanaged.passRetained(held) }
      }
      throw error
    }
    if let bytes = copy.mapped { try use(bytes) }
  }
}

/// The places of a scan's planes in one buffer, rows of whole blocks; or of a picture's pixels.
struct PlanesLayout {
  private(set) var planes: [BandPlane] = []
  /// The sizes of the channels in samples, without the padding of blocks.
  let sizes: [(width: Int, height: Int)]
  let format: SampleFormat
  /// The bytes from a sample to the next of its channel.
  let stepBytes: Int
  private(set) var bytes = 0

  /// - Returns: `nil` for a pass whose pixels are not in one plane.
  init?(_ pass: Pass, alignment: Int) {
    guard !pass.sink.isPlanar else { return nil }
    switch pass.sink.kind {
    case .rgba8: format = .uint8
    case .rgba16f: format = .float16
    case .rgba16, .planarYCC, .floatPlanes: return nil
    }
    stepBytes = 4 * format.bytes
    sizes = Array(repeating: (pass.width, pass.height), count: 3)
    let plane = BandPlane(
      offset: 0, rowBytes: pass.sink.rowBytes(plane: 0, width: pass.width), rows: 0..<pass.height)
    (planes, bytes) = ([plane], (plane.bytes + alignment - 1) & ~(alignment - 1))
  }

  /// - Parameters:
  ///   - alignment: of each plane's start, and of the end.
  ///   - start: the place of the first.
  init(_ decoding: JPEGDecoding, alignment: Int, from start: Int = 0) {
    (format, stepBytes) = (.uint8, 1)
    sizes = decoding.layout.components.map { decoding.layout.samples($0) }
    bytes = start
    for component in decoding.layout.components {
      let size = decoding.blocks(component)
      let plane = BandPlane(offset: bytes, rowBytes: 8 * size.columns, rows: 0..<8 * size.rows)
      bytes = (bytes + plane.bytes + alignment - 1) & ~(alignment - 1)
      planes.append(plane)
    }
  }
}

extension SampleImage {
  /// The planes that a device holds; `nil` for samples in host memory alone.
  package var devicePlanes: DevicePlanes? { channels.first?.buffer.device as? DevicePlanes }
}

extension Plan {
  /// The planes that devices hold of the pictures that the plan reads.
  package var devicePlanes: [DevicePlanes] {
    var found: [DevicePlanes] = []
    func add(_ image: SampleImage) {
      if let planes = image.devicePlanes, !found.contains(where: { $0 === planes }) { found.append(planes) }
    }
    for case .image(let image) in passes.flatMap(\.sources) { add(image) }
    if let kept { add(kept) }
    return found
  }
}

extension GPURenderer {
  /// True if this device has the planes.
  package func holds(_ planes: DevicePlanes) -> Bool { planes.context === context }
}
