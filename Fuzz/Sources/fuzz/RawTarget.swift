import HDRCore
@testable import ImageFiles

extension Target {
  /// Headers of Y4M streams, sidecars of samples, and files of either.
  static let raw = Target("raw", maxLength: 2048) { bytes in
    if let header = try? Y4M(parsing: bytes[...]) {
      demand(header.layout.fault == nil, "a layout that cannot be was taken")
      let again = try? Y4M(parsing: Array(header.text.utf8).dropLast())
      demand(again?.layout == header.layout && again?.fullRange == header.fullRange, "another header than was written")
    }
    if let sidecar = try? RawSidecar(parsing: bytes) {
      demand((try? RawSidecar(parsing: sidecar.bytes)) == sidecar, "another sidecar than was written")
    }
    var limits = DecodeLimits(maxPixels: 1 << 16)
    limits.reading.raw = RawDescription(primaries: 9, transfer: 16, matrix: 9, fullRange: true)
    demandSamples(try? decodeImage(bytes, limits: limits))
    // The first line describes what follows.
    guard let end = bytes.firstIndex(of: 0) else { return }
    limits.reading = ReadingOptions()
    limits.reading.sidecar = Array(bytes[..<end])
    demandSamples(try? decodeImage(Array(bytes[(end + 1)...]), limits: limits))
  }

  private static func demandSamples(_ source: SourceImage?) {
    guard let image = source?.image else { return }
    for plane in image.channels + (image.alpha.map { [$0] } ?? []) {
      let last = plane.offset + (plane.height - 1) * plane.rowBytes + (plane.width - 1) * plane.stepBytes
      demand(last < plane.buffer.byteCount, "samples outside their memory")
    }
  }
}
