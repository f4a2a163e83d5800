import FileParts
import HDRCore

/// The form of a stream's packets, as far as the metadata in them depend on it.
package enum PacketCoding: Sendable, Hashable {
  case hevc(AccessUnit.Framing)
  case av1

  /// Finds the form of a stream that FFmpeg has copied into NUT; `nil` for codecs whose packets have no such metadata.
  package init?(_ stream: NUTStream) throws(DecodeError) {
    switch TrackCodec(nut: stream.codec) {
    case .hevc: self = .hevc(try stream.lengthSize.map { .lengths($0) } ?? .startCodes)
    case .av1: self = .av1
    default: return nil
    }
  }
}

extension NUTStream {
  /// True if the extradata is the record of a container: those of HEVC, H.264 and AV1 begin with a version of 1, marked in
  /// AV1; start codes begin with zeros.
  var hasRecord: Bool { extradata.first == 1 || extradata.first == 0x81 }

  /// The bytes of the length before each NAL unit; `nil`: start codes are between them.
  var lengthSize: Int? {
    get throws(DecodeError) {
      guard hasRecord else { return nil }
      switch TrackCodec(nut: codec) {
      case .hevc:
        var reader = ByteReader(extradata, place: "hvcC box")
        return try HEVCConfiguration(&reader).lengthSize
      case .h264: return H264SequenceParameterSet.lengthSize(extradata)
      default: return nil
      }
    }
  }
}
