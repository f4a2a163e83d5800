@testable import FileParts
import HDRCore
@testable import ImageFiles

extension Target {
  /// Directories, samples and metadata of small TIFF files, and Exif that is moved.
  static let tiff = Target("tiff", maxLength: 1 << 14, mutate: TIFFGrammar.mutate) { bytes in
    // Larger pictures are no other code, only more time.
    let limits = DecodeLimits(maxPixels: 1 << 16, maxSide: 4096, maxMetadataBytes: 1 << 16)
    let described = try? TIFFDecoder.decode(bytes, request: .metadata, limits: limits)
    guard let source = try? TIFFDecoder.decode(bytes, request: .pixels, limits: limits) else { return }
    guard let described else { fatalError("pixels of a file that has no structure") }
    demand(
      described.image.width == source.image.width && described.image.format == source.image.format
        && described.image.bitDepth == source.image.bitDepth && described.color == source.color,
      "pixels are not those announced")
    if source.image.format == .float32 { demandFinite(source.image) }
    if let exif = source.exif {
      demand(ExifValues(exif)?.serialized == exif, "Exif is not the same when it is moved again")
    }
  }

  private static func demandFinite(_ image: SampleImage) {
    for plane in image.channels + (image.alpha.map { [$0] } ?? []) {
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
