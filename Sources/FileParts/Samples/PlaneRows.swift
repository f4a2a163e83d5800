import HDRCore

/// The rows of `float32` planes R, G and B, and A if wanted, checked once so that the loops need no checks.
package struct PlaneRows {
  private let planes: [SamplePlane]
  package let width: Int
  package let height: Int

  /// Checks the layout of a picture; throws `EncodeError.unsupported` for any other.
  package init(_ image: SampleImage, hasAlpha: Bool, kind: OutputKind) throws(EncodeError) {
    planes = image.channels + (hasAlpha ? [image.alpha].compactMap(\.self) : [])
    (width, height) = (image.width, image.height)
    guard image.model == .rgb, image.format == .float32, image.alphaFormat == .float32, width > 0, height > 0,
      planes.count == (hasAlpha ? 4 : 3),
      planes.allSatisfy({ [width, height] plane in
        plane.width == width && plane.height == height && plane.stepBytes == 4 && plane.rowBytes >= 4 * width
          && plane.offset >= 0 && plane.offset % 4 == 0 && plane.rowBytes % 4 == 0
          && plane.offset + (height - 1) * plane.rowBytes + 4 * width <= plane.buffer.byteCount
      })
    else { throw image.refusal(for: kind.rawValue) }
  }

  package func row(_ channel: Int, _ y: Int) -> UnsafePointer<Float> {
    let plane = planes[channel], row = plane.buffer.base + plane.offset + y * plane.rowBytes
    return UnsafePointer(row.assumingMemoryBound(to: Float.self))
  }
}

extension SampleImage {
  /// Returns the error of an encoder that does not support this layout.
  package func refusal(for output: String) -> EncodeError {
    .unsupported(
      feature: "pixel layout for \(output)", found: "\(model.rawValue), \(format.rawValue), \(channels.count) channels")
  }
}
