import HDRCore
import HDRRender
import PlainData
import VideoStreams

/// The metadata of the frames of a clip.
package struct ClipMetadata: Sendable {
  /// A packet, in the order of decoding.
  package struct Packet: Sendable {
    /// The time at which its frame is shown, in a clock of its own.
    package var pts: Int
    /// True if no earlier packet is needed to decode it.
    package var isKey: Bool
    package var metadata: FrameMetadata
  }

  package private(set) var decoded: [Packet] = []
  private var byteCount = 0

  /// The most bytes of all metadata: 2 hours of large RPUs.
  private static let mostBytes = 1 << 30

  init() {}

  /// Reads the metadata in the packets of the shown stream; of codecs without any there are no packets.
  ///
  /// - Parameters:
  ///   - descriptor: an open file, whose place is not moved.
  ///   - video: the stream of pictures, counted from 0.
  init(_ ffmpeg: FFmpeg, _ descriptor: Int32, video: Int = 0) throws(HDRError) {
    let source = try PacketSource(ffmpeg, descriptor, video: video)
    guard let coding = source.coding else { return }
    while let packet = try source.next() {
      let bytes = try source.bytes(), metadata: FrameMetadata
      do throws(DecodeError) {
        metadata = try FrameMetadata(bytes[...], coding)
      } catch {
        throw HDRError(clip: "truncated", "packet \(decoded.count) cannot be read: \(error.message)")
      }
      try add(Packet(pts: packet.pts, isKey: packet.isKey, metadata: metadata))
    }
  }

  private mutating func add(_ packet: Packet) throws(HDRError) {
    var packet = packet
    // Frames of a scene often have the same bytes, which are then there once.
    if let last = decoded.last?.metadata, last == packet.metadata {
      packet.metadata = last
    } else {
      byteCount += packet.metadata.byteCount
    }
    guard byteCount <= Self.mostBytes, decoded.count < ClipProbe.maxFrames else {
      throw HDRError(clip: "limit", "the metadata of frames take more than \(Self.mostBytes >> 20) MiB; cut the clip")
    }
    decoded.append(packet)
  }

  /// The metadata in the order in which frames are shown.
  package var shown: [FrameMetadata] { decoded.sorted { $0.pts < $1.pts }.map(\.metadata) }

  /// Adds messages of a track beside the pictures.
  ///
  /// - Parameter messages: one for each frame, in the order in which frames are shown.
  mutating func add(_ messages: [T35Message]) {
    precondition(messages.count == decoded.count, "a message for each frame")
    for (index, message) in zip(decoded.indices.sorted { decoded[$0].pts < decoded[$1].pts }, messages) {
      decoded[index].metadata.messages.append(message)
    }
  }

  /// Makes RPUs independent of each other: frames get another order of decoding when they are encoded again.
  ///
  /// - Throws: `HDRError`, `dolby.rpu` for an RPU that is damaged or missing.
  mutating func settleRPUs() throws(HDRError) {
    var state = DolbyState()
    for (number, packet) in decoded.enumerated() {
      func damaged(_ what: Message) -> HDRError {
        HDRError(
          code: "dolby.rpu", message: "the RPU of packet \(number) \(what); \(setting: "dolby") drop leaves all out",
          kind: .source)
      }
      guard let rpu = packet.metadata.rpu else { throw damaged("is missing") }
      do throws(DecodeError) {
        let frame = try state.read(rpu[...], startsOver: packet.isKey), whole = frame.whole
        if whole != frame.rpu { decoded[number].metadata.rpu = whole.bytes }
      } catch {
        throw damaged("cannot be read: \(error.message)")
      }
    }
  }
}

extension FrameMetadata {
  fileprivate var byteCount: Int { messages.reduce(rpu?.count ?? 0) { $0 + $1.bytes.count } + 64 }
}
