import HDRCore

/// Kinds of outputs by their names: what follows `--to`.
public enum OutputNames {
  public static let renditions = OutputKind.allCases.map(\.rawValue)
  public static let adaptive = ["adaptive-jpeg", "adaptive-heic", "adaptive-avif", "adaptive-jxl"]
  /// Parts of files with gain maps, as PNG.
  public static let parts = ["extract-base", "extract-gainmap", "extract-alternate"]
  /// JPEG XL of which the JPEG can be restored.
  public static let recompressed = "recompress-jxl"
  public static let all = renditions + adaptive + parts + [recompressed]

  public static func isAdaptive(_ kind: String) -> Bool { kind.hasPrefix("adaptive-") }
  public static func isSDR(_ kind: String) -> Bool { kind.hasPrefix("sdr-") }
  /// Whether it keeps or takes out what a file holds.
  public static func needsPicture(_ kind: String) -> Bool { isAdaptive(kind) || isPart(kind) || kind == recompressed }
  public static func isPart(_ kind: String) -> Bool { kind.hasPrefix("extract-") }
}
