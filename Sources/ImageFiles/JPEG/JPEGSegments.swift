import FileParts
import CTurboJPEG
import HDRCore

/// The application segments of a JPEG stream, one after another, markers included: all bytes between its JFIF header
/// and its tables. Source of layouts: ITU-T T.871, docs/gain-map-maths.md#containers.
struct JPEGSegments {
  private var sink = ByteSink()

  var bytes: [UInt8] { sink.bytes }
  var count: Int { sink.count }

  /// Returns the longest payload after an identifier: the length field counts itself, the identifier and the payload.
  static func room(behind identifier: String) -> Int { 65_533 - identifier.utf8.count }

  /// Appends a segment; writes nothing and returns `false` when the length does not fit into 16 bits.
  mutating func append(_ marker: Int, _ identifier: String, _ payload: some Collection<UInt8>) -> Bool {
    guard payload.count <= Self.room(behind: identifier) else { return false }
    sink.u8(0xFF)
    sink.u8(marker)
    sink.u16(2 + identifier.utf8.count + payload.count)
    sink.ascii(identifier)
    sink.append(payload)
    return true
  }

  /// Appends a complete segment, with its marker and length.
  mutating func append(whole segment: [UInt8]) { sink.append(segment) }

  /// Appends Exif in APP1, or a warning that it does not fit.
  mutating func append(exif: [UInt8], warnings: inout [Warning]) {
    if !append(0xE1, JPEGIdentifier.exif, exif) {
      warnings.append(Warning("jpeg.exif-dropped", "Exif of \(exif.count) bytes does not fit a JPEG segment"))
    }
  }

  /// Appends image resources in as many APP13 segments as needed; readers join them.
  mutating func append(photoshop: [UInt8]) {
    let room = Self.room(behind: JPEGIdentifier.photoshop)
    for start in stride(from: 0, to: photoshop.count, by: room) {
      _ = append(0xED, JPEGIdentifier.photoshop, photoshop[start..<min(start + room, photoshop.count)])
    }
  }

  /// Appends a profile in as many APP2 segments as needed: sequence number from 1, count, part (ICC.1:2022 annex B.4).
  ///
  /// - Throws: `.unsupported` beyond 255 segments, 16.7 MB.
  mutating func append(icc profile: [UInt8]) throws(EncodeError) {
    let room = Self.room(behind: JPEGIdentifier.icc) - 2
    let pieces = (profile.count + room - 1) / room
    guard pieces <= 255 else {
      throw .unsupported(feature: "ICC profile in a JPEG", found: "\(profile.count) bytes")
    }
    for piece in 0..<pieces {
      let part = profile[piece * room..<min((piece + 1) * room, profile.count)]
      _ = append(0xE2, JPEGIdentifier.icc, [UInt8(piece + 1), UInt8(pieces)] + part)
    }
  }
}

/// The identifiers at the start of application segments.
enum JPEGIdentifier {
  static let exif = "Exif\0\0"
  static let xmp = "http://ns.adobe.com/xap/1.0/\0"
  static let extendedXMP = "http://ns.adobe.com/xmp/extension/\0"
  static let icc = "ICC_PROFILE\0"
  static let iso21496 = "urn:iso:std:iso:ts:21496:-1\0"
  static let multiPicture = "MPF\0"
  static let photoshop = "Photoshop 3.0\0"
}

/// A coded picture without its application segments: JFIF header, then tables and scans, bit for bit.
///
/// The bytes stay in the library's memory or in the source stream until the file is written.
struct JPEGPicture {
  private enum Storage {
    case library(PixelBufferSlice)
    case stream([UInt8])
  }

  private let storage: Storage
  /// A whole APP0 segment; empty if one would change the colours.
  let jfif: [UInt8]
  /// The parts of the storage after SOI that are kept.
  private let kept: [Range<Int>]
  private(set) var width: Int
  private(set) var height: Int
  let isGrey: Bool

  /// The size of a stream of this picture with nothing between JFIF header and tables.
  var byteCount: Int { 2 + jfif.count + kept.reduce(0) { $0 + $1.count } }

  /// Appends SOI, the JFIF header, `segments`, tables, scans and EOI.
  func append(to file: inout ByteSink, with segments: JPEGSegments) {
    file.u16(0xFFD8)
    file.append(jfif)
    file.append(segments.bytes)
    func copy(_ bytes: UnsafeRawBufferPointer) {
      for range in kept { file.append(UnsafeRawBufferPointer(rebasing: bytes[range])) }
    }
    switch storage {
    case .library(let slice): copy(slice.bytes)
    case .stream(let bytes): bytes.withUnsafeBytes(copy)
    }
  }
}

