import CodecService
import HDRRecipe
import HDRRender

/// The outputs of a run, or of several runs into one folder, as their journals have them: the last row of each.
package struct RunOutputs: Sendable {
  /// An output and how it ended.
  package struct Output: Sendable, Hashable {
    /// The place of the file.
    package var file: FilePath
    package var status: ItemStatus
    /// The code and message of a failure.
    package var code: String?
    package var message: String?
    package var digest: Digest?
    package var bytes: Int?

    /// True if the run wrote the file.
    package var isWritten: Bool { status == .ok || status == .warn }

    /// The digest that the row has, if the file is as large as the row says or is not there; `nil` for a file that has
    /// changed since.
    package var standingDigest: Digest? {
      guard let found = fileStatus(file) else { return digest }
      return found.isRegularFile && Int(found.st_size) == bytes ? digest : nil
    }
  }

  /// An origin is a version and a recipe that made outputs: one for all runs that agree.
  package struct Origin: Sendable, Hashable {
    package var version: String
    package var recipe: Digest?
  }

  /// Outputs by their paths below the output folder.
  package private(set) var outputs: [FilePath: Output] = [:]
  /// The versions and recipes of the runs, each once, in the order of time.
  package private(set) var origins: [Origin] = []
  /// Rows that could not be read.
  package private(set) var unread = Journal.UnreadRows()
  /// The folder of the outputs, if one was named, and as it was named.
  private let folder: (path: FilePath, name: FilePath)?

  /// Reads the journals of a run.
  ///
  /// - Parameter place: an output folder, a folder of journals, or a journal.
  /// - Throws: `UsageError` where there are no journals, or they cannot be read.
  package init(of place: FilePath) throws(UsageError) {
    let (folder, journals) = try Self.journals(of: place)
    self.folder = folder.map { ($0, place) }
    for journal in journals.sorted(by: { ($0.unixTime, $0.name) < ($1.unixTime, $1.name) }) {
      guard let head = journal.header else { continue }
      let origin = Origin(version: head.version ?? "", recipe: head.recipeDigest)
      if !origins.contains(origin) { origins.append(origin) }
      let lost = try journal.eachRow(JournalRow.comparedKeys) { row in
        if case .item(let item) = row { note(item, head) }
      }
      unread.rows += lost.rows
      unread.tornBytes += lost.tornBytes
    }
    if outputs.isEmpty { throw UsageError("no run has left journals of items in \(place.display)") }
  }

  private static func journals(of place: FilePath) throws(UsageError) -> (folder: FilePath?, [Journal]) {
    guard let status = fileStatus(place) else { throw UsageError("\(place.display): no such file or folder") }
    if !status.isFolder {
      let all = try Journal.all(in: place.parent)
      return (nil, all.filter { Array($0.name.utf8) == place.name })
    }
    let standard = FilePath.standardJournal(below: place)
    if fileStatus(standard)?.isFolder == true { return (place.absolute, try Journal.all(in: standard)) }
    return (nil, try Journal.all(in: place))
  }

  private mutating func note(_ item: JournalRow.Item, _ run: JournalRow.Header) {
    guard let status = item.status, item.code != "batch.interrupted",
      let bytes = item.outputBytes ?? item.output.map({ Array($0.utf8) })
    else { return }
    let path = FilePath(bytes: bytes).absolute(in: run.folder)
    let below = [folder?.path, run.out?.absolute(in: run.folder)].compactMap(\.self).lazy.compactMap { path.below($0) }
      .first
    let name = below ?? path
    // Done by an earlier run, whose row says more.
    if status == .skipped, outputs[name] != nil { return }
    outputs[name] = Output(
      file: below.flatMap { folder?.name.appending($0.bytes) } ?? path, status: status, code: item.code,
      message: item.message, digest: item.outputDigest, bytes: item.bytesOut)
  }
}

extension FilePath {
  /// Returns a path that begins at the root: a relative one begins in a folder.
  fileprivate func absolute(in folder: FilePath?) -> FilePath {
    isAbsolute ? self : folder?.appending(bytes) ?? absolute
  }

  /// Returns the path below a folder; `nil` for a path elsewhere.
  package func below(_ folder: FilePath) -> FilePath? {
    let parts = bytes.split(separator: UInt8(ascii: "/")).filter { $0 != [UInt8(ascii: ".")] }
    let above = folder.bytes.split(separator: UInt8(ascii: "/")).filter { $0 != [UInt8(ascii: ".")] }
    guard parts.count > above.count, zip(parts, above).allSatisfy({ $0 == $1 }) else { return nil }
    return FilePath(bytes: Array(parts.dropFirst(above.count).joined(separator: [UInt8(ascii: "/")])))
  }
}
