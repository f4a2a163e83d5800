import HDRCore

/// The kinds of output that make files of an ending, with the one that is taken where nobody says which.
package struct EndingKinds: Sendable {
  /// The usual form of the ending: `jpg` for `jpeg`.
  package let ending: String
  /// The names of all kinds whose files end so.
  package let kinds: [String]

  /// - Returns: `nil` for an ending that no kind makes.
  package init?(ending own: String) {
    let usual = Self.usual(own)
    ending = usual
    kinds = KindNames.all.filter { KindNames.fileExtension(of: $0) == usual }
    if kinds.isEmpty { return nil }
  }

  /// The kind of a picture with HDR; `nil` where several would do.
  package var ofHDR: String? {
    switch ending {
    case "jpg": "adaptive-jpeg"
    case "heic", "avif", "jxl": "adaptive-" + ending
    case "png": "pq-png"
    case "tif": "pq-tiff"
    default: kinds.contains(ending) ? ending : nil
    }
  }

  /// The kind of a picture without HDR; `nil` where there is none.
  package var ofSDR: String? {
    guard let hdr = ofHDR else { return nil }
    if hdr == ending { return hdr }
    return kinds.first { KindNames.isSDR($0) && OutputKind(rawValue: $0)?.raw == nil }
  }

  static func usual(_ own: String) -> String {
    switch own {
    case "jpeg": "jpg"
    case "tiff": "tif"
    case "heif", "hif": "heic"
    default: own
    }
  }
}
