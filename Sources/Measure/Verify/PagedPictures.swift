import GPURender
import HDRCore
import HDRPlan
import Synchronization

/// Renders every other plan with its pictures in pages that a device may import, as those of a batch lie, so that both
/// ways of copying are compared. The others are small and lie in the heap.
final class PagedPictures: Sendable {
  let renderer: GPURenderer
  private let count = Atomic(0)

  init(_ renderer: GPURenderer) { self.renderer = renderer }

  func render(_ plan: Plan) throws(GPUError) -> SampleImage {
    let (number, _) = count.add(1, ordering: .relaxed)
    return number % 2 == 0
      ? try renderer.render(plan) : try renderer.render(plan.moved(to: Self.buffer), memory: Self.buffer)
  }

  private static func buffer(_ byteCount: Int) -> PixelBuffer {
    // At the end of the pages, where vector loads may still overrun: an import of less than 1 MiB would be a small
    // allocation, of which devices allow few.
    let step = PixelBuffer.alignment, bytes = HostBlock.wholePages(max(byteCount + step, 1 << 20))
    let block = HostBlock(.allocate(byteCount: bytes, alignment: HostBlock.pageBytes), byteCount: bytes) {
      $0.deallocate()
    }
    let place = block.base + (bytes - byteCount - step) / step * step
    return PixelBuffer(adopting: place, byteCount: byteCount, in: block) { _ in }
  }
}
