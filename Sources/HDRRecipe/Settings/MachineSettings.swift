import HDRPlan

/// Settings for processors and memory.
package struct MachineSettings: SettingGroup {
  package var title: String { "Machine" }
  package var scope: Setting.Scope { .run }

  package let backend = SettingKey(
    "backend", .choice(BackendChoice.self, "backend"), standard: .auto,
    "gpu stops with 69 when there is none; auto goes on with the CPU.")
  package let device = SettingKey(
    "device", .text("device,...|all"), assumed: "those that a scheduler gave, else the best",
    """
    GPU by index, UUID, PCI address or any part of its name, several with commas between, or all; stops with 69 when \
    one cannot be used.
    """)
  package let codecDevice = SettingKey(
    "codec-device", .choice(CodecDevice.self, "processor"), standard: .auto, rare: true,
    """
    Where JPEGs that a GPU renders are decoded and encoded, and light and gains of what it renders are measured, with \
    the same bytes: auto on graphics hardware from a megapixel on, gpu on any device, cpu never.
    """)
  package let sample = SettingKey(
    "sample", .integer(1...1_000_000, "k"), assumed: "a strip of the first picture of each kernel", rare: true,
    """
    Renders every k-th strip of what GPUs render on the CPU too. Where a word differs the picture fails \
    (gpu.mismatch), the device is given up, and the end is 69.
    """)
  package let jobs = SettingKey(
    "jobs", short: "j", .integer(1...4096), assumed: "the processors, and a quarter more for files up to 1 MiB",
    "Pictures in flight; memory grows with them.")
  package let threads = SettingKey(
    "threads", .integer(1...4096), assumed: "the processors", "Threads for one picture on the CPU.")
  package let memory = SettingKey(
    "memory", .bytes(), assumed: "60 % of what this process may use",
    "Memory of all processes: an input waits until it fits, and one that never fits fails.")
}

/// The processor that decodes and encodes and measures pictures where a GPU can: with the same bytes, so only speed depends on it.
package enum CodecDevice: String, Sendable, Hashable, CaseIterable {
  /// A GPU where it pays.
  case auto
  /// The GPU that renders, software included.
  case gpu
  case cpu
}

/// The backends that a user can choose.
public enum BackendChoice: String, Sendable, Hashable, CaseIterable {
  /// A GPU if one is usable, else the CPU; reported once and recorded.
  case auto
  /// A GPU; an error without one.
  case gpu
  case cpu
}
