/// Settings for the rendition of a sensor's samples.
package struct CameraLook: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The camera profile's look, for SDR and for HDR.
    case profile
    /// Light proportional to the scene's, for grading.
    case linear
  }

  package var kind = Kind.profile
  package var demosaic = Demosaic.linear
  /// The position between the SDR look, 0, and the HDR look, 1; `nil`: 1 for HDR outputs.
  package var amount: Double?
  /// Stops added to those of the file.
  package var exposure = 0.0
  /// Stops that replace the file's BaselineExposure.
  package var baselineExposure: Double?
  /// The scene's white that replaces the file's.
  package var white: Chromaticity?
  /// The share of the profile's tone curve that is applied, 0...1.
  package var boost = 1.0
  /// Light that becomes black, added to what the profile subtracts; the sensor's white is 1.
  package var shadowBias = 0.0
  /// The exponent of the profile's local gains, 0...1.
  package var localTone = 1.0

  package init() {}
}
