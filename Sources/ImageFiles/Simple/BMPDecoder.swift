import FileParts
import HDRCore

/// Reads BMP without compression: 24 and 32 bits, and 16 or 32 bits with masks, alpha where a mask says so; rows upwards or
/// downwards. sRGB, or the profile in the file, unless the caller says otherwise.
///
/// Masks of up to 8 bits give codes of 8 bits, wider ones of 16. Source: Microsoft, "Bitmap Header Types" (wingdi.h).
enum BMPDecoder: PlainDecoder {
  static let name = "BMP"
  static let formats = ["BMP"]
  static let extensions = ["bmp"]
  static let format = FileFormat.bmp

  private static let place = "BMP header"

  static func recognizes(_ head: ArraySlice<UInt8>) -> Bool { head.starts(with: Array("BM".utf8)) && head.count >= 18 }

  static func picture(_ bytes: [UInt8], _ limits: DecodeLimits) throws(DecodeError) -> PlainPicture {
    guard recognizes(bytes[...].prefix(formatBytes)) else { throw fault("it begins with no known word") }
    let fields = FilmFields(bytes: bytes, isLittleEndian: true), size = fields.u32(14)
    guard bytes.count >= 54 else { throw .truncated(where: place) }
    guard size >= 40 else { throw .unsupported(feature: "BMP header", found: "\(size) bytes, of OS/2") }
    let width = signed(fields, 18), tall = signed(fields, 22), height = abs(tall)
    let pixels = try BMPPixels(fields, headerSize: size)
    _ = try checkedPixels(width, height, limits, place: place)
    let start = fields.u32(10), rowBytes = (width * pixels.bytes + 3) / 4 * 4
    guard start >= 54, rowBytes * height <= bytes.count - start else {
      if start < 54 { throw fault("samples begin at byte \(start)") }
      throw .truncated(where: "BMP samples: \(max(0, bytes.count - start)) of \(rowBytes * height) bytes")
    }
    let image = SampleImage.codes(width: width, height: height, isGrey: false, bits: pixels.bits)
    var warnings: [Warning] = []
    let profile = profile(fields, size, limits, &warnings)
    let own = profile.flatMap {
      SourceColor(
        icc: $0, model: .rgb, matrix: CICP.Matrix.identity, fullRange: true, limits: limits, warnings: &warnings)
    }
    var color = try limits.reading.colorOfCodes(.rgb)
    if color.cicp == nil, let own { color = own }
    return PlainPicture(
      image: image, color: color, header: [HeaderField("rows", tall < 0 ? "top-down" : "bottom-up")], warnings: warnings
    ) { _ throws(DecodeError) in
      let result = SampleImage.interleaved(
        width: width, height: height, channelCount: pixels.masks.count, format: image.format, bitDepth: pixels.bits)
      bytes.withUnsafeBytes { all in
        guard let base = all.baseAddress else { return }
        for y in 0..<height {
          let row = base + start + (tall < 0 ? y : height - 1 - y) * rowBytes
          pixels.read(row, width, result.interleavedBase + y * width * pixels.masks.count * image.format.bytes)
        }
      }
      return result
    }
  }

  /// Returns the profile that the header of version 5 places in the file; `nil`: there is none.
  private static func profile(
    _ fields: FilmFields, _ size: Int, _ limits: DecodeLimits, _ warnings: inout [Warning]
  ) -> [UInt8]? {
    guard size >= 108, fields.bytes.count >= 14 + size else { return nil }
    let kind = latin1(fields.bytes[70..<74].reversed())
    // Colours of Windows are sRGB.
    if ["sRGB", "Win "].contains(kind) { return nil }
    if kind == "MBED", size >= 124 {
      let from = 14 + fields.u32(126), count = fields.u32(130)
      if count <= limits.maxICCBytes, from + count <= fields.bytes.count {
        return Array(fields.bytes[from..<from + count])
      }
    }
    warnings.append(Warning("bmp.colour", "the colours that the header describes are not used; sRGB is assumed"))
    return nil
  }

  private static func signed(_ fields: FilmFields, _ at: Int) -> Int {
    Int(Int32(truncatingIfNeeded: fields.u32(at)))
  }

  private static func fault(_ what: String) -> DecodeError { .malformed(where: place, what: what) }
}

/// The pixels of a BMP file: words of 16, 24 or 32 bits, with a mask for each channel.
struct BMPPixels {
  /// The bytes of a pixel.
  let bytes: Int
  /// The masks of R, G, B, and A if there is any.
  let masks: [UInt32]
  /// The bits of the codes that are made.
  let bits: Int

  init(_ fields: FilmFields, headerSize: Int) throws(DecodeError) {
    let depth = fields.u16(28), compression = fields.u32(30)
    switch (compression, depth) {
    case (0, 24), (0, 32): masks = [0xFF0000, 0xFF00, 0xFF]
    case (0, 16): masks = [0x7C00, 0x3E0, 0x1F]
    case (3, 16), (3, 32), (6, 16), (6, 32):
      let hasAlpha = compression == 6 || headerSize >= 56
      guard fields.bytes.count >= 70 else { throw .truncated(where: "BMP masks") }
      var found = (0..<(hasAlpha ? 4 : 3)).map { UInt32(truncatingIfNeeded: fields.u32(54 + 4 * $0)) }
      if found.last == 0, found.count == 4 { found.removeLast() }
      var all: UInt32 = 0
      for mask in found {
        let low = mask >> UInt32(mask.trailingZeroBitCount & 31)
        guard mask != 0, low & (low &+ 1) == 0, low <= 0xFFFF, mask & all == 0, UInt64(mask) >> UInt64(depth) == 0
        else {
          throw .malformed(where: "BMP masks", what: "a mask of a channel is no group of up to 16 bits of its own")
        }
        all |= mask
      }
      masks = found
    default:
      let what = [1: "runs", 2: "runs", 4: "JPEG", 5: "PNG"][compression] ?? "compression \(compression)"
      throw .unsupported(feature: "BMP", found: "\(depth) bits a pixel" + (compression == 0 ? "" : ", \(what)"))
    }
    bytes = depth / 8
    bits = masks.allSatisfy { $0.nonzeroBitCount <= 8 } ? 8 : 16
  }

  /// Reads a row of pixels into interleaved codes.
  func read(_ row: UnsafeRawPointer, _ width: Int, _ out: UnsafeMutableRawPointer) {
    let largest = UInt64(1) << UInt64(bits) - 1
    let channels = masks.map { mask in
      (mask: mask, shift: UInt32(mask.trailingZeroBitCount), most: UInt64(mask >> UInt32(mask.trailingZeroBitCount)))
    }
    for x in 0..<width {
      var word: UInt32 = 0
      for index in 0..<bytes {
        word |= UInt32(row.load(fromByteOffset: x &* bytes &+ index, as: UInt8.self)) << UInt32(8 &* index)
      }
      for (index, channel) in channels.enumerated() {
        let code = UInt64((word & channel.mask) >> channel.shift)
        let scaled = channel.most == largest ? code : (code * largest + channel.most / 2) / channel.most
        let at = x &* channels.count &+ index
        if bits == 8 {
          out.storeBytes(of: UInt8(truncatingIfNeeded: scaled), toByteOffset: at, as: UInt8.self)
        } else {
          out.storeBytes(of: UInt16(truncatingIfNeeded: scaled), toByteOffset: 2 &* at, as: UInt16.self)
        }
      }
    }
  }
}
