import Foundation
import HDRCore
import ImageFiles

/// Small PNG files, every one another picture.
enum SmallPictures {
  static func png(_ seed: Int, width: Int = 48, height: Int = 32) throws -> Data {
    let image = SampleImage.interleaved(width: width, height: height, channelCount: 4, format: .uint8, bitDepth: 8)
    let plane = image.channels[0]
    for y in 0..<height {
      for x in 0..<4 * width {
        let value = x & 3 == 3 ? 255 : (x &* (seed + 3) ^ y &* 7) & 255
        plane.buffer.base.storeBytes(of: UInt8(value), toByteOffset: y * plane.rowBytes + x, as: UInt8.self)
      }
    }
    let request = EncodeRequest(
      kind: .sdrPNG, image: image, hasAlpha: false, cicp: .sRGB, contentHeadroom: 1, displayHeadroom: 1)
    return Data(try encodeImage(request).main)
  }

  /// `in/p000.png` ...; every third in `in/sub`.
  static func write(_ count: Int, into folder: TemporaryFolder, width: Int = 48, height: Int = 32) throws {
    for index in 0..<count {
      let digits = String(index)
      let name = "p" + String(repeating: "0", count: 3 - digits.count) + digits + ".png"
      let path = folder.path((index % 3 == 0 ? "in/sub/" : "in/") + name)
      try FileManager.default.createDirectory(
        atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try png(index, width: width, height: height).write(to: URL(fileURLWithPath: path))
    }
  }
}
