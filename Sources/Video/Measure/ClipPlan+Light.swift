import HDRCore
import HDRPlan
import HDRRender
import VideoStreams

extension ClipPlan {
  /// True if a tone map begins at the peak of the clip's light, and nothing states it.
  private var isPeakOpen: Bool {
    guard let frames, input.transfer == CICP.Transfer.pq, lightOptions.peak.nits == nil else { return false }
    return frames.choice.rendition.recipe.contentHeadroom == nil && frames.mapsTone
  }

  /// True if the clip's light is measured before its frames are rendered.
  package var measuresLight: Bool {
    switch lightOptions.measure {
    case .metadata: false
    case .clip, .scenes, .adaptive: true
    case nil: isPeakOpen || lightOptions.measuresOnly
    }
  }

  /// True if the clip is measured, and nothing is made of it.
  package var measuresOnly: Bool { lightOptions.measuresOnly }

  /// The measured light depends on these settings beside the clip.
  var lightSettings: String {
    "\(input.text) \(decodedFormat) \(decoded.width)x\(decoded.height) \(lightOptions.area.text)"
      + (reshapes == nil ? "" : " reshaped") + (facts.video == 0 ? "" : " video \(facts.video)")
  }

  /// Makes what measures frames as they are decoded.
  ///
  /// - Throws: `HDRError` for frames of a layout that is not read, and for an area that is not within them.
  func frameLight(_ options: VideoOptions) throws(HDRError) -> FrameLight {
    try FrameLight(decoded, input, lightOptions.area, isReshaped: reshapes != nil) { () throws(HDRError) in
      if let frames { return frames.ofLight() }
      return try FrameRecipe(.init(curve: .pq, format: decoded.format), from: input, decoded, options).ofLight()
    }
  }

  /// Makes what measures frames as they are encoded; `nil` if their light is not that of PQ, or is the clip's and nothing asks.
  func outputLight() throws(HDRError) -> PlanarLight? {
    frames == nil && lightOptions.output != .measured
      ? nil : PlanarLight(encoded, output, try CountedArea(outputArea, encoded))
  }

  /// The area of the source that counts, where it lies in the output. In frames of another size borders are looked for.
  private var outputArea: LightOptions.Area {
    guard case .stated(let area) = lightOptions.area else { return lightOptions.area }
    let size = PictureSize(encoded.width - padding.columns, encoded.height - padding.rows)
    guard !shape.squares, size == shape.size else { return .auto }
    let part = PixelRect(
      x: area.columns.lowerBound, y: area.rows.lowerBound, width: area.columns.count, height: area.rows.count
    ).turned(shape.turn, width: decoded.width, height: decoded.height)
    return .stated(ActiveArea(rows: part.y..<part.y + part.height, columns: part.x..<part.x + part.width))
  }

  /// Returns the light level of what was encoded; `nil` if it was not measured, and for black.
  func level(of encoded: EncodedFrames) -> ContentLightLevel? {
    encoded.light.level(ignoring: encoded.light.darkBorders, usesPercentile: lightOptions.levelIsPercentile)
  }

  /// Takes what the first pass measured: the peak of tone mapping follows.
  package mutating func use(_ light: ClipLight) {
    measured = MeasuredClip(light, lightOptions)
    choosePeak()
  }

  /// Chooses the peak that light is tone mapped from: that of a setting, the measured one, MaxCLL or the mastering display's if
  /// they can be, else 1000 cd/m². HLG that is not measured has its own.
  mutating func choosePeak() {
    guard var frames = frames, input.isHDR else { return }
    if let stated = frames.choice.rendition.recipe.contentHeadroom {
      peak = (stated.factor * ReferenceWhite.nits, TonePeak.Source.option.rawValue)
      return
    }
    let found = measured?.peaks(lightOptions.peak), stated = lightOptions.peak.nits
    guard input.transfer == CICP.Transfer.pq || found != nil || stated != nil else {
      // Rendering gives HLG the headroom of its display.
      let choice = frames.choice.rendition
      if frames.mapsTone, choice.kind.curve != .hlg, choice.recipe.hlg == .automatic {
        peak = (ReferenceWhite.nominalHeadroom * ReferenceWhite.nits, TonePeak.Source.nominal.rawValue)
      }
      return
    }
    let chosen = TonePeak.choose(
      option: stated, measured: found?.max(), level: lightIn.headroomLevel, mastering: lightIn.mastering)
    var peaks = [chosen.light]
    if let measured, let found, chosen.source == .measured {
      switch lightOptions.measure {
      case .scenes: peaks = FramePeaks.ofScenes(found, measured.scenes)
      case .adaptive(let seconds):
        peaks = FramePeaks.adaptive(
          found, measured.scenes, radius: FramePeaks.radius(seconds: seconds, framesPerSecond: framesPerSecond))
      default: break
      }
    }
    peak = (chosen.light, chosen.source.rawValue)
    clippedShare = frames.mapsTone ? measured?.share(above: peaks) : nil
    frames.setPeaks(peaks)
    self.frames = frames
  }

  private var framesPerSecond: Double {
    facts.rate?.perSecond ?? Double(max(facts.times.count - 1, 0)) / max(facts.seconds, 1e-3)
  }
}

extension FrameRecipe {
  /// True if PQ may be tone mapped, so that its peak counts.
  var mapsTone: Bool {
    let recipe = choice.rendition.recipe
    guard recipe.tone != .none else { return false }
    return choice.rendition.kind.curve != .pq || recipe.display != .automatic || recipe.tone != .auto
  }

  /// Sets the peaks of the source's light, cd/m², one for all frames or one for each.
  mutating func setPeaks(_ peaks: [Double]) {
    let recipe = choice.rendition.recipe
    headrooms = peaks.map { peak in
      let content = Headroom(factor: max(1, peak / ReferenceWhite.nits))
      // The content that is tone mapped has been through the filters.
      return recipe.headroom(afterEditing: content) ?? content
    }
  }
}

extension StatedLight {
  /// The light level that headrooms are made of.
  var headroomLevel: ContentLightLevel? {
    largestCLL.map { ContentLightLevel(maxCLL: $0, maxFALL: level?.maxFALL ?? 0) }
  }
}
