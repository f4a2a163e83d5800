import HDRCore
import HDRRender

extension VideoContainer {
  /// A stream of the source beside the one that is shown is carried so.
  enum Carriage: Sendable, Hashable {
    case copied
    /// Coded anew by an encoder, by FFmpeg's name of it.
    case converted(String)
    /// Kept by other means: a time code as the text of the pictures, titles of chapters as chapters.
    case kept
    case dropped
  }

  private static let sound: Set<String> = [
    "aac", "ac3", "eac3", "alac", "mp3", "pcm_s16le", "pcm_s16be", "pcm_s24le", "pcm_s24be", "pcm_s32le", "pcm_s32be",
    "pcm_f32le", "pcm_f32be", "pcm_f64le", "pcm_f64be", "pcm_u8", "pcm_s8", "pcm_alaw", "pcm_mulaw",
  ]
  private static let texts: Set<String> = ["mov_text", "subrip", "text", "webvtt", "ass", "ssa"]
  private static let pictures: Set<String> = ["dvd_subtitle", "hdmv_pgs_subtitle", "dvb_subtitle"]

  /// Decides what becomes of a stream.
  ///
  /// - Parameter facts: of its clip.
  func carriage(of stream: ClipFacts.Stream, _ facts: ClipFacts) -> Carriage {
    switch stream.kind {
    case "audio" where name == "mkv": stream.codec == "none" || stream.codec == "unknown" ? .dropped : .copied
    case "audio" where name == "webm": ["opus", "vorbis"].contains(stream.codec) ? .copied : .dropped
    case "audio":
      name == "mov"
        ? (Self.sound.contains(stream.codec) ? .copied : .dropped)
        : (Self.sound.contains(stream.codec) && !stream.codec.hasPrefix("pcm_")
          || ["opus", "flac", "mp2"].contains(stream.codec) ? .copied : .dropped)
    case "subtitle" where Self.texts.contains(stream.codec):
      switch name {
      case "mkv": stream.codec == "mov_text" ? .converted("srt") : .copied
      case "webm": stream.codec == "webvtt" ? .copied : .converted("webvtt")
      default: stream.codec == "mov_text" ? .copied : .converted("mov_text")
      }
    case "subtitle": name == "mkv" && Self.pictures.contains(stream.codec) ? .copied : .dropped
    case "attachment": name == "mkv" ? .copied : .dropped
    // FFmpeg makes a track of a cover in Matroska.
    case "video": stream.isCover && isISO ? .copied : .dropped
    case "data": stream.tag == "tmcd" || stream.tag == "text" && facts.chapters > 0 ? .kept : .dropped
    default: .dropped
    }
  }
}

extension MetadataChoice {
  /// Returns true if a text of a file goes into its output.
  ///
  /// - Parameter key: FFmpeg's name of it.
  func keeps(_ key: String) -> Bool {
    let key = key.lowercased()
    switch self {
    case .all: return true
    // "location-eng", "com.apple.quicktime.location.ISO6709".
    case .noLocation: return !key.contains("location") && !key.contains("gps")
    case .copyright: return ["copyright", "artist", "author"].contains(key)
    case .none: return false
    }
  }
}
