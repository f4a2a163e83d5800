import Foundation

/// A process and all below it, as the kernel shows them.
package enum ProcessTree {
  /// Waits for the end of a process.
  ///
  /// - Returns: resident bytes of all together and how many there were, each at most. A sample every 10 ms may miss the
  ///   highest moment.
  package static func peak(_ process: Process) -> (bytes: Int, processes: Int) {
    var most = 0, processes = 0
    while process.isRunning {
      let tree = members(process.processIdentifier)
      (most, processes) = (max(most, tree.reduce(0) { $0 + proportionalBytes($1) }), max(processes, tree.count))
      usleep(10_000)
    }
    return (most, processes)
  }

  package static func members(_ root: Int32) -> [Int32] {
    var found: [Int32] = [], rest = [root]
    while let pid = rest.popLast() {
      found.append(pid)
      for thread in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? [] {
        let text = (try? String(contentsOfFile: "/proc/\(pid)/task/\(thread)/children", encoding: .utf8)) ?? ""
        rest += text.split(separator: " ").compactMap { Int32($0) }
      }
    }
    return found
  }

  /// Resident bytes; a page that several processes have counts once among them.
  private static func proportionalBytes(_ pid: Int32) -> Int {
    let text = (try? String(contentsOfFile: "/proc/\(pid)/smaps_rollup", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("Pss:") }
    return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) << 10
  }
}