// MARK: - Coding

extension JPEGPicture {
  /// Encodes 8-bit samples: interleaved R G B A converted to Y'CbCr (BT.601, full range; alpha is ignored), planes of
  /// Y'CbCr without conversion, or grey.
  ///
  /// The stream is baseline, with the Huffman tables of the standard or its own. The DCT is the accurate one at every
  /// quality: with the library's SIMD it costs as much as the fast one (4.3 and 3.9 to 4.3 ms/MP at 4:4:4, quality 90).
  /// - Parameter options: chroma is `.s444` or `.s420`: of planes their own, and ignored for grey.
  init(_ image: SampleImage, _ options: JPEGOptions) throws(EncodeError) {
    let chroma = options.chroma
    if let scan = image.scan {
      guard scan.chroma == (image.model == .grey ? .none : chroma), scan.codes.isEmpty != options.isOptimized else {
        throw .unsupported(feature: "a scan for JPEG", found: "\(scan.chroma.rawValue), not \(chroma.rawValue)")
      }
      try self.init(scan, width: image.width, height: image.height, options)
    } else if image.model == .grey {
      let rows = try GreyRows(image)
      try self.init(
        rows.base, width: rows.width, height: rows.height, rowBytes: rows.rowBytes, format: TJPF_GRAY,
        sampling: TJSAMP_GRAY, options)
    } else if image.model == .ycc {
      guard image.chroma == chroma else {
        throw .unsupported(feature: "planes for JPEG", found: "\(image.chroma.rawValue), not \(chroma.rawValue)")
      }
      try self.init(planes: image, options)
    } else {
      let rows = try PixelRows(image, format: .uint8, output: "JPEG")
      try self.init(
        rows.row(0), width: rows.width, height: rows.height, rowBytes: rows.rowBytes, format: TJPF_RGBX,
        sampling: chroma == .s444 ? TJSAMP_444 : TJSAMP_420, options)
    }
  }

