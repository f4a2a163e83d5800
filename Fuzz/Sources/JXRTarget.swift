@testable import FileParts
import HDRCore
@testable import ImageFiles

extension Target {
  /// Containers of JPEG XR and heads of code streams, the container that the library gets, and samples of each layout as
  /// the library would hand them over. The library is not under test here: it runs in a process that may crash.
  static let jxr = Target("jxr", maxLength: 1 << 13, mutate: JXRGrammar.mutate) { bytes in
    var limits = DecodeLimits(maxPixels: 1 << 12, maxSide: 4096, maxMetadataBytes: 1 << 16)
    limits.reading.jxr.alpha = bytes.count % 2 == 0 ? .keep : .ignore
    limits.reading.jxr.white = bytes.count % 3 == 0 ? 400 : nil
    guard let source = try? JXRDecoder.decode(bytes, request: .metadata, limits: limits) else { return }
    var warnings: [Warning] = []
    guard let file = try? JXRContainer(bytes, limits: limits, warnings: &warnings),
      let plain = try? JXRContainer(file.plain, limits: limits, warnings: &warnings)
    else { fatalError("the container for the library is refused") }
    demand(
      plain.width == file.width && plain.height == file.height && plain.format == file.format
        && plain.structure.bytes[plain.image] == file.structure.bytes[file.image]
        && (plain.alpha == nil) == (file.alpha == nil),
      "the library gets another picture")
    demand(source.image.width == file.width && source.image.height == file.height, "another size is announced")
    let rowBytes = file.width * file.format.bytes, samples = PixelBuffer(byteCount: rowBytes * file.height)
    for at in 0..<samples.byteCount {
      samples.base.storeBytes(of: bytes[at % bytes.count], toByteOffset: at, as: UInt8.self)
    }
    let image = JXRPixels(file: file, keepsAlpha: limits.reading.jxr.alpha == .keep)
      .image(samples.base, rowBytes: rowBytes).image
    demand(
      image.format == source.image.format && image.bitDepth == source.image.bitDepth
        && image.alphaIsPremultiplied == source.image.alphaIsPremultiplied, "pixels are not those announced")
    demandFinite(image)
    let icc = TIFFMetadata(file.structure, file.directory, limits: limits, warnings: &warnings).icc
    guard let color = try? JXRColor(file, image.model, profile: icc, limits: limits, warnings: &warnings) else {
      return
    }
    let light = color.light(image, limits.reading.jxr, &warnings)
    if let level = light.clli {
      demand(level.maxCLL.isFinite && level.maxFALL <= level.maxCLL, "the light level is \(level)")
    }
  }

  private static func demandFinite(_ image: SampleImage) {
    guard !image.format.isInteger else { return }
    for plane in image.channels + (image.alpha.map { [$0] } ?? []) {
      for y in 0..<plane.height {
        for x in 0..<plane.width {
          let at = plane.offset + y * plane.rowBytes + x * plane.stepBytes
          let value =
            image.format == .float16
            ? Float(Float16(bitPattern: plane.buffer.base.loadUnaligned(fromByteOffset: at, as: UInt16.self)))
            : plane.buffer.base.loadUnaligned(fromByteOffset: at, as: Float.self)
          demand(abs(value) <= 65_504, "a sample is \(value)")
        }
      }
    }
  }
}

/// JPEG XR: entries of the directory as in TIFF, another pixel format with the codes of its code stream, or bits of the
/// code stream's head.
enum JXRGrammar {
  private static let tags = [
    0x112, 0x2BC, 0x8769, 0x8773, 0x8825, 0xA001, 0xBC01, 0xBC02, 0xBC80, 0xBC81, 0xBCC0, 0xBCC1, 0xBCC2, 0xBCC3,
  ]
  /// Last bytes of identifiers with the byte of colours and depth.
  private static let formats: [(last: UInt8, code: UInt8)] = [
    (0x08, 0x01), (0x09, 0x78), (0x0A, 0x7A), (0x0B, 0x02), (0x0C, 0x71), (0x0F, 0x71), (0x10, 0x71), (0x11, 0x07),
    (0x12, 0x73), (0x13, 0x03), (0x14, 0x79), (0x15, 0x72), (0x16, 0x72), (0x17, 0x72), (0x18, 0x76), (0x19, 0x77),
    (0x1A, 0x77), (0x1B, 0x77), (0x1C, 0x41), (0x1D, 0x73), (0x1E, 0x76), (0x3A, 0x74), (0x3B, 0x74), (0x3D, 0x81),
    (0x3E, 0x04), (0x3F, 0x06), (0x40, 0x73), (0x41, 0x76), (0x42, 0x74), (0x48, 0x31),
  ]

  @Sendable static func mutate(_ bytes: [UInt8], maxSize: Int, random: inout Random) -> [UInt8] {
    guard !random.one(in: 6), let structure = try? TIFFStructure(jpegXR: bytes),
      let directory = try? structure.directory(at: structure.first)
    else { return blindly(bytes, maxSize: maxSize) }
    if random.one(in: 3) {
      return TIFFGrammar.change(bytes, structure, directory, tags: tags, random: &random)
    }
    var changed = bytes
    let streams = [0xBCC0, 0xBCC2].compactMap { structure.integer($0, in: directory) }.filter { $0 + 24 < bytes.count }
    if random.one(in: 2), let identifier = directory.entries[0xBC01], identifier.position + 16 <= bytes.count {
      let format = random.pick(formats)
      changed[identifier.position + 15] = format.last
      for (index, stream) in streams.enumerated() {
        changed[stream + 11] = index == 0 ? format.code : format.code & 15
        if format.code >> 4 == 0 || format.code >> 4 == 4 { changed[stream + 16] &= 0x1F }
      }
    } else if let stream = streams.first {
      changed[stream + random.pick([8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20])] ^= 1 << UInt8(random.below(8))
    }
    return changed
  }
}
