import HDRCore
import HDRRender
import VideoStreams

/// A clip changes by the headers and messages of its key frames: decoders take others from no other packets.
struct ClipChanges {
  /// Packets that follow each other in the order of decoding, with pictures of one size, layout and meaning.
  struct Part: Sendable, Hashable {
    var packets = 0
    /// The time of the picture that is shown first, behind the start of the file.
    var start = Int.max
    /// The times at which the last two pictures are shown.
    var last: [Int] = []
  }

  /// The clock of the times.
  let timeBase: TimeBase
  /// One part, unless pictures change.
  private(set) var parts = [Part()]
  /// Light metadata that differ from those before them, without the first.
  private(set) var light: [LightMetadata] = []
  private var coded: CodedVideo?
  private var latest: LightMetadata?

  /// The most changes of light that are told apart.
  private static let mostLight = 1000
  /// The most parts of a clip.
  static let mostParts = 1000

  /// Reads the packets of a clip.
  ///
  /// - Parameters:
  ///   - transfer: the code point of the clip's transfer function.
  ///   - isOfKeys: true if light alone is asked for: `parts` is not known then.
  init(_ ffmpeg: FFmpeg, _ clip: InputFile, video: Int, transfer: Int, isOfKeys: Bool = false) throws(HDRError) {
    let source = try PacketSource(ffmpeg, clip.descriptor, video: video, isOfKeys: isOfKeys)
    timeBase = source.stream.timeBase
    while let packet = try source.next() {
      if packet.isKey { note(try source.bytes()[...], source, transfer) }
      guard parts.count <= Self.mostParts else {
        throw HDRError(clip: "size-change", "the size or layout of frames changes more than \(Self.mostParts) times")
      }
      parts[parts.count - 1].packets += 1
      parts[parts.count - 1].start = min(parts[parts.count - 1].start, packet.pts)
      parts[parts.count - 1].last = (parts[parts.count - 1].last + [packet.pts]).sorted().suffix(2)
    }
  }

  /// A packet that cannot be read is no change: decoding says what is wrong with it.
  private mutating func note(_ bytes: ArraySlice<UInt8>, _ source: PacketSource, _ transfer: Int) {
    let own = (try? CodedVideo(source.stream, packet: bytes)) ?? nil
    if coded == nil {
      coded = own ?? (try? CodedVideo(source.stream, firstPacket: bytes)) ?? nil
    } else if let own, coded?.isShown(like: own) == false {
      coded = own
      parts.append(Part())
    }
    var ignored: [Warning] = []
    guard let coding = source.coding, light.count < Self.mostLight,
      let found = try? LightMetadata(packet: bytes, coding, transfer: transfer, warnings: &ignored),
      found.clli != nil || found.mdcv != nil
    else { return }
    if let latest, (latest.clli, latest.mdcv) != (found.clli, found.mdcv) { light.append(found) }
    latest = found
  }
}

extension ClipFacts {
  /// Adds the light metadata of later key frames that differ from the first one's.
  mutating func addLaterLight(_ ffmpeg: FFmpeg, _ clip: InputFile) {
    let transfer = coded?.color.transfer ?? transfer ?? CICP.Transfer.unspecified
    guard transfer == CICP.Transfer.pq, ["hevc", "av1"].contains(codec), !isCountUnsure, keyFrames.count > 1,
      let found = try? ClipChanges(ffmpeg, clip, video: video, transfer: transfer, isOfKeys: true)
    else { return }
    light += found.light
  }
}
