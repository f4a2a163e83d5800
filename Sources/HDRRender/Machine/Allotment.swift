import CPlatform
import Glibc
import HDRCore

/// This process's part of the machine, with the source of each value (docs/farm.md#what-a-process-takes).
package struct Allotment: Sendable {
  /// A number, and the name of its source.
  package struct Share: Sendable, Hashable {
    package var value: Int
    package var source: String

    package init(_ value: Int, _ source: String) {
      self.value = value
      self.source = source
    }
  }

  /// The number of threads that work at a time.
  package let threads: Share
  /// The bytes of memory, the smallest of all bounds; `nil` if none is known.
  package let memory: Share?
  /// The bytes of addresses (`ulimit -v`); `nil` without a limit.
  package let addressSpace: Int?
  /// The number of files that may be open (`ulimit -n`); `nil` without a limit.
  package let openFiles: Int?
  /// The GPUs that a scheduler gave; `nil` if none was given.
  package let gpus: GPUGrant?

  /// The allotment of this process, read once.
  package static let current = Allotment(.current)

  package init(_ view: MachineView) {
    let groups = ControlGroups(view)
    threads = Self.threads(view, groups)
    memory = Self.memory(view, groups)
    addressSpace = view.addressSpace
    openFiles = view.openFiles
    gpus = GPUGrant(view)
  }

  /// The variables that schedulers set, in order of precedence.
  static let threadVariables = ["SLURM_CPUS_PER_TASK", "SLURM_CPUS_ON_NODE", "CUE_THREADS", "OMP_NUM_THREADS"]
  static let memoryVariables = ["SLURM_MEM_PER_NODE", "SLURM_MEM_PER_CPU"]
  /// All variables whose values may change what a run does; the head of every record lists them.
  package static let variables =
    threadVariables + memoryVariables + GPUGrant.variables + [
      "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_STEP",
      "SLURM_RESTART_COUNT", "JOB_COMPLETION_INDEX", "CUE_IFRAME", "CUE_CHUNK", "OPENJD_SESSION_WORKING_DIR",
      "XDG_CACHE_HOME", "HDRBATCH_VALIDATION", "HDRBATCH_CODEC",
    ] + libraryVariables
  /// The variables that load other drivers, layers and libraries (the Vulkan loader's "Loader Interface Architecture",
  /// ld.so(8)).
  private static let libraryVariables = [
    "VK_DRIVER_FILES", "VK_ICD_FILENAMES", "VK_ADD_DRIVER_FILES", "VK_LOADER_DRIVERS_SELECT",
    "VK_LOADER_DRIVERS_DISABLE", "VK_INSTANCE_LAYERS", "VK_LAYER_PATH", "VK_ADD_LAYER_PATH", "VK_IMPLICIT_LAYER_PATH",
    "VK_ADD_IMPLICIT_LAYER_PATH", "VK_LOADER_LAYERS_ENABLE", "VK_LOADER_LAYERS_DISABLE", "VK_LOADER_LAYERS_ALLOW",
    "LD_LIBRARY_PATH", "LD_PRELOAD", "LD_AUDIT", "GLIBC_TUNABLES",
  ]

  /// Returns a scheduler's number, else the usable processors, cut to the control group's share of time.
  private static func threads(_ view: MachineView, _ groups: ControlGroups) -> Share {
    for name in threadVariables {
      // OpenMP's variable may be a list, one number for each depth of nesting.
      let word = view.environment(name)?.split(separator: ",").first
      if let count = word.flatMap({ Int($0) }), (1...4096).contains(count) { return Share(count, name) }
    }
    let processors = max(1, view.processors)
    if let share = groups.processors, share.value < processors { return share }
    return Share(processors, "affinity mask")
  }

  /// Returns the smallest bound of scheduler, control groups and kernel.
  private static func memory(_ view: MachineView, _ groups: ControlGroups) -> Share? {
    /// Reads Slurm's MiB; 0 is all of the node.
    func mebibytes(_ name: String) -> Int? {
      view.environment(name).flatMap { Int($0) }.flatMap { (1...1 << 30).contains($0) ? $0 << 20 : nil }
    }
    var bounds: [Share] = []
    if let bytes = mebibytes("SLURM_MEM_PER_NODE") { bounds.append(Share(bytes, "SLURM_MEM_PER_NODE")) }
    if let bytes = mebibytes("SLURM_MEM_PER_CPU") {
      let slurm = ["SLURM_CPUS_ON_NODE", "SLURM_CPUS_PER_TASK"].lazy.compactMap { view.environment($0) }
      let count = slurm.compactMap { Int($0) }.first { (1...4096).contains($0) }
      bounds.append(Share(bytes * (count ?? 1), "SLURM_MEM_PER_CPU"))
    }
    if let share = groups.memory { bounds.append(share) }
    if let bytes = view.addressSpace { bounds.append(Share(bytes, "address space, ulimit -v")) }
    if let bytes = view.availableMemory { bounds.append(Share(bytes, "MemAvailable")) }
    return bounds.min { $0.value < $1.value }
  }

  /// The number of threads of this process.
  package static var threads: Int { current.threads.value }

  /// The number of pictures at a time for which there are addresses.
  package var jobsByAddressSpace: Int? { addressSpace.map { MemoryNeed.jobs(addressSpace: $0) } }

  /// The number of pictures at a time for which there are open files: a picture takes up to nine with its codec process,
  /// and three while another one starts; journal, folders and streams take the rest.
  package var jobsByOpenFiles: Int? { openFiles.map { max(1, ($0 - 12) / 12) } }

  /// The variables that are set, with their values.
  package static var environmentRead: [(name: String, value: String)] {
    variables.compactMap { name in Environment.value(name).map { (name, $0) } }
  }
}

