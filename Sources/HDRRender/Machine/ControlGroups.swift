/// Limits of the control groups that a process is in: containers and service managers set them. Version 2
/// (Documentation/admin-guide/cgroup-v2.rst) has one tree of groups, version 1 one for each controller
/// (cgroup-v1/memory.rst, scheduler/sched-bwc.rst), a hybrid machine has both. A limit of any group above counts too.
struct ControlGroups: Sendable {
  /// Whole processors' worth of time, rounded up, at least 1; `nil` without a limit.
  let processors: Allotment.Share?
  /// Bytes; `nil` without a limit.
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
        // Version 1 says 2^63 less a page where there is no limit.
        number("\(folder)/\(name)").flatMap { $0 > 0 && $0 < 1 << 60 ? .init($0, "cgroup \(name)") : nil }
      }
    }
  }

  /// "200000 100000": microseconds of each period; "max" instead of the first is no limit.
  private static func processors(_ text: String) -> Int? {
    let words = text.split(whereSeparator: \.isWhitespace)
    return words.count == 2 ? processors(quota: Int(words[0]), period: Int(words[1])) : nil
  }

  /// - Parameter quota: -1 is no limit.
  private static func processors(quota: Int?, period: Int?) -> Int? {
    guard let quota, let period, quota > 0, period > 0 else { return nil }
    return max(1, quota / period + (quota % period > 0 ? 1 : 0))
  }

  private static func number(_ text: String) -> Int? {
    text.split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) }
  }
}

/// A mounted tree of groups, and where in it this process is.
private struct ControlTree {
  /// Version 2.
  var isUnified: Bool
  /// Of version 1.
  var controllers: Set<Substring> = []
  /// Of the process's group and those above it.
  var folders: [String]

  func has(_ controller: String) -> Bool { isUnified || controllers.contains(controller[...]) }

  /// - Returns: the usual tree of version 2 where no mounts are shown.
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

  /// - Parameter line: of /proc/PID/mountinfo (proc_pid_mountinfo(5)); `nil` for other file systems.
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

  /// The group's folder and those above it, below where their tree is mounted.
  ///
  /// - Parameter root: the group that is mounted.
  private static func folders(_ group: Substring?, root: String, at place: String) -> [String] {
    var parts = (group ?? "").split(separator: "/"), above = root.split(separator: "/")
    // A group outside the namespace cannot be seen; its limits are then at the root.
    if parts.contains("..") || !parts.starts(with: above) { (parts, above) = ([], []) }
    parts.removeFirst(above.count)
    return (0...parts.count).map { place + parts.prefix($0).map { "/" + $0 }.joined() }
  }

  /// Spaces and backslashes are `\040` and `\134` there.
  private static func plain(_ text: Substring) -> String {
    String(text).replacing("\\040", with: " ").replacing("\\134", with: "\\")
  }
}
