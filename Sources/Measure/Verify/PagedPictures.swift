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
      ? try renderer.render(plan) : try renderer.render(Self.moved(plan), memory: Self.buffer)
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

  private static func moved(_ plan: Plan) -> Plan {
    var copies: [ObjectIdentifier: PixelBuffer] = [:]
    func move(_ plane: SamplePlane) -> SamplePlane {
      let old = plane.buffer, key = ObjectIdentifier(old), new = copies[key] ?? buffer(old.byteCount)
      if copies.updateValue(new, forKey: key) == nil { new.base.copyMemory(from: old.base, byteCount: old.byteCount) }
      var plane = plane
      plane.buffer = new
      return plane
    }
    var moved = plan
    for pass in plan.passes.indices {
      for (place, source) in plan.passes[pass].sources.enumerated() {
        guard case .image(var image) = source else { continue }
        image.channels = image.channels.map(move)
        image.alpha = image.alpha.map(move)
        moved.passes[pass].sources[place] = .image(image)
      }
    }
    return moved
  }
}
