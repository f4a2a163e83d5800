import BatchEngine
import CodecService
import Foundation
import HDRCore
import HDRRecipe
import HDRRender
import ImageFiles
import Synchronization
import TestFiles
import TestSupport
import Testing

/// A run's changes to the disk, cut off after each of them, and its calls, each failing once (docs/reliability.md).
@Suite(.serialized) struct CrashPointTests {
  let folder: TemporaryFolder
  let items: [BatchItem]
  /// The digests of an undisturbed run's files.
  let whole: [String: Digest]
  static let count = 12

  init() throws {
    folder = try TemporaryFolder()
    try SmallPictures.write(Self.count, into: folder, width: 16, height: 12)
    items = try OutputNaming.make(
      try InputCollector.collect([folder.path("in")]), out: FilePath(folder.path("disk/out")),
      traits: NameTraits(.sdrPNG), template: try NameTemplate("{stem}.{ext}"), onExisting: .replace)
    let summary = try Self.run(folder, items, .none)
    try #require(summary.ok == Self.count && summary.exitStatus == .success)
    whole = Self.digests(folder)
    try #require(whole.count == Self.count)
    try FileManager.default.removeItem(atPath: folder.path("disk"))
  }

  private static func run(
    _ folder: TemporaryFolder, _ items: [BatchItem], _ durability: Durability,
    files: any FileSystem = LinuxFileSystem(), resumes: Bool = false,
    events: @escaping @Sendable (BatchEvent) -> Void = { _ in }
  ) throws -> BatchSummary {
    let out = FilePath(folder.path("disk/out"))
    var options = BatchOptions(rendition: RenditionOptions(kind: .sdrPNG))
    (options.backend, options.jobs, options.threads) = (.cpu, 1, 1)
    (options.onExisting, options.durability, options.files) = (.replace, durability, files)
    var journal = JournalOptions(folder: .standardJournal(below: out), out: out, recipeDigest: Digest(of: [7]))
    journal.resumes = resumes
    options.journal = journal
    return try BatchRunner(items, options, codecs: InProcessCodecs(), events: events).run()
  }

  /// Returns the digests of files under final names.
  private static func digests(_ folder: TemporaryFolder) -> [String: Digest] {
    Dictionary(
      uniqueKeysWithValues: folder.files("disk/out").filter { !$0.hasSuffix(".part") }.map { name in
        (
          name,
          Digest(of: FileManager.default.contents(atPath: folder.path("disk/out/" + name)).map { [UInt8]($0) } ?? [])
        )
      })
  }

  /// Returns the items that the journals on the disk call done.
  private func doneItems() throws -> [String: JournalIndex.Done] {
    let journal = FilePath.standardJournal(below: FilePath(folder.path("disk/out")))
    return try JournalIndex(try Journal.all(in: journal)).done
  }

  /// An empty disk.
  private func disk(fault: RecordingFileSystem.Fault? = nil) throws -> RecordingFileSystem {
    try? FileManager.default.removeItem(atPath: folder.path("disk"))
    try FileManager.default.createDirectory(atPath: folder.path("disk"), withIntermediateDirectories: true)
    return RecordingFileSystem(below: folder.path("disk"), fault: fault)
  }

  /// Returns the faults of a state of the disk; empty for none.
  ///
  /// - Parameter isKill: the kernel lived on.
  private func violations(_ state: CrashedDisk.State, _ durability: Durability, isKill: Bool) throws -> [String] {
    try state.make(in: folder.path("disk"))
    var found: [String] = []
    let here = Self.digests(folder), torn = here.filter { whole[$0.key] != $0.value }
    if durability == .file || isKill { found += torn.map { "\($0.key) is torn" } }
    let done = try doneItems()
    if durability != .none || isKill {
      for item in items {
        guard
          let row = done[Manifest.id(input: item.input.relative, output: item.relativeOutput, recipe: Digest(of: [7]))]
        else { continue }
        let name = item.relativeOutput.display
        if here[name] != row.output { found.append("\(name) is called ok, and is not") }
      }
    }
    let summary = try Self.run(folder, items, durability, resumes: true)
    if summary.exitStatus != .success { found.append("resuming ended with \(summary.exitStatus)") }
    if Self.digests(folder) != whole { found.append("resuming made other files") }
    return found
  }

