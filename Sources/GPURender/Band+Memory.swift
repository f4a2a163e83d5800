import Glibc
import HDRCore
import HDRPlan

extension Band {
  /// Writes frame words, constants and pixels where the device will read them.
  ///
  /// - Parameters:
  ///   - base: `parts.hostBytes` bytes.
  ///   - parts: the parts that are written; `nil`: all of them, in `uploadBytes` bytes.
  /// - Returns: the bytes written.
  @discardableResult
  package func writeInput(_ plan: Plan, to base: UnsafeMutableRawPointer, _ parts: UploadParts? = nil) -> Int {
    var written = 0
    func put(_ from: UnsafeRawPointer, _ count: Int, at offset: Int) {
      memcpy(base + (parts?.place(of: offset) ?? offset), from, count)
      written += count
    }
    func put(_ words: ArraySlice<UInt32>, at offset: Int) {
      words.withUnsafeBytes { if let from = $0.baseAddress { put(from, $0.count, at: offset) } }
    }
    for dispatch in dispatches {
      put(dispatch.frame[...], at: dispatch.frameOffset)
      // Kernels that encode have no constants.
      guard dispatch.kernel < plan.passes.count else { continue }
      let constants = plan.constants[plan.passes[dispatch.kernel].constantsBase...]
      put(constants.prefix(SharedLayout.constantBytes / 4), at: dispatch.constantsOffset)
    }
    for (index, copy) in copies.enumerated() where parts?.direct.contains(index) != true {
      let from = copy.buffer.base + copy.offset
      if copy.keepsRows {
        put(from, copy.targetBytes, at: copy.target)
      } else {
        for row in 0..<copy.rows {
          put(from + row * copy.rowBytes, copy.bytes, at: copy.target + row * copy.targetRowBytes)
        }
      }
    }
    return written
  }

  /// Returns the band's planes with their place in the picture's memory.
  func targets(in image: SampleImage) -> [(plane: BandPlane, buffer: PixelBuffer, offset: Int)] {
    zip(image.channels + (image.alpha.map { [$0] } ?? []), outputPlanes).map { target, plane in
      (plane, target.buffer, plane.rows.lowerBound * plane.rowBytes)
    }
  }

  /// Copies the band's planes to their place in the picture.
  ///
  /// - Parameters:
  ///   - base: `outputBytes` bytes.
  ///   - isWanted: false for the memory that the device has written itself.
  /// - Returns: the bytes copied.
  @discardableResult
  package func copyOutput(
    _ base: UnsafeRawPointer, to image: SampleImage, where isWanted: (PixelBuffer) -> Bool = { _ in true }
  ) -> Int {
    targets(in: image).filter { isWanted($0.buffer) }.reduce(0) { copied, target in
      memcpy(target.buffer.base + target.offset, base + target.plane.offset, target.plane.bytes)
      return copied + target.plane.bytes
    }
  }
}

extension SlabCopy {
  /// True if rows keep their distance: one copy moves all.
  var keepsRows: Bool { rowBytes == targetRowBytes }
  /// Bytes from the first to the last of the copy in the input buffer.
  var targetBytes: Int { targetRowBytes * (rows - 1) + bytes }
  /// True if the device copies this as fast as the host: short rows that are copied one by one take it longer.
  var suitsDevice: Bool { keepsRows || bytes >= 4096 }
}

extension BandPlane {
  var bytes: Int { rowBytes * rows.count }
}

/// The parts of a band's input: pixels that the device copies from the host's pages, and between them what the host
/// writes, which lies close together in staging memory.
package struct UploadParts {
  /// The copies that the device makes, by index in `Band.copies`.
  let direct: Set<Int>
  /// The ranges of the input buffer that the host writes, each with its place in staging memory; in order.
  private(set) var written: [(range: Range<Int>, place: Int)] = []
  private(set) var hostBytes = 0

  init(_ band: Band, direct: Set<Int>) {
    self.direct = direct
    var next = 0
    func add(_ range: Range<Int>) {
      if range.isEmpty { return }
      written.append((range, hostBytes))
      hostBytes += range.count
    }
    for copy in direct.map({ band.copies[$0] }).sorted(by: { $0.target < $1.target }) {
      add(next..<copy.target)
      next = copy.target + copy.targetBytes
    }
    add(next..<band.uploadBytes)
  }

  /// Returns the place in staging memory of what the host writes at an offset of the input buffer.
  func place(of offset: Int) -> Int {
    let part = written.last { $0.range.lowerBound <= offset } ?? (0..<0, 0)
    return part.place + offset - part.range.lowerBound
  }
}
