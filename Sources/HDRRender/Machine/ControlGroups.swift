/// The limits of a process's control groups, which containers and service managers set. Version 2
/// (Documentation/admin-guide/cgroup-v2.rst) has one tree of groups, version 1 one for each controller
/// (cgroup-v1/memory.rst, scheduler/sched-bwc.rst), a hybrid machine has both. A limit of any group above counts too.
struct ControlGroups: Sendable {
  /// The time limit in whole processors, rounded up, at least 1; `nil` without a limit.
  let processors: Allotment.Share?
  /// The limit in bytes; `nil` without a limit.
  let memory: Allotment.Share?

  init(_ view: MachineView) {
    let trees = ControlTree.all(view)
    func least(_ controller: String, _ read: (ControlTree, String) -> [Allotment.Share]) -> Allotment.Share? {
      trees.filter { $0.has(controller) }.flatMap { tree in tree.folders.flatMap { read(tree, $0) } }
        .min { $0.value < $1.value }
    }
    func number(_ path: String) -> Int? { view.file(path).flatMap(Self.number) }
    processors = least("cpu") { tree, folder in
      let count =
        tree.isUnified
        ? view.file(folder + "/cpu.max").flatMap(Self.processors)
        : Self.processors(quota: number(folder + "/cpu.cfs_quota_us"), period: number(folder + "/cpu.cfs_period_us"))
      return count.map { [.init($0, tree.isUnified ? "cgroup cpu.max" : "cgroup cpu.cfs_quota_us")] } ?? []
    }
    memory = least("memory") { tree, folder in
      let names = tree.isUnified ? ["memory.max"] : ["memory.limit_in_bytes", "memory.memsw.limit_in_bytes"]
      return names.compactMap { name in
        // Version 1 has 2^63 minus a page if there is no limit.
        number("\(folder)/\(name)").flatMap { $0 > 0 && $0 < 1 << 60 ? .init($0, "cgroup \(name)") : nil }
      }
    }
  }

  /// Parses "200000 100000": microseconds per period; "max" as the first is no limit.
  private static func processors(_ text: String) -> Int? {
    let words = text.split(whereSeparator: \.isWhitespace)
    return words.count == 2 ? processors(quota: Int(words[0]), period: Int(words[1])) : nil
  }

  /// Returns whole processors; a `quota` of -1 is no limit.
  private static func processors(quota: Int?, period: Int?) -> Int? {
    guard let quota, let period, quota > 0, period > 0 else { return nil }
    return max(1, quota / period + (quota % period > 0 ? 1 : 0))
  }

  private static func number(_ text: String) -> Int? {
    text.split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) }
  }
}

/// A mounted tree of groups, and the place of this process in it.
private struct ControlTree {
  /// True for version 2.
  var isUnified: Bool
  /// The controllers of a version 1 tree.
  var controllers: Set<Substring> = []
  /// The folders of the process's group and those above it.
  var folders: [String]

  func has(_ controller: String) -> Bool { isUnified || controllers.contains(controller[...]) }

  /// Returns all trees; the usual tree of version 2 if no mounts are shown.
  static func all(_ view: MachineView) -> [ControlTree] {
    let groups = (view.file("/proc/self/cgroup") ?? "").split(separator: "\n").map {
      $0.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    }
    let trees = (view.file("/proc/self/mountinfo") ?? "").split(separator: "\n").compactMap { line in
      ControlTree(mount: line, groups)
    }
    let unified = groups.first { $0.count == 3 && $0[0] == "0" }?[2]
    return trees.isEmpty
      ? [ControlTree(isUnified: true, folders: folders(unified, root: "/", at: "/sys/fs/cgroup"))] : trees
  }

  private init(isUnified: Bool, folders: [String]) { (self.isUnified, self.folders) = (isUnified, folders) }

  /// Parses a line of /proc/PID/mountinfo (proc_pid_mountinfo(5)); `nil` for other file systems.
  private init?(mount line: Substring, _ groups: [[Substring]]) {
    let words = line.split(separator: " ")
    guard let dash = words.firstIndex(of: "-"), words.count > dash + 3, dash >= 6, words[dash + 1].hasPrefix("cgroup")
    else { return nil }
    isUnified = words[dash + 1] == "cgroup2"
    if !isUnified { controllers = Set(words[dash + 3].split(separator: ",")) }
    let (names, isUnified) = (controllers, isUnified)
    let group = groups.first {
      $0.count == 3 && (isUnified ? $0[0] == "0" : !names.isDisjoint(with: $0[1].split(separator: ",")))
    }
    folders = Self.folders(group?[2], root: Self.plain(words[3]), at: Self.plain(words[4]))
  }

  /// Returns the group's folder and those above it, below the mount point of their tree.
  ///
  /// - Parameter root: the group that is mounted.
  private static func folders(_ group: Substring?, root: String, at place: String) -> [String] {
    var parts = (group ?? "").split(separator: "/"), above = root.split(separator: "/")
    // A group outside the namespace cannot be seen; its limits are then at the root.
    if parts.contains("..") || !parts.starts(with: above) { (parts, above) = ([], []) }
    parts.removeFirst(above.count)
    return (0...parts.count).map { place + parts.prefix($0).map { "/" + $0 }.joined() }
  }

  /// Decodes spaces and backslashes, written `\040` and `\134` there.
  private static func plain(_ text: Substring) -> String {
    String(text).replacing("\\040", with: " ").replacing("\\134", with: "\\")
  }
}