  /// An undisturbed run's changes to the disk.
  private func changes(_ durability: Durability) throws -> [RecordingFileSystem.Change] {
    let files = try disk()
    #expect(try Self.run(folder, items, durability, files: files).ok == Self.count)
    return files.changes
  }

  /// Cuts the changes off after each of them.
  private func replay(
    _ changes: [RecordingFileSystem.Change], _ durability: Durability, toTheFirst: Bool = false
  ) throws -> (states: Int, distinct: Int, violations: [String]) {
    var disk = CrashedDisk(), seen: Set<CrashedDisk.State> = [], found: [String] = [], states = 0
    for (number, change) in changes.enumerated() {
      disk.apply(change)
      for (state, isKill) in [(disk.killed, true)] + disk.states(single: 3).map({ ($0, false) }) {
        states += 1
        guard seen.insert(state).inserted else { continue }
        found += try violations(state, durability, isKill: isKill).map { "after \(number) (\(change)): \($0)" }
        if toTheFirst && !found.isEmpty { return (states, seen.count, found) }
      }
    }
    return (states, seen.count, found)
  }

  @Test("a run of 12 items keeps its promises at every crash point", arguments: Durability.allCases)
  func promise12To14_everyCrashPoint(durability: Durability) throws {
    let changes = try changes(durability)
    // Nothing is synced by a mode that says so.
    let syncs = changes.count { if case .sync = $0 { true } else if case .syncAll = $0 { true } else { false } }
    #expect((syncs == 0) == (durability == .none))
    let (states, distinct, found) = try replay(changes, durability)
    #expect(changes.count >= 3 * Self.count && distinct > 100)
    #expect(found.isEmpty, "\(found.count): \(found.prefix(5))")
    print(
      "crash points, --durability \(durability.rawValue): \(changes.count) operations, \(states) states, "
        + "\(distinct) of them distinct, \(found.count) violations")
  }

