/// The parts of a camera raw file to read.
package struct CameraReading: Sendable, Hashable {
  package enum Source: String, Sendable, Hashable, CaseIterable {
    /// The camera's own rendition if it has full size and a gain map, else the sensor's samples.
    case automatic = "auto"
    /// The JPEG that the camera rendered.
    case embedded
    case sensor
  }

  package enum Crop: String, Sendable, Hashable, CaseIterable {
    /// The camera's own framing.
    case standard = "default"
    /// All samples that received light.
    case active
  }

  package var source = Source.automatic
  package var crop = Crop.standard

  package init() {}
}
