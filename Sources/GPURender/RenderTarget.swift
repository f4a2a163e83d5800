import HDRCore
import HDRPlan
import Kernels

/// A picture that a device has encoded.
package struct EncodedScan: Sendable {
  /// The bytes of a baseline scan (`JPEGScanCoder`).
  package var bytes: [UInt8]
  package var light: JPEGBand.Light
  /// The samples, if they are kept.
  package var image: SampleImage?
}

extension JPEGCoding {
  /// Returns the scan that kernels must make of a picture of R G B A of 8 bits.
  package func scan(of image: SampleImage) -> [UInt8] {
    let plane = image.channels[0]
    return withExtendedLifetime(image) {
      JPEGScanCoder.scan(
        of: (plane.buffer.base + plane.offset).assumingMemoryBound(to: UInt8.self), rowBytes: plane.rowBytes, layout,
        tables)
    }
  }

  /// Returns the picture whose scan a device has made, with the samples if they are kept.
  package func picture(_ scan: EncodedScan) -> SampleImage {
    let isGrey = layout.chroma == .none
    var image =
      scan.image
      ?? SampleImage(
        width: layout.width, height: layout.height, model: isGrey ? .grey : .rgb, format: .uint8, bitDepth: 8,
        chroma: isGrey ? .none : .s444, channels: [])
    image.scan = JPEGScan(scan.bytes, chroma: layout.chroma)
    return image
  }
}

/// The picture in host memory, or the scan, that a plan's bands become parts of. One thread uses it.
final class RenderTarget {
  /// The picture; `nil` if it is encoded and its samples are not kept.
  let image: SampleImage?
  /// The coding of a picture that the device encodes; `nil` for others.
  let coding: JPEGCoding?
  private var coder: JPEGScanCoder?
  private var light = JPEGBand.Light()

  init(_ image: SampleImage) { (self.image, coding) = (image, nil) }

  /// - Parameter image: the picture if its samples are kept.
  init(_ coding: JPEGCoding, _ image: SampleImage? = nil) { (self.image, self.coding) = (image, coding) }

  /// Forgets the bands so far.
  func restart() {
    coder = coding.map { JPEGScanCoder($0.layout, $0.tables) }
    light = JPEGBand.Light()
  }

  /// Appends a band's scan, which a slot has in its output. Bands come from the top down.
  ///
  /// - Returns: false if the output has numbers that no working device makes.
  func append(_ band: Band, _ slot: RingSlot, _ spares: SpareBuffers) throws(GPUError) -> Bool {
    guard let bytes = slot.firstBytes, let head = band.scan?.head(bytes),
      let stream = try slot.read(band, head.stream, spares)
    else { return false }
    append(head, stream: stream)
    return true
  }

  /// Appends a band's scan.
  ///
  /// - Parameter stream: the words with `head.bits` bits.
  func append(_ head: JPEGBand.Head, stream: UnsafeRawPointer) {
    coder?.append(
      first: head.first, words: stream.assumingMemoryBound(to: UInt32.self), bits: head.bits, lastDC: head.lastDC)
    light.largest = max(light.largest, head.light.largest)
    light.full += head.light.full
  }

  /// Returns the whole scan.
  func finish() -> EncodedScan {
    coder?.finish()
    return EncodedScan(bytes: coder?.bytes ?? [], light: light, image: image)
  }
}
