import HDRCore
import ImageFiles
import TestSamples

extension SourceImage {
  /// A picture of such a sensor.
  static var ofSensor: SourceImage {
    var source = SourceImage.small
    source.format = .dng
    source.image = .planar(width: 12, height: 9, model: .grey, format: .uint16, bitDepth: 16)
    source.geometry = Geometry(width: 12, height: 9)
    source.sensor = .sample
    return source
  }
}
