import BatchEngine
import Foundation
import HDRCore
import TestSupport
import Testing

/// The memory that processes keep for the next picture counts, too.
@Suite(.serialized, .enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct KeptMemoryTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test("many small pictures, then larger and larger ones: all processes stay within the budget")
  func promise06_whatIsKeptCounts() throws {
    let photo = SharedData.examples + "/lamps.jpg"
    var arguments: [String] = []
    for (width, count) in [(600, 10), (1400, 6), (2200, 4), (3000, 2), (600, 1), (3300, 1)] {
      let made = try Program.run([
        "render", photo, "--out", folder.path("made-\(width).jpg"), "--to", "adaptive-jpeg", "--resize", "\(width)x",
        "--backend", "cpu", "--on-existing", "replace",
      ])
      try #require(made.status == 0, "\(made.errors)")
      for _ in 0..<count {
        arguments.append(folder.path("\(arguments.count + 100).jpg"))
        try FileManager.default.createSymbolicLink(
          atPath: arguments[arguments.count - 1], withDestinationPath: folder.path("made-\(width).jpg"))
      }
    }
    for kind in ["pq-png", "pq-heic"] {
      let process = try Program.start(
        ["render"] + arguments + [
          "--out", folder.path("out-" + kind), "--to", kind, "--backend", "cpu", "--jobs", "8", "--memory", "512M",
          "--journal", "none", "--progress", "none",
        ], output: FileHandle.nullDevice, errors: FileHandle.nullDevice)
      let (bytes, processes) = ProcessTree.peak(process)
      print("\(kind), pictures of 0.3 to 8 MP, 8 at once: \(bytes >> 20) MiB at most, of 512")
      #expect(process.terminationStatus == 0 && processes > 3)
      #expect(bytes > 128 << 20 && bytes < 512 << 20, "\(kind): \(bytes >> 20) MiB")
    }
  }

  @Test func sharesOfABatchAreWhatThereIs() {
    for bytes in [64 << 20, 512 << 20, 2 << 30, 1 << 40] {
      let parts = [
        MemoryNeed.items(ofBatch: bytes), MemoryNeed.keptProcesses(ofBatch: bytes),
        MemoryNeed.keptPictures(ofBatch: bytes),
      ]
      #expect(parts.reduce(0, +) == bytes && parts.allSatisfy { $0 > 0 })
    }
  }
}
