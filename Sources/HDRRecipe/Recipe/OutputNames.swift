import HDRCore

/// Kinds of outputs by their names: what follows `--to`.
public enum OutputNames {
  public static let renditions = OutputKind.allCases.map(\.rawValue)
  public static let adaptive = ["adaptive-jpeg", "adaptive-heic", "adaptive-avif"]
  /// Parts of files with gain maps, as PNG.
  public static let parts = ["extract-base", "extract-gainmap", "extract-alternate"]
  public static let all = renditions + adaptive + parts

  public static func isAdaptive(_ kind: String) -> Bool { kind.hasPrefix("adaptive-") }
  public static func isSDR(_ kind: String) -> Bool { kind.hasPrefix("sdr-") }
  public static func isPart(_ kind: String) -> Bool { kind.hasPrefix("extract-") }
}
