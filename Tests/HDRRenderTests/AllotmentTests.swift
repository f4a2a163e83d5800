import Foundation
import GPURender
import HDRCore
import HDRRender
import Testing

/// Tests the resources a process may use, from made environments and kernel files (docs/farm.md#what-a-process-takes).
@Suite struct AllotmentTests {
  func view(
    _ environment: [String: String] = [:], files: [String: String] = [:], processors: Int = 16
  ) -> MachineView {
    MachineView(environment: { environment[$0] }, file: { files[$0] }, processors: processors)
  }

  func threads(
    _ environment: [String: String], files: [String: String] = [:], processors: Int = 16
  ) -> Allotment.Share {
    Allotment(view(environment, files: files, processors: processors)).threads
  }

  @Test func schedulersAreBelievedInTheirOrder() {
    let all = [
      "SLURM_CPUS_PER_TASK": "3", "SLURM_CPUS_ON_NODE": "5", "CUE_THREADS": "7", "OMP_NUM_THREADS": "9",
    ]
    #expect(threads(all) == .init(3, "SLURM_CPUS_PER_TASK"))
    #expect(threads(all.filter { $0.key != "SLURM_CPUS_PER_TASK" }) == .init(5, "SLURM_CPUS_ON_NODE"))
    #expect(threads(["CUE_THREADS": "7", "OMP_NUM_THREADS": "9"]) == .init(7, "CUE_THREADS"))
    #expect(threads(["OMP_NUM_THREADS": "9,2"]) == .init(9, "OMP_NUM_THREADS"))
    for nonsense in ["", "0", "-1", "many", "99999", "2(x3)"] {
      #expect(threads(["SLURM_CPUS_PER_TASK": nonsense]) == .init(16, "affinity mask"), "\(nonsense)")
    }
    #expect(threads([:], processors: 0) == .init(1, "affinity mask"))
  }

  /// `cpu.max` and the threads of 16 processors that it leaves.
  @Test(arguments: [
    ("max 100000", 16), ("100000 100000", 1), ("150000 100000", 2), ("1000 100000", 1), ("400000 100000", 4),
    ("3200000 100000", 16), ("0 100000", 16), ("100000 0", 16), ("x", 16), ("", 16),
    ("9223372036854775807 1", 16), ("9223372036854775807 2", 16),
  ])
  func controlGroupsCutThreads(text: String, expected: Int) {
    let files = ["/proc/self/cgroup": "0::/a/b\n", "/sys/fs/cgroup/a/b/cpu.max": text + "\n"]
    let share = threads([:], files: files)
    #expect(share.value == expected)
    #expect(share.source == (expected < 16 ? "cgroup cpu.max" : "affinity mask"))
    // The scheduler's word comes first.
    #expect(threads(["CUE_THREADS": "6"], files: files).value == 6)
  }

  @Test func groupsAboveCountToo() {
    var files = [
      "/proc/self/cgroup": "1:name=systemd:/x\n0::/a/b/c\n", "/sys/fs/cgroup/a/b/c/cpu.max": "max 100000\n",
      "/sys/fs/cgroup/a/cpu.max": "250000 100000\n", "/sys/fs/cgroup/cpu.max": "900000 100000\n",
    ]
    #expect(threads([:], files: files).value == 3)
    // In a container the own group is the root; out of sight, what bounds it is there.
    for place in ["0::/\n", "0::/../other\n", ""] {
      files["/proc/self/cgroup"] = place
      #expect(threads([:], files: files).value == 9, "\(place)")
    }
  }

