/// How a picture is made of a sensor's samples.
public struct CameraLook: Sendable, Hashable {
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// As the camera's profile says, for SDR and for HDR.
    case profile
    /// Light of the scene in proportion, for grading.
    case linear
  }

  public var kind = Kind.profile
  public var demosaic = Demosaic.linear
  /// Between the SDR look, 0, and the HDR look, 1; `nil`: 1 where HDR is made.
  public var amount: Double?
  /// Stops beside those of the file.
  public var exposure = 0.0
  /// Stops instead of the file's BaselineExposure.
  public var baselineExposure: Double?
  /// The scene's white instead of the file's.
  public var white: Chromaticity?
  /// Share of the profile's tone curve, 0...1.
  public var boost = 1.0
  /// Light of the sensor's white, as 1, that becomes black beside what the profile takes off.
  public var shadowBias = 0.0
  /// Exponent of the profile's local gains, 0...1.
  public var localTone = 1.0

  public init() {}
}
