import FileParts
import HDRCore

extension TrackCodec {
  /// The codes of NUT that are no sample entries, as FFmpeg writes them.
  private static let nutCodes: [FourCC: TrackCodec] = [
    "HEVC": .hevc, "H264": .h264, "AV01": .av1, "VP90": .vp9, "VP80": .vp8, "MJPG": .mjpeg, "FMP4": .mpeg4,
    "mpg2": .mpeg2video,
  ]

  /// Finds the codec of a stream of NUT.
  package init(nut code: FourCC) { self = Self.nutCodes[code] ?? TrackCodec(entry: code) }
}

extension CodedVideo {
  /// Reads what a stream that FFmpeg has copied into NUT says: its extradata, which is the record of a container or begins
  /// with a start code, else its first packet.
  ///
  /// - Returns: `nil` if neither has a header that is read here.
  /// - Throws: `DecodeError` for a header that cannot be read.
  package init?(_ stream: NUTStream, firstPacket: ArraySlice<UInt8>) throws(DecodeError) {
    let codec = TrackCodec(nut: stream.codec), record = stream.extradata
    if stream.hasRecord, let found = try CodedVideo(codec, configuration: record) {
      self = found
      return
    }
    if !stream.hasRecord, !record.isEmpty, let found = try CodedVideo(codec, packet: record[...], lengthSize: nil) {
      self = found
      return
    }
    guard let found = try CodedVideo(stream, packet: firstPacket) else { return nil }
    self = found
  }

  /// Reads what a packet of such a stream says by itself.
  ///
  /// - Returns: `nil` if it has no header that is read here.
  package init?(_ stream: NUTStream, packet: ArraySlice<UInt8>) throws(DecodeError) {
    let codec = TrackCodec(nut: stream.codec)
    guard let found = try CodedVideo(codec, packet: packet, lengthSize: try stream.lengthSize) else { return nil }
    self = found
  }

  /// Returns true if pictures have the same size, layout and meaning.
  package func isShown(like other: CodedVideo) -> Bool {
    (width, height, bitDepth, chroma) == (other.width, other.height, other.bitDepth, other.chroma)
      && (color, sampleAspect) == (other.color, other.sampleAspect)
  }
}

extension NUTStream {
  /// Returns a packet as a stream without a record has it: start codes precede its NAL units.
  package func withoutRecord(_ packet: [UInt8]) throws(DecodeError) -> [UInt8] {
    guard let size = try lengthSize else { return packet }
    return try AccessUnit(packet[...], .lengths(size)).units.flatMap { [0, 0, 0, 1] + $0.bytes }
  }
}