  @Test func memoryIsTheSmallestBound() {
    func memory(_ environment: [String: String] = [:], _ files: [String: String] = [:]) -> Allotment.Share? {
      Allotment(view(environment, files: files)).memory
    }
    let available = ["/proc/meminfo": "MemTotal:  9 kB\nMemAvailable:    4194304 kB\nCached: 1 kB\n"]
    #expect(memory() == nil)
    #expect(memory([:], available) == .init(4 << 30, "MemAvailable"))
    #expect(memory(["SLURM_MEM_PER_NODE": "2000"], available) == .init(2000 << 20, "SLURM_MEM_PER_NODE"))
    #expect(memory(["SLURM_MEM_PER_NODE": "0"], available)?.source == "MemAvailable")
    #expect(memory(["SLURM_MEM_PER_NODE": "9000000"], available)?.source == "MemAvailable")
    #expect(
      memory(["SLURM_MEM_PER_CPU": "512", "SLURM_CPUS_ON_NODE": "3"], available)
        == .init(1536 << 20, "SLURM_MEM_PER_CPU"))
    var files = available
    files["/sys/fs/cgroup/memory.max"] = "1073741824\n"
    #expect(memory([:], files) == .init(1 << 30, "cgroup memory.max"))
    files["/sys/fs/cgroup/memory.max"] = "max\n"
    #expect(memory([:], files)?.source == "MemAvailable")
    #expect(memory(["SLURM_MEM_PER_CPU": "9223372036854775807"], files)?.source == "MemAvailable")
  }

  /// The mounts of machines with version 1 and with both, as they are in a container whose groups are mounted
  /// themselves, and from outside.
  static let mounts = [
    "hybrid": """
    22 1 0:20 / / rw - overlay overlay rw
    31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
    32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:9 master:3 - cgroup cgroup rw,cpu,cpuacct
    35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
    41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
    """,
    "container": """
    35 31 0:32 /docker/1f /sys/fs/cgroup/memory ro,relatime - cgroup cgroup rw,memory
    32 31 0:29 /docker/1f /sys/fs/cgroup/cpu,cpuacct ro,relatime - cgroup cgroup rw,cpu,cpuacct
    """,
    "elsewhere": "41 31 0:38 / /mnt/control\\040groups rw - cgroup2 none rw\n",
  ]

  @Test("limits of control groups of version 1 and of trees that are mounted elsewhere count")
  func oldControlGroups() {
    func found(_ mounts: String, _ group: String, _ files: [String: String]) -> Allotment {
      let kernel = ["/proc/self/mountinfo": Self.mounts[mounts] ?? "", "/proc/self/cgroup": group]
      return Allotment(view(files: kernel.merging(files) { $1 }))
    }
    let none = "9223372036854771712\n", groups = "4:memory:/jobs/7\n2:cpu,cpuacct:/jobs/7\n0::/\n"
    var files = [
      "/sys/fs/cgroup/memory/memory.limit_in_bytes": none, "/sys/fs/cgroup/memory/jobs/7/memory.limit_in_bytes": none,
      "/sys/fs/cgroup/cpu,cpuacct/jobs/cpu.cfs_quota_us": "-1\n",
      "/sys/fs/cgroup/cpu,cpuacct/jobs/cpu.cfs_period_us": "100000\n",
    ]
    #expect(found("hybrid", groups, files).memory == nil && found("hybrid", groups, files).threads.value == 16)
    files["/sys/fs/cgroup/memory/jobs/memory.limit_in_bytes"] = "209715200\n"
    files["/sys/fs/cgroup/cpu,cpuacct/jobs/cpu.cfs_quota_us"] = "150000\n"
    #expect(found("hybrid", groups, files).memory == .init(200 << 20, "cgroup memory.limit_in_bytes"))
    #expect(found("hybrid", groups, files).threads == .init(2, "cgroup cpu.cfs_quota_us"))
    files["/sys/fs/cgroup/memory/jobs/7/memory.memsw.limit_in_bytes"] = "104857600\n"
    #expect(found("hybrid", groups, files).memory == .init(100 << 20, "cgroup memory.memsw.limit_in_bytes"))
    files["/sys/fs/cgroup/unified/memory.max"] = "1048576\n"
    #expect(found("hybrid", groups, files).memory == .init(1 << 20, "cgroup memory.max"))
    // A container sees its own group as the root, whatever the group is called outside.
    let own = ["/sys/fs/cgroup/memory/memory.limit_in_bytes": "1073741824\n"]
    for group in ["4:memory:/docker/1f\n", "4:memory:/\n", "4:memory:/../2e\n"] {
      #expect(found("container", group, own).memory == .init(1 << 30, "cgroup memory.limit_in_bytes"), "\(group)")
    }
    let below = ["/sys/fs/cgroup/memory/job/memory.limit_in_bytes": "1048576\n"]
    #expect(found("container", "4:memory:/docker/1f/job\n", below).memory?.value == 1 << 20)
    let moved = ["/mnt/control groups/a/memory.max": "4096\n"]
    #expect(found("elsewhere", "0::/a\n", moved).memory == .init(4096, "cgroup memory.max"))
  }

  @Test("a limit of the address space bounds the memory, the pictures in flight and what each process shares")
  func addressSpaceIsShared() {
    var view = view(files: ["/proc/meminfo": "MemAvailable:    4194304 kB\n"])
    #expect(Allotment(view).addressSpace == nil)
    view.addressSpace = 3 << 30
    #expect(Allotment(view).memory == .init(3 << 30, "address space, ulimit -v"))
    view.addressSpace = 20 << 30
    #expect(Allotment(view).memory?.source == "MemAvailable" && Allotment(view).addressSpace == 20 << 30)
    let whole = MemoryNeed.arena(maxPixels: 1 << 28)
    #expect(MemoryNeed.arena(maxPixels: 1 << 28, addressSpace: nil, jobs: 64) == whole)
    for space in [1, 4, 8, 20, 1 << 20].map({ $0 << 30 }) {
      let jobs = MemoryNeed.jobs(addressSpace: space)
      #expect(jobs >= 1)
      for jobs in [1, 2, jobs] {
        let arena = MemoryNeed.arena(maxPixels: 1 << 28, addressSpace: space, jobs: jobs)
        // A decoder, an encoder and one for files around kept payloads.
        #expect(arena > 32 << 20 && arena <= whole && 3 * jobs * arena <= space / 2, "\(space >> 30) GiB, \(jobs)")
      }
    }
  }

  // MARK: GPUs

  func device(_ index: Int, pci: String?, uuid: String, vendor: Int = 0x10DE, type: GPUDeviceType = .discrete)
    -> GPUDeviceInfo
  {
    GPUDeviceInfo(
      index: index, name: "GPU at \(pci ?? "nowhere")", type: type, vendorID: vendor, deviceID: 1, driverName: "d",
      driverInfo: "", driverVersion: 1, apiVersion: "1.3.0", uuid: uuid, pciAddress: pci, heaps: [],
      floatControls: GPUFloatControls(
        roundToNearestEven: true, signedZeroInfNanPreserve: true, denormPreserve: true, denormFlushToZero: false),
      refusal: nil)
  }

  /// The devices of a machine in Vulkan's order, which is not that of the bus.
  var machine: [GPUDeviceInfo] {
    [
      device(0, pci: "0000:c1:00.0", uuid: "cccccccc-0000-4000-8000-000000000003"),
      device(1, pci: nil, uuid: "6c6c7670-0000-0000-0000-000000000000", vendor: 0x10005, type: .cpu),
      device(2, pci: "0000:02:00.0", uuid: "99999999-0000-4000-8000-000000000009", vendor: 0x1002, type: .integrated),
      device(3, pci: "0000:0a:00.0", uuid: "aaaaaaaa-0000-4000-8000-000000000001"),
      device(4, pci: "0000:81:00.0", uuid: "aaaaaaab-0000-4000-8000-000000000002"),
    ]
  }

  func chosen(_ environment: [String: String], _ devices: [GPUDeviceInfo]? = nil) -> String {
    do throws(GPUError) {
      let all = try Allotment(view(environment)).chooseGPUs(from: devices ?? machine)
      return all.map { "\($0.index)" }.joined(separator: " ")
    } catch {
      return "\(error)"
    }
  }

  /// Words of schedulers, and the Vulkan device that they mean.
  @Test(arguments: [
    ("0", "3"), ("1", "4"), ("2", "0"), ("2,0", "0 3"), ("1-2", "4 0"), ("2,2", "0"), ("0000:81:00.0", "4"),
    ("00000000:C1:00.0", "0"), ("81:00.0", "4"), ("GPU-cccccccc-0000-4000-8000-000000000003", "0"),
    ("cccccccc-0000-4000-8000-000000000003", "0"), ("GPU-aaaaaaab", "4"), ("GPU-cc", "0"),
  ])
  func wordsOfSchedulersMeanDevices(word: String, index: String) {
    for variable in ["SLURM_STEP_GPUS", "SLURM_JOB_GPUS", "CUE_GPU_CORES", "CUDA_VISIBLE_DEVICES"] {
      #expect(chosen([variable: word]) == index, "\(variable)")
    }
  }

  @Test func theFirstSchedulerIsBelieved() {
    #expect(chosen(["SLURM_JOB_GPUS": "1", "CUDA_VISIBLE_DEVICES": "0"]) == "4")
    #expect(chosen(["SLURM_STEP_GPUS": "2", "SLURM_JOB_GPUS": "1,2", "CUDA_VISIBLE_DEVICES": "0"]) == "0")
    #expect(chosen(["SLURM_JOB_GPUS": "", "CUE_GPU_CORES": "0"]) == "3")
    // Nobody says anything: the best device, by Vulkan's own order.
    #expect(chosen([:]) == "0")
    #expect(chosen(["CUDA_VISIBLE_DEVICES": "1,-1,0"]) == "4")
  }

  @Test func grantsThatAreNotHereAreSaid() {
    for none in ["", "-1", "NoDevFiles", "-1,0"] {
      #expect(chosen(["CUDA_VISIBLE_DEVICES": none]).contains("gives this process no GPU"), "\(none)")
    }
    #expect(chosen(["SLURM_JOB_GPUS": "7"]).contains("there are 3 GPUs here"))
    #expect(chosen(["CUDA_VISIBLE_DEVICES": "MIG-cccccccc"]).contains("MIG"))
    #expect(chosen(["CUDA_VISIBLE_DEVICES": "GPU-aaaaaaa"]).contains("2 devices"))
    #expect(chosen(["CUDA_VISIBLE_DEVICES": "GPU-"]).contains("no Vulkan device"))
    #expect(chosen(["SLURM_JOB_GPUS": "0000:55:00.0"]).contains("no Vulkan device"))
    // A software device is no GPU, and what breaks lines is shown.
    #expect(chosen(["SLURM_JOB_GPUS": "0"], [machine[1]]).contains("there are 0 GPUs"))
    #expect(!chosen(["SLURM_JOB_GPUS": "x\ny"]).contains("\n"))
    // Without NVIDIA's the others count.
    #expect(chosen(["SLURM_JOB_GPUS": "0"], [machine[2]]) == "2")
  }

  /// Tests the meanings of `--device`: one, several, all.
  @Test func devicesAreNamedInManyWays() {
    func named(_ text: String?, _ environment: [String: String] = [:], _ devices: [GPUDeviceInfo]? = nil) -> String {
      do throws(GPUError) {
        let chosen = try DeviceChoice.devices(text, among: devices ?? machine, Allotment(view(environment)))
        return chosen.map { "\($0.index)" }.joined(separator: " ")
      } catch {
        return error.code
      }
    }
    #expect(named("3") == "3" && named("3,0") == "3 0" && named("1,1") == "1 1" && named("0, 0000:81:00.0") == "0 4")
    #expect(named("all") == "0 2 3 4" && named("ALL", [:], [machine[1]]) == "gpu.no-device")
    #expect(named(nil) == "0" && named(nil, ["SLURM_JOB_GPUS": "0-2"]) == "3 4 0")
    #expect(named("all", ["SLURM_JOB_GPUS": "0,1"]) == "3 4" && named("2", ["SLURM_JOB_GPUS": "0,1"]) == "2")
    for wrong in ["", ",", "0,9", "0,,nothing", "GPU at mars"] { #expect(named(wrong) == "gpu.no-match", "\(wrong)") }
    // A name with a comma in it.
    var odd = machine
    odd[1].name = "llvmpipe (LLVM 15.0.6, 256 bits)"
    #expect(named(odd[1].name, [:], odd) == "1")
    // A device that cannot be used stays in a list of several, to be reported; alone or named it is an error.
    odd[3].refusal = "it is old"
    #expect(named("all", [:], odd) == "0 2 3 4" && named("all", ["SLURM_JOB_GPUS": "0,1"], odd) == "3 4")
    #expect(
      named("all", ["SLURM_JOB_GPUS": "0"], odd) == "gpu.unsuitable" && named("0,3", [:], odd) == "gpu.unsuitable")
    #expect(named("all", [:], [odd[1], odd[3]]) == "gpu.unsuitable")
    #expect(DeviceChoice.labels([machine[0]]) == ["GPU at 0000:c1:00.0"])
    #expect(
      DeviceChoice.labels([machine[0], machine[3], machine[0]])
        == ["0: GPU at 0000:c1:00.0", "3: GPU at 0000:0a:00.0", "0: GPU at 0000:c1:00.0 (ring 2)"])
  }

  /// Device files of the others are shut away: numbers of the whole machine, devices of the share.
  @Test func confinedProcessesSeeOnlyTheirs() {
    let seen = [machine[0], machine[1], machine[4]]
    #expect(chosen(["SLURM_JOB_GPUS": "1,3"], seen) == "4 0")
    #expect(chosen(["SLURM_JOB_GPUS": "5"], [machine[0]]) == "0")
    #expect(chosen(["SLURM_JOB_GPUS": "5,6,7"], seen).contains("not here"))
  }
}
