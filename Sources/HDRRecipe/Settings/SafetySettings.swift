/// Settings for bounds on inputs and for the isolation of codecs.
public struct SafetySettings: SettingGroup {
  public var title: String { "Limits" }
  public var scope: Setting.Scope { .run }

  public let maxPixels = SettingKey(
    "max-pixels", .integer(1...1 << 34), standard: 1 << 28, rare: true, "Largest picture accepted, in pixels.")
  public let maxSide = SettingKey(
    "max-side", .integer(1...1 << 20), standard: 65_535, rare: true, "Longest side accepted, in pixels.")
  public let maxFileBytes = SettingKey(
    "max-file-bytes", .bytes(1...Int.max), standard: 1 << 32, rare: true, "Largest input file accepted.")
  public let isolation = SettingKey(
    "isolation", .choice(Isolation.self, "mode"), standard: .sandbox, rare: true,
    """
    Where files are decoded and encoded: sandbox, in processes that can compute and nothing else; rlimit, in processes \
    with limits of memory and time; none, in this process; fresh, a sandbox for every input.
    """)
  public let requireSandbox = SettingKey(
    flag: "require-sandbox", rare: true, "Stop with 69 where this system cannot give a whole sandbox.")
  public let unsafeCodecs = SettingKey(
    flag: "unsafe-codecs", rare: true,
    "Without a sandbox, too, decode by libraries with known holes (OpenEXR's: PIZ, PXR24, B44).")
  public let maxSeconds = SettingKey(
    "max-seconds", .integer(1...86_400, "s"), standard: 30, rare: true,
    """
    Seconds for an item until it is encoded, and as many for encoding it, beside one for every 4 megapixels of pictures \
    that are decoded or made.
    """)
  public let maxWorkerMemory = SettingKey(
    "max-worker-memory", .bytes(256 << 20...1 << 46), assumed: "what the picture needs, at most 8G", rare: true,
    "Address space of a codec process.")
  public let maxCrashes = SettingKey(
    "max-crashes", .integer(0...Int.max), standard: 100, rare: true,
    "Stop after so many crashed or hanging codec processes in a row; 0: never.")
}

/// The isolation of untrusted files from this process.
public enum Isolation: String, Sendable, Hashable, CaseIterable {
  /// Codec processes that can only compute and use the descriptors that they get.
  case sandbox
  /// Codec processes with limits of memory and time, otherwise free.
  case rlimit
  /// The codecs run in this process.
  case none
  /// The isolation of `sandbox`, with a new process for every input.
  case fresh
}
