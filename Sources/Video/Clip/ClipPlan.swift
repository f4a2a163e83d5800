import HDRCore
import HDRPlan
import HDRRecipe
import HDRRender
import PlainData
import VideoStreams

/// What is done to the frames of a clip, decided before the first one is decoded.
package struct ClipPlan: Sendable {
  package let facts: ClipFacts
  package let input: ClipColor
  package let output: ClipColor
  /// FFmpeg's name of the layout in which frames are decoded: the clip's own where that has planes.
  let decodedFormat: String
  let decoded: FrameShape
  package let encoded: FrameShape
  /// How frames are rendered; `nil`: planes are passed on unread.
  var frames: FrameRecipe?
  let lightOptions: LightOptions
  /// What the clip states of its light.
  let statedLight: StatedLight
  /// What the first pass measured; `nil`: there was none.
  package internal(set) var measured: MeasuredClip?
  /// The peak that tone mapping begins at, in cd/m², and where it is from; `nil`: nothing is tone mapped by it.
  package internal(set) var peak: (nits: Double, from: String)?
  /// The share of pixels above the peak, where that was measured.
  package internal(set) var clippedShare: Double?
  package private(set) var warnings: [Warning]
  /// What the source has, and the output will not.
  package private(set) var dropped: [String]

  package var isPassthrough: Bool { frames == nil }
  package var rate: FrameRate? { facts.rate }

  /// - Throws: `HDRError` for a clip that cannot be converted as asked, before any work.
  init(_ facts: ClipFacts, _ options: VideoOptions) throws(HDRError) {
    self.facts = facts
    var warnings: [Warning] = []
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
    if let dolby = facts.dolby, dolby.base == 0 {
      throw HDRError(
        code: "dolby.profile",
        message: "Dolby Vision profile \(dolby.profile) has no base layer that can be shown, and is not read",
        kind: .source)
    }
    let name = Self.planar[facts.pixelFormat] ?? facts.pixelFormat
    guard let planes = PlanarFormat(named: name) else {
      throw HDRError(clip: "codec", "frames of \(printable(facts.pixelFormat)) are not read")
    }
    decodedFormat = name
    decoded = FrameShape(planes, width: facts.width, height: facts.height)
    input = try ClipColor(facts, planes, options, &warnings)
    (lightOptions, statedLight) = (options.light, facts.statedLight(transfer: input.transfer))
    warnings += statedLight.warnings

    let target = Self.target(options.target, input, planes, options.codec)
    let isKept =
      !options.isEdited && options.codec.takes(planes)
      && (options.target == .same || target.isReached(by: input, planes))
    if isKept {
      (frames, output, encoded) = (nil, input, decoded)
    } else {
      let frames = try FrameRecipe(target, from: input, decoded, options)
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
    self.warnings = warnings
    dropped = facts.others.map { "\($0.kind) \($0.number) (\($0.codec))" }
    drop(facts)
    choosePeak()
  }

  /// Notes what gets lost, with a warning each.
  private mutating func drop(_ facts: ClipFacts) {
    func say(_ code: String, _ what: String, _ message: Message) {
      dropped.append(what)
      warnings.append(Warning(code, message))
    }
    if !facts.others.isEmpty {
      let others = printable(facts.others.map { "\($0.kind) (\($0.codec))" }.joined(separator: ", "))
      warnings.append(
        Warning(
          "video.stream-dropped",
          "\(facts.others.count) other stream\(facts.others.count == 1 ? " is" : "s are") not copied: \(others)"))
    }
    if let dolby = facts.dolby {
      say(
        "dolby.dropped", "Dolby Vision \(dolby.profile)",
        "Dolby Vision profile \(dolby.profile) is left out; the base layer is used")
    }
    if facts.hasHDR10Plus { say("hdr10plus.dropped", "HDR10+", "the metadata of HDR10+ are left out") }
    if facts.maxCLL != nil || facts.masteringPeak != nil, output.transfer == CICP.Transfer.pq {
      say(
        "video.light-missing", "light metadata",
        "the output does not say the mastering display and the light level of the source")
    }
    if facts.rotation != 0 {
      say(
        "video.rotation", "rotation",
        "the output is not turned as players turn the source, by \(short(facts.rotation)) degrees")
    }
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