/// The sources of an allotment: the environment, the kernel's small files, the affinity mask.
package struct MachineView: Sendable {
  package var environment: @Sendable (String) -> String?
  /// Returns the text of a file; `nil` if it does not exist.
  package var file: @Sendable (String) -> String?
  /// The number of processors in the affinity mask.
  package var processors: Int
  /// The bytes of addresses; `nil` without a limit.
  package var addressSpace: Int?
  /// The number of files that may be open; `nil` without a limit.
  package var openFiles: Int?

  package init(
    environment: @escaping @Sendable (String) -> String?, file: @escaping @Sendable (String) -> String?,
    processors: Int, addressSpace: Int? = nil, openFiles: Int? = nil
  ) {
    self.environment = environment
    self.file = file
    self.processors = processors
    self.addressSpace = addressSpace
    self.openFiles = openFiles
  }

  package static var current: MachineView {
    MachineView(
      environment: { Environment.value($0) }, file: { smallFile($0) }, processors: Int(hdr_allotted_processors()),
      addressSpace: AddressSpace.limit, openFiles: Int(exactly: hdr_open_files_limit()))
  }

  /// The bytes available without swapping (proc_meminfo(5)).
  var availableMemory: Int? {
    for line in (file("/proc/meminfo") ?? "").split(separator: "\n") where line.hasPrefix("MemAvailable:") {
      let words = line.split(separator: " ")
      guard words.count == 3, words[2] == "kB", let count = Int(words[1]), (1...1 << 40).contains(count) else { break }
      return count << 10
    }
    return nil
  }
}

/// Reads a file of the kernel: its reported size is 0, so it is read to its end, up to 1 MiB.
private func smallFile(_ path: String) -> String? {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 4096)
  while bytes.count < 1 << 20 {
    let count = read(descriptor, &chunk, chunk.count)
    if count < 0 && errno == EINTR { continue }
    if count <= 0 { break }
    bytes += chunk[..<count]
  }
  return String(decoding: bytes, as: UTF8.self)
}
