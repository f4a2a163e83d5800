import HDRCore
import ImageFiles

/// The light of a rendition as a file for other programs.
package enum LightFile: String, Sendable, CaseIterable {
  /// PQ in 16 bits, BT.2020.
  case png
  /// Linear BT.2020 in halves, 1.0 = 203 cd/m².
  case exr

  /// Encodes light.
  ///
  /// - Parameters:
  ///   - light: three planes of binary32: linear BT.2020, 1.0 = 203 cd/m².
  ///   - signals: the same as PQ codes of 16 bits, four a pixel.
  func encode(_ light: SampleImage, signals: SampleImage) throws(EncodeError) -> [UInt8] {
    let request =
      switch self {
      case .png:
        EncodeRequest(
          kind: .pqPNG, image: signals, hasAlpha: false, cicp: CICP(9, 16, 0, full: true), contentHeadroom: 1,
          displayHeadroom: 1)
      case .exr:
        EncodeRequest(
          kind: .exr, image: Self.halves(light), hasAlpha: false, cicp: CICP(9, 8, 0, full: true), contentHeadroom: 1,
          displayHeadroom: 1)
      }
    return try encodeImage(request).main
  }

  private static func halves(_ light: SampleImage) -> SampleImage {
    let image = SampleImage.interleaved(
      width: light.width, height: light.height, channelCount: 4, format: .float16, bitDepth: 16)
    let plane = image.channels[0], largest = Float(Float16.greatestFiniteMagnitude)
    for y in 0..<light.height {
      let row = plane.buffer.base + plane.offset + y * plane.rowBytes
      let channels = light.channels.map { $0.floats(row: y) }
      for x in 0..<light.width {
        for (channel, samples) in channels.enumerated() {
          let half = Float16(min(max(samples[x], -largest), largest))
          row.storeBytes(of: half, toByteOffset: 8 * x + 2 * channel, as: Float16.self)
        }
        row.storeBytes(of: 1, toByteOffset: 8 * x + 6, as: Float16.self)
      }
    }
    return image
  }
}
