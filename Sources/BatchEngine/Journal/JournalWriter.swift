import CodecService
import Glibc
import HDRRecipe
import HDRRender
import Threads

/// Where and for whom a run keeps its journal.
package struct JournalOptions: Sendable {
  package var folder: FilePath
  /// The output folder: its file system is synced before the row is written.
  package var out: FilePath
  /// Names the share of the manifest in the journal's name.
  package var label = "all"
  /// The share as it was asked for, and where that was found.
  package var shard = "all"
  package var recipeDigest: Digest
  /// What is made of every input.
  package var recipe: Recipe?
  /// Of the manifest; `nil` for `render`.
  package var manifest: Digest?
  /// Items that journals in the folder call done are not done again.
  package var resumes = false
  /// Quarantined inputs are tried again.
  package var retriesQuarantined = false

  package init(folder: FilePath, out: FilePath, recipeDigest: Digest) {
    self.folder = folder
    self.out = out
    self.recipeDigest = recipeDigest
  }
}

extension FilePath {
  /// Where the journals of an output folder are.
  package static func standardJournal(below out: FilePath) -> FilePath {
    out.appending(".hdrbatch").appending("journal")
  }
}

/// The journal of one attempt, being written: one file, one writer, no locks between processes (docs/farm.md#journals).
final class JournalWriter: Sendable {
  private struct State {
    /// Rows of files that are not synced yet.
    var held: [UInt8] = []
    var heldCount = 0
    var oldest = 0.0
  }

  let path: FilePath
  private let file: LineFile
  private let durability: Durability
  private let out: FilePath
  private let state = Monitor(State())

  /// Files that one sync acknowledges, and how long one may wait for the others.
  static let groupSize = 16, groupSeconds = 1.0

  /// - Throws: `FileFault` when it cannot be made.
  init(_ options: JournalOptions, _ durability: Durability, host: String) throws(FileFault) {
    try makeFolder(options.folder)
    self.durability = durability
    out = options.out
    let mine = Array("\(options.label).".utf8)
    var attempt = ((try? Journal.names(in: options.folder)) ?? []).count { $0.starts(with: mine) }
    while true {
      attempt += 1
      let path = options.folder.appending("\(options.label).\(attempt).\(host).\(getpid()).jsonl")
      do throws(FileFault) {
        file = try LineFile(creating: path)
        self.path = path
        break
      } catch {
        if error.number != EEXIST { throw error }
      }
    }
    if durability != .none { try syncFolder(options.folder) }
  }

  /// Adds a row. It is on the disk when this returns, or with `Durability.batch` some rows later.
  func append(_ json: JSON, isItem: Bool) {
    let line = Journal.line(json)
    switch durability {
    case .none: file.append(line)
    case .file: file.append(line, isDurable: true)
    case .batch:
      state.change { state in
        if state.heldCount == 0 { state.oldest = monotonicSeconds() }
        state.held += line
        state.heldCount += 1
        let isDue = state.heldCount >= Self.groupSize || monotonicSeconds() - state.oldest >= Self.groupSeconds
        if !isItem || isDue { flush(&state) }
      }
    }
  }

  private func flush(_ state: inout State) {
    guard state.heldCount > 0 else { return }
    if let fault = syncFileSystem(out) { file.note(fault) }
    file.append(state.held, isDurable: true)
    state.held = []
    state.heldCount = 0
  }

  /// Whether a row was lost.
  var isBroken: Bool { file.fault != nil }

  /// - Returns: the first fault of all writing.
  @discardableResult
  func close() -> FileFault? {
    state.change { flush(&$0) }
    return file.close(syncs: durability != .none)
  }
}
