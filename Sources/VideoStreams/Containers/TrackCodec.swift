import FileParts

/// A codec of pictures, by the name that FFmpeg gives it.
package enum TrackCodec: String, Sendable, Hashable, CaseIterable {
  case hevc, h264, av1, vp9, vp8, vvc, apv, prores, dnxhd, ffv1, mjpeg, mpeg4, mpeg2video, rawvideo
  case proResRAW = "prores_raw"
  case other

  /// The sample entries of ISO base media files, and QuickTime's.
  private static let entries: [(TrackCodec, [FourCC])] = [
    (.hevc, ["hvc1", "hev1", "dvh1", "dvhe"]), (.h264, ["avc1", "avc2", "avc3", "avc4", "dva1", "dvav"]),
    (.av1, ["av01", "dav1"]), (.vp9, ["vp09"]), (.vp8, ["vp08"]), (.vvc, ["vvc1", "vvi1"]), (.apv, ["apv1"]),
    (.prores, ["apch", "apcn", "apcs", "apco", "ap4h", "ap4x"]), (.proResRAW, ["aprn", "aprh"]),
    (.dnxhd, ["AVdn", "AVdh"]), (.ffv1, ["FFV1"]), (.mjpeg, ["jpeg", "mjpa", "mjpb"]), (.mpeg4, ["mp4v"]),
    (.mpeg2video, ["m2v1", "mp2v", "xd5b"]), (.rawvideo, ["v210", "v410", "2vuy", "r210"]),
  ]

  /// The codec IDs of Matroska (Matroska codec specification, RFC 9559 and its registry).
  private static let matroska: [(TrackCodec, String)] = [
    (.hevc, "V_MPEGH/ISO/HEVC"), (.h264, "V_MPEG4/ISO/AVC"), (.av1, "V_AV1"), (.vp9, "V_VP9"), (.vp8, "V_VP8"),
    (.vvc, "V_MPEGI/ISO/VVC"), (.prores, "V_PRORES"), (.ffv1, "V_FFV1"), (.mjpeg, "V_MJPEG"),
    (.mpeg4, "V_MPEG4/ISO/ASP"), (.mpeg2video, "V_MPEG2"), (.rawvideo, "V_UNCOMPRESSED"),
  ]

  /// Finds the codec of a sample entry.
  package init(entry: FourCC) { self = Self.entries.first { $0.1.contains(entry) }?.0 ?? .other }

  /// Finds the codec of a codec ID of Matroska.
  package init(codecID: String) { self = Self.matroska.first { $0.1 == codecID }?.0 ?? .other }

  /// True if unstated 4:2:0 of HDR is top-left, as Blu-ray and streaming write it.
  package var isModern: Bool { self == .hevc || self == .av1 || self == .vvc }
}
