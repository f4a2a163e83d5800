import BatchEngine
import Foundation
import HDRRender
import ImageFiles
import TestFiles
import TestSupport
import Testing

/// Tests processes that write files around untrusted bytes: a process that reads those writes no other output.
@Suite(
  .serialized,
  .enabled(if: Program.url != nil && CodecProgram.url != nil, "skipped: the programs are not built beside the tests"))
struct WrapTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// The library functions that each codec process has called, a set a process.
  func calls(_ arguments: [String]) throws -> [Set<String>] {
    let log = folder.path("log-" + UUID().uuidString)
    let program = try folder.file(
      "codec",
      """
      #!/bin/bash
      # Through a pipe, for the process may write to no file.
      export LD_DEBUG=bindings LD_BIND_NOW=
      exec "\(CodecProgram.url?.path ?? "")" "$@" 2> >(exec 3>&- 4>&-; { env -u LD_DEBUG cat; echo end; } >"\(log).$$")

      """)
    chmod(program, 0o700)
    let result = try Program.run(
      ["render"] + arguments + ["--backend", "cpu", "--jobs", "1"], environment: ["HDRBATCH_CODEC": program])
    #expect(result.status == 0, "\(result.errors)")
    let name = (log as NSString).lastPathComponent + "."
    var logs: [String] = []
    for _ in 0..<500 where logs.isEmpty || !logs.allSatisfy({ $0.hasSuffix("end\n") }) {
      usleep(20_000)
      logs = folder.files().filter { $0.hasPrefix(name) }.map { folder.text($0) ?? "" }
    }
    return logs.map { Set(LoaderLog.calls($0, by: "hdrbatch-codec").map(\.function)) }
  }

  @Test("what evaluates a profile writes no file") func profilesAreComparedOnly() throws {
    let profile = folder.path("table.icc")
    try Data(TinyICC.adobeTables).write(to: URL(fileURLWithPath: profile))
    let processes = try calls([
      SharedData.examples + "/temple.heic", "--out", folder.path("out"), "--to", "sdr-jpeg", "--icc-output",
      profile,
    ])
    let evaluate = processes.filter { $0.contains { $0.hasPrefix("cms") } }
    let write = processes.filter { $0.contains("tjCompress2") || $0.contains("tjCompressFromYUVPlanes") }
    #expect(!evaluate.isEmpty && write.count == 1, "\(processes.map(\.count))")
    #expect(evaluate.allSatisfy { $0.isDisjoint(with: ["tjCompress2", "tjCompressFromYUVPlanes"]) })
  }

  @Test("what codes an untrusted JPEG anew codes one", .enabled(if: jxlMissing() == nil, "skipped: no JPEG XL"))
  func librariesThatReadUntrustedBytesEnd() throws {
    let photo = folder.path("photo.jpg")
    let made = try Program.run([
      "render", SharedData.small("lamps.jpg"), "--out", photo, "--to", "sdr-jpeg", "--resize", "256x",
      "--backend",
      "cpu",
    ])
    try #require(made.status == 0, "\(made.errors)")
    let names = ["a", "b", "c"].map { folder.path($0 + ".jpg") }
    for name in names { try FileManager.default.copyItem(atPath: photo, toPath: name) }
    // One process reads, and one for each file writes.
    let recompressed = try calls(names + ["--out", folder.path("jxl"), "--to", "recompress-jxl"])
    #expect(recompressed.count == 1 + names.count)
    // Pixels are not bound to a file: one process reads, and one writes.
    let rendered = try calls(names + ["--out", folder.path("png"), "--to", "sdr-png"])
    #expect(rendered.count == 2)
  }
}
