/// Settings for bounds on inputs and for the isolation of codecs.
package struct SafetySettings: SettingGroup {
  package var title: String { "Limits" }
  package var scope: Setting.Scope { .run }

  package let maxPixels = SettingKey(
    "max-pixels", .integer(1...1 << 34), standard: 1 << 28, rare: true, "Largest picture accepted, in pixels.")
  package let maxSide = SettingKey(
    "max-side", .integer(1...1 << 20), standard: 65_535, rare: true, "Longest side accepted, in pixels.")
  package let maxFileBytes = SettingKey(
    "max-file-bytes", .bytes(1...Int.max), standard: 1 << 32, rare: true, "Largest input file accepted.")
  package let isolation = SettingKey(
    "isolation", .choice(Isolation.self, "mode"), standard: .sandbox, rare: true,
    """
    Where files are decoded and encoded: sandbox, in processes that can compute and nothing else; rlimit, in processes \
    with limits of memory and time; none, in this process; fresh, a sandbox for every input.
    """)
  package let requireSandbox = SettingKey(
    flag: "require-sandbox", rare: true, "Stop with 69 where this system cannot give a whole sandbox.")
  package let unsafeCodecs = SettingKey(
    flag: "unsafe-codecs", rare: true,
    "Without a sandbox, too, decode by libraries with known holes (OpenEXR's: PIZ, PXR24, B44; libjxr).")
  package let maxSeconds = SettingKey(
    "max-seconds", .integer(1...86_400, "s"), standard: 30, rare: true,
    """
    Seconds for an item until it is encoded, and as many for encoding it, beside one for every 4 megapixels of pictures \
    that are decoded or made.
    """)
  package let maxWorkerMemory = SettingKey(
    "max-worker-memory", .bytes(256 << 20...1 << 46), assumed: "what the picture needs, at most 8G", rare: true,
    "Address space of a codec process.")
  package let maxCrashes = SettingKey(
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
