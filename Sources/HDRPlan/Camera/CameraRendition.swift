import HDRCore

/// One rendition of a sensor's picture, as steps from linear camera values to linear RIMM.
///
/// Source: DNG 1.7.1 chapters 5 and 6, in the order of the DNG SDK's reference renderer (docs/camera-raw.md).
struct CameraRendition {
  enum Kind {
    case sdr, hdr
    /// Light of the scene in proportion.
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
  /// Whether the author of the profile made this rendition.
  private var isOwn: Bool { profile.isHDR }

  var warnings: [Warning] {
    var warnings = colors.warnings
    if profile.hasRGBTables {
      warnings.append(Warning("raw.tables", "the profile's RGB tables are not applied"))
    }
    return warnings
  }

  /// From R, G, B of the sensor, 1 for white.
  func steps() -> [Step] {
    // Floats have no end.
    var steps: [Step] = []
    if source.image.format.isInteger { steps.append(.clampEach(to: colors.white)) }
    steps.append(.matrix(colors.toRIMM))
    switch kind {
    case .linear: steps.append(.matrix(.identity * sensor.linearFactor))
    case .sdr, .hdr: steps += looks()
    }
    return steps
  }

  static var toBT2020: Step { .matrix(CameraColors.fromRIMM) }

  // MARK: Looks

  private func looks() -> [Step] {
    let range = Step.clamp(low: 0, high: isHDR ? 65_504 : 1)
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

  /// Steps in which values above 1 are brought below it, in profiles that are made so.
  private func overrange(_ applies: Bool, _ steps: () -> [Step]) -> [Step] {
    guard applies, isHDR, isOwn else { return steps() }
    return [.tone(.curve(octaves: -20..<8, k: 6) { Overrange.encode($0) })] + steps()
      + [.tone(.curve(octaves: -20..<1, k: 6) { Overrange.decode($0) })]
  }

  /// For the scene's white, between those of the two illuminants.
  private var hueSatMap: HueSatMap? {
    guard let first = profile.hueSatMaps.first else { return nil }
    guard let second = profile.hueSatMaps.dropFirst().first, let white = colors.chromaticity,
      let calibration = profile.calibration
    else { return first }
    return first.mixed(with: second, share: calibration.weightOfFirst(at: white))
  }

  /// With the gains of this look; in the HDR rendition of a profile for SDR, where gains would compress highlights, on
  /// as they are where grey reaches the shoulder.
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

extension Step {
  /// Each of R, G, B at most this.
  fileprivate static func clampEach(to most: [Double]) -> Step {
    .custom { $0.stage(.clampEach, ClampEach.words(low: [-65_504, -65_504, -65_504, 0], high: most + [1])) }
  }
}

extension CameraProfile {
  /// It says nothing of tones: neither curve nor local gains.
  var isPlain: Bool { toneCurve == nil && gainTableMap == nil && lookTable == nil && !isHDR }
}

extension SensorPicture {
  /// Whether the profile says nothing of tones: its SDR look is the linear one, tone mapped.
  var isPlain: Bool { profile.isPlain && hdrProfile == nil }

  /// Of linear light. Where nothing says how tones are meant, half a stop stands for the curve that lifts middle tones in
  /// cameras.
  var linearFactor: Double {
    ExactMath.exp2(stops(profile)) * (isPlain ? ExactMath.sqrt2 : 1)
  }
}

extension ExactMath {
  fileprivate static let sqrt2 = 2.0.squareRoot()
}

extension HueSatMap {
  /// Entry by entry; the first alone where they differ in size.
  func mixed(with other: HueSatMap, share: Double) -> HueSatMap {
    guard share < 1, (hues, saturations, values) == (other.hues, other.saturations, other.values) else { return self }
    let data = zip(data, other.data).map { Float(share * Double($0) + (1 - share) * Double($1)) }
    return HueSatMap(hues: hues, saturations: saturations, values: values, data: data, isEncoded: isEncoded) ?? self
  }
}