  /// Makes the picture of a scan: its quantisers are those that the library writes for a picture of one pixel.
  private init(_ scan: JPEGScan, width: Int, height: Int, _ options: JPEGOptions) throws(EncodeError) {
    try Self.checkSize(width, height)
    let pixel = [UInt8](repeating: 0, count: 4)
    let small = try pixel.withUnsafeBufferPointer { pixel throws(EncodeError) -> JPEGPicture in
      try JPEGPicture(
        UnsafeRawPointer(pixel.baseAddress!), width: 1, height: 1, rowBytes: 4,
        format: scan.chroma == .none ? TJPF_GRAY : TJPF_RGBX,
        sampling: scan.chroma == .none ? TJSAMP_GRAY : scan.chroma == .s444 ? TJSAMP_444 : TJSAMP_420,
        JPEGOptions(quality: options.quality))
    }
    let (stream, jpeg) = try small.readBack()
    let size = jpeg.sizePosition
    var bytes = stream
    bytes.replaceSubrange(
      size..<size + 4, with: [UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255)])
    self.init(small, bytes, jpeg, scan.codes, scan.bytes)
    (self.width, self.height) = (width, height)
  }

  /// Codes a picture of the library again with Huffman tables of its own.
  private func optimized() throws(EncodeError) -> JPEGPicture {
    let (stream, jpeg) = try readBack()
    let made = stream.withUnsafeBytes { bytes in
      JPEGRecoder(UnsafeRawBufferPointer(rebasing: bytes[jpeg.firstData..<jpeg.end - 2]), of: jpeg).recoded()
    }
    guard let made else { throw .library(name: "turbojpeg", code: 0, message: "its scan cannot be read") }
    return JPEGPicture(self, stream, jpeg, made.codes, made.bytes)
  }

  /// Returns the whole stream and its structure.
  func readBack() throws(EncodeError) -> (stream: [UInt8], jpeg: JPEGStructure) {
    var file = ByteSink(reserving: byteCount)
    append(to: &file, with: JPEGSegments())
    do throws(DecodeError) {
      return (file.bytes, try JPEGStructure(file.bytes, at: 0))
    } catch {
      throw .library(name: "turbojpeg", code: 0, message: "its header cannot be read: \(error)")
    }
  }

  /// Makes a picture with the head of another one and a scan of its own.
  ///
  /// - Parameters:
  ///   - stream: the other picture's bytes; `jpeg` is its structure.
  ///   - codes: the scan's; empty for those of the standard, which the head has.
  private init(
    _ other: JPEGPicture, _ stream: [UInt8], _ jpeg: JPEGStructure, _ codes: [JPEGCodes], _ scan: [UInt8]
  ) {
    var bytes: [UInt8] = [], from = 2 + other.jfif.count
    bytes.reserveCapacity(jpeg.firstData + scan.count + 1024)
    for (marker, table) in codes.isEmpty ? [] : jpeg.tables where marker == 0xC4 {
      // The library writes one table a segment.
      bytes += stream[from..<table.lowerBound - 2]
      from = table.upperBound
      let kind = JPEGCodeTable.allCases.first { $0.identifier == stream[table.lowerBound] } ?? .lumaDC
      let own = codes[kind.rawValue], length = 3 + own.counts.count + own.values.count
      bytes += [UInt8(length >> 8), UInt8(length & 255), kind.identifier] + own.counts + own.values
    }
    bytes += stream[from..<jpeg.firstData] + scan + [0xFF, 0xD9]
    self.init(
      storage: .stream(bytes), jfif: other.jfif, kept: [0..<bytes.count], width: other.width, height: other.height,
      isGrey: other.isGrey)
  }

  private static func checkSize(_ width: Int, _ height: Int) throws(EncodeError) {
    guard max(width, height) <= JPEGOptions.mostSide else {
      throw .unsupported(feature: "JPEG picture size", found: "\(width)x\(height)")
    }
  }

  private init(
    _ samples: UnsafeRawPointer, width: Int, height: Int, rowBytes: Int, format: TJPF, sampling: TJSAMP,
    _ options: JPEGOptions
  ) throws(EncodeError) {
    try self.init(width: width, height: height, isGrey: sampling == TJSAMP_GRAY, options) { codec, memory, count in
      tjCompress2(
        codec, samples.assumingMemoryBound(to: UInt8.self), Int32(width), Int32(rowBytes), Int32(height),
        Int32(format.rawValue), &memory, &count, Int32(sampling.rawValue), Int32(options.quality), TJFLAG_ACCURATEDCT)
    }
  }

  private init(planes image: SampleImage, _ options: JPEGOptions) throws(EncodeError) {
    try image.checkForCoding(codec: "JPEG", depths: [8])
    // The library reads whole groups of samples: one column or row more than an odd picture has.
    let isOdd = image.chroma == .s420 && (image.width | image.height) & 1 == 1
    let whole =
      isOdd ? image.padded(x: 0, y: 0, width: (image.width + 1) & ~1, height: (image.height + 1) & ~1) : image
    let sampling = image.chroma == .s444 ? TJSAMP_444 : TJSAMP_420
    defer { withExtendedLifetime(whole) {} }
    var planes = whole.channels.map { plane -> UnsafePointer<UInt8>? in
      UnsafePointer((plane.buffer.base + plane.offset).assumingMemoryBound(to: UInt8.self))
    }
    let strides = whole.channels.map { Int32($0.rowBytes) }
    try self.init(width: image.width, height: image.height, isGrey: false, options) { codec, memory, count in
      tjCompressFromYUVPlanes(
        codec, &planes, Int32(image.width), strides, Int32(image.height), Int32(sampling.rawValue), &memory, &count,
        Int32(options.quality), TJFLAG_ACCURATEDCT)
    }
  }

  /// Makes a picture of a stream that the library encodes.
  ///
  /// - Parameter compress: makes the library encode a stream in its own memory; returns 0 on success.
  private init(
    width: Int, height: Int, isGrey: Bool, _ options: JPEGOptions,
    compress: (tjhandle, inout UnsafeMutablePointer<UInt8>?, inout UInt) -> Int32
  ) throws(EncodeError) {
    try Self.checkSize(width, height)
    guard let codec = tjInitCompress() else { throw Self.failure(nil) }
    defer { tjDestroy(codec) }
    var memory: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    let code = compress(codec, &memory, &count)
    // turbojpeg may have allocated before it failed.
    guard code == 0, let memory, count > 0 else {
      let error = Self.failure(codec)
      tjFree(memory)
      throw error
    }
    let buffer = PixelBuffer(adopting: memory, byteCount: Int(count)) {
      tjFree($0.assumingMemoryBound(to: UInt8.self))
    }
    let slice = PixelBufferSlice(buffer: buffer, count: Int(count)), coded = slice.bytes
    guard coded.count > 20, coded[0] == 0xFF, coded[1] == 0xD8, coded[2] == 0xFF, coded[3] == 0xE0 else {
      throw .library(name: "turbojpeg", code: 0, message: "the stream does not start with a JFIF segment")
    }
    let headEnd = 4 + Int(coded[4]) << 8 + Int(coded[5])
    guard headEnd < coded.count else {
      throw .library(name: "turbojpeg", code: 0, message: "the JFIF segment is longer than the stream")
    }
    self.init(
      storage: .library(slice), jfif: Array(coded[2..<headEnd]), kept: [headEnd..<coded.count], width: width,
      height: height, isGrey: isGrey)
    if options.isOptimized { self = try optimized() }
  }

  static func failure(_ codec: tjhandle?) -> EncodeError {
    let code = tjGetErrorCode(codec)
    return .library(name: "turbojpeg", code: Int(code), message: String(cString: tjGetErrorStr2(codec)))
  }
}

