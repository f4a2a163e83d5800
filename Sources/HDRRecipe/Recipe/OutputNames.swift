import HDRCore

/// Kinds of outputs by their names: what follows `--to`.
public enum OutputNames {
  public static let renditions = OutputKind.allCases.map(\.rawValue)
  public static let adaptive = ["adaptive-jpeg", "adaptive-heic", "adaptive-avif"]
  /// Parts of files with gain maps, as PNG.
  public static let parts = ["extract-base", "extract-gainmap", "extract-alternate"]
  /// Kinds with a raw format behind a colon.
  public static let packed = OutputKind.packed.map(\.rawValue)
  public static let all = renditions + adaptive + parts + packed
  /// For lists: of the packed kinds one each.
  public static let listed =
    renditions + adaptive + parts
    + [
      "pq-raw:p010", "hlg-raw:p010", "sdr-raw:nv12", "linear-raw:rgbah", "pq-y4m:yuv420p10", "hlg-y4m:yuv420p10",
      "sdr-y4m:yuv420p",
    ]

  public static func isAdaptive(_ kind: String) -> Bool { kind.hasPrefix("adaptive-") }
  public static func isSDR(_ kind: String) -> Bool { kind.hasPrefix("sdr-") }
  public static func isPart(_ kind: String) -> Bool { kind.hasPrefix("extract-") }
}
