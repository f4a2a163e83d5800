import FileParts
import HDRCore

/// The reader of one track entry of Matroska (RFC 9559 clause 5.1.4.1).
enum MatroskaTrack {
  private enum ID {
    static let number = 0xD7, kind = 0x83, isEnabled = 0xB9, language = 0x22B59C, languageBCP47 = 0x22B59D
    static let codec = 0x86, codecPrivate = 0x63A2, video = 0xE0, encodings = 0x6D80, encoding = 0x6240
    static let encodingKind = 0x5033, mapping = 0x41E4, mappingKind = 0x41E7, mappingData = 0x41ED
  }

  static func read(_ reader: inout ByteReader, _ warnings: inout [Warning]) throws(DecodeError) -> ContainerTrack {
    var track = ContainerTrack(), video: ByteReader?, mappings: [ByteReader] = []
    // A track that states no language is English.
    track.language = "eng"
    while !reader.isAtEnd {
      let (id, content) = try reader.ebmlElement()
      switch id {
      case ID.number: track.id = try content.ebmlUnsigned
      case ID.kind:
        track.kind = [1: .video, 2: .audio, 0x11: .subtitle][try content.ebmlUnsigned] ?? .other
      case ID.isEnabled: track.isEnabled = try content.ebmlUnsigned != 0
      case ID.language, ID.languageBCP47: track.language = content.ebmlText
      case ID.codec: track.entry = content.ebmlText
      case ID.codecPrivate: track.configuration = Array(content.bytes)
      case ID.video: video = content
      case ID.encodings: track.isEncrypted = try isEncrypted(content)
      case ID.mapping: mappings.append(content)
      default: break
      }
    }
    if track.language == "und" { track.language = nil }
    track.codec = TrackCodec(codecID: track.entry)
    readFourCC(&track)
    guard track.kind == .video else { return track }
    guard var video else { throw .malformed(where: reader.place, what: "track \(track.id) of pictures has no size") }
    track.video = try MatroskaVideo.read(&video, &warnings)
    for mapping in mappings {
      do throws(DecodeError) {
        if let dolby = try dolby(mapping) { track.video?.dolby = dolby }
      } catch {
        warnings.append(Warning("video.box", "a configuration of Dolby Vision is ignored: \(error)"))
      }
    }
    return track
  }

  /// Finds codecs that Matroska knows by a code of four letters: in a BITMAPINFOHEADER of 40 bytes, behind which the
  /// configuration lies, or as the configuration of ProRes.
  private static func readFourCC(_ track: inout ContainerTrack) {
    let bytes = track.configuration
    func code(_ at: Int) -> FourCC { FourCC(rawValue: bytes[at..<at + 4].reduce(0) { $0 << 8 | UInt32($1) }) }
    if track.entry == "V_MS/VFW/FOURCC", bytes.count >= 40 {
      track.codec = TrackCodec(entry: code(16))
      track.configuration = Array(bytes[40...])
    }
  }

  private static func isEncrypted(_ content: ByteReader) throws(DecodeError) -> Bool {
    var reader = content, found = false
    while !reader.isAtEnd {
      var (id, encoding) = try reader.ebmlElement()
      guard id == ID.encoding else { continue }
      while !encoding.isAtEnd {
        let (id, content) = try encoding.ebmlElement()
        if id == ID.encodingKind, try content.ebmlUnsigned == 1 { found = true }
      }
    }
    return found
  }

  /// Reads the configuration of Dolby Vision, which is a mapping whose kind is the type of its box.
  private static func dolby(_ content: ByteReader) throws(DecodeError) -> DolbyConfiguration? {
    var reader = content, kind = 0, bytes: [UInt8] = []
    while !reader.isAtEnd {
      let (id, content) = try reader.ebmlElement()
      if id == ID.mappingKind { kind = try content.ebmlUnsigned }
      if id == ID.mappingData { bytes = Array(content.bytes) }
    }
    guard DolbyConfiguration.boxes.contains(where: { Int($0.rawValue) == kind }) else { return nil }
    return try DolbyConfiguration(bytes)
  }
}
