import BatchEngine
import CPlatform
import CodecService
import Foundation
import HDRRecipe
import HDRRender
import Synchronization
import TestEngine
import TestSupport
import Testing

/// Links in the way of outputs and inputs: promise 16, and what no run may read.
@Suite struct LinkTests {
  let folder: TemporaryFolder
  init() throws {
    folder = try TemporaryFolder()
    for name in ["out/sub", "elsewhere", "in/sub"] {
      try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
    }
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: folder.path(name), withDestinationPath: target)
  }

  private typealias Exchange =
    @convention(c) (
      Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32
    ) -> Int32
  /// renameat2(2), which no module has.
  private static let exchange = dlsym(nil, "renameat2").map { unsafeBitCast($0, to: Exchange.self) }

  /// Exchanges two names over and over while `body` runs, each time at once.
  private func exchanging(_ a: String, _ b: String, atLeast count: Int, _ body: () throws -> Void) rethrows {
    let isOver = Atomic<Bool>(false), flips = Atomic<Int>(0), ended = DispatchSemaphore(value: 0)
    let one = folder.path(a), other = folder.path(b), exchange = Self.exchange
    Thread.detachNewThread {
      while !isOver.load(ordering: .relaxed) {
        // RENAME_EXCHANGE
        if exchange?(AT_FDCWD, one, AT_FDCWD, other, 2) == 0 { flips.wrappingAdd(1, ordering: .relaxed) }
        usleep(20)
      }
      ended.signal()
    }
    defer {
      isOver.store(true, ordering: .relaxed)
      ended.wait()
    }
    while flips.load(ordering: .relaxed) < count { try body() }
  }

  @Test("openat2 and the walk for older kernels open and refuse the same")
  func bothWaysBeneathAgree() throws {
    try folder.file("root/a", "a")
    try folder.file("root/sub/b", "b")
    try folder.file("secret", "secret")
    for (name, target) in [
      ("root/out", "../secret"), ("root/in", "a"), ("root/up", ".."), ("root/away", folder.path("elsewhere")),
    ] { try link(name, to: target) }
    let root = try LinuxFileSystem().folder(FilePath(folder.path("root")))
    for (path, expected) in [
      ("a", 0), ("sub/b", 0), ("sub", 0), ("./a", 0), ("sub/", 0), ("out", ELOOP), ("in", ELOOP), ("up/secret", ELOOP),
      ("away/x", ELOOP), ("../secret", EXDEV), (folder.path("secret"), EXDEV), ("none", ENOENT),
      ("none/x", ENOENT), ("a/x", ENOTDIR), ("", ENOENT),
    ] {
      for (open, name) in [(hdr_open_beneath, "openat2"), (hdr_walk_beneath, "walk")] {
        let descriptor = open(root.descriptor, path, O_RDONLY)
        let number = descriptor >= 0 ? 0 : errno
        #expect(number == expected, "\(name) \(path): \(number)")
        if descriptor >= 0 { close(descriptor) }
      }
    }
    // What leads out by going down first is refused by both, by one sooner.
    for open in [hdr_open_beneath, hdr_walk_beneath] {
      #expect(open(root.descriptor, "sub/../../secret", O_RDONLY) < 0)
    }
  }

  @Test("a folder of outputs that becomes a link, 200 times: nothing is written behind it")
  func promise16_foldersThatBecomeLinks() throws {
    try link("out/link", to: folder.path("elsewhere"))
    let writer = AtomicWriter(parts: PartFiles(), durability: .none)
    var written = 0, refused = 0
    exchanging("out/sub", "out/link", atLeast: 200) {
      let name = "sub/\(written + refused).bin", target = FilePath(folder.path("out/" + name))
      do throws(FileFault) {
        let staged = try writer.begin(target, in: try writer.folder(of: target, relative: FilePath(name)))
        try writer.commit(staged, existing: .replace)
        written += 1
      } catch {
        #expect(error.number == ELOOP, "\(error)")
        refused += 1
      }
    }
    #expect(written > 0 && refused > 0)
    #expect(folder.files("elsewhere").isEmpty)
    #expect(folder.files("out").count { $0.hasSuffix(".bin") } == written)
    #expect(!folder.files("out").contains { $0.hasSuffix(".part") })
  }

  @Test("the output folder itself is opened once a run")
  func promise16_anOutputFolderThatBecomesALink() throws {
    try link("link", to: folder.path("elsewhere"))
    let writer = AtomicWriter(parts: PartFiles(), durability: .none)
    var count = 0
    try exchanging("out", "link", atLeast: 200) {
      let name = "\(count).bin", target = FilePath(folder.path("out/" + name))
      try writer.commit(
        try writer.begin(target, in: try writer.folder(of: target, relative: FilePath(name))), existing: .replace)
      count += 1
    }
    let behind = folder.files("elsewhere").count
    #expect(count > 0 && (behind == 0 || behind == count), "\(count) files, \(behind) of them behind the link")
  }

  @Test("no journal is written behind a link below the output folder")
  func promise16_journalsBehindLinks() throws {
    try link("out/.hdrbatch", to: folder.path("elsewhere"))
    try folder.file("in/a.jpg")
    let items = try OutputNaming.make(
      try InputCollector.collect([folder.path("in")]), out: FilePath(folder.path("out")), traits: NameTraits(.sdrPNG),
      template: try NameTemplate("{stem}.{ext}"), onExisting: .fail)
    var options = BatchOptions(rendition: RenditionOptions(kind: .sdrPNG))
    options.backend = .cpu
    let out = FilePath(folder.path("out"))
    options.journal = JournalOptions(
      folder: .standardJournal(below: out), out: out, recipeDigest: Digest(of: []))
    let error = #expect(throws: RecordError.self) {
      _ = try BatchRunner(items, options, codecs: TextCodecs()) { _ in }
    }
    #expect(error?.description.contains("journal") == true)
    #expect(folder.files("elsewhere").isEmpty)
  }

  // MARK: Inputs

  private func bytes(_ item: InputReference) throws -> String {
    String(decoding: try InputFile(item, maxBytes: 1000).content().bytes, as: UTF8.self)
  }

  private func number(_ item: InputReference) -> Int32? {
    do throws(FileFault) {
      _ = try InputFile(item, maxBytes: 1000)
      return nil
    } catch {
      return error.number
    }
  }

  @Test("links in a folder are followed within what was given, and no farther")
  func linksOfCollectedFolders() throws {
    try folder.file("elsewhere/secret.png", "secret")
    try folder.file("in/sub/a.jpg", "a")
    try folder.file("more/b.jpg", "b")
    try link("in/inside.jpg", to: "sub/a.jpg")
    try link("in/absolute.jpg", to: folder.path("in/sub/a.jpg"))
    try link("in/other.jpg", to: "../more/b.jpg")
    try link("in/shadow.png", to: folder.path("elsewhere/secret.png"))
    try link("in/chain.png", to: "shadow.png")
    let items = try InputCollector.collect([folder.path("in"), folder.path("more")])
    func item(_ name: String) throws -> InputReference { try #require(items.first { $0.relative.display == name }) }
    #expect(try bytes(item("inside.jpg")) == "a" && bytes(item("absolute.jpg")) == "a")
    #expect(try bytes(item("other.jpg")) == "b" && bytes(item("sub/a.jpg")) == "a")
    #expect(try number(item("shadow.png")) == EXDEV && number(item("chain.png")) == EXDEV)
    // Without the other folder its link leads out.
    let alone = try InputCollector.collect([folder.path("in")])
    #expect(number(try #require(alone.first { $0.relative.display == "other.jpg" })) == EXDEV)
    // A link that is named, or is in a list, is meant.
    let list = try folder.file("list.txt", folder.path("in/chain.png") + "\n")
    for argument in [folder.path("in/shadow.png"), "@" + list] {
      let named = try InputCollector.collect([argument])
      #expect(try bytes(#require(named.first)) == "secret")
    }
    // A root that is a link was named itself.
    try link("door", to: folder.path("in"))
    let behind = try InputCollector.collect([folder.path("door")])
    #expect(try bytes(#require(behind.first { $0.relative.display == "inside.jpg" })) == "a")
  }

  @Test("a link out of a folder costs its row, says why, and is not read")
  func promise01_linksThatLeadOutAreNotRead() throws {
    try folder.file("elsewhere/secret.png", "ok")
    try folder.file("in/a.jpg", "ok")
    try link("in/shadow.png", to: folder.path("elsewhere/secret.png"))
    let log = EventLog(), out = FilePath(folder.path("out"))
    let items = try OutputNaming.make(
      try InputCollector.collect([folder.path("in")]), out: out, traits: NameTraits(.sdrPNG),
      template: try NameTemplate("{stem}.{ext}"), onExisting: .fail)
    var options = BatchOptions(rendition: RenditionOptions(kind: .sdrPNG))
    (options.backend, options.jobs) = (.cpu, 1)
    options.journal = JournalOptions(folder: .standardJournal(below: out), out: out, recipeDigest: Digest(of: []))
    let summary = try BatchRunner(items, options, codecs: TextCodecs()) { log.add($0) }.run()
    #expect((summary.ok, summary.failed) == (1, 1) && summary.exitStatus == .failedItems)
    let record = try #require(log.records.last)
    #expect(record.code == "io.read" && record.message?.contains("leads out") == true)
    #expect(record.inputDigest == nil && record.bytesIn == 0)
    #expect(folder.files("out") == ["a.png"])
  }

  @Test("a manifest keeps which inputs were given themselves")
  func manifestsKeepWhatWasGiven() throws {
    try folder.file("elsewhere/b.png", "b")
    try folder.file("in/a.png", "a")
    try link("named.png", to: folder.path("elsewhere/b.png"))
    try link("in/out.png", to: folder.path("elsewhere/b.png"))
    let found = try InputCollector.collect([folder.path("in"), folder.path("named.png")])
    let items = try OutputNaming.make(
      found, out: FilePath(folder.path("out")), traits: NameTraits(.sdrJPEG),
      template: try NameTemplate("{stem}.{ext}"),
      onExisting: .fail)
    var recipe = Recipe()
    recipe.outputs = [Recipe.Output("sdr-jpeg")]
    let manifest = Manifest(
      items, folder: FilePath("/"), out: FilePath("out"), recipe: recipe, recipeDigest: Digest(of: []))
    let again = try Manifest(parsing: manifest.bytes, name: "m")
    #expect(again == manifest)
    let inputs = Dictionary(
      uniqueKeysWithValues: again.rows.map(again.inputs()).map { ($0.relative.display, $0) })
    #expect(try bytes(#require(inputs["named.png"])) == "b" && bytes(#require(inputs["a.png"])) == "a")
    #expect(try number(#require(inputs["out.png"])) == EXDEV)
  }

  @Test("an input that becomes a link, 200 times, never gives the bytes behind it")
  func inputsThatBecomeLinks() throws {
    try folder.file("elsewhere/secret.png", "secret")
    try folder.file("in/a.png", "mine")
    try link("in/link", to: folder.path("elsewhere/secret.png"))
    let item = try #require(try InputCollector.collect([folder.path("in")]).first)
    var read = 0, refused = 0
    exchanging("in/a.png", "in/link", atLeast: 200) {
      do throws(FileFault) {
        let file = try InputFile(item, maxBytes: 1000)
        #expect((try? file.content().bytes) == Array("mine".utf8))
        read += 1
      } catch {
        #expect(error.number == EXDEV, "\(error)")
        refused += 1
      }
    }
    #expect(read > 0 && refused > 0)
  }
}
