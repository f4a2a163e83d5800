import CodecService
import Glibc
import HDRRecipe
import HDRRender
import PlainData
import Threads

/// The settings of a run's journal.
package struct JournalOptions: Sendable {
  package var folder: FilePath
  /// The output folder: its file system is synced before the row is written.
  package var out: FilePath
  /// Names the shard of the manifest in the journal's name.
  package var label = "all"
  /// The shard as it was asked for, and the source of that.
  package var shard = "all"
  package var recipeDigest: Digest
  /// The recipe for every input.
  package var recipe: Recipe?
  /// The digest of the manifest; `nil` for `render`.
  package var manifest: Digest?
  /// Items that journals in the folder call done are not done again.
  package var resumes = false
  /// Outputs of finished items are read again when the run resumes, whatever their runs synced.
  package var verifies = false
  /// Quarantined inputs are tried again.
  package var retriesQuarantined = false
  /// Items that were not accepted are made again.
  package var retriesRejected = false

  package init(folder: FilePath, out: FilePath, recipeDigest: Digest) {
    self.folder = folder
    self.out = out
    self.recipeDigest = recipeDigest
  }
}

/// The journal of one attempt, being written: one file, one writer, no locks between processes (docs/farm.md#journals).
///
/// After its first fault it takes no more rows: a row that is there was true when it was written, and a sync that failed
/// once is never believed later.
final class JournalWriter: Sendable {
  private struct State {
    /// Rows of files that are not synced yet.
    var held: [UInt8] = []
    var heldCount = 0
    var oldest = 0.0
  }

  private let file: LineFile
  private let durability: Durability
  private let files: any FileSystem
  /// The output folder, open since before the first output: a sync fails for every write that failed since.
  private let out: OpenFolder
  private let state = Monitor(State())

  /// The number of files that one sync acknowledges, and the seconds that one may wait for the others.
  static let groupSize = 16, groupSeconds = 1.0

  /// - Throws: `FileFault` when it cannot be made.
  init(_ options: JournalOptions, _ durability: Durability, _ files: any FileSystem) throws(FileFault) {
    let isDurable = durability != .none
    self.durability = durability
    self.files = files
    out = try files.makeFolders(options.out, isDurable: isDurable)
    let folder: OpenFolder
    if options.folder == .standardJournal(below: options.out) {
      // Below the output folder no link is followed.
      folder = try files.makeFolders(FilePath.standardJournal(below: FilePath("")), in: out, isDurable: isDurable)
    } else {
      folder = try files.makeFolders(options.folder, isDurable: isDurable)
    }
    let mine = Array("\(options.label).".utf8)
    var attempt = ((try? Journal.names(in: folder, files)) ?? []).count { $0.starts(with: mine) }
    while true {
      attempt += 1
      let name = "\(options.label).\(attempt).\(hostName(forFiles: true)).\(getpid()).jsonl"
      do throws(FileFault) {
        file = try LineFile(creating: Array(name.utf8), in: folder, files)
        break
      } catch {
        if error.number != EEXIST { throw error }
      }
    }
    if isDurable { try files.sync(folder) }
  }

  /// Adds a row. It is on the disk when this returns, or with `Durability.batch` some rows later.
  ///
  /// - Parameter syncsNow: `false` for a row that may be lost, as that of an item that was done before: it is on the
  ///   disk with one of the next.
  func append(_ json: JSON, isItem: Bool, syncsNow: Bool = true) {
    let line = Journal.line(json)
    state.change { state in
      if file.fault != nil { return }
      switch durability {
      case .none: file.append(line)
      case .file: file.append(line, isDurable: syncsNow)
      case .batch:
        if syncsNow {
          if state.heldCount == 0 { state.oldest = monotonicSeconds() }
          state.held += line
          state.heldCount += 1
        } else {
          file.append(line)
        }
        let isDue = state.heldCount >= Self.groupSize || monotonicSeconds() - state.oldest >= Self.groupSeconds
        if !isItem || isDue { flush(&state) }
      }
    }
  }

  /// Writes the held rows if their files are on the disk; else they are dropped.
  private func flush(_ state: inout State) {
    let held = state.held
    (state.held, state.heldCount) = ([], 0)
    guard !held.isEmpty, file.fault == nil else { return }
    do throws(FileFault) {
      try files.syncAll(out)
      file.append(held, isDurable: true)
    } catch {
      file.note(error)
    }
  }

  /// True if a write or a sync failed: rows may be lost.
  var isBroken: Bool { file.fault != nil }

  /// - Returns: the first fault of all writing.
  @discardableResult
  func close() -> FileFault? {
    state.change { flush(&$0) }
    return file.close(syncs: durability != .none && !isBroken)
  }
}
