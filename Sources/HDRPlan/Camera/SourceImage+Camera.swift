import HDRCore

extension RenderRecipe {
  /// Sets the look's amount: the caller's value, else 0 if SDR is shown and 1 elsewhere.
  package func settled(_ source: SourceImage) -> SourceImage {
    guard let look = source.sensor?.look, look.amount == nil else { return source }
    var source = source
    let showsSDR = display.stated(target.encoding)?.isSDR == true && !tone.wantsFullHeadroom
    source.sensor?.look.amount = showsSDR ? 0 : 1
    return source
  }

  /// Returns a display that shows as much of a linear look as its amount says.
  func display(for source: SourceImage) -> DisplayChoice {
    guard let sensor = source.sensor, sensor.isLinear, display == .automatic, target.encoding != .sdr,
      let amount = sensor.look.amount, amount < 1
    else { return display }
    return .headroom(Headroom(stops: sensor.linearHeadroom.stops * amount))
  }
}

extension SensorPicture {
  /// True for light in proportion to the scene's, as asked for or because the profile says nothing else.
  var isLinear: Bool { look.kind == .linear || isPlain }

  var linearHeadroom: Headroom { Headroom(factor: max(1, linearFactor)) }

  /// The share of the HDR look; 1 before it is set.
  var amount: Double { look.amount ?? 1 }

  /// True if the SDR and the HDR look are mixed.
  var mixesLooks: Bool { !isLinear && amount > 0 && amount < 1 }

  /// Headroom of the light that `look` makes.
  var headroom: ContentHeadroom.Found {
    if isLinear { return ContentHeadroom.Found(headroom: linearHeadroom, source: "the sensor's white") }
    if amount == 0 { return ContentHeadroom.Found(headroom: .sdr, source: "SDR look") }
    return ContentHeadroom.Found(headroom: nil, source: "HDR look")
  }
}

extension SourceImage {
  /// Returns the steps from a sensor's samples to linear BT.2020: those of the look's HDR rendition, or of its SDR one
  /// for an amount of 0. If the two are mixed, the steps begin after the mix. `nil`: the picture is not a sensor's.
  func cameraSteps(_ report: inout PlanReport) throws(PlanError) -> [PixelOperation]? {
    guard let sensor else { return nil }
    let kind: CameraRendition.Kind = sensor.isLinear ? .linear : sensor.amount == 0 ? .sdr : .hdr
    let rendition = try CameraRendition(self, sensor, kind)
    report.warnings += rendition.warnings
    report.cameraLook = sensor.lookText
    return (sensor.mixesLooks ? [] : rendition.steps()) + [CameraRendition.toBT2020]
  }

  /// Returns the steps of both renditions from samples to linear RIMM. They are mixed there, as nothing is below 0.
  func cameraLooks(_ sensor: SensorPicture) throws(PlanError) -> (sdr: [PixelOperation], hdr: [PixelOperation]) {
    (try CameraRendition(self, sensor, .sdr).steps(), try CameraRendition(self, sensor, .hdr).steps())
  }
}

extension SensorPicture {
  /// The look in words for records: "profile, amount 1".
  fileprivate var lookText: String {
    let kind = look.kind == .linear ? "linear" : profile.name.map { "profile \"\($0)\"" } ?? "profile"
    return "\(kind), amount \(short(amount))"
  }
}
