import Glibc
import HDRCore
import HDRPlan

extension Band {
  /// Writes frame words, constants and pixels where the device will read them.
  ///
  /// - Parameter base: `uploadBytes` bytes.
  package func writeInput(_ plan: Plan, to base: UnsafeMutableRawPointer) {
    func put(_ words: ArraySlice<UInt32>, at offset: Int) {
      words.withUnsafeBytes { if let from = $0.baseAddress { memcpy(base + offset, from, $0.count) } }
    }
    for dispatch in dispatches {
      put(dispatch.frame[...], at: dispatch.frameOffset)
      let constants = plan.constants[plan.passes[dispatch.pass].constantsBase...]
      put(constants.prefix(SharedLayout.constantBytes / 4), at: dispatch.constantsOffset)
    }
    for copy in copies {
      let from = copy.buffer.base + copy.offset, to = base + copy.target
      if copy.rowBytes == copy.targetRowBytes {
        memcpy(to, from, copy.rowBytes * (copy.rows - 1) + copy.bytes)
      } else {
        for row in 0..<copy.rows { memcpy(to + row * copy.targetRowBytes, from + row * copy.rowBytes, copy.bytes) }
      }
    }
  }

  /// Copies the band's planes to their place in the picture.
  ///
  /// - Parameter base: `outputBytes` bytes.
  package func copyOutput(_ base: UnsafeRawPointer, to image: SampleImage) {
    let targets = image.channels + (image.alpha.map { [$0] } ?? [])
    for (target, plane) in zip(targets, outputPlanes) {
      memcpy(
        target.buffer.base + plane.rows.lowerBound * plane.rowBytes, base + plane.offset,
        plane.rowBytes * plane.rows.count)
    }
  }
}
