import CRaw
import HDRCore

/// A camera raw file: its samples, and for a DNG what it says of their colours and look.
///
/// Samples come from LibRaw, which only opens and unpacks; floats, Deflate and JPEG XL of DNG, which LibRaw does not read,
/// from here. Nothing is rendered.
package struct CameraRaw: Sendable {
  package var picture: SensorPicture
  package var dng: DNGDescription?
  package var warnings: [Warning]

  /// - Throws: `.unsupported` for what is not read, by its name; `.limit`, `.malformed`, `.truncated`, `.library`.
  package init(_ bytes: [UInt8], limits: DecodeLimits = DecodeLimits()) throws(DecodeError) {
    try checkFileSize(bytes, limits)
    switch try RAWHeader.check(bytes) {
    case .dng?:
      let structure = try TIFFStructure(bytes)
      let dng = try DNGDescription(structure, limits: limits)
      warnings = dng.warnings
      let page = try dng.page(structure, limits: limits)
      try page.checkBlocks()
      if DNGTiles.reads(dng.image) {
        picture = try DNGTiles(page, dng.image).read(dng)
      } else {
        picture = try Self.unpack(bytes, limits: limits, dng: dng, warnings: &warnings)
      }
      self.dng = dng
    case .tiff?, .other?:
      warnings = []
      picture = try Self.unpack(bytes, limits: limits, dng: nil, warnings: &warnings)
    case nil: throw .unsupported(feature: "camera raw", found: "another kind of file")
    }
  }

  // MARK: LibRaw

  private static let place = "camera raw"

  private static func unpack(
    _ bytes: [UInt8], limits: DecodeLimits, dng: DNGDescription?, warnings: inout [Warning]
  ) throws(DecodeError) -> SensorPicture {
    let (picture, found) = try bytes.withUnsafeBufferPointer {
      (input) throws(DecodeError) -> (SensorPicture, [Warning]) in
      var warnings: [Warning] = []
      let library = try RAWLibrary(input)
      try check(library, limits: limits, dng: dng)
      let samples = try library.unpack(warnings: &warnings)
      if let dng { return (try filled(try dng.picture(decoder: RAWLibrary.label), samples), warnings) }
      return (try filled(try described(library), samples), warnings)
    }
    warnings += found
    return picture
  }

  /// Before memory is taken for samples.
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

  /// The picture of a file that is no DNG, without samples.
  private static func described(_ library: RAWLibrary) throws(DecodeError) -> SensorPicture {
    let facts = library.facts, width = Int(facts.raw_width), height = Int(facts.raw_height)
    let area = SensorArea(
      left: Int(facts.left), top: Int(facts.top), right: Int(facts.left) + Int(facts.width),
      bottom: Int(facts.top) + Int(facts.height))
    guard area.left >= 0, area.top >= 0, area.width > 0, area.height > 0, area.right <= width, area.bottom <= height
    else { throw .malformed(where: place, what: "what is shown lies outside the samples") }
    let filters = try RAWNumbers.filters(facts)
    // LibRaw's flip is dcraw's: mirrored rows, mirrored columns, rows and columns exchanged.
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

  /// Copies the samples into memory of their own, without the empty fourth of four.
  private static func filled(
    _ described: SensorPicture, _ samples: RAWLibrary.Samples
  ) throws(DecodeError) -> SensorPicture {
    var picture = described
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
    picture.format = samples.format
    picture.planes = SensorPicture.interleaved(
      buffer, width: picture.width, height: picture.height, planes: planes, format: samples.format)
    return picture
  }
}
