import FileParts
import HDRCore

/// Reads PFM and PHM: floats or halves of one, three or four channels in both byte orders, rows from the bottom or, in
/// Photoshop's variant, from the top.
///
/// Samples are linear light, 1.0 = reference white, BT.709 unless the caller says otherwise: planes of binary32, or
/// interleaved halves; alpha straight. The size of the scale is not used.
enum PFMDecoder: PlainDecoder {
  static let name = "PFM"
  static let formats = ["PFM"]
  static let extensions = ["pfm", "phm"]
  static let format = FileFormat.pfm

  static func recognizes(_ head: ArraySlice<UInt8>) -> Bool { PFMHeader.recognizes(head) }

  static func picture(_ bytes: [UInt8], _ limits: DecodeLimits) throws(DecodeError) -> PlainPicture {
    let header = try PFMHeader(bytes), sample: SampleFormat = header.isHalf ? .float16 : .float32
    let pixels = try checkedPixels(header.width, header.height, limits, place: PFMHeader.place)
    let wanted = pixels * header.channels * sample.bytes, found = bytes.count - header.start
    guard found >= wanted else { throw .truncated(where: "PFM samples: \(max(found, 0)) of \(wanted) bytes") }
    let isGrey = header.channels == 1, stated = try limits.reading.statedLinearPrimaries
    let image = SampleImage(
      width: header.width, height: header.height, model: isGrey ? .grey : .rgb, format: sample,
      bitDepth: 8 * sample.bytes, chroma: isGrey ? .none : .s444, channels: [])
    var warnings: [Warning] = []
    if found > wanted {
      warnings.append(Warning("pfm.trailing", "\(found - wanted) bytes after the samples are not read"))
    }
    return PlainPicture(
      image: image, color: .linear(stated ?? .bt709, isStated: stated != nil),
      header: [
        HeaderField("scale", short(header.scale)), HeaderField("rows", header.isTopDown ? "top-down" : "bottom-up"),
      ], texts: header.texts, warnings: warnings
    ) { _ throws(DecodeError) in
      header.isHalf ? halves(bytes, header) : floats(bytes, header)
    }
  }

  /// Calls `take` with the bytes of each row of the picture, from the top.
  private static func forEachRow(
    _ bytes: [UInt8], _ header: PFMHeader, of rowBytes: Int, _ take: (Int, UnsafeRawPointer) -> Void
  ) {
    bytes.withUnsafeBytes { all in
      guard let base = all.baseAddress else { return }
      for y in 0..<header.height {
        take(y, base + header.start + (header.isTopDown ? y : header.height - 1 - y) * rowBytes)
      }
    }
  }

  private static func floats(_ bytes: [UInt8], _ header: PFMHeader) -> SampleImage {
    let channels = header.channels, width = header.width
    var image = SampleImage.planar(
      width: width, height: header.height, model: channels == 1 ? .grey : .rgb, format: .float32, bitDepth: 32,
      hasAlpha: channels == 4)
    let planes = image.channels + (image.alpha.map { [$0] } ?? [])
    var madeFinite = 0
    forEachRow(bytes, header, of: 4 * channels * width) { y, row in
      for (channel, plane) in planes.enumerated() {
        let out = plane.floats(y), isAlpha = channel == 3
        for x in 0..<width {
          let word = row.loadUnaligned(fromByteOffset: 4 &* (x &* channels &+ channel), as: UInt32.self)
          let stored = Float(
            bitPattern: header.isLittleEndian ? UInt32(littleEndian: word) : UInt32(bigEndian: word))
          let value = boundedLight(stored)
          madeFinite += stored.isFinite ? 0 : 1
          out[x] = isAlpha ? min(max(value, 0), 1) : value
        }
      }
    }
    image.madeFinite = madeFinite
    return image
  }

  private static func halves(_ bytes: [UInt8], _ header: PFMHeader) -> SampleImage {
    let count = header.channels * header.width
    let image = SampleImage.interleaved(
      width: header.width, height: header.height, channelCount: header.channels, format: .float16, bitDepth: 16)
    let base = image.channels[0].buffer.base
    forEachRow(bytes, header, of: 2 * count) { y, row in
      for index in 0..<count {
        let word = row.loadUnaligned(fromByteOffset: 2 &* index, as: UInt16.self)
        base.storeBytes(
          of: header.isLittleEndian ? word : word.byteSwapped, toByteOffset: 2 &* (y &* count &+ index), as: UInt16.self
        )
      }
    }
    return image
  }
}
