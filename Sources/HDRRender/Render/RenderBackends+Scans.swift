import GPURender
import HDRCore
import Kernels

/// The reason why no device decodes a scan.
struct ScanFallback: Error {
  let reason: String
}

/// Scans that a device has decoded.
struct DecodedScans {
  let images: [SampleImage]
  let ring: GPURings.Ring
  /// True if they are to be compared with the library's samples.
  let isCompared: Bool
}

extension RenderBackends {
  /// The least pixels of a JPEG that devices decode; `nil`: they decode none. With `auto` they do not, until a card has
  /// shown what that gains.
  package var leastScan: Int? {
    // Kernels make the samples of the library's SIMD for this processor: for others it makes others of odd quantisers.
    #if arch(x86_64)
      codecs == .gpu && !rings.isEmpty ? 0 : nil
    #else
      nil
    #endif
  }

  /// Decodes the scans of a file on a device. Untrusted numbers were checked when the scans were received.
  ///
  /// - Parameter notice: called for every device that is retired.
  func decode(
    _ scans: [JPEGSourceScan], notice: (GPURings.LostDevice) -> Void
  ) -> Result<DecodedScans, ScanFallback> {
    while let ring = rings.take() {
      var images: [SampleImage] = [], flags: JPEGDecodeFlags = []
      do throws(GPUError) {
        for scan in scans where flags.isEmpty {
          let made = try ring.renderer.decodeJPEG(JPEGDecoding(scan))
          flags.formUnion(made.flags)
          images.append(made.image)
        }
        rings.giveBack(ring)
      } catch {
        rings.giveBack(ring)
        if error.concernsThisPictureOnly { return .failure(ScanFallback(reason: "\(error)")) }
        _ = retire(ring, because: error, notice)
        continue
      }
      guard flags.isEmpty else { return .failure(ScanFallback(reason: flags.names.joined(separator: ", "))) }
      if rings.isTrusted(ring) {
        let isCompared = sampling.comparesSources(on: ring.number)
        return .success(DecodedScans(images: images, ring: ring, isCompared: isCompared))
      }
    }
    return .failure(ScanFallback(reason: fallbackReason ?? "no device is left"))
  }
}
