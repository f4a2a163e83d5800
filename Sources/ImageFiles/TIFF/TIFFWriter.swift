import FileParts
import HDRCore

/// Writes TIFF: R'G'B' of 16 bits, or linear floats of 16 or 32; alpha straight. Strips have 64 rows and use Deflate
/// with a predictor. They are compressed on `threads` threads and stored in order, so that bytes do not depend on the
/// threads. Files are little-endian, and BigTIFF if they may be too large for a classic one. They have neither date nor
/// program, so that equal pictures give equal bytes.
///
/// Colour is in the ICC profile, with `cicp`. Files are not written by libtiff, which compresses strips one after
/// another.
/// Source: TIFF 6.0; Adobe Photoshop TIFF Technical Notes (2002), predictor 3 in technical note 3 (2005).
package enum TIFFWriter: ImageWriter {
  package static let format = FileFormat.tiff

  /// The largest size that offsets of 4 bytes can address, with some room for the directory.
  static let maxClassicBytes = (1 << 32) - (1 << 20)

  package static func encode(_ request: EncodeRequest) throws(EncodeError) -> EncodedFiles {
    try encode(request, maxClassicBytes: maxClassicBytes)
  }

  /// Encodes a file.
  ///
  /// - Parameter maxClassicBytes: a file that may become larger is a BigTIFF.
  package static func encode(_ request: EncodeRequest, maxClassicBytes: Int) throws(EncodeError) -> EncodedFiles {
    guard request.cicp.fullRange else { throw .unsupported(feature: "TIFF range", found: "narrow range") }
    let strips = try TIFFStrips(request)
    let profile = request.fileProfile
    let exif = request.outputExif
    let extra = [profile, exif, request.xmp, request.photoshop].reduce(0) { $0 + ($1?.count ?? 0) }
    let isBig = strips.maxBytes + extra > maxClassicBytes
    var header: [UInt8] = [0x49, 0x49, isBig ? 0x2B : 0x2A, 0]
    header += isBig ? [8, 0, 0, 0] + [UInt8](repeating: 0, count: 8) : [0, 0, 0, 0]
    var (file, places) = try strips.file(header, room: extra + (1 << 16), threads: request.threads)

    var values = layout(strips, places)
    if let xmp = request.xmp { values.append(TIFFValue(TIFFTag.xmp, type: 1, xmp)) }
    if let resources = request.photoshop { values.append(TIFFValue(TIFFTag.photoshop, type: 1, resources)) }
    if let profile { values.append(TIFFValue(TIFFTag.icc, profile)) }
    if let exif {
      let found = (ExifValues(exif) ?? ExifValues(isLittleEndian: true)).littleEndian
      let below = found.children(at: file.count, always: true, isBig: isBig)
      file += below.bytes
      // The file's own values come first, and the first of a tag is used.
      values += below.values + found.main
    }
    let directory = TIFFDirectoryBytes(values, isBig: isBig)
    let place = TIFFValue.bytes(file.count, isBig ? 8 : 4, true)
    file.replaceSubrange(isBig ? 8..<16 : 4..<8, with: place)
    file += directory.bytes(at: file.count)
    let lost = request.lostLight()
    let warning = Warning("tiff.light-dropped", "TIFF has no place for \(lost.joined(separator: ", "))")
    return EncodedFiles(main: file, warnings: lost.isEmpty ? [] : [warning])
  }

  private static func layout(_ strips: TIFFStrips, _ places: [Range<Int>]) -> [TIFFValue] {
    let line = strips.line, channels = line.channels
    func each(_ value: Int) -> [Int] { [Int](repeating: value, count: channels) }
    return [
      TIFFValue(TIFFTag.newSubfileType, longs: [0]),
      TIFFValue(TIFFTag.width, longs: [line.width]),
      TIFFValue(TIFFTag.height, longs: [strips.height]),
      TIFFValue(TIFFTag.bitsPerSample, shorts: each(8 * line.sampleBytes)),
      TIFFValue(TIFFTag.compression, shorts: [TIFFCompression.deflate]),
      TIFFValue(TIFFTag.photometric, shorts: [TIFFPhotometric.rgb]),
      TIFFValue(TIFFTag.stripOffsets, longs: places.map(\.lowerBound)),
      TIFFValue(TIFFTag.orientation, shorts: [1]),
      TIFFValue(TIFFTag.samplesPerPixel, shorts: [channels]),
      TIFFValue(TIFFTag.rowsPerStrip, longs: [TIFFLine.stripRows]),
      TIFFValue(TIFFTag.stripByteCounts, longs: places.map(\.count)),
      TIFFValue(TIFFTag.planarConfiguration, shorts: [1]),
      TIFFValue(TIFFTag.predictor, shorts: [line.isFloat ? 3 : 2]),
      TIFFValue(TIFFTag.sampleFormat, shorts: each(line.isFloat ? 3 : 1)),
    ] + (channels == 4 ? [TIFFValue(TIFFTag.extraSamples, shorts: [2])] : [])
  }
}
