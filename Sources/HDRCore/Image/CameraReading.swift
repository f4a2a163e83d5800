/// What of a camera raw file is read.
public struct CameraReading: Sendable, Hashable {
  public enum Source: String, Sendable, Hashable, CaseIterable {
    /// The camera's own rendition where it is of full size and has a gain map, else the sensor's samples.
    case automatic = "auto"
    /// The JPEG that the camera rendered.
    case embedded
    case sensor
  }

  public enum Crop: String, Sendable, Hashable, CaseIterable {
    /// As the camera frames its pictures.
    case standard = "default"
    /// All samples that got light.
    case active
  }

  public var source = Source.automatic
  public var crop = Crop.standard

  public init() {}
}
