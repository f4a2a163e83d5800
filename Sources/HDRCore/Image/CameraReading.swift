/// The parts of a camera raw file to read.
public struct CameraReading: Sendable, Hashable {
  public enum Source: String, Sendable, Hashable, CaseIterable {
    /// The camera's own rendition if it has full size and a gain map, else the sensor's samples.
    case automatic = "auto"
    /// The JPEG that the camera rendered.
    case embedded
    case sensor
  }

  public enum Crop: String, Sendable, Hashable, CaseIterable {
    /// The camera's own framing.
    case standard = "default"
    /// All samples that received light.
    case active
  }

  public var source = Source.automatic
  public var crop = Crop.standard

  public init() {}
}
