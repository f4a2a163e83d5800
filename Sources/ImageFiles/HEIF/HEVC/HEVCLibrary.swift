import FileParts
import CAVCodec
import CDe265

/// The libraries that decode HEVC.
enum HEVCLibrary {
  case libavcodec
  case libde265

  typealias AVCodec = hdr_avcodec

  /// The functions of libavcodec; `nil`: it is missing. It is opened once; a codec process does so before it locks
  /// itself in.
  static var avcodec: AVCodec? { hdr_avcodec()?.pointee }

  /// The functions of libde265, opened in the same way.
  static var de265: hdr_de265? { hdr_de265()?.pointee }

  /// The reason why libavcodec is missing, in one line.
  static var avcodecMissing: String { String(cString: hdr_avcodec_missing()) }

  /// The library's name and version, for records.
  var label: String {
    switch self {
    case .libavcodec: "libavcodec" + (Self.avcodec.map { " " + String(cString: $0.version) } ?? "")
    case .libde265: "libde265" + (Self.de265?.de265_get_version().map { " " + String(cString: $0) } ?? "")
    }
  }
}

/// Returns the reason why HEVC cannot be decoded with libavcodec; `nil`: it can.
package func avcodecMissing() -> String? { HEVCLibrary.avcodec == nil ? HEVCLibrary.avcodecMissing : nil }

extension LibraryRow {
  static let avcodec = LibraryRow("libavcodec", opened: .hevc) {
    guard let library = HEVCLibrary.avcodec else {
      return (nil, "reading HEVC faster: not there (\(HEVCLibrary.avcodecMissing))")
    }
    return (String(cString: library.version), "reading HEVC, before libde265")
  }

  static let de265 = LibraryRow("libde265", opened: .hevc) {
    guard let library = HEVCLibrary.de265 else {
      return (nil, "reading HEVC: not there (\(String(cString: hdr_de265_missing())))")
    }
    return (library.de265_get_version().map { String(cString: $0) }, "reading HEVC (HEIC, HIF)")
  }
}
