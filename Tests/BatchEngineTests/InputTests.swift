import BatchEngine
import Foundation
import HDRRecipe
import HDRRender
import TestSupport
import Testing

@Suite struct InputTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test func foldersAreWalkedAndSortedByBytes() throws {
    for name in ["b.jpg", "a/z.HEIC", "a/B.png", "c.avif", "notes.txt", ".hidden.jpg", ".part/x.jpg", "noextension"] {
      try folder.file("in/" + name)
    }
    let items = try InputCollector.collect([folder.path("in")])
    #expect(items.map(\.relative.display) == ["a/B.png", "a/z.HEIC", "b.jpg", "c.avif"])
    #expect(items.first?.path.display == folder.path("in/a/B.png"))
  }

  @Test func filesKeepTheOrderOfTheArgumentsAndComeOnce() throws {
    let one = try folder.file("z.weird"), two = try folder.file("a.jpg")
    let items = try InputCollector.collect([one, two, one])
    #expect(items.map(\.relative.display) == ["z.weird", "a.jpg"])
  }

  @Test func theOutputFolderIsNoInput() throws {
    try folder.file("in/a.jpg")
    try folder.file("in/out/a.png")
    let items = try InputCollector.collect([folder.path("in")], excluding: FilePath(folder.path("in/out")))
    #expect(items.map(\.relative.display) == ["a.jpg"])
  }

  @Test func listsHoldPathsCommentsAndFilesThatAreGone() throws {
    let one = try folder.file("one.jpg")
    try folder.file("more/two.png")
    let gone = folder.path("gone.jpg")
    let list = try folder.file("list.txt", "# photos\n\(one)\r\n\n\(folder.path("more"))\n\(gone)")
    let items = try InputCollector.collect(["@" + list])
    #expect(items.map(\.path.display) == [one, folder.path("more/two.png"), gone])
  }

  @Test func whatIsNotThereIsNamed() throws {
    try folder.file("empty/readme.txt")
    for argument in [folder.path("nowhere.jpg"), "@" + folder.path("nolist.txt"), folder.path("empty")] {
      let error = #expect(throws: UsageError.self) { try InputCollector.collect([argument]) }
      #expect(error?.description.contains(argument.hasPrefix("@") ? "nolist.txt" : argument) == true)
    }
    // The command line has put U+FFFD for bytes that are not UTF-8.
    let error = #expect(throws: UsageError.self) { try InputCollector.collect([folder.path("caf\u{FFFD}.jpg")]) }
    #expect(error?.description.contains("give names that are not UTF-8 by their folder or in a list") == true)
  }

  @Test func namesNeedNotBeUTF8AndLinksToFoldersAreNotFollowed() throws {
    try folder.file("in/a.jpg")
    let odd = Array((folder.path("in") + "/").utf8) + [0xFF, 0xFE] + Array(".jpg".utf8)
    let descriptor = (odd + [0]).withUnsafeBufferPointer { buffer in
      buffer.withMemoryRebound(to: CChar.self) { open($0.baseAddress!, O_CREAT | O_WRONLY, 0o644) }
    }
    #expect(descriptor >= 0)
    close(descriptor)
    try FileManager.default.createSymbolicLink(atPath: folder.path("in/loop"), withDestinationPath: folder.path("in"))
    let items = try InputCollector.collect([folder.path("in")])
    #expect(items.map(\.relative.display) == ["a.jpg", "\\xff\\xfe.jpg"])
    #expect(items.last?.path.bytes == odd)
  }

  @Test func controlCharactersOfNamesDoNotReachPeople() {
    let shown = FilePath("a\nopenjd_fail: \u{1B}[2J\u{202E}.jpg").display
    #expect(shown == "a\\x0aopenjd_fail: \\x1b[2J\\xe2\\x80\\xae.jpg")
  }
}
