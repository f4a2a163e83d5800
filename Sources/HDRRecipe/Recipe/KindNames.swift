import HDRCore

/// The names of output kinds, which follow `--to`.
package enum KindNames {
  package static let renditions = OutputKind.allCases.map(\.rawValue)
  package static let adaptive = ["adaptive-jpeg", "adaptive-heic", "adaptive-avif", "adaptive-jxl", "adaptive-png"]
  /// The parts of files with gain maps, as PNG, and a preview.
  package static let parts = ["extract-base", "extract-gainmap", "extract-alternate", preview]
  /// The JPEG that a camera put into its raw file, unchanged.
  package static let preview = "extract-preview"
  /// JPEG XL from which the JPEG can be restored.
  package static let recompressed = "recompress-jxl"
  /// The kinds with a raw format after a colon.
  package static let packed = OutputKind.packed.map(\.rawValue)
  package static let all = renditions + adaptive + parts + [recompressed] + packed
  /// The names for lists, with one example of each packed kind.
  package static let listed =
    renditions + adaptive + parts
    + [
      recompressed,
      "pq-raw:p010", "hlg-raw:p010", "sdr-raw:nv12", "linear-raw:rgbah", "pq-y4m:yuv420p10", "hlg-y4m:yuv420p10",
      "sdr-y4m:yuv420p",
    ]

  package static func isAdaptive(_ kind: String) -> Bool { kind.hasPrefix("adaptive-") }
  package static func isSDR(_ kind: String) -> Bool { OutputKind(rawValue: kind)?.curve == .sdr }
  /// True if the kind keeps or extracts parts of a file.
  package static func needsPicture(_ kind: String) -> Bool { isAdaptive(kind) || isPart(kind) || kind == recompressed }
  /// Returns the file extension of a kind, without the dot.
  package static func fileExtension(of kind: String) -> String {
    if let rendition = OutputKind(rawValue: kind) { return rendition.fileExtension }
    switch kind {
    case recompressed: return "jxl"
    case preview, "adaptive-jpeg": return "jpg"
    default: return isAdaptive(kind) ? String(kind.dropFirst("adaptive-".count)) : "png"
    }
  }
  package static func isPart(_ kind: String) -> Bool { kind.hasPrefix("extract-") }
}
