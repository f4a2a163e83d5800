import HDRCore
import ImageFiles
import TestFiles

/// Files and samples of the JPEG XL tests.
enum JXL {
  static let isHere = jxlMissing() == nil
  static let missing = "skipped: no libjxl"
  /// Earlier versions end the process on some damage.
  static let isHard = (jxlLibraryVersion ?? 0) >= 9000

  /// Words of all samples, pixel by pixel, alpha last.
  static func words(_ image: SampleImage, channels: Int? = nil) -> [UInt16] {
    let planes = (image.channels + (image.alpha.map { [$0] } ?? [])).prefix(channels ?? 4)
    var words: [UInt16] = []
    for y in 0..<image.height {
      for x in 0..<image.width {
        for plane in planes {
          let at = plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes
          words.append(image.format == .uint8 ? UInt16(at.load(as: UInt8.self)) : at.load(as: UInt16.self))
        }
      }
    }
    return words
  }

  /// Halves of -8 to 8 and a few of the smallest and largest. The library does not keep those below 2^-14.
  static func halves(_ width: Int, _ height: Int) -> SampleImage {
    let image = SampleImage.interleaved(width: width, height: height, channelCount: 4, format: .float16, bitDepth: 16)
    var noise = Writer.Noise(7)
    for index in 0..<width * height * 4 {
      var bits = UInt16(noise.next() % 0x4800)
      if index % 11 == 0 { bits |= 0x8000 }
      if index % 97 == 0 { bits = [0x7BFF, 0x0401, 0x0400, 0xFBFF][index / 97 % 4] }
      if index % 4 == 3 { bits = 0x3C00 }
      if bits & 0x7FFF < 0x0400 { bits = 0 }
      (image.channels[0].buffer.base + 2 * index).storeBytes(of: bits, as: UInt16.self)
    }
    return image
  }

  static func box(_ type: String, _ payload: [UInt8]) -> [UInt8] {
    let size = UInt32(8 + payload.count)
    return (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) } + Array(type.utf8) + payload
  }

  static let signature = hexBytes("0000000c4a584c200d0a870a")
  static let fileType = hexBytes("00000014667479706a786c20000000006a786c20")

  /// A file of boxes.
  static func file(_ boxes: [UInt8]...) -> [UInt8] { signature + fileType + boxes.flatMap { $0 } }

  /// Types and payloads of a file's boxes.
  static func boxes(_ file: [UInt8]) -> [(type: String, payload: [UInt8])] {
    var found: [(type: String, payload: [UInt8])] = []
    var at = 0
    while at + 8 <= file.count {
      let size = file[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      guard size >= 8, at + size <= file.count else { break }
      found.append((String(decoding: file[at + 4..<at + 8], as: UTF8.self), Array(file[at + 8..<at + size])))
      at += size
    }
    return found
  }

  /// Bytes as Brotli stores them without compressing (RFC 7932 clause 9.2); at most 65 536.
  static func brotli(_ bytes: [UInt8]) -> [UInt8] {
    let header = (bytes.count - 1) << 4 | 1 << 20
    return (0..<3).map { UInt8(truncatingIfNeeded: header >> (8 * $0)) } + bytes + [3]
  }
}
