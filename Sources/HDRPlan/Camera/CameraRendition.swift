import HDRCore
import Kernels

/// A rendition of a sensor's picture, as steps from linear camera values to linear RIMM.
///
/// Source: DNG 1.7.1 chapters 5 and 6, in the order of the DNG SDK's reference renderer (docs/camera-raw.md).
struct CameraRendition {
  enum Kind {
    case sdr, hdr
    /// Light in proportion to the scene's.
    case linear
  }

  let kind: Kind
  private let source: SourceImage
  private let sensor: SensorPicture
  private let profile: CameraProfile
  private let colors: CameraColors

  init(_ source: SourceImage, _ sensor: SensorPicture, _ kind: Kind) throws(PlanError) {
    (self.source, self.sensor) = (source, sensor)
    self.kind = sensor.isPlain ? .linear : kind
    profile = kind == .hdr ? sensor.hdrProfile ?? sensor.profile : sensor.profile
    colors = try CameraColors(sensor, profile, channels: source.image.model == .grey ? 1 : 3)
  }

  private var isHDR: Bool { kind == .hdr }
  /// True if the author of the profile made this rendition.
  private var isOwn: Bool { profile.isHDR }

  var warnings: [Warning] {
    var warnings = colors.warnings
    if profile.hasRGBTables {
      warnings.append(Warning("raw.tables", "the profile's RGB tables are not applied"))
    }
    return warnings
  }

  /// Returns the steps from the sensor's R, G, B, where white is 1.
  func steps() -> [PixelOperation] {
    // Floats have no largest value.
    var steps: [PixelOperation] = []
    if source.image.format.isInteger { steps.append(.clampEach(to: colors.white)) }
    steps.append(.matrix(colors.toRIMM))
    switch kind {
    case .linear: steps.append(.matrix(.identity * sensor.linearFactor))
    case .sdr, .hdr: steps += looks()
    }
    return steps
  }

  static var toBT2020: PixelOperation { .matrix(CameraColors.fromRIMM) }

  // MARK: Looks

  private func looks() -> [PixelOperation] {
    let range = PixelOperation.clamp(low: 0, high: isHDR ? 65_504 : 1)
    let tones = CameraTones(sensor, profile, isHDR: isHDR, isHeld: isHDR && !isOwn)
    var steps = [range]
    if let map = hueSatMap { steps += overrange(map.values > 1) { [HueSatMapStage.step(map, isHDR: isHDR)] } }
    if let map = gainTableMap(tones) {
      steps.append(
        GainTableMapStage.step(
          map, width: source.image.width, height: source.image.height, geometry: source.geometry,
          exposure: ExactMath.exp2(sensor.stops(profile))))
    }
    if tones.takesBlack {
      steps.append(.tone(.curve(octaves: -14..<(isHDR ? 8 : 1), k: 6) { tones.exposed($0) }))
    } else {
      steps.append(.matrix(.identity * tones.factor))
    }
    if !isHDR { steps.append(range) }
    if let map = profile.lookTable { steps += overrange(true) { [HueSatMapStage.step(map, isHDR: isHDR)] } }
    if !tones.isIdentity {
      steps.append(RGBToneStage.step(octaves: -16..<(isHDR ? 8 : 1), k: 6) { tones.tone($0) })
    }
    return steps
  }

  /// Puts values above 1 below it for some steps, in profiles that are made that way.
  private func overrange(_ applies: Bool, _ steps: () -> [PixelOperation]) -> [PixelOperation] {
    guard applies, isHDR, isOwn else { return steps() }
    return [.tone(.curve(octaves: -20..<8, k: 6) { Overrange.encode($0) })] + steps()
      + [.tone(.curve(octaves: -20..<1, k: 6) { Overrange.decode($0) })]
  }

  /// The table for the scene's white, mixed from those of the two illuminants.
  private var hueSatMap: HueSatMap? {
    guard let first = profile.hueSatMaps.first else { return nil }
    guard let second = profile.hueSatMaps.dropFirst().first, let white = colors.chromaticity,
      let calibration = profile.calibration
    else { return first }
    return first.mixed(with: second, share: calibration.weightOfFirst(at: white))
  }

  /// The map with the gains of this look. In the HDR rendition of a profile for SDR, gains would compress highlights.
  /// There they stay constant from the point where grey reaches the shoulder.
  private func gainTableMap(_ tones: CameraTones) -> GainTableMap? {
    guard let map = profile.gainTableMap ?? sensor.profile.gainTableMap else { return nil }
    let look = sensor.look
    var gains = look.localTone == 1 ? map.gains : map.gains.map { Float(ExactMath.pow(Double($0), look.localTone)) }
    if isHDR && !isOwn {
      let exposure = ExactMath.exp2(sensor.stops(profile))
      let grey = map.weights.reduce(0, +) * exposure
      for start in stride(from: 0, to: gains.count, by: map.depth) {
        guard
          let shoulder = (0..<map.depth).first(where: { entry in
            let weight = ExactMath.pow(Double(entry) / Double(map.depth), 1 / map.gamma)
            let light = grey > 0 ? weight / grey : 0
            return tones.tone(tones.exposed(light * Double(gains[start + entry]))) >= CameraTones.shoulder
          })
        else { continue }
        for entry in shoulder..<map.depth { gains[start + entry] = gains[start + shoulder] }
      }
    }
    return GainTableMap(
      rows: map.rows, columns: map.columns, depth: map.depth, spacing: map.spacing, origin: map.origin,
      weights: map.weights, gamma: map.gamma, storage: .float32, gains: gains)
  }
}

extension PixelOperation {
  /// Limits each of R, G, B to a maximum of its own.
  fileprivate static func clampEach(to most: [Double]) -> PixelOperation {
    .custom { $0.stage(.clampEach, ClampEach.words(low: [-65_504, -65_504, -65_504, 0], high: most + [1])) }
  }
}

extension CameraProfile {
  /// True if the profile says nothing about tones: it has neither curve, look table nor local gains.
  var isPlain: Bool { toneCurve == nil && gainTableMap == nil && lookTable == nil && !isHDR }
}

extension SensorPicture {
  /// True if the profile says nothing about tones: its SDR look is the linear one, tone mapped.
  var isPlain: Bool { profile.isPlain && hdrProfile == nil }

  /// The factor of linear light. If nothing says how tones are meant, it has half a stop in place of the curve by which
  /// cameras lift middle tones.
  var linearFactor: Double {
    ExactMath.exp2(stops(profile)) * (isPlain ? ExactMath.sqrt2 : 1)
  }
}

extension ExactMath {
  fileprivate static let sqrt2 = 2.0.squareRoot()
}

extension HueSatMap {
  /// Mixes two tables entry by entry; returns the first alone if they differ in size.
  func mixed(with other: HueSatMap, share: Double) -> HueSatMap {
    guard share < 1, (hues, saturations, values) == (other.hues, other.saturations, other.values) else { return self }
    let data = zip(data, other.data).map { Float(share * Double($0) + (1 - share) * Double($1)) }
    return HueSatMap(hues: hues, saturations: saturations, values: values, data: data, isEncoded: isEncoded) ?? self
  }
}
