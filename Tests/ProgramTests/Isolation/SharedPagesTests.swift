import Foundation
import GPURender
import TestFiles
import TestSupport
import Testing

/// Memory that codec processes share, which a graphics card copies from and to itself.
@Suite(
  .serialized, .enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"),
  .enabled(if: GPUDevice.available().contains { $0.name.contains("llvmpipe") }, "skipped: no llvmpipe"))
struct SharedPagesTests {
  private static let pictures = 6
  let folder: TemporaryFolder
  init() throws {
    folder = try TemporaryFolder()
    try SmallPictures.write(Self.pictures, into: folder, width: 320, height: 240)
  }

  @Test("a card imports shared memory once for all pictures, and anew for each process that gets empty pages")
  func sharedMemoryIsImported() throws {
    func render(_ out: String, _ words: [String], card: String) throws -> [String: Int] {
      let result = try Program.run(
        [
          "render", folder.path("in"), "--out", folder.path(out), "--to", "pq-png", "--jobs", "1",
          "--progress", "none",
        ] + words, environment: EmulatedCard.environment(card + ",stats=1", in: folder))
      #expect(result.status == 0, "\(result.errors)")
      return EmulatedCard.counts(result.errors)
    }
    _ = try render("cpu", ["--backend", "cpu"], card: "nvidia")
    let kept = try render("kept", ["--backend", "gpu"], card: "nvidia,late=1")
    let fresh = try render("fresh", ["--backend", "gpu", "--isolation", "fresh"], card: "nvidia,late=1")
    let staged = try render("staged", ["--backend", "gpu"], card: "nvidia,imports=0")
    for out in ["kept", "fresh", "staged"] {
      for name in folder.files("cpu") where name.hasSuffix(".png") {
        let expected = FileManager.default.contents(atPath: folder.path("cpu/" + name))
        #expect(FileManager.default.contents(atPath: folder.path(out + "/" + name)) == expected, "\(out), \(name)")
      }
    }
    // A decoder's memory, and an encoder's before and after its process is started; then a decoder's for each input.
    let (once, often) = (try #require(kept["imports"]), try #require(fresh["imports"]))
    #expect((2...3).contains(once) && often >= once + Self.pictures - 1, "\(kept), \(fresh)")
    #expect(staged["imports"] == 0 && staged["direct"] == 0, "\(staged)")
    // Eight bits of RGBA go up, sixteen come back. The first picture may come before an encoder shares its memory.
    let picture = 320 * 240 * 12
    #expect(((Self.pictures - 1) * picture...Self.pictures * picture).contains(kept["direct"] ?? 0), "\(kept)")
    #expect(kept["bytes_down"] == staged["bytes_down"])
  }
}
