import FileParts
import HDRCore
import VideoStreams

/// Facts of a clip are known before its frames are decoded: from ffmpeg, of its first frame and of its packets.
package struct ClipFacts: Sendable, Hashable {
  /// A stream of a file beside the one that is shown.
  package struct Stream: Sendable, Hashable {
    package var number: Int
    /// "audio", "subtitle", "data", "attachment" or "video".
    package var kind: String
    package var codec: String
    /// The code of a sample entry, as "tmcd"; empty: none.
    package var tag = ""
    /// True for the picture of a cover.
    package var isCover = false
    /// The names of its texts.
    package var keys: [String] = []
  }

  /// FFmpeg's names of the container and of the codec.
  package var container = ""
  package var codec = ""
  /// The words that name the decoder, where FFmpeg finds none by the name of the sample entry.
  var decoder: [String] = []
  /// FFmpeg's name of the layout of frames.
  package var pixelFormat = ""
  package var width = 0
  package var height = 0
  package var sampleAspect: SampleAspect?
  /// H.273 code points; `nil`: unspecified, or none that is known.
  package var primaries: Int?
  package var transfer: Int?
  package var matrix: Int?
  package var fullRange: Bool?
  package var siting: ChromaSiting?
  /// The statements of the bitstream, read here; `nil`: it has none, or none that is read.
  package var coded: CodedVideo?
  /// The statements of the container about the shown track, read here; `nil`: of another container than MP4 and Matroska.
  package var stated: ContainerVideo?
  /// Light metadata of the first frame, then of the container.
  package var light: [LightMetadata] = []
  /// Each warning names a part of the clip's description that is not used, and why.
  package var warnings: [Warning] = []
  package var isInterlaced = false
  /// Degrees by which a player turns frames; 0: none.
  package var rotation = 0.0
  /// The profile of Dolby Vision, and what its base layer is without it: 0 means that it is nothing; `nil`: none.
  ///
  /// The container says it, and else the first frame's RPU, as in bare bitstreams. Codes that the RPU says are in another colour
  /// space are nothing without it, whatever the container says.
  package var dolby: (profile: Int, base: Int)? {
    if dolbyNumbers.count == 2 { return (dolbyNumbers[0], rpuProfile == .five ? 0 : dolbyNumbers[1]) }
    switch rpuProfile {
    case .five: return (5, 0)
    case .seven: return (7, 6)
    case .four: return (4, 2)
    case .eight: return (8, transfer == CICP.Transfer.pq ? 1 : transfer == CICP.Transfer.hlg ? 4 : 2)
    case nil: return nil
    }
  }
  var dolbyNumbers: [Int] = []
  /// The level of Dolby Vision that the clip states.
  var dolbyLevel: Int?
  /// The profile that the RPU of the first frame is of.
  var rpuProfile: DolbyProfile?
  /// The metadata of the first frame that change from frame to frame.
  package var frameMetadata = FrameMetadata()
  /// The names of the texts of the file and of the shown stream, and the number of chapters.
  package var keys: [String] = []
  package var videoKeys: [String] = []
  package var chapters = 0
  /// The time at which the first stream of the file begins, in seconds.
  package var start = 0.0
  /// The number of the shown stream, and its number among those of pictures.
  package var number = 0
  package var video = 0
  /// True if FFmpeg decodes metadata of HDR10+ with the first frame, wherever they are.
  var decodesHDR10Plus = false
  /// True if the first frame has metadata of HDR10+ (SMPTE ST 2094-40).
  package var hasHDR10Plus: Bool { decodesHDR10Plus || frameMetadata.has(.hdr10Plus) }
  package var others: [Stream] = []
  /// The clock of the packets, and their times in the order in which they are shown.
  package var timeBase = TimeBase(1, 1)
  package var times: [Int] = []
  /// The numbers of the key frames among them, rising.
  package var keyFrames: [Int] = []
  /// True if the packets are no sure count of the frames: bare bitstreams have neither times nor an index.
  package var isCountUnsure: Bool { ["hevc", "h264", "obu"].contains(container) }

  package init() {}

  package var rate: FrameRate? { FrameRate(times, timeBase) }
  /// The rate of the last two frames, which says how long the last one is shown.
  var lastRate: FrameRate? { rate ?? FrameRate(times.suffix(2), timeBase) }
  /// The seconds from the first frame to the last one.
  package var seconds: Double {
    guard let first = times.first, let last = times.last else { return 0 }
    return timeBase.seconds(last - first)
  }
}
