import HDRCore
@testable import ImageFiles

extension Target {
  /// Sections, resources and samples of small Photoshop files.
  static let psd = Target("psd", maxLength: 1 << 13) { bytes in
    let limits = DecodeLimits(maxPixels: 1 << 16, maxSide: 4096, maxMetadataBytes: 1 << 16)
    let described = try? PSDDecoder.decode(bytes, request: .metadata, limits: limits)
    guard let source = try? PSDDecoder.decode(bytes, request: .pixels, limits: limits) else { return }
    guard let described else { fatalError("pixels of a file that has no structure") }
    demand(
      described.image.width == source.image.width && described.image.format == source.image.format
        && described.image.bitDepth == source.image.bitDepth && described.color == source.color,
      "pixels are not those announced")
    for plane in source.image.channels + (source.image.alpha.map { [$0] } ?? []) {
      let last = plane.offset + (plane.height - 1) * plane.rowBytes + (plane.width - 1) * plane.stepBytes
      demand(last + source.image.format.bytes <= plane.buffer.byteCount, "samples beyond the memory")
      guard source.image.format == .float32 else { continue }
      for y in 0..<plane.height {
        for x in 0..<plane.width {
          let at = plane.offset + y * plane.rowBytes + x * plane.stepBytes
          let value = plane.buffer.base.loadUnaligned(fromByteOffset: at, as: Float.self)
          demand(abs(value) <= 65_504, "a sample is \(value)")
        }
      }
    }
  }
}
