import HDRCore

/// The rows of interleaved R G B A samples, checked once so that the loops need no checks.
package struct PixelRows {
  private let buffer: PixelBuffer
  private let offset: Int
  package let rowBytes: Int
  package let width: Int
  package let height: Int
  private let stepBytes: Int

  package init(_ image: SampleImage, format: SampleFormat, kind: OutputKind) throws(EncodeError) {
    try self.init(image, format: format, output: kind.rawValue)
  }

  /// Checks the layout of a picture.
  ///
  /// - Parameter output: the name of the output, for the error.
  /// - Throws: `EncodeError.unsupported` when the picture has another layout than four interleaved samples of `format`.
  package init(_ image: SampleImage, format: SampleFormat, output: String) throws(EncodeError) {
    let refusal = image.refusal(for: output)
    guard image.model == .rgb, image.format == format, image.channels.count == 3, image.width > 0, image.height > 0
    else { throw refusal }
    let first = image.channels[0], step = 4 * format.bytes
    guard
      image.channels.enumerated().allSatisfy({ index, plane in
        plane.buffer === first.buffer && plane.offset == first.offset + index * format.bytes
          && plane.stepBytes == step && plane.rowBytes == first.rowBytes
          && plane.width == image.width && plane.height == image.height
      })
    else { throw refusal }
    // Each pixel has alpha as its fourth sample, used or not.
    guard first.offset >= 0, first.rowBytes >= image.width * step,
      first.offset + (image.height - 1) * first.rowBytes + image.width * step <= first.buffer.byteCount
    else { throw refusal }
    buffer = first.buffer
    offset = first.offset
    rowBytes = first.rowBytes
    width = image.width
    height = image.height
    stepBytes = step
  }

  /// The samples of all rows, if they lie without gaps in memory that only this process can write to; else `nil`.
  package var ownMemory: UnsafeRawBufferPointer? {
    buffer.isOwn && rowBytes == width * stepBytes
      ? UnsafeRawBufferPointer(start: row(0), count: rowBytes * height) : nil
  }

  package func row(_ y: Int) -> UnsafeRawPointer { UnsafeRawPointer(buffer.base + offset + y * rowBytes) }
}