/// The rows of one 8-bit channel, checked once.
private struct GreyRows {
  let base: UnsafeRawPointer
  let rowBytes: Int
  let width: Int
  let height: Int

  init(_ image: SampleImage) throws(EncodeError) {
    guard image.format == .uint8, image.channels.count == 1, let plane = image.channels.first, plane.stepBytes == 1,
      plane.width == image.width, plane.height == image.height, image.width > 0, image.height > 0, plane.offset >= 0,
      plane.rowBytes >= image.width,
      plane.offset + (image.height - 1) * plane.rowBytes + image.width <= plane.buffer.byteCount
    else {
      throw .unsupported(
        feature: "pixel layout for JPEG",
        found: "\(image.model.rawValue), \(image.format.rawValue), \(image.channels.count) channels")
    }
    base = UnsafeRawPointer(plane.buffer.base + plane.offset)
    rowBytes = plane.rowBytes
    width = image.width
    height = image.height
  }
}

// MARK: - Keeping

extension JPEGPicture {
  /// Takes the picture out of a finished stream. Tables, frame, scans and comments are kept byte for byte, and so is an
  /// Adobe segment, because it decides the colour transform. A JFIF header is kept or made; other application segments
  /// are removed.
  ///
  /// A picture stored as R'G'B' gets no JFIF header: with one, every decoder would take it for Y'CbCr.
  /// - Parameter known: the JFIF header, instead of the stream's.
  /// - Throws: `.unsupported` for streams that this project does not decode and for streams without an end.
  init(keeping bytes: [UInt8], jfif known: [UInt8]? = nil) throws(EncodeError) {
    let jpeg: JPEGStructure
    let image: SampleImage
    do throws(DecodeError) {
      jpeg = try JPEGStructure(bytes, at: 0)
      image = try describeJPEGSamples(jpeg)
      guard jpeg.hasEnd else { throw .truncated(where: "JPEG scan") }
    } catch {
      throw .unsupported(feature: "keeping this JPEG stream", found: "\(error)")
    }
    var jfif: [UInt8] = []
    var kept: [Range<Int>] = []
    var from = 2
    for segment in jpeg.applications {
      let payload = bytes[segment.payload]
      if segment.marker == 0xEE, payload.starts(with: "Adobe".utf8) { continue }
      // The marker and length field are 4 bytes; fill bytes before the marker may remain.
      let start = segment.payload.lowerBound - 4
      if segment.marker == 0xE0, jfif.isEmpty, payload.count >= 14, payload.starts(with: "JFIF\0".utf8) {
        jfif = Array(bytes[start..<segment.payload.upperBound])
      }
      if start > from { kept.append(from..<start) }
      from = segment.payload.upperBound
    }
    kept.append(from..<jpeg.end)
    if jfif.isEmpty, !isRGB(jpeg) { jfif = Self.plainJFIF }
    self.init(
      storage: .stream(bytes), jfif: known ?? jfif, kept: kept, width: image.width, height: image.height,
      isGrey: image.model == .grey)
  }

  /// A JFIF header of version 1.01, square pixels, no thumbnail (ITU-T T.871 clause 10.1).
  private static let plainJFIF: [UInt8] = [
    0xFF, 0xE0, 0, 16, 0x4A, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0,
  ]
}

extension JPEGSegments {
  /// Appends XMP that is too long for one segment, in parts (XMP specification part 3, 1.1.3.1): identifier, u32 full
  /// length, u32 offset, data.
  ///
  /// - Parameters:
  ///   - packet: the packet without wrapper.
  ///   - identifier: 32 hexadecimal digits, also in the standard packet: the MD5 digest of `packet`.
  mutating func append(extendedXMP packet: [UInt8], identifier: String) {
    let room = Self.room(behind: JPEGIdentifier.extendedXMP) - 40
    for offset in stride(from: 0, to: packet.count, by: room) {
      var part = ByteSink(reserving: room + 40)
      part.ascii(identifier)
      part.u32(packet.count)
      part.u32(offset)
      part.append(packet[offset..<min(offset + room, packet.count)])
      _ = append(0xE1, JPEGIdentifier.extendedXMP, part.bytes)
    }
  }
}
