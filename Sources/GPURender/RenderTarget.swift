import HDRCore
import HDRPlan
import Kernels

/// A picture that a device has encoded.
package struct EncodedScan: Sendable {
  package var scan: JPEGScan
  /// As of `Measurement.codes`.
  package var light: PixelSums
  /// The samples, if they are kept.
  package var image: SampleImage?
}

extension JPEGCoding {
  /// Returns the scan that kernels must make of a picture of R G B A of 8 bits.
  package func scan(of image: SampleImage) -> JPEGScan {
    let plane = image.channels[0]
    let blocks = withExtendedLifetime(image) {
      JPEGBlock.all(
        (plane.buffer.base + plane.offset).assumingMemoryBound(to: UInt8.self), rowBytes: plane.rowBytes, layout,
        tables)
    }
    var codes = tables.codes
    if isOptimized {
      var counts = JPEGSymbolCounts(layout)
      counts.append(blocks)
      codes = counts.codes
    }
    var coder = JPEGScanCoder(layout, codes)
    coder.append(blocks)
    return with(codes).scan(coder.finish())
  }

  /// Returns the scan that has these bytes.
  func scan(_ bytes: [UInt8]) -> JPEGScan {
    JPEGScan(bytes, chroma: layout.chroma, codes: isOptimized ? tables.codes : [])
  }

  /// Returns the picture whose scan a device has made, with the samples if they are kept.
  package func picture(_ encoded: EncodedScan) -> SampleImage {
    let isGrey = layout.chroma == .none
    var image =
      encoded.image
      ?? SampleImage(
        width: layout.width, height: layout.height, model: isGrey ? .grey : .rgb, format: .uint8, bitDepth: 8,
        chroma: isGrey ? .none : .s444, channels: [])
    image.scan = encoded.scan
    return image
  }
}

extension JPEGCoding {
  /// Encodes a picture: in two passes if it gets codes of its own, as nothing holds all of its coefficients between.
  ///
  /// - Parameters:
  ///   - keeper: the memory of the device in which the samples stay, if they do.
  ///   - image: makes the picture if its samples are kept.
  ///   - run: runs all bands of the picture for a target.
  func encode(
    keeper: DevicePlanes? = nil, image: () -> SampleImage?, run: (RenderTarget) throws(GPUError) -> Void
  ) throws(GPUError) -> EncodedScan {
    var coding = self
    if isOptimized {
      let symbols = RenderTarget(counting)
      try run(symbols)
      if let counts = symbols.counts { coding = with(counts.codes) }
    }
    let target = RenderTarget(coding, keepsPixels ? image() : nil)
    target.keeper = keeper
    try run(target)
    return target.finish(coding)
  }
}

/// The picture in host memory, the stream, the counts of symbols or the sums, that a plan's bands become parts of. One
/// thread uses it.
final class RenderTarget {
  /// The picture; `nil` if it is encoded and its samples are not kept.
  let image: SampleImage?
  /// The coding of a picture that the device encodes; `nil` for others.
  let coding: DeviceCoding?
  /// The bands are measured so, beside what else becomes of them; `nil`: nothing is measured.
  let measurement: Measurement?
  /// The memory of the device in which the pixels stay; `nil` for pixels that do not.
  var keeper: DevicePlanes?
  private var coder: JPEGScanCoder?
  private var streams: DeflateStreams?
  /// The symbols of a picture whose symbols are counted.
  private(set) var counts: JPEGSymbolCounts?
  /// The sums cover the bands so far.
  private(set) var sums: PixelSums

  init(_ image: SampleImage, _ measurement: Measurement? = nil) {
    (self.image, coding, self.measurement) = (image, nil, measurement)
    sums = PixelSums(measurement ?? .codes)
  }

  /// Makes a target of a picture that is measured, and stays on the device.
  init(measuring measurement: Measurement) {
    (image, coding, self.measurement) = (nil, nil, measurement)
    sums = PixelSums(measurement)
  }

  /// - Parameter image: the picture if its samples are kept.
  init(_ coding: JPEGCoding, _ image: SampleImage? = nil) {
    (self.image, self.coding, measurement) = (image, .jpeg(coding), nil)
    sums = PixelSums(.codes)
  }

  init(_ coding: DeflateCoding, _ measurement: Measurement?) {
    (image, self.coding, self.measurement) = (nil, .deflate(coding), measurement)
    sums = PixelSums(measurement ?? .codes)
  }

  /// False if only what is measured comes back.
  var returnsPixels: Bool { image != nil || coding != nil }

  /// Forgets the bands so far.
  func restart() {
    if case .jpeg(let coding) = coding {
      counts = coding.counts ? JPEGSymbolCounts(coding.layout) : nil
      coder = coding.counts ? nil : JPEGScanCoder(coding.layout, coding.tables.codes)
    }
    if case .deflate(let coding) = coding { streams = DeflateStreams(coding.layout) }
    sums = PixelSums(measurement ?? .codes)
  }

  /// Adds what was measured of a band.
  ///
  /// - Parameter output: the band's output.
  /// - Returns: false if it has numbers that no working device makes.
  func measure(_ band: Band, _ output: UnsafeRawPointer) -> Bool {
    guard let place = band.sums else { return true }
    guard let more = place.sums(output) else { return false }
    sums.merge(more)
    return true
  }

  /// Appends what a band has encoded. Bands come from the top down.
  ///
  /// - Parameters:
  ///   - output: the band's output up to the end of the head.
  ///   - read: reads other bytes of the output.
  /// - Returns: false if the output has numbers that no working device makes.
  func append(
    _ encoded: EncodedBand, _ output: UnsafeRawPointer,
    read: (Range<Int>) throws(GPUError) -> UnsafeRawPointer?
  ) throws(GPUError) -> Bool {
    switch encoded {
    case .jpeg(let band):
      guard let head = band.head(output), let codes = try head.stream.isEmpty ? output : read(head.stream)
      else { return false }
      counts?.append(first: head.first, sums: head.counts, lastDC: head.lastDC)
      coder?.append(
        first: head.first, words: codes.assumingMemoryBound(to: UInt32.self), bits: head.bits, lastDC: head.lastDC)
      sums.merge(head.light)
    case .deflate(let band):
      guard let head = band.head(output), var chunk = try read(head.stream) else { return false }
      for (bits, checksum) in zip(head.bits, head.checksums) {
        let words = UnsafeRawBufferPointer(start: chunk, count: (bits + 31) / 32 * 4)
        streams?.append(words, bits: bits, checksum)
        chunk += words.count
      }
      if let light = head.light { sums.merge(light) }
    }
    return true
  }

  /// Returns the whole scan.
  func finish(_ coding: JPEGCoding) -> EncodedScan {
    EncodedScan(scan: coding.scan(coder?.finish() ?? []), light: sums, image: image)
  }

  /// Returns the streams of all rows.
  ///
  /// - Parameter memory: allocates a block of the given size.
  func finish(_ coding: DeflateCoding, memory: (Int) -> PixelBuffer) -> DeflatedPicture {
    let streams = streams ?? DeflateStreams(coding.layout)
    return DeflatedPicture(rows: streams.finished(memory: memory), sums: sums)
  }
}
