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
    guard let found = try CodedVideo(codec, packet: firstPacket, lengthSize: try stream.lengthSize) else { return nil }
    self = found
  }
}
