import HDRCore
import HDRPlan
import PlainData

/// Settings for rendering camera raw files.
package struct CameraSettings: SettingGroup {
  package var title: String { "Camera raw" }
  package var scope: Setting.Scope { .recipe }

  package let amount = SettingKey(
    "raw-amount", .number(0...1, "share"), assumed: "1; 0 where SDR is made",
    "How much of the HDR look a camera raw file gets: 0 is its SDR look, 1 its HDR look.")
  package let demosaic = SettingKey(
    "raw-demosaic", .choice(Demosaic.self, "method"), standard: .linear, rare: true,
    """
    How colours are found between the filters of a sensor: linear, by weighted sums; rcd, along the direction of least \
    change, for Bayer patterns, 17 times slower.
    """)
  package let exposure = SettingKey(
    "raw-exposure", .number(-10...10, "stops"), standard: 0,
    "Stops by which a camera raw picture is brighter than its file says, before its tone curve.")
  package let baselineExposure = SettingKey(
    "raw-baseline-exposure", .number(-10...10, "stops"), assumed: "the file's own", rare: true,
    "Stops instead of the file's BaselineExposure.")
  package let white = SettingKey(
    "raw-white", .cameraWhite, assumed: "as shot",
    """
    The light that is white in a camera raw picture: kelvins (5500), kelvins and tint (5500:10, as of the filter \
    temperature-tint), or x:y of CIE 1931.
    """)
  package let boost = SettingKey(
    "raw-boost", .number(0...1, "share"), standard: 1, rare: true,
    "How much of the profile's tone curve is applied.")
  package let shadowBias = SettingKey(
    "raw-shadow-bias", .number(-0.1...0.1, "light"), standard: 0, rare: true,
    "Light that becomes black beside what the profile takes off; the sensor's white is 1.")
  package let localTone = SettingKey(
    "raw-local-tone", .number(0...1, "share"), standard: 1, rare: true,
    "How much of the profile's local tone mapping (ProfileGainTableMap) is applied.")
}

/// The values of `--raw-look`.
package enum RawLook: String, Sendable, Hashable, CaseIterable {
  case automatic = "auto"
  case embedded, profile, linear
}

extension SettingType where Value == CameraWhite {
  static var cameraWhite: SettingType {
    SettingType("kelvins:tint|x:y") { text throws(SettingFault) in
      let numbers = text.split(separator: ":", omittingEmptySubsequences: false).map { decimal(String($0)) ?? .nan }
      if numbers.count <= 2, let first = numbers.first, WhiteLocus.range.contains(first) {
        let tint = numbers.count == 2 ? numbers[1] : 0
        if (-150...150).contains(tint) { return .temperature(first, tint: tint) }
      }
      if numbers.count == 2, numbers[0] > 0, numbers[1] > 0, numbers[0] + numbers[1] < 1 {
        return .chromaticity(Chromaticity(numbers[0], numbers[1]))
      }
      throw SettingFault(
        "is kelvins from 1667 to 25000, perhaps with :tint (5500:10), or x:y (0.3457:0.3585), not \(text)")
    } text: {
      switch $0 {
      case .temperature(let kelvins, 0): shortest(kelvins)
      case .temperature(let kelvins, let tint): "\(shortest(kelvins)):\(shortest(tint))"
      case .chromaticity(let place): "\(shortest(place.x)):\(shortest(place.y))"
      }
    }
  }
}

/// A value of `--raw-white`.
package enum CameraWhite: Sendable, Hashable {
  case temperature(Double, tint: Double)
  case chromaticity(Chromaticity)

  var place: Chromaticity {
    switch self {
    case .temperature(let kelvins, let tint): WhiteLocus.white(temperature: kelvins, tint: tint)
    case .chromaticity(let place): place
    }
  }
}

extension CameraLook {
  package init(_ values: SettingValues) {
    let camera = Settings.camera
    self.init()
    if values[Settings.reading.rawLook] == .linear { kind = .linear }
    demosaic = values[camera.demosaic]
    amount = values[camera.amount]
    exposure = values[camera.exposure]
    baselineExposure = values[camera.baselineExposure]
    white = values[camera.white]?.place
    boost = values[camera.boost]
    shadowBias = values[camera.shadowBias]
    localTone = values[camera.localTone]
  }
}

extension CameraReading {
  init(_ values: SettingValues) {
    self.init()
    crop = values[Settings.reading.rawCrop]
    source =
      switch values[Settings.reading.rawLook] {
      case .automatic: .automatic
      case .embedded: .embedded
      case .profile, .linear: .sensor
      }
  }
}
