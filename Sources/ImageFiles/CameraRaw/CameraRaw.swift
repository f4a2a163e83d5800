import FileParts
import CRaw
import HDRCore

/// A camera raw file: its samples, and for a DNG the description of their colours and look.
///
/// LibRaw opens and unpacks the samples. Floats, Deflate, lossy JPEG and JPEG XL of DNG are decoded by `DNGTiles`. Nothing is rendered.
package struct CameraRaw: Sendable {
  package var picture: SensorPicture
  /// All samples, also those outside the active area.
  package var samples: SampleImage
  package var dng: DNGDescription?
  package var warnings: [Warning]

  /// Reads a file with its samples.
  ///
  /// - Throws: `.unsupported` with the name of a feature that is not read; `.limit`, `.malformed`, `.truncated`,
  ///   `.library`.
  package init(_ bytes: [UInt8], limits: DecodeLimits = DecodeLimits()) throws(DecodeError) {
    try checkFileSize(bytes, limits)
    try self.init(samplesOf: try RAWContainer(bytes, limits: limits), limits: limits)
  }

  init(samplesOf container: RAWContainer, limits: DecodeLimits) throws(DecodeError) {
    dng = container.dng
    warnings = container.dng?.warnings ?? []
    guard let dng = container.dng, let structure = container.structure else {
      (picture, samples) = try Self.unpack(container.bytes, limits: limits, dng: nil, warnings: &warnings)
      return
    }
    let page = try dng.page(structure, limits: limits)
    try page.checkBlocks()
    if DNGTiles.reads(dng.image) {
      let tiles = try DNGTiles(page, dng.image)
      (picture, samples) = (try dng.picture(decoder: DNGTiles.decoder(dng.image)), try tiles.read(warnings: &warnings))
    } else {
      try page.checkPlainTiles()
      (picture, samples) = try Self.unpack(container.bytes, limits: limits, dng: dng, warnings: &warnings)
      let cut = page.jpegsWithoutEnd
      if cut > 0 { warnings.append(Warning("raw.damaged", "\(cut) strips or tiles end too early")) }
    }
  }

  /// Reads the description only, without samples; LibRaw describes files that are no DNG.
  init(headOf container: RAWContainer, limits: DecodeLimits) throws(DecodeError) {
    dng = container.dng
    warnings = container.dng?.warnings ?? []
    if let dng = container.dng {
      picture = try dng.picture(decoder: DNGTiles.reads(dng.image) ? DNGTiles.decoder(dng.image) : RAWLibrary.label)
      samples = SampleImage(
        sensorOf: picture.width, picture.height, planes: dng.image.planes, format: DNGTiles.format(dng.image))
      return
    }
    (picture, samples) = try container.bytes.withUnsafeBufferPointer {
      (input) throws(DecodeError) -> (SensorPicture, SampleImage) in
      let library = try RAWLibrary(input)
      try Self.check(library, limits: limits, dng: nil)
      let picture = try Self.described(library), planes = picture.filters == nil ? Int(library.facts.colors) : 1
      return (
        picture, SampleImage(sensorOf: picture.width, picture.height, planes: planes, format: .uint16)
      )
    }
  }

  // MARK: LibRaw

  private static let place = "camera raw"

  private static func unpack(
    _ bytes: [UInt8], limits: DecodeLimits, dng: DNGDescription?, warnings: inout [Warning]
  ) throws(DecodeError) -> (SensorPicture, SampleImage) {
    let (picture, image, found) = try bytes.withUnsafeBufferPointer {
      (input) throws(DecodeError) -> (SensorPicture, SampleImage, [Warning]) in
      var warnings: [Warning] = []
      let library = try RAWLibrary(input)
      try check(library, limits: limits, dng: dng)
      let samples = try library.unpack(warnings: &warnings)
      let picture: SensorPicture
      if let dng { picture = try dng.picture(decoder: RAWLibrary.label) } else { picture = try described(library) }
      return (picture, try copied(samples, picture), warnings)
    }
    warnings += found
    return (picture, image)
  }

  /// Checks sizes and formats before memory is allocated for samples.
  private static func check(
    _ library: RAWLibrary, limits: DecodeLimits, dng: DNGDescription?
  ) throws(DecodeError) {
    let facts = library.facts, width = Int(facts.raw_width), height = Int(facts.raw_height)
    _ = try checkedPixels(width, height, limits, place: place)
    if let found = RAWHeader.refusedDecoders.first(where: { library.decoder.hasPrefix($0.prefix) }) {
      throw .unsupported(feature: "camera raw of this maker", found: found.name)
    }
    if let dng {
      guard width == dng.image.width, height == dng.image.height else {
        throw .malformed(
          where: "DNG", what: "LibRaw finds \(width)x\(height) samples, not \(dng.image.width)x\(dng.image.height)")
      }
    }
  }

  /// Returns the description of a file that is no DNG, without samples.
  private static func described(_ library: RAWLibrary) throws(DecodeError) -> SensorPicture {
    let facts = library.facts, width = Int(facts.raw_width), height = Int(facts.raw_height)
    let area = SensorArea(
      left: Int(facts.left), top: Int(facts.top), right: Int(facts.left) + Int(facts.width),
      bottom: Int(facts.top) + Int(facts.height))
    guard area.left >= 0, area.top >= 0, area.width > 0, area.height > 0, area.right <= width, area.bottom <= height
    else { throw .malformed(where: place, what: "what is shown lies outside the samples") }
    let filters = try RAWNumbers.filters(facts)
    // LibRaw's flip is dcraw's. Its bits: 1 mirrored rows, 2 mirrored columns, 4 rows and columns exchanged.
    let turns: [Orientation] = [
      .up, .upMirrored, .downMirrored, .down, .leftMirrored, .left, .right, .rightMirrored,
    ]
    var picture = SensorPicture(
      width: width, height: height, filters: filters, activeArea: area,
      crop: SensorArea(left: 0, top: 0, right: area.width, bottom: area.height),
      levels: try RAWNumbers.levels(facts, filters), orientation: turns[Int(facts.flip) & 7],
      decoder: RAWLibrary.label)
    picture.neutral = RAWNumbers.neutral(facts)
    picture.profile = CameraProfile(calibration: RAWNumbers.calibration(facts))
    (picture.make, picture.model) = (library.make, library.model)
    return picture
  }

  /// Copies samples to memory of their own, without the unused fourth of four values.
  private static func copied(
    _ samples: RAWLibrary.Samples, _ picture: SensorPicture
  ) throws(DecodeError) -> SampleImage {
    let planes = samples.together == 1 ? 1 : 3
    guard picture.filters == nil || planes == 1 else {
      throw .unsupported(feature: "camera raw with a filter array", found: "\(samples.together) samples a pixel")
    }
    let size = samples.format.bytes, row = picture.width * planes * size
    guard samples.rowBytes >= picture.width * samples.together * size else {
      throw .library(name: "LibRaw", code: samples.rowBytes, message: "rows that are too short")
    }
    let buffer = PixelBuffer(uninitializedByteCount: row * picture.height)
    for y in 0..<picture.height {
      let from = samples.base + y * samples.rowBytes, to = buffer.base + y * row
      if samples.together == planes {
        to.copyMemory(from: from, byteCount: row)
      } else {
        for x in 0..<picture.width {
          (to + x * 3 * size).copyMemory(from: from + x * 4 * size, byteCount: 3 * size)
        }
      }
    }
    return SampleImage(
      sensor: buffer, width: picture.width, height: picture.height, planes: planes, format: samples.format)
  }

  // MARK: Active area

  /// The samples of the active area, in the same memory.
  package var activeSamples: SampleImage { samples.cut(picture.activeArea) }
}

