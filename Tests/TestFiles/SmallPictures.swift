import Foundation
import HDRCore
import ImageFiles
import TestSupport

/// Small PNG files, every one another picture.
package enum SmallPictures {
  package static func png(
    _ seed: Int, width: Int = 48, height: Int = 32, hasAlpha: Bool = false
  ) throws -> Data {
    let image = SampleImage.interleaved(width: width, height: height, channelCount: 4, format: .uint8, bitDepth: 8)
    let plane = image.channels[0]
    // Noise, which no codec makes small.
    var random = UInt32(truncatingIfNeeded: seed &* 2_654_435_761 | 1)
    for y in 0..<height {
      for x in 0..<4 * width {
        random ^= random << 13
        random ^= random >> 17
        random ^= random << 5
        let value: UInt8 = x & 3 == 3 && !hasAlpha ? 255 : UInt8(truncatingIfNeeded: random)
        plane.buffer.base.storeBytes(of: value, toByteOffset: y * plane.rowBytes + x, as: UInt8.self)
      }
    }
    let request = EncodeRequest(
      kind: .sdrPNG, image: image, hasAlpha: hasAlpha, cicp: .sRGB, contentHeadroom: 1, displayHeadroom: 1)
    return Data(try encodeImage(request).main)
  }

  /// `in/p000.png` ...; every third in `in/sub`.
  package static func write(_ count: Int, into folder: TemporaryFolder, width: Int = 48, height: Int = 32) throws {
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
