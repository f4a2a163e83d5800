import HDRCore

/// Pictures of light by a formula.
enum LightPicture {
  /// Makes planes of binary32.
  static func planes(width: Int, height: Int, channels: Int, _ values: (Int, Int) -> [Double]) -> SampleImage {
    let image = SampleImage.planar(
      width: width, height: height, model: channels == 1 ? .grey : .rgb, format: .float32, bitDepth: 32)
    for y in 0..<height {
      for x in 0..<width {
        for (plane, value) in zip(image.channels, values(x, y)) {
          (plane.buffer.base + plane.offset + y * plane.rowBytes + 4 * x).storeBytes(of: Float(value), as: Float.self)
        }
      }
    }
    return image
  }

  /// Makes light of R, G, B in cd/m².
  static func light(width: Int, height: Int, _ nits: (Int, Int) -> [Double]) -> SampleImage {
    planes(width: width, height: height, channels: 3) { x, y in nits(x, y).map { $0 / ReferenceWhite.nits } }
  }

  /// Makes a row of light.
  static func row(_ nits: [[Double]]) -> SampleImage { light(width: nits.count, height: 1) { x, _ in nits[x] } }
}
