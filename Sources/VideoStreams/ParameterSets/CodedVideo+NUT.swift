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
    // Records of HEVC, H.264 and AV1 begin with a version of 1, marked in AV1; start codes begin with zeros.
    let isRecord = record.first == 1 || record.first == 0x81
    if isRecord, let found = try CodedVideo(codec, configuration: record) {
      self = found
      return
    }
    if !isRecord, !record.isEmpty, let found = try CodedVideo(codec, packet: record[...], lengthSize: nil) {
      self = found
      return
    }
    var lengthSize: Int?
    if isRecord, codec == .hevc {
      var reader = ByteReader(record, place: "hvcC box")
      lengthSize = try HEVCConfiguration(&reader).lengthSize
    } else if isRecord, codec == .h264 {
      lengthSize = H264SequenceParameterSet.lengthSize(record)
    }
    guard let found = try CodedVideo(codec, packet: firstPacket, lengthSize: lengthSize) else { return nil }
    self = found
  }
}
