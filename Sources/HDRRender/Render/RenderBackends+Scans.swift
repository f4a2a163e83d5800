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
  /// The least pixels of a picture that devices decode; `nil`: they decode none.
  package var leastScan: Int? {
    // Kernels make the samples of the library's SIMD for this processor: for others it makes others of odd quantisers.
    #if arch(x86_64)
      codecs.leastScan(on: rings)
    #else
      nil
    #endif
  }

  /// Decodes the scans of a file on a device, which keeps the planes where it has room for them. Untrusted numbers were
  /// checked when the scans were received.
  ///
  /// - Parameter notice: called for every device that is retired.
  func decode(
    _ scans: [JPEGSourceScan], notice: (GPURings.LostDevice) -> Void
  ) -> Result<DecodedScans, ScanFallback> {
    let decodings = scans.map { JPEGDecoding($0) }
    while let ring = rings.take() {
      let made: [DecodedScan]
      do throws(GPUError) {
        if let kept = try ring.renderer.decodeJPEG(keeping: decodings) {
          made = kept
        } else {
          made = try Self.decode(decodings, on: ring)
        }
        rings.giveBack(ring)
      } catch {
        rings.giveBack(ring)
        if error.concernsThisPictureOnly { return .failure(ScanFallback(reason: "\(error)")) }
        _ = retire(ring, because: error, notice)
        continue
      }
      let flags = made.reduce(into: JPEGDecodeFlags()) { $0.formUnion($1.flags) }
      guard flags.isEmpty else { return .failure(ScanFallback(reason: flags.names.joined(separator: ", "))) }
      if rings.isTrusted(ring) {
        let isCompared = sampling.comparesSources(on: ring.number)
        return .success(DecodedScans(images: made.map(\.image), ring: ring, isCompared: isCompared))
      }
    }
    return .failure(ScanFallback(reason: fallbackReason ?? "no device is left"))
  }

  /// Decodes scans into host memory, up to the first that has flags.
  private static func decode(_ decodings: [JPEGDecoding], on ring: GPURings.Ring) throws(GPUError) -> [DecodedScan] {
    var made: [DecodedScan] = []
    for decoding in decodings where made.allSatisfy(\.flags.isEmpty) {
      made.append(try ring.renderer.decodeJPEG(decoding))
    }
    return made
  }

  /// Brings samples of pictures that are read by others than the device that holds them.
  ///
  /// - Throws: `.samplesLost`.
  func bring(_ planes: [DevicePlanes]) throws(GPUError) {
    for planes in planes { try planes.bring() }
  }
}
