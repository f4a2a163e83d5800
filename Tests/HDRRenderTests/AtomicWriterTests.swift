import Foundation
import HDRRender
import TestSupport
import Testing

@Suite struct AtomicWriterTests {
  let folder: TemporaryFolder
  let parts = PartFiles()
  var writer: AtomicWriter { AtomicWriter(parts: parts) }
  init() throws { folder = try TemporaryFolder() }

  @Test func filesAreWrittenWholeAndNothingElseIsLeft() throws {
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
    try writer.write(bytes, to: FilePath(folder.path("a.bin")), existing: .refuse)
    #expect(try Data(contentsOf: folder.url.appendingPathComponent("a.bin")) == Data(bytes))
    #expect(folder.files() == ["a.bin"])
  }

  @Test func existingFilesAreRefusedOrReplacedAsAsked() throws {
    try folder.file("a", "old")
    let target = FilePath(folder.path("a"))
    let error = #expect(throws: FileFault.self) { try writer.write([1], to: target, existing: .refuse) }
    #expect(error?.number == EEXIST)
    #expect(folder.text("a") == "old")
    try writer.write(Array("new".utf8), to: target, existing: .replace)
    #expect(folder.text("a") == "new")
    #expect(folder.files() == ["a"])
  }

  @Test func aStagedFileHasNoNameYet() throws {
    let target = FilePath(folder.path("a"))
    let staged = try writer.stage(Array("x".utf8), for: target)
    #expect(!FileManager.default.fileExists(atPath: target.display))
    let part = staged.part.name
    #expect(part.first == UInt8(ascii: ".") && staged.part.display.hasSuffix(".part"))
    #expect(staged.part.display.contains(".\(getpid())."))
    writer.discard(staged)
    #expect(folder.files() == [])
  }

  @Test func failuresLeaveNoPart() throws {
    try FileManager.default.createDirectory(atPath: folder.path("taken/inside"), withIntermediateDirectories: true)
    #expect(throws: FileFault.self) {
      try writer.write([1], to: FilePath(folder.path("taken")), existing: .replace)
    }
    #expect(throws: FileFault.self) {
      try writer.write([1], to: FilePath(folder.path("no/such/folder")), existing: .replace)
    }
    #expect(folder.files() == [])
  }

  @Test func afterClosingNothingReachesItsName() throws {
    let writer = writer
    let staged = try writer.stage([1], for: FilePath(folder.path("a")))
    #expect(folder.files().count == 1)
    parts.close()
    #expect(folder.files() == [])
    let late = #expect(throws: FileFault.self) { try writer.commit(staged, existing: .replace) }
    #expect(late?.number == EINTR)
    #expect(throws: FileFault.self) { try writer.write([1], to: FilePath(folder.path("b")), existing: .replace) }
    #expect(folder.files() == [])
  }

  @Test func longNamesGetShorterParts() {
    let target = [UInt8](repeating: UInt8(ascii: "n"), count: 255)
    let names = (0..<3).map { _ in writer.partName(for: target) }
    #expect(names.allSatisfy { $0.count <= 255 })
    #expect(Set(names).count == 3)
  }
}
