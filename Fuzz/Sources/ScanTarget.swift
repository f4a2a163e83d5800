import GPURender
import HDRCore
import ImageFiles
import Kernels
import SPIRVExecutor
import TestSamples

extension Target {
  /// Scans of JPEG files are decoded by kernels and their twin: what they do not flag the library reads without
  /// complaint, and its samples are theirs.
  static let scan = Target(
    "jpeg-scan", maxLength: 1 << 13,
    mutate: { bytes, room, random in
      random.one(in: 4) ? blindly(bytes, maxSize: room) : DamagedJPEG(bytes).changed(&random)
    }
  ) { bytes in
    guard let scan = try? JPEGDecoder.scan(bytes), scan.width * scan.height <= 1 << 14 else { return }
    demand(scan.fault == nil, "a scan with a fault: \(scan.fault ?? "")")
    let decoding = JPEGDecoding(scan), twin = JPEGScanDecoder(decoding).decode()
    if let executor, scan.width * scan.height <= 1 << 11 {
      guard let made = try? executor.decodeJPEG(decoding) else { fatalError("kernels that leave their buffers") }
      demand(made.differing(from: twin) == 0, "other flags or samples than the twin's")
    }
    if !twin.flags.isEmpty { return }
    let limits = DecodeLimits(maxPixels: 1 << 14, maxSide: 1 << 14)
    guard let expected = try? decodeImage(bytes, limits: limits) else {
      fatalError("a stream that the library refuses")
    }
    // Segments beside the stream, such as Exif, may be damaged.
    let complaints = expected.warnings.filter { $0.code == "jpeg.extraneous" }
    demand(complaints.isEmpty, "a stream of which the library complains")
    demand(samples(twin.image) == samples(expected.image), "other samples than the library's")
  }

  // Scans have few chunks, one a lane.
  private static let executor = try? SPIRVRenderer(variant: ExecutorVariant(width: 8))

  private static func samples(_ image: SampleImage) -> [UInt16] {
    image.channels.flatMap { plane in
      (0..<plane.height).flatMap { y in (0..<plane.width).map { x in plane.sample(x, y, .uint8) } }
    }
  }
}
