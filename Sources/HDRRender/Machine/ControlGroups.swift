/// Limits of the control groups that a process is in (cgroup v2, Documentation/admin-guide/cgroup-v2.rst): containers
/// and service managers set them. A limit of any group above counts too.
struct ControlGroups: Sendable {
  /// Whole processors' worth of time (`cpu.max`), rounded up, at least 1; `nil` without a limit.
  let processors: Int?
  /// Bytes (`memory.max`); `nil` without a limit.
  let memory: Int?

  init(_ view: MachineView) {
    let folders = Self.folders(view.file("/proc/self/cgroup") ?? "")
    processors = folders.compactMap { view.file($0 + "/cpu.max").flatMap(Self.processors) }.min()
    memory = folders.compactMap { view.file($0 + "/memory.max").flatMap(Self.bytes) }.min()
  }

  /// The process's group and those above it, as folders.
  private static func folders(_ text: String) -> [String] {
    let root = "/sys/fs/cgroup"
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("0::") }) else { return [root] }
    var parts = line.dropFirst(3).split(separator: "/")
    // A group outside the namespace cannot be seen; its limits are then at the root.
    if parts.contains("..") { parts = [] }
    return (0...parts.count).map { root + parts.prefix($0).map { "/" + $0 }.joined() }
  }

  /// "200000 100000": microseconds of each period; "max" instead of the first is no limit.
  private static func processors(_ text: String) -> Int? {
    let words = text.split(whereSeparator: \.isWhitespace)
    guard words.count == 2, let quota = Int(words[0]), let period = Int(words[1]), quota > 0, period > 0 else {
      return nil
    }
    return max(1, quota / period + (quota % period > 0 ? 1 : 0))
  }

  private static func bytes(_ text: String) -> Int? {
    text.split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
  }
}
