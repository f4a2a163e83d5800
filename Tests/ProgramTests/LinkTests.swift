import Foundation
import TestFiles
import TestSupport
import Testing

/// Tests links in the way of inputs, through the program.
@Suite struct LinkTests {
  let folder: TemporaryFolder
  init() throws {
    folder = try TemporaryFolder()
    for name in ["elsewhere", "in"] {
      try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
    }
  }

  @Test(
    "a sidecar obeys the rule of its picture for links, and says why it is not read",
    .enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
  func sidecarsObeyTheRule() throws {
    try SmallPictures.png(1).write(to: URL(fileURLWithPath: folder.path("small.png")))
    #expect(
      try Program.run(["render", folder.path("small.png"), "--out", folder.path("in"), "--to", "rgba16f"]).status == 0)
    let sidecar = folder.path("in/small.rgba16f.json"), outside = folder.path("elsewhere/secret.json")
    try FileManager.default.moveItem(atPath: sidecar, toPath: outside)
    func render(_ input: String) throws -> Program.Result {
      try Program.run(["render", input, "--out", folder.path(UUID().uuidString), "--to", "sdr-png", "--backend", "cpu"])
    }
    for (make, words) in [
      ({ symlink(outside, sidecar) }, "leads out of the folders"), ({ mkfifo(sidecar, 0o600) }, "not a regular file"),
      ({ mkdir(sidecar, 0o700) }, "Is a directory"),
      ({ FileManager.default.createFile(atPath: sidecar, contents: Data(count: 1 << 17)) ? 0 : -1 }, "more than 65536"),
    ] as [(() -> Int32, String)] {
      #expect(make() == 0)
      let result = try render(folder.path("in"))
      #expect(result.status == 65 && result.errors.contains(words), "\(result.errors)")
      #expect(result.errors.contains("small.rgba16f.json") && result.errors.contains("[io.read]"), "\(result.errors)")
      // A picture that is named itself may have a link beside it.
      if words.contains("leads") { #expect(try render(folder.path("in/small.rgba16f")).status == 0) }
      try FileManager.default.removeItem(atPath: sidecar)
    }
    try FileManager.default.copyItem(atPath: outside, toPath: sidecar)
    #expect(try render(folder.path("in")).status == 0)
  }
}