extension TIFFPage {
  /// Refuses uncompressed tiles narrower than the picture where LibRaw cannot read them.
  fileprivate func checkPlainTiles() throws(DecodeError) {
    guard isTiled, compression == TIFFCompression.none, !RAWLibrary.readsPlainTiles,
      structure.integer(TIFFTag.tileWidth, in: directory) != width
    else { return }
    throw .unsupported(
      feature: "uncompressed tiles of a DNG by a LibRaw before 0.21 (scripts/raw builds a newer one)",
      found: RAWLibrary.label)
  }

  /// The number of JPEG strips or tiles without an EOI marker; LibRaw reads past the end of such a strip.
  fileprivate var jpegsWithoutEnd: Int {
    guard compression == TIFFCompression.jpeg else { return 0 }
    func numbers(_ tag: Int) -> [Int] { structure.integers(tag, in: directory) ?? [] }
    let starts = numbers(isTiled ? TIFFTag.tileOffsets : TIFFTag.stripOffsets)
    let counts = numbers(isTiled ? TIFFTag.tileByteCounts : TIFFTag.stripByteCounts)
    return zip(starts, counts).count { start, count in
      // Padding may follow the marker.
      let tail = structure.bytes[min(max(start, start + count - 18), structure.bytes.count)...].prefix(min(count, 18))
      return !zip(tail, tail.dropFirst()).contains { $0 == 0xFF && $1 == 0xD9 }
    }
  }
}

extension SampleImage {
  /// Makes an image of a sensor's samples in one interleaved block of memory, rows tightly packed.
  init(sensor buffer: PixelBuffer, width: Int, height: Int, planes: Int, format: SampleFormat) {
    self.init(sensorOf: width, height, planes: planes, format: format)
    channels = (0..<planes).map {
      SamplePlane(
        buffer: buffer, offset: $0 * format.bytes, rowBytes: width * planes * format.bytes,
        stepBytes: planes * format.bytes, width: width, height: height)
    }
  }

  /// Makes the description of a sensor's samples, without the samples.
  init(sensorOf width: Int, _ height: Int, planes: Int, format: SampleFormat) {
    self.init(
      width: width, height: height, model: planes == 1 ? .grey : .rgb, format: format, bitDepth: 8 * format.bytes,
      chroma: planes == 1 ? .none : .s444, channels: [])
  }

  /// Returns a part of the image that shares its memory.
  fileprivate func cut(_ area: SensorArea) -> SampleImage {
    var part = self
    (part.width, part.height) = (area.width, area.height)
    part.channels = channels.map { plane in
      SamplePlane(
        buffer: plane.buffer, offset: plane.offset + area.top * plane.rowBytes + area.left * plane.stepBytes,
        rowBytes: plane.rowBytes, stepBytes: plane.stepBytes, width: area.width, height: area.height)
    }
    return part
  }
}
