import CVulkan
import Glibc
import HDRCore
import HDRPlan
import Synchronization

/// The imports of a device, one for each host block. Locking pages takes as long as copying them, so it is done once
/// for all pictures that a block holds. Threads wait only for imports of their own pages.
final class HostImports: Sendable {
  private final class Entry: Sendable {
    /// The bytes that were asked for.
    let bytes: Int
    /// `nil` if the device does not take the block's pages.
    let pages = Promise<HostImport?>()
    init(bytes: Int) { self.bytes = bytes }

    var isRefused: Bool { if case .some(.none) = pages.value { true } else { false } }
  }

  private let context: GPUContext
  private let entries = Mutex<[ObjectIdentifier: Entry]>([:])

  init(_ context: GPUContext) { self.context = context }

  /// Returns the block's first bytes, at least so many; `nil` if the device does not take them. A block that holds a
  /// larger picture than before is imported anew. The pages after the last picture are not touched.
  fileprivate func pages(of block: HostBlock, bytes: Int, _ counts: inout GPUTimings) -> HostImport? {
    let key = ObjectIdentifier(block), bytes = HostBlock.wholePages(bytes)
    let (entry, before) = entries.withLock { entries -> (Entry, Entry?) in
      let before = entries[key]
      if let before, before.bytes >= bytes || before.isRefused { return (before, before) }
      if before == nil { block.onChange { [weak self] in self?.drop(key) } }
      let entry = Entry(bytes: bytes)
      entries[key] = entry
      return (entry, before)
    }
    if entry === before { return (try? entry.pages.get()) ?? nil }
    // Several threads make pages at once here. The driver makes those that are missing one by one, at a tenth of the
    // speed: 2 GB/s on an H100, for all threads together.
    _ = madvise(block.base, bytes, MADV_POPULATE_WRITE)
    let pages = HostImport(context, block.base, bytes: bytes)
    if pages == nil { counts.failedImports += 1 } else { counts.imports += 1 }
    entry.pages.keep(.success(pages))
    return pages
  }

  private func drop(_ key: ObjectIdentifier) {
    guard let dropped = entries.withLock({ $0.removeValue(forKey: key) }) else { return }
    // The pages must not change while they are imported.
    _ = try? dropped.pages.get()
  }
}

/// The memory of a picture in flight, sources and output, and the imports of what of it is in host blocks.
final class PicturePages {
  private let buffers: [PixelBuffer]
  private var imports: [ObjectIdentifier: HostImport] = [:]

  /// - Parameters:
  ///   - output: `nil` for a picture that is encoded.
  ///   - known: the imports of the device; `nil` if it has none.
  init(_ plan: Plan, _ output: SampleImage?, _ known: HostImports?, _ counts: inout GPUTimings) {
    var images = output.map { [$0] } ?? []
    for case .image(let image) in plan.passes.flatMap(\.sources) { images.append(image) }
    let buffers = images.flatMap { image in (image.channels + (image.alpha.map { [$0] } ?? [])).map(\.buffer) }
    self.buffers = buffers
    guard let known else { return }
    var blocks: [ObjectIdentifier: (block: HostBlock, bytes: Int)] = [:]
    for buffer in buffers {
      guard let block = buffer.block else { continue }
      let end = buffer.base - block.base + buffer.byteCount, key = ObjectIdentifier(block)
      blocks[key] = (block, max(blocks[key]?.bytes ?? 0, end))
    }
    for (key, (block, bytes)) in blocks { imports[key] = known.pages(of: block, bytes: bytes, &counts) }
  }

  // The imports end before the memory.
  deinit { imports = [:] }

  /// Returns the buffer that copies use for a place in the picture's memory, and the offset in it; `nil` if the host
  /// must copy.
  func place(of buffer: PixelBuffer, _ offset: Int) -> (handle: VkBuffer, offset: Int)? {
    guard let block = buffer.block, let pages = imports[ObjectIdentifier(block)] else { return nil }
    return (pages.handle, buffer.base - block.base + offset)
  }

  /// Keeps the memory to the end of the process, if anything of it is imported.
  func abandon() { if !imports.isEmpty { _ = Unmanaged.passRetained(self) } }
}
