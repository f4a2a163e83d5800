import HDRCore

/// Kinds of outputs by their names: what follows `--to`.
public enum OutputNames {
  public static let renditions = OutputKind.allCases.map(\.rawValue)
  public static let adaptive = ["adaptive-jpeg", "adaptive-heic", "adaptive-avif", "adaptive-jxl"]
  /// Parts of files with gain maps, as PNG; and a preview.
  public static let parts = ["extract-base", "extract-gainmap", "extract-alternate", preview]
  /// The JPEG that a camera put into its raw file, as it is.
  public static let preview = "extract-preview"
  /// JPEG XL of which the JPEG can be restored.
  public static let recompressed = "recompress-jxl"
  /// Kinds with a raw format behind a colon.
  public static let packed = OutputKind.packed.map(\.rawValue)
  public static let all = renditions + adaptive + parts + [recompressed] + packed
  /// For lists: of the packed kinds one each.
  public static let listed =
    renditions + adaptive + parts
    + [
      recompressed,
      "pq-raw:p010", "hlg-raw:p010", "sdr-raw:nv12", "linear-raw:rgbah", "pq-y4m:yuv420p10", "hlg-y4m:yuv420p10",
      "sdr-y4m:yuv420p",
    ]

  public static func isAdaptive(_ kind: String) -> Bool { kind.hasPrefix("adaptive-") }
  public static func isSDR(_ kind: String) -> Bool { kind.hasPrefix("sdr-") }
  /// Whether it keeps or takes out what a file holds.
  public static func needsPicture(_ kind: String) -> Bool { isAdaptive(kind) || isPart(kind) || kind == recompressed }
  /// Of a kind that is neither a rendition nor Adaptive HDR.
  public static func fileExtension(of kind: String) -> String {
    switch kind {
    case recompressed: "jxl"
    case preview: "jpg"
    default: "png"
    }
  }
  public static func isPart(_ kind: String) -> Bool { kind.hasPrefix("extract-") }
}
