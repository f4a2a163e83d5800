import HDRCore
import HDRPlan
import HDRRender
import VideoStreams

/// Metadata of HDR10+ are kept as long as light is unchanged, or left out.
package enum HDR10PlusRule: String, Sendable, Hashable, CaseIterable { case keep, drop }

/// Metadata of SMPTE ST 2094-50 are kept as long as light is unchanged, left out, or made for the clip.
package enum HeadroomRule: String, Sendable, Hashable, CaseIterable { case keep, drop, author }

/// The metadata of a clip's frames are treated by this plan. It is made before the first one is decoded.
package struct DynamicMetadataPlan: Sendable {
  package enum Action: String, Sendable, Hashable { case kept, dropped, used, authored }

  /// The configuration of Dolby Vision that the output states; `nil`: RPUs are not kept.
  package private(set) var configuration: DolbyConfiguration?
  /// The action for each kind; `nil`: the clip has none of it.
  package private(set) var hdr10Plus: Action?
  package private(set) var hagc: Action?
  /// These are left out, with a warning that says why; `nil` if that was asked for.
  package private(set) var dropped: [(what: String, warning: Warning?)] = []

  /// True if frames of the source have metadata that the output gets.
  package var isCopied: Bool { configuration != nil || hdr10Plus == .kept || hagc == .kept }
  /// True if the encoder's file is written once more, with metadata.
  package var writes: Bool { isCopied || hagc == .authored }

  /// The box of the pictures' description that says so.
  var boxes: [[UInt8]] { configuration.map { [$0.wholeBox] } ?? [] }

  /// Decides.
  ///
  /// - Parameters:
  ///   - isPassthrough: true if frames are passed on unread.
  ///   - keepsLight: true if frames are rendered, and have the light of the source all the same.
  ///   - keepsPlaces: true if pixels are where they were.
  ///   - output: what the frames of the output mean.
  /// - Throws: `HDRError` `dolby.keep`, with the reason why RPUs cannot be kept.
  init(
    _ facts: ClipFacts, _ options: VideoOptions, isPassthrough: Bool, keepsLight: Bool, keepsPlaces: Bool,
    output: ClipColor
  ) throws(HDRError) {
    let place = options.codec.metadataStream, isWhole = !options.takesDamaged && !facts.isCountUnsure
    // The reason why metadata cannot be kept.
    let fault: Message? =
      if place == nil { "\(options.codec.name) has no place for them" } else if !isWhole {
        "frames may be missing"
      } else {
        isPassthrough || keepsLight ? nil : "the light of the frames is changed"
      }
    if options.dolby == .keep, let dolby = facts.dolby {
      configuration = try Self.kept(facts, dolby, options, isPassthrough: isPassthrough, isWhole: isWhole)
    }
    let isHere = facts.frameMetadata.has(.hdr10Plus)
    let fault10 = fault ?? (keepsPlaces || !facts.hasWindows ? nil : "their windows are of the frames as they were")
    if isHere, options.hdr10Plus == .keep, fault10 == nil {
      hdr10Plus = .kept
    } else if facts.hasHDR10Plus {
      hdr10Plus = .dropped
      let why = fault10 ?? "they are not in the packets of the pictures"
      drop(
        "HDR10+", "hdr10plus.dropped", options.hdr10Plus == .drop ? nil : "the metadata of HDR10+ are left out: \(why)")
    }
    let hasCurves = facts.frameMetadata.has(.headroomAdaptive)
    if options.hagc == .author {
      guard place != nil, output.isHDR else {
        throw HDRError(
          code: "hagc.transfer",
          message:
            "curves of ST 2094-50 are made for PQ and HLG in x265 and svtav1: leave out \(setting: "hagc") author")
      }
      hagc = .authored
    } else if hasCurves, options.usesCurves {
      hagc = .used
    } else if hasCurves, options.hagc == .keep, fault == nil {
      hagc = .kept
    } else if hasCurves {
      hagc = .dropped
      let why = fault.map { "the curves of ST 2094-50 are left out: \($0)" as Message }
      drop("ST 2094-50", "hagc.dropped", options.hagc == .drop ? nil : why)
    }
  }

  /// Decides for stills, which have no metadata of frames.
  init(stillsOf facts: ClipFacts, _ options: VideoOptions) {
    if facts.hasHDR10Plus {
      hdr10Plus = .dropped
      drop("HDR10+", "hdr10plus.dropped", "the metadata of HDR10+ are left out, which are of clips")
    }
    guard facts.frameMetadata.has(.headroomAdaptive) else { return }
    if options.usesCurves {
      hagc = .used
    } else {
      hagc = .dropped
      drop("ST 2094-50", "hagc.dropped", "the curves of ST 2094-50 are left out, which are of clips")
    }
  }

  private mutating func drop(_ what: String, _ code: String, _ message: Message?) {
    dropped.append((what, message.map { Warning(code, $0) }))
  }

  /// Returns the configuration of an output that keeps RPUs.
  private static func kept(
    _ facts: ClipFacts, _ dolby: (profile: Int, base: Int), _ options: VideoOptions, isPassthrough: Bool, isWhole: Bool
  ) throws(HDRError) -> DolbyConfiguration {
    func refused(_ why: Message) -> HDRError {
      HDRError(
        code: "dolby.keep",
        message: "Dolby Vision profile \(dolby.profile) is not kept: \(why); \(setting: "dolby") "
          + (dolby.base == 0 ? "apply makes PQ of it" : "drop leaves it out"))
    }
    guard let place = options.codec.metadataStream else { throw refused("RPUs go into x265 and svtav1 alone") }
    guard isPassthrough else { throw refused("the frames are changed, and RPUs are for the frames as they are") }
    guard isWhole else { throw refused("frames may be missing, and each needs its own RPU") }
    guard [5, 8, 10].contains(dolby.profile) else {
      throw refused("only a single layer is encoded again, as of profiles 5, 8 and 10")
    }
    guard place == .hevc || dolby.base != 0 else { throw refused("without a base layer it goes into x265 alone") }
    guard !options.isFastStart || options.container != "mov" else {
      throw refused("its box is put behind the samples: leave out \(setting: "faststart"), or write mp4")
    }
    guard let level = facts.dolbyLevel else { throw refused("the clip does not state its level") }
    let profile = place == .av1 ? 10 : dolby.base == 0 ? 5 : 8
    return DolbyConfiguration(profile: profile, level: level, compatibility: dolby.base)
  }

  /// Returns the metadata of a frame that the output gets.
  func kept(of frame: FrameMetadata) -> FrameMetadata {
    FrameMetadata(
      rpu: configuration != nil ? frame.rpu : nil,
      messages: frame.messages.filter {
        $0.kind == .hdr10Plus && hdr10Plus == .kept || $0.kind == .headroomAdaptive && hagc == .kept
      })
  }
}

extension ClipFacts {
  /// True if HDR10+ of the first frame says something of parts of it.
  fileprivate var hasWindows: Bool {
    guard let message = frameMetadata.message(.hdr10Plus) else { return false }
    return (try? HDR10PlusMetadata(parsing: message.payload))?.windows.count ?? 1 > 1
  }
}

extension VideoOptions {
  /// True if frames are tone mapped by the clip's own curves.
  var usesCurves: Bool {
    if case .named(HeadroomAdaptiveTone.name, _) = choice.rendition.recipe.tone { true } else { false }
  }
}

extension VideoCodec {
  /// The codec whose packets the encoder makes, if they have a place for metadata of frames.
  var metadataStream: TrackCodec? { ["x265": .hevc, "svtav1": .av1][name] }
}
