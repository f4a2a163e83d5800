import HDRCore
import HDRPlan
import HDRRecipe
import HDRRender
import PlainData
import VideoStreams

/// What is done to the frames of a clip, decided before the first one is decoded.
package struct ClipPlan: Sendable {
  package let facts: ClipFacts
  /// `nil` for clips without Dolby Vision.
  package let dolby: ClipDolby?
  /// What the stream and the container say of the clip's colour, and what is used.
  package let color: TrackColor
  package let input: ClipColor
  package let output: ClipColor
  /// FFmpeg's name of the layout in which frames are decoded: the clip's own where that has planes.
  let decodedFormat: String
  let decoded: FrameShape
  package let encoded: FrameShape
  /// How frames are rendered; `nil`: planes are passed on unread.
  var frames: FrameRecipe?
  let lightOptions: LightOptions
  /// True if settings, filters or RPUs change frames beside what the target asks for.
  let isEdited: Bool
  /// What the first pass measured; `nil`: there was none.
  package internal(set) var measured: MeasuredClip?
  /// The peak that tone mapping begins at, in cd/m², and where it is from; `nil`: nothing is tone mapped by it.
  package internal(set) var peak: (nits: Double, from: String)?
  /// The share of pixels above the peak, where that was measured.
  package internal(set) var clippedShare: Double?
  package internal(set) var warnings: [Warning]
  /// What the source has, and the output will not.
  package private(set) var dropped: [String] = []
  /// The light metadata that the source states.
  package let lightIn: StatedLight
  /// The light metadata of what is written, where they were measured.
  package var lightOut: ContentLightLevel?
  /// The light metadata that the output states; `settleLight` decides.
  package internal(set) var light = OutputLight()
  /// What becomes of the metadata of frames.
  package private(set) var metadata: DynamicMetadataPlan
  /// The payload of ST 2094-50 of each frame, where frames are tone mapped by it.
  var curves: [[UInt8]?] = []
  /// The other streams that go into the output, and the turn for viewing that it states.
  private(set) var carried: [Carried] = []
  package private(set) var turn = Orientation.up

  package var isPassthrough: Bool { frames == nil }
  package var rate: FrameRate? { facts.rate }
  /// The reshaping of frames by Dolby Vision; `nil`: frames are what they are coded as.
  package var reshapes: FrameReshapes? { dolby?.layers?.reshapes }

  /// - Parameter turnsMatroska: true if ffmpeg can write a turn for viewing into Matroska.
  /// - Throws: `HDRError` for a clip that cannot be converted as asked, before any work.
  init(_ facts: ClipFacts, _ options: VideoOptions, _ dolby: ClipDolby?, turnsMatroska: Bool) throws(HDRError) {
    self.dolby = dolby
    guard max(facts.width, facts.height) <= FFmpegSource.maxSide else {
      throw HDRError(
        clip: "limit", "a frame of \(facts.width)x\(facts.height) is larger than \(FFmpegSource.maxSide) a side")
    }
    if facts.isInterlaced, !options.takesInterlaced {
      throw HDRError(
        clip: "interlaced",
        "the frames are interlaced: deinterlace the clip first, or say \(setting: "interlaced") ignore if its tag is wrong"
      )
    }
    let name = Self.planar[facts.pixelFormat] ?? facts.pixelFormat
    guard let planes = PlanarFormat(named: name) else {
      throw HDRError(clip: "codec", "frames of \(printable(facts.pixelFormat)) are not read")
    }
    decodedFormat = name
    decoded = FrameShape(planes, width: facts.width, height: facts.height)
    let reshapes = dolby?.layers?.reshapes
    // Codes that are nothing without their RPUs can be passed on with them.
    let isBare = dolby?.action == .kept && facts.dolby?.base == 0
    var described = options
    if reshapes != nil || isBare {
      // The codes are none of a matrix, and what they become has the signal of the mastering display.
      described.stated = CodePoints(
        primaries: CICP.Primaries.bt2020, transfer: CICP.Transfer.pq, matrix: CICP.Matrix.bt2020)
    }
    if let reshapes {
      guard planes.model == .ycc, planes.bitDepth == reshapes.bitDepth else {
        throw HDRError(rpu: "RPUs are for Y'CbCr of \(reshapes.bitDepth) bits, and frames are \(planes.name)")
      }
    }
    color = try TrackColor(facts, planes, described)
    let meant = ClipColor(color, described)
    input = isBare ? meant.untagged : meant
    lightIn = StatedLight(facts.light, transfer: input.transfer)
    var warnings = facts.warnings + color.warnings + lightIn.warnings
    self.facts = facts
    (lightOptions, isEdited) = (options.light, options.isEdited || reshapes != nil)
    guard options.stills == nil else {
      let frames = try FrameRecipe(stillsOf: input, decoded, options, isReshaped: reshapes != nil)
      (self.frames, output, encoded) = (frames, input, decoded)
      metadata = DynamicMetadataPlan(stillsOf: facts, options)
      (self.warnings, dropped) = (warnings, [])
      dropMetadata(isClip: false)
      choosePeak()
      settleHLG()
      return
    }

    let target = Self.target(options.target, input, planes, options.codec)
    let isKept =
      !isEdited && options.codec.takes(planes)
      && (options.target == .same || !isBare && target.isReached(by: input, planes))
    if isKept {
      (frames, output, encoded) = (nil, input, decoded)
    } else {
      let frames = try FrameRecipe(target, from: input, decoded, options, isReshaped: reshapes != nil)
      (self.frames, output) = (frames, frames.color)
      encoded = FrameShape(frames.format, width: facts.width, height: facts.height)
    }
    guard isKept || !output.isHDR || encoded.format.bitDepth >= 10 else {
      throw HDRError(
        clip: "codec",
        "\(options.codec.name) has 8 bits here, too few for PQ and HLG: take x265, or \(setting: "to") sdr",
        kind: .request)
    }
    guard options.codec.takes(width: facts.width, height: facts.height, encoded.format) else {
      throw HDRError(
        clip: "odd",
        "\(options.codec.name) takes no frames of \(facts.width)x\(facts.height) in \(encoded.format.name); crop them, or take "
          + "ffv1")
    }
    if planes.hasAlpha, !isKept {
      warnings.append(Warning("video.alpha", "alpha is left out, and frames are put on black"))
    }
    let isSameLight =
      !isEdited && input.transfer == output.transfer && input.primaries == output.primaries
    metadata = try DynamicMetadataPlan(
      facts, options, isPassthrough: isKept, keepsLight: isSameLight, output: output)
    self.warnings = warnings
    try carry(options)
    dropMetadata(isClip: true)
    choosePeak()
    try turn(options, turnsMatroska)
    settleLight()
  }

  /// Decides which of the other streams go into the output.
  private mutating func carry(_ options: VideoOptions) throws(HDRError) {
    guard let container = VideoContainer.named(options.container) else { preconditionFailure("a row of the list") }
    var lost: [String] = []
    for stream in facts.others {
      let carriage = container.carriage(of: stream, facts)
      switch carriage {
      case .copied, .converted: carried.append(Carried(number: stream.number, kind: stream.kind, carriage: carriage))
      case .kept: break
      // Its messages are in the pictures, or their own loss is told.
      case .dropped where stream.tag == "it35" && metadata.hagc != nil: break
      case .dropped:
        let codec = stream.codec == "none" && !stream.tag.isEmpty ? stream.tag : stream.codec
        dropped.append("\(stream.kind) \(stream.number) (\(codec))")
        lost.append("\(stream.kind) (\(codec))")
      }
    }
    guard !lost.isEmpty else { return }
    let message: Message =
      "\(container.name) does not take \(lost.count == 1 ? "a stream" : "\(lost.count) streams"): \(printable(lost.joined(separator: ", ")))"
    guard !options.isStrict else { throw HDRError(clip: "stream-dropped", message) }
    warnings.append(Warning("video.stream-dropped", message))
  }

  /// Decides whether the output states the turn for viewing.
  private mutating func turn(_ options: VideoOptions, _ turnsMatroska: Bool) throws(HDRError) {
    let turn = facts.stated?.orientation, isISO = VideoContainer.named(options.container)?.isISO ?? false
    guard facts.rotation != 0 || turn != .up && facts.stated != nil else { return }
    if let turn, isISO || turnsMatroska {
      self.turn = turn
    } else {
      dropped.append("rotation")
      warnings.append(
        Warning(
          "video.rotation",
          "the output is not turned as players turn the source, by \(short(facts.rotation)) degrees"
            + (isISO ? "" : "; mp4 and mov can be")))
    }
  }

  /// Notes which metadata of frames get lost, with a warning each.
  private mutating func dropMetadata(isClip: Bool) {
    if let dolby, dolby.action == .dropped { dropped.append("Dolby Vision \(dolby.profile)") }
    if let warning = dolby?.warning { warnings.append(warning) }
    if dolby?.layers?.hasTrims == true { dropped.append("trims of Dolby Vision") }
    // ffmpeg 9.0 crops as it decodes, 5.1 does not.
    if isClip, let part = facts.stated?.crop, part.width != facts.width || part.height != facts.height {
      dropped.append("crop")
      warnings.append(
        Warning(
          "video.crop",
          "players show \(part.width)x\(part.height) of the source's pictures, and all of the output's"))
    }
    dropped += metadata.dropped.map(\.what)
    warnings += metadata.dropped.compactMap(\.warning)
  }

  /// Layouts without planes, and the planar one that holds the same samples.
  private static let planar = [
    "nv12": "yuv420p", "nv21": "yuv420p", "nv16": "yuv422p", "p010le": "yuv420p10le", "p210le": "yuv422p10le",
    "p012le": "yuv420p12le", "p212le": "yuv422p12le", "uyvy422": "yuv422p", "yuyv422": "yuv422p",
  ]

  /// Returns what frames become.
  private static func target(
    _ target: VideoTarget, _ input: ClipColor, _ planes: PlanarFormat, _ codec: VideoCodec
  ) -> FrameRecipe.Target {
    let curve: SignalCurve =
      switch target {
      case .hdr10: .pq
      case .hlg: .hlg
      case .sdr: .sdr
      case .same: input.transfer == CICP.Transfer.pq ? .pq : input.transfer == CICP.Transfer.hlg ? .hlg : .sdr
      }
    let depth = curve != .sdr ? max(10, min(12, planes.bitDepth)) : target == .same ? min(12, planes.bitDepth) : 8
    let chroma = planes.model == .rgb || planes.model == .grey ? .s444 : planes.chroma
    return FrameRecipe.Target(curve: curve, format: codec.fitting(chroma, depth: depth))
  }
}
