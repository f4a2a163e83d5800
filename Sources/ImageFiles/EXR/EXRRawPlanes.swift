import COpenEXR
import FileParts
import HDRCore

/// Samples of channels of one part as the file stores them, for a window of its pixels; 0 where the part has none.
final class EXRRawPlanes: @unchecked Sendable {
  /// The bytes of a sample of each channel.
  let sampleBytes: [Int]
  private let window: EXRHeader.Window
  private let planes: [PixelBuffer]

  /// Reads the channels, which have a sample for each pixel; threads write different rows and columns.
  ///
  /// - Parameter channels: indices into the part's list.
  init(
    _ file: EXRFile, part: Int, channels: [Int], window: EXRHeader.Window, threads: Int
  ) throws(DecodeError) {
    let header = file.parts[part], sizes = channels.map { header.channels[$0].type.bytes }
    let planes = sizes.map { PixelBuffer(byteCount: $0 * window.width * window.height) }
    (self.window, self.planes, sampleBytes) = (window, planes, sizes)
    guard !channels.isEmpty, let seen = window.intersection(header.dataWindow) else { return }
    let chunks = try file.chunks(of: part, in: seen)
    try file.forEach(chunks, of: part, threads: threads) { chunk, bytes in
      guard let place = chunk.window.intersection(seen) else { return }
      EXRRows(header.channels, chunk.window).forEachRow(of: channels) { y, offsets in
        guard y >= place.minY, y <= place.maxY else { return }
        for (index, size) in sizes.enumerated() {
          let from = bytes + offsets[index] + (place.minX - chunk.window.minX) * size
          let at = (y - window.minY) * window.width + place.minX - window.minX
          (planes[index].base + at * size).copyMemory(from: from, byteCount: place.width * size)
        }
      }
    }
  }

  /// Copies a row of the moved channel.
  ///
  /// - Parameters:
  ///   - width: the number of samples.
  ///   - y: the row of the result.
  ///   - mapping: which pixel of the window each pixel of the result is; all of them lie in it (`EXRKept.fits`).
  func copy(_ plane: Int, width: Int, y: Int, _ mapping: SourceMapping, into out: UnsafeMutablePointer<UInt8>) {
    let size = sampleBytes[plane]
    let first = (mapping.y0 + y * mapping.rowY) * window.width + mapping.x0 + y * mapping.rowX
    let step = mapping.columnY * window.width + mapping.columnX
    let from = UnsafeRawPointer(planes[plane].base) + first * size, out = UnsafeMutableRawPointer(out)
    if step == 1 { return out.copyMemory(from: from, byteCount: width * size) }
    if size == 2 {
      for x in 0..<width {
        out.storeBytes(of: (from + x * step * 2).load(as: UInt16.self), toByteOffset: 2 * x, as: UInt16.self)
      }
    } else {
      for x in 0..<width {
        out.storeBytes(of: (from + x * step * 4).load(as: UInt32.self), toByteOffset: 4 * x, as: UInt32.self)
      }
    }
  }
}
