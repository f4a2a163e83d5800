import CAVCodec
import CDe265

/// A library that decodes HEVC.
enum HEVCLibrary {
  case libavcodec
  case libde265

  typealias AVCodec = hdr_avcodec

  /// libavcodec, when this machine has it. It is looked for once; a codec process does so before it locks itself in.
  static var avcodec: AVCodec? { hdr_avcodec()?.pointee }

  /// libde265, likewise.
  static var de265: hdr_de265? { hdr_de265()?.pointee }

  /// Why there is no libavcodec, in one line.
  static var avcodecMissing: String { String(cString: hdr_avcodec_missing()) }

  /// Name and version, for records.
  var label: String {
    switch self {
    case .libavcodec: "libavcodec" + (Self.avcodec.map { " " + String(cString: $0.version) } ?? "")
    case .libde265: "libde265" + (Self.de265?.de265_get_version().map { " " + String(cString: $0) } ?? "")
    }
  }
}
