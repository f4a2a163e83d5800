import CPlatform
import Glibc

/// What this process may use of the machine (design/farm.md §2.11).
public enum Allotment {
  /// Variables that schedulers set, in the order they are believed.
  static let threadVariables = ["SLURM_CPUS_PER_TASK", "SLURM_CPUS_ON_NODE", "CUE_THREADS", "OMP_NUM_THREADS"]
  /// All variables whose values may change what a run does; they stand in the head of every record.
  static let variables =
    threadVariables + ["VK_DRIVER_FILES", "VK_ICD_FILENAMES", "XDG_CACHE_HOME", "HDRBATCH_VALIDATION"]

  /// Threads for this process: a scheduler's word, else the processors it may run on.
  public static var threads: Int {
    for name in threadVariables {
      if let value = environment(name), let count = Int(value), (1...4096).contains(count) { return count }
    }
    return max(1, Int(hdr_allotted_processors()))
  }

  static func environment(_ name: String) -> String? { value(name) }

  /// A variable of the environment.
  public static func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// The variables that are set, with their values.
  static var environmentRead: [(name: String, value: String)] {
    variables.compactMap { name in environment(name).map { (name, $0) } }
  }
}
