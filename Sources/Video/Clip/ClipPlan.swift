import HDRCore
import HDRPlan
import HDRRecipe
import HDRRender
import PlainData
import VideoStreams

/// A plan says how the frames of a clip are treated. It is made before the first one is decoded.
package struct ClipPlan: Sendable {
  package let facts: ClipFacts
  /// `nil` for clips without Dolby Vision.
  package let dolby: ClipDolby?
  /// The stream and the container state these colours; one is used.
  package let color: TrackColor
  package let input: ClipColor
  package let output: ClipColor
  /// FFmpeg's name of the layout in which frames are decoded: the clip's own where that has planes.
  let decodedFormat: String
  let decoded: FrameShape
  package let encoded: FrameShape
  /// Frames are rendered by this recipe; `nil`: planes are passed on unread.
  var frames: FrameRecipe?
  let lightOptions: LightOptions
  /// True if settings, filters or RPUs change frames beside what the target asks for.
  let isEdited: Bool
  /// Frames are given this shape. Stills are turned, cut and stretched as players do it.
  package private(set) var shape: ClipShape
  /// Planes, rendered or not, are arranged so before they are encoded; `nil`: they stay as they are.
  let arrangement: PlaneArrangement?
  /// The columns and rows that frames get beside their own.
  package private(set) var padding = (columns: 0, rows: 0)
  /// The first pass measured this; `nil`: there was none.
  package internal(set) var measured: MeasuredClip?
  /// The peak that tone mapping begins at, in cd/m², and where it is from; `nil`: nothing is tone mapped by it.
  package internal(set) var peak: (nits: Double, from: String)?
  /// The share of pixels above the peak, where that was measured.
  package internal(set) var clippedShare: Double?
  package internal(set) var warnings: [Warning]
  /// The source has these, and the output will not.
  package private(set) var dropped: [String] = []
  /// The light metadata that the source states.
  package let lightIn: StatedLight
  /// The light metadata of what is written, where they were measured.
  package var lightOut: ContentLightLevel?
  /// The light metadata that the output states; `settleLight` decides.
  package internal(set) var light = OutputLight()
  /// The metadata of frames are kept, left out or made by this plan.
  package private(set) var metadata: DynamicMetadataPlan
  /// The frames that are decoded in software, too; `nil`: none are.
  var sample: FrameSample?
  /// The payload of ST 2094-50 of each frame, where frames are tone mapped by it.
  var curves: [[UInt8]?] = []
  /// The other streams that go into the output.
  private(set) var carried: [Carried] = []

  /// True if frames are encoded as they are decoded.
  package var isPassthrough: Bool { frames == nil && arrangement == nil }
  package var isRendered: Bool { frames != nil }
  package var rate: FrameRate? { facts.rate }
  /// The reshaping of frames by Dolby Vision; `nil`: frames are what they are coded as.
  package var reshapes: FrameReshapes? { dolby?.layers?.reshapes }

  /// - Parameter size: finds the size of rendered frames.
  /// - Throws: `HDRError` for a clip that cannot be converted as asked, before any work.
  init(
    _ facts: ClipFacts, _ options: VideoOptions, _ dolby: ClipDolby?,
    size: (FrameRecipe) throws(HDRError) -> PictureSize
  ) throws(HDRError) {
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
    lightOptions = options.light
    guard options.stills == nil else {
      isEdited = options.isEdited || reshapes != nil
      (shape, arrangement) = (try ClipShape(facts, options), nil)
      let frames = try FrameRecipe(stillsOf: input, decoded, options, isReshaped: reshapes != nil)
      (self.frames, output, encoded) = (frames, input, decoded)
      metadata = DynamicMetadataPlan(stillsOf: facts, options)
      (self.warnings, dropped) = (warnings, [])
      dropMetadata()
      choosePeak()
      settleHLG()
      return
    }

    let target = Self.target(options.target, input, planes, options.codec)
    shape = try ClipShape(facts, options, unit: options.codec.unit(target.format))
    isEdited = options.isEdited || reshapes != nil || shape.squares
    let isKept =
      !isEdited && options.codec.takes(planes) && PlaneArrangement.canTurn(planes, shape.turn)
      && (options.target == .same || !isBare && target.isReached(by: input, planes))
    var made = decoded, color = input, rendered = shape.size
    if !isKept {
      var frames = try FrameRecipe(target, from: input, decoded, options, isReshaped: reshapes != nil)
      frames.turn = shape.turn
      if let squaring = shape.squaring { frames.choice.add(squaring, first: true) }
      rendered = try size(frames)
      (self.frames, color) = (frames, frames.color)
      made = FrameShape(frames.format, width: rendered.width, height: rendered.height)
      if rendered != shape.size { shape.dropCrop() }
    }
    let unit = options.codec.unit(made.format)
    if options.pads { padding = (rendered.width % unit.width, rendered.height % unit.height) }
    let isPlaced = padding != (0, 0) || isKept && shape.turn != .up
    arrangement =
      isPlaced
      ? PlaneArrangement(
        made, isKept ? shape.turn : .up, color.siting, width: rendered.width + padding.columns,
        height: rendered.height + padding.rows) : nil
    encoded = arrangement?.to ?? made
    color.siting = arrangement?.siting ?? color.siting
    output = color
    guard isKept || !output.isHDR || encoded.format.bitDepth >= 10 else {
      throw HDRError(
        clip: "codec",
        "\(options.codec.name) has 8 bits here, too few for PQ and HLG: take x265, or \(setting: "to") sdr",
        kind: .request)
    }
    guard max(encoded.width, encoded.height) <= FFmpegSource.maxSide else {
      throw HDRError(
        clip: "limit", "frames of \(encoded.width)x\(encoded.height) are larger than \(FFmpegSource.maxSide) a side")
    }
    guard encoded.width % unit.width == 0, encoded.height % unit.height == 0 else {
      throw HDRError(
        clip: "odd",
        "\(options.codec.name) takes no frames of \(encoded.width)x\(encoded.height) in \(encoded.format.name); "
          + "\(setting: "pad") even repeats the last column or row, and ffv1 takes all sizes")
    }
    if planes.hasAlpha, !isKept {
      warnings.append(Warning("video.alpha", "alpha is left out, and frames are put on black"))
    }
    let isSameLight =
      !isEdited && input.transfer == output.transfer && input.primaries == output.primaries
    metadata = try DynamicMetadataPlan(
      facts, options, isPassthrough: isKept && !isPlaced, keepsLight: isSameLight, keepsPlaces: shape.turn == .up,
      output: output)
    self.warnings = warnings
    try carry(options)
    dropMetadata()
    choosePeak()
    settleShape(options)
    tellLosses(options)
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

  /// Notes what of the shape gets lost that players are to see.
  private mutating func settleShape(_ options: VideoOptions) {
    if facts.orientation == nil {
      dropped.append("rotation")
      warnings.append(
        Warning(
          "video.rotation",
          "the output is not turned as players turn the source, by \(short(facts.rotation)) degrees: only multiples of 90 "
            + "can be stated"))
    }
    guard let part = facts.shownPart else { return }
    // Boxes are added to a description that is behind the samples.
    if options.isFastStart, VideoContainer.named(options.container)?.isISO == true { shape.dropCrop() }
    guard shape.crop == nil else { return }
    dropped.append("crop")
    warnings.append(
      Warning(
        "video.crop", "players show \(part.width)x\(part.height) of the source's pictures, and all of the output's"))
  }

  /// Notes which views and times the output does not have as the source has them.
  private mutating func tellLosses(_ options: VideoOptions) {
    if facts.stated?.hasViews == true {
      dropped.append("views")
      warnings.append(
        Warning(
          "video.views",
          "the clip is stereoscopic, which the output does not say; of several views it has the base view"))
    }
    guard facts.rate == nil, VideoContainer.named(options.container)?.isISO == false else { return }
    let isRounded = facts.times.contains { time in
      let milliseconds = facts.timeBase.seconds(time) * 1000
      return abs(milliseconds - milliseconds.rounded()) > 1e-4
    }
    if isRounded {
      warnings.append(
        Warning(
          "video.clock",
          "\(options.container) counts milliseconds, and times of frames are rounded to them; mp4 keeps them"))
    }
  }

  /// Notes which metadata of frames get lost, with a warning each.
  private mutating func dropMetadata() {
    if let dolby, dolby.action == .dropped { dropped.append("Dolby Vision \(dolby.profile)") }
    if let warning = dolby?.warning { warnings.append(warning) }
    if dolby?.layers?.hasTrims == true { dropped.append("trims of Dolby Vision") }
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