  private func rows(_ bytes: [UInt8]) -> Int {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n").count { $0.hasPrefix(#"{"type":"item""#) }
  }

  /// Item rows that states lack although they were synced.
  private func lostRows(_ changes: [RecordingFileSystem.Change]) -> Int {
    var disk = CrashedDisk(), written = 0, synced = 0, lost = 0, journal = -1
    for change in changes {
      disk.apply(change)
      switch change {
      case .create(let path, let id) where path.hasPrefix("out/.hdrbatch/"): journal = id
      case .append(journal, let bytes): written += rows(bytes)
      case .sync(journal): synced = written
      default: continue
      }
      for state in disk.states(single: 3) {
        let here = state.files.filter { $0.key.hasPrefix("out/.hdrbatch/") }.reduce(0) { $0 + rows($1.value) }
        lost += max(0, synced - here)
      }
    }
    #expect(synced == Self.count)
    return lost
  }

  @Test("rows that were synced are there after a power cut: the journal's name and its folders' too")
  func promise13_journalsKeepTheirNames() throws {
    #expect(lostRows(try changes(.batch)) == 0)
    let changes = try changes(.file)
    #expect(lostRows(changes) == 0)
    for folder in ["out", "out/.hdrbatch", "out/.hdrbatch/journal"] {
      let forgetful = changes.filter { if case .syncFolder(folder) = $0 { false } else { true } }
      #expect(lostRows(forgetful) > 0, "\(folder)")
    }
  }

  @Test("an item that is reported is on the disk, its row too: at once, or with the last of its group")
  func promise13_whatIsReportedIsSynced() throws {
    for durability in [Durability.file, .batch] {
      let files = try disk(), reported = Mutex<[Int]>([])
      let summary = try Self.run(folder, items, durability, files: files) { event in
        if case .itemFinished = event { reported.withLock { $0.append(files.changes.count) } }
      }
      #expect(summary.ok == Self.count)
      let moments = durability == .file ? reported.withLock { $0 } : []
      #expect(durability == .batch || moments.count == Self.count)
      var disk = CrashedDisk(), done = 0
      for (number, change) in (files.changes + [.syncFolder("nothing")]).enumerated() {
        // Everything that a power cut may lose is lost.
        let journals = disk.states(single: 0).map { state in
          state.files.filter { $0.key.hasPrefix("out/.hdrbatch/") }.reduce(0) { $0 + rows($1.value) }
        }
        while done < moments.count, moments[done] <= number {
          done += 1
          #expect(journals.min() ?? 0 >= done, "\(journals.min() ?? 0) rows on the disk, and \(done) items reported")
        }
        if number == files.changes.count {
          #expect(journals.allSatisfy { $0 == Self.count }, "\(durability): the run has ended")
        }
        disk.apply(change)
      }
      #expect(done == moments.count)
    }
  }

  @Test("rows of what was done before wait for no sync of their own, and are on the disk in the end")
  func rowsWithoutNews() throws {
    _ = try changes(.file)
    let files = RecordingFileSystem(below: folder.path("disk"))
    #expect(try Self.run(folder, items, .file, files: files, resumes: true).skipped == Self.count)
    var syncs = 0, written = 0, synced = 0
    for change in files.changes {
      if case .append(_, let bytes) = change { written += rows(bytes) }
      if case .sync = change { (syncs, synced) = (syncs + 1, written) }
    }
    #expect(synced == Self.count && syncs < 4, "\(synced) rows, \(syncs) syncs")
  }

  @Test("a run that forgot a sync would be found out")
  func missingSyncsAreFound() throws {
    let changes = try changes(.file)
    let made = try #require(changes.firstIndex { if case .makeFolder("out/sub") = $0 { true } else { false } })
    func isSyncOfOut(_ change: RecordingFileSystem.Change) -> Bool {
      if case .syncFolder("out") = change { true } else { false }
    }
    let forgetful: [(String, [RecordingFileSystem.Change])] = [
      ("files", changes.filter { if case .sync = $0 { false } else { true } }),
      ("folders", changes.filter { if case .syncFolder = $0 { false } else { true } }),
      ("the folder above a new folder", Array(changes[..<made]) + changes[made...].filter { !isSyncOfOut($0) }),
    ]
    for (what, changes) in forgetful {
      #expect(try !replay(changes, .file, toTheFirst: true).violations.isEmpty, "\(what)")
    }
  }

  @Test(
    "a run keeps its promises when any call fails, once or from there on, and then the power",
    arguments: Durability.allCases)
  func promise13And21_everyFailedCall(durability: Durability) throws {
    let files = try disk()
    _ = try Self.run(folder, items, durability, files: files)
    var runs = 0, states = 0, seen: [Set<CrashedDisk.State>] = [[], []], found: [String] = []
    for number in files.calls.indices {
      for (error, lasts) in [([EIO, ENOSPC, EROFS][number % 3], false), (EIO, true)] {
        let files = try disk(fault: RecordingFileSystem.Fault(call: number, number: error, lasts: lasts))
        // A journal that cannot be made ends it before it begins.
        let summary = try? Self.run(folder, items, durability, files: files)
        runs += 1
        let name = "\(files.calls[number]) \(number), \(error)\(lasts ? " from there on" : "")"
        if !files.wasHit { found.append("\(name): was not reached") }
        if let summary, summary.exitStatus != .inputOutput { found.append("\(name): \(summary.exitStatus)") }
        // It ends where its journal cannot go on: what that does not hold would be done again.
        let written = Self.digests(folder).count, recorded = try doneItems().count
        if durability != .batch, written > recorded + 1 {
          found.append("\(name): \(written) files, \(recorded) rows of them")
        }
        var disk = CrashedDisk()
        for change in files.changes { disk.apply(change) }
        for (state, isKill) in [(disk.killed, true)] + disk.states(single: 0).map({ ($0, false) }) {
          states += 1
          guard seen[isKill ? 0 : 1].insert(state).inserted else { continue }
          found += try violations(state, durability, isKill: isKill).map { "\(name): \($0)" }
        }
      }
    }
    #expect(runs > 100)
    #expect(found.isEmpty, "\(found.count): \(found.prefix(5))")
    print(
      "failed calls, --durability \(durability.rawValue): \(runs) runs, \(states) states, \(found.count) violations")
  }
}
