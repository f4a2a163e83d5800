import Foundation
import TestSupport
import Testing

/// Tests what a machine or a scheduler allots, through the program.
@Suite struct AllotmentTests {
  /// A control group of version 1, which this user may make.
  static let canMakeGroups = access("/sys/fs/cgroup/memory/memory.limit_in_bytes", W_OK) == 0

  @Test(
    "in a control group of version 1 nothing is killed for want of memory",
    .enabled(if: Program.url != nil && canMakeGroups, "skipped: no control groups of version 1 to make"))
  func oldControlGroupsBoundARun() throws {
    let folder = try TemporaryFolder(), group = "/sys/fs/cgroup/memory/hdrbatch-test-\(UUID().uuidString)"
    #expect(mkdir(group, 0o700) == 0)
    defer { rmdir(group) }
    try Data("209715200".utf8).write(to: URL(fileURLWithPath: group + "/memory.limit_in_bytes"))
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = [
      "-c", "echo $$ > \(group)/cgroup.procs; exec \"$0\" \"$@\"", Program.url?.path ?? "", "render",
      SharedData.examples + "/lamps.jpg", SharedData.examples + "/citadel.avif", "--out",
      folder.path("out"),
      "--to", "sdr-jpeg", "--backend", "cpu", "--progress", "none", "--record", folder.path("r.jsonl"),
    ]
    shell.standardError = FileHandle.nullDevice
    try shell.run()
    shell.waitUntilExit()
    // Pictures that do not fit are refused by name.
    let codes = try recordLines(folder.path("r.jsonl")).filter { $0["type"] as? String == "item" }.map {
      $0["code"] as? String ?? $0["status"] as? String
    }
    #expect(shell.terminationReason == .exit && [0, 65].contains(shell.terminationStatus))
    #expect(codes.count == 2 && codes.allSatisfy { ["ok", "warn", "decode.limit"].contains($0) }, "\(codes)")
  }

  @Test(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
  func doctorSaysWhereNumbersComeFrom() throws {
    let environment = ["SLURM_CPUS_PER_TASK": "3", "SLURM_MEM_PER_NODE": "64", "SLURM_JOB_GPUS": "5"]
    let text = try Program.run(["doctor"], environment: environment).output
    #expect(text.contains("allotted 3 threads (SLURM_CPUS_PER_TASK), 64 MiB of memory (SLURM_MEM_PER_NODE)"), "\(text)")
    #expect(text.contains("GPU 5 (SLURM_JOB_GPUS): ") && text.contains("CUDA_DEVICE_ORDER=PCI_BUS_ID"), "\(text)")
    let json =
      try JSONSerialization.jsonObject(
        with: Data(try Program.run(["doctor", "--json"], environment: environment).output.utf8)) as? [String: Any]
    let allotment = try #require(json?["allotment"] as? [String: Any])
    #expect((allotment["threads"] as? [String: Any])?["value"] as? Int == 3)
    #expect((allotment["gpus"] as? [String: Any])?["variable"] as? String == "SLURM_JOB_GPUS")
  }
}
