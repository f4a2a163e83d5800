import HDRCore
import HDRRender
import VideoStreams

/// A reader of metadata that change from frame to frame: in the packets of HEVC and AV1, and in a track beside them.
struct DynamicMetadataReader {
  let ffmpeg: FFmpeg
  let clip: InputFile

  /// Returns the metadata of all frames.
  ///
  /// - Throws: `HDRError`, `video.truncated` for packets that cannot be read, `video.frames` if a track beside the pictures
  ///   has more or fewer messages than there are frames.
  func all(_ facts: ClipFacts) throws(HDRError) -> ClipMetadata {
    var found = try ClipMetadata(ffmpeg, clip.descriptor, video: facts.video)
    let messages: [T35Message]?
    do throws(DecodeError) {
      messages = try facts.messageTrack(clip)
    } catch {
      throw HDRError(error)
    }
    guard let messages else { return found }
    guard messages.count == found.decoded.count else {
      throw HDRError(
        clip: "frames",
        "the it35 track has \(messages.count) messages for \(found.decoded.count) frames; \(setting: "hagc") drop leaves "
          + "them out")
    }
    found.add(messages)
    return found
  }
}

extension ClipFacts {
  /// Reads the messages of a track beside the pictures; `nil`: there is none.
  fileprivate func messageTrack(_ clip: InputFile) throws(DecodeError) -> [T35Message]? {
    guard container == "mov" else { return nil }
    let file = try FileAccess(clip.descriptor)
    guard let pictures = try ContainerFile.read(file).flatMap({ track(in: $0) })?.id else { return nil }
    return try MessageTrack.messages(file, for: pictures)
  }

  /// Reads which metadata the first frame has. What cannot be read is not found; decoding says why.
  mutating func readMetadata(_ stream: NUTStream, firstPacket: ArraySlice<UInt8>, _ clip: InputFile) {
    if let coding = try? PacketCoding(stream), let found = try? FrameMetadata(firstPacket, coding) {
      frameMetadata = found
    }
    if let messages = try? messageTrack(clip) { frameMetadata.messages += messages.prefix(1) }
  }
}
